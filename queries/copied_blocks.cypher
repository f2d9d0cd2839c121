// Which jobs' results stand inlined most often in other chats, by the bytes they take there.
//
// Parameters:
//   skip   INTEGER  rows left out before the first
//   limit  INTEGER  rows at most
// Columns:
//   job       STRING        id
//   ref       STRING        Workflow/task/name
//   blocks    INTEGER       inlined blocks
//   chats     INTEGER       chats that hold them
//   messages  INTEGER       messages in them
//   bytes     INTEGER       UTF-8 bytes in them
//   examples  LIST<STRING>  addresses of the first five
//   total     INTEGER       rows without skip and limit
// Example:
//   :param skip => 0
//   :param limit => 100

MATCH (c:Chat)-[r:JOB|CONTEXT]->(j:Job)
WHERE r.relation IS NULL OR r.relation = 'job'
UNWIND r.addresses AS address
MATCH (m:Message {id: address})
WHERE m.block_last IS NOT NULL
WITH j, c, m ORDER BY c.id, m.index
WITH j, count(m) AS blocks, count(DISTINCT c) AS chats, sum(m.block_last - m.index + 1) AS messages,
     sum(m.block_bytes) AS bytes, collect(m.id)[..5] AS examples
ORDER BY bytes DESC, j.id
WITH collect({j: j, blocks: blocks, chats: chats, messages: messages, bytes: bytes, examples: examples}) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
RETURN row.j.id AS job, row.j.ref AS ref, row.blocks AS blocks, row.chats AS chats, row.messages AS messages,
       row.bytes AS bytes, row.examples AS examples, size(rows) AS total;
