// Agents, the versions of their instructions and the chats that ran with them
MATCH p = (chat:Chat)-[:RAN_WITH]->(:Instructions)
RETURN p LIMIT 150
