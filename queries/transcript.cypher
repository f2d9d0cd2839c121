// A chat as a person reads it: its messages in order with their text, and what hangs on each.
//
// Parameters:
//   chat    STRING   id of a chat
//   skip    INTEGER  messages left out before the first
//   limit   INTEGER  messages at most
//   length  INTEGER  characters of a text at most
// Columns:
//   address         STRING     chat#index
//   index           INTEGER    place in the chat, from 0
//   role            STRING     role as written
//   lineage         STRING     md5 over the messages before it
//   line            INTEGER    line of its header
//   bytes           INTEGER    UTF-8 bytes as parsed
//   origin          STRING     own, projection, inlined or inherited
//   synthetic       BOOLEAN    the empty first message that no one wrote
//   copy_of         STRING     address of its original; null on an original
//   copies          INTEGER    messages that are copies of it
//   at              STRING     time written in it
//   content         STRING     the beginning of its text
//   characters      INTEGER    of the whole stored text
//   truncated       BOOLEAN    the text was too long to be stored whole
//   redactions      INTEGER    secrets taken out
//   tool            STRING     of a call
//   call_id         STRING     of a call or output
//   status          STRING     of a call
//   status_reason   STRING     of a call
//   target_agent    STRING     of a call
//   output_address  STRING     a call's output
//   call_address    STRING     an output's call
//   receipts        LIST<MAP>  of a call: address, job, job_ref, inference, malformed of each receipt entry
//   job             STRING     job that a job= line names
//   context         BOOLEAN    that reference is only context
//   basis           STRING     rule that decided it
//   block_last      INTEGER    on the job= line of an inlined result: index of its last message
//   block_first     INTEGER    inside an inlined result: index of its job= line
//   block_job       STRING     inside an inlined result: job whose result it is
//   block_original  STRING     inside an inlined result: message that its first copied message repeats
//   chats           LIST<MAP>  of an import, continue or last: chat, missing and ref (as written) of each
//   inference       STRING     paid request that it tells of
//   pt              INTEGER    prompt tokens as written here
//   ct              INTEGER    completion tokens
//   tt              INTEGER    total tokens
//   total           INTEGER    messages of the chat
// Example:
//   :param chat => '/home/me/chats/plan.chat'
//   :param skip => 0
//   :param limit => 50
//   :param length => 20000

MATCH (c:Chat {id: $chat})
CALL (c) {
  MATCH (c)-[:HAS_MESSAGE]->(b:Message)
  WHERE b.block_last IS NOT NULL
  RETURN collect(b) AS blocks
}
CALL (c) {
  MATCH (c)-[:HAS_MESSAGE]->(m:Message)
  WITH m ORDER BY m.index
  SKIP $skip LIMIT $limit
  RETURN m
}
WITH c, m, head([b IN blocks WHERE b.index <= m.index AND m.index <= b.block_last]) AS block
OPTIONAL MATCH (m)-[:HAS_CONTENT]->(t:Content)
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
OPTIONAL MATCH (m)-[e:EVIDENCE]->(i:Inference)
WITH c, m, block, t, o, e, i,
     head(COLLECT { MATCH (c)-[r:JOB|CONTEXT]->(j:Job) WHERE m.job_ref IS NOT NULL AND m.id IN r.addresses
                    RETURN {job: j.id, context: type(r) = 'CONTEXT', basis: r.basis} LIMIT 1 }) AS named
RETURN m.id AS address, m.index AS index, m.role AS role, m.lineage AS lineage, m.line AS line, m.bytes AS bytes,
       m.origin AS origin, coalesce(m.synthetic, false) AS synthetic, o.id AS copy_of,
       COUNT { (m)<-[:COPY_OF]-() } AS copies, toString(m.at) AS at, substring(t.text, 0, $length) AS content,
       size(t.text) AS characters, coalesce(t.truncated, false) AS truncated, coalesce(t.redactions, 0) AS redactions,
       m.tool AS tool, m.call_id AS call_id, m.status AS status, m.status_reason AS status_reason,
       m.target_agent AS target_agent,
       head(COLLECT { MATCH (m)-[:RETURNED]->(x:Message) RETURN x.id }) AS output_address,
       head(COLLECT { MATCH (m)<-[:RETURNED]-(x:Message) RETURN x.id }) AS call_address,
       COLLECT { MATCH (m)-[:HAS_RECEIPT]->(r:Receipt) OPTIONAL MATCH (r)-[:RECEIPT_OF]->(j:Job)
                 WITH r, j ORDER BY r.id
                 RETURN {address: r.id, job: j.id, job_ref: r.job_ref, inference: r.inference, malformed: r.malformed} } AS receipts,
       named.job AS job, named.context AS context, named.basis AS basis, m.block_last AS block_last,
       block.index AS block_first,
       head(COLLECT { MATCH (c)-[r:JOB|CONTEXT]->(j:Job) WHERE block IS NOT NULL AND block.id IN r.addresses
                      RETURN j.id LIMIT 1 }) AS block_job,
       head(COLLECT { MATCH (c)-[:HAS_MESSAGE]->(x:Message)-[:COPY_OF]->(y:Message)
                      WHERE m = block AND block.index < x.index AND x.index <= block.block_last
                      RETURN y.id ORDER BY x.index LIMIT 1 }) AS block_original,
       COLLECT { MATCH (c)-[r:IMPORTS|CONTINUES|LAST]->(d:Chat)
                 WHERE m.role IN ['import', 'continue', 'last'] AND m.index IN r.indexes
                 WITH d, r ORDER BY d.id
                 RETURN {chat: d.id, missing: d.missing,
                         ref: head([n IN range(0, size(r.indexes) - 1) WHERE r.indexes[n] = m.index | r.refs[n]])} } AS chats,
       i.id AS inference,
       e.pt AS pt, e.ct AS ct, e.tt AS tt, c.messages AS total
ORDER BY index;
