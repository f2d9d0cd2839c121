// References that are only context, by the rule that said so
MATCH (chat:Chat)-[reference:CONTEXT]->(job:Job)
RETURN reference.basis AS rule, count(*) AS references, count(DISTINCT chat) AS chats, count(DISTINCT job) AS jobs
ORDER BY references DESC
