// Tools: calls as written, and calls that were really made
MATCH (call:ToolCall)
WITH call.tool AS tool, count(*) AS written, count(CASE WHEN NOT EXISTS { (call)-[:COPY_OF]->() } THEN 1 END) AS made,
     count(CASE WHEN call.status = 'failure' AND NOT EXISTS { (call)-[:COPY_OF]->() } THEN 1 END) AS failed
RETURN tool, written, made, failed
ORDER BY made DESC, tool
LIMIT 100
