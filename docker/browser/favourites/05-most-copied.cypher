// The messages that are copied most
MATCH (copy:Message)-[:COPY_OF]->(original:Message)
WITH original, count(copy) AS copies
ORDER BY copies DESC, original.id
LIMIT 25
RETURN original.id AS address, original.role AS role, copies, original.norm_bytes * copies AS bytes, original.preview AS preview
