// The conversation with most context: its own work, and what it only refers to
MATCH (chat:Chat)-[reference:CONTEXT]->(:Job)
WITH chat.conversation AS conversation, count(reference) AS references
ORDER BY references DESC, conversation LIMIT 1
MATCH p = (:Chat {conversation: conversation})-[:JOB|AGENT_JOB|CONTEXT]->(:Job)
RETURN p LIMIT 300
