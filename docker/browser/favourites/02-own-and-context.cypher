// The latest conversation: own work and what is only context, one step from each chat
MATCH (root:Chat {kind: 'root'})
WITH root ORDER BY root.ended_at DESC, root.id LIMIT 1
MATCH (root)-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(chat:Chat)
WITH DISTINCT chat
MATCH p = (chat)-[:JOB|AGENT_JOB|CONTEXT]->(:Job)
RETURN p LIMIT 300
