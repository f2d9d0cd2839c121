// One message by its address, with its text (or a part of it) and what it belongs to.
//
// Parameters:
//   address  STRING   chat#index
//   offset   INTEGER  characters left out at the beginning of the text
//   length   INTEGER  characters at most
// Columns:
//   address         STRING   chat#index
//   chat            STRING   chat
//   index           INTEGER  place in the chat, from 0
//   role            STRING   role as written
//   lineage         STRING   md5 over the messages before it
//   content_key     STRING   digest of role and normalised content
//   preview         STRING   fingerprint of the content
//   bytes           INTEGER  UTF-8 bytes as parsed
//   line            INTEGER  line of its header
//   origin          STRING   own, projection, inlined or inherited
//   copy_of         STRING   address of its original; null on an original
//   content         STRING   the part of the text that was asked for
//   characters      INTEGER  of the whole stored text
//   truncated       BOOLEAN  the text was too long to be stored whole; the rest is in the file
//   redactions      INTEGER  secrets taken out
//   at              STRING   time written in it
//   tool            STRING   of a call
//   call_id         STRING   of a call or output
//   status          STRING   of a call
//   status_reason   STRING   of a call
//   target_agent    STRING   of a call
//   error           STRING   error field of an output
//   output_address  STRING   a call's output
//   call_address    STRING   an output's call
//   receipts        INTEGER  receipt entries of the call or output
//   copies          INTEGER  messages that are copies of it
//   inference       STRING   paid request that it tells of
//   job             STRING   job that a job= line names
// Example:
//   :param address => '/home/me/chats/plan.chat#3'
//   :param offset => 0
//   :param length => 10000

MATCH (m:Message {id: $address})
MATCH (c:Chat)-[:HAS_MESSAGE]->(m)
MATCH (m)-[:HAS_CONTENT]->(t:Content)
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
RETURN m.id AS address, c.id AS chat, m.index AS index, m.role AS role, m.lineage AS lineage,
       m.content_key AS content_key, m.preview AS preview, m.bytes AS bytes, m.line AS line, m.origin AS origin,
       o.id AS copy_of, substring(t.text, $offset, $length) AS content, size(t.text) AS characters,
       coalesce(t.truncated, false) AS truncated, coalesce(t.redactions, 0) AS redactions, toString(m.at) AS at,
       m.tool AS tool, m.call_id AS call_id, m.status AS status, m.status_reason AS status_reason,
       m.target_agent AS target_agent, m.error AS error,
       head(COLLECT { MATCH (m)-[:RETURNED]->(x:Message) RETURN x.id }) AS output_address,
       head(COLLECT { MATCH (m)<-[:RETURNED]-(x:Message) RETURN x.id }) AS call_address,
       COUNT { (m)-[:HAS_RECEIPT]->() } + COUNT { (m)<-[:RETURNED]-()-[:HAS_RECEIPT]->() } AS receipts,
       COUNT { (m)<-[:COPY_OF]-() } AS copies,
       head(COLLECT { MATCH (m)-[:EVIDENCE]->(i:Inference) RETURN i.id }) AS inference,
       head(COLLECT { MATCH (c)-[r:JOB|CONTEXT]->(j:Job) WHERE m.job_ref IS NOT NULL AND m.id IN r.addresses RETURN j.id }) AS job;
