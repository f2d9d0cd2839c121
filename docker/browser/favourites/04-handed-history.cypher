// Where history was handed on: chats that hold copies of other chats
MATCH p = (a:Chat)-[copies:COPIES_FROM]->(b:Chat)
RETURN p ORDER BY copies.messages DESC LIMIT 100
