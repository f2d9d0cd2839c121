// The latest conversation: its own work
MATCH (root:Chat {kind: 'root'})
WITH root ORDER BY root.ended_at DESC, root.id LIMIT 1
MATCH p = (root)-[:JOB|AGENT_JOB|DEPENDENCY|LOG|RESULT*1..]->(n)
RETURN p LIMIT 300
