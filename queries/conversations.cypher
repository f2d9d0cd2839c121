// The root chats: own and context jobs, calls and cost of each conversation, the latest first.
//
// Parameters:
//   skip   INTEGER  rows left out before the first
//   limit  INTEGER  rows at most
// Columns:
//   root               STRING   root chat
//   own_jobs           INTEGER  jobs reached without CONTEXT
//   context_jobs       INTEGER  jobs reached with CONTEXT only
//   shared_jobs        INTEGER  jobs of either kind that another root chat reaches too
//   own_shared_jobs    INTEGER  own jobs among these
//   chats              INTEGER  own chats
//   messages           INTEGER  messages in own chats, as parsed
//   inlined_messages   INTEGER  of these in results of other jobs that stand in them
//   tool_calls         INTEGER  call records in own chats
//   unique_tool_calls  INTEGER  originals of these, with an occurrence outside handed history
//   requests           INTEGER  paid requests, own
//   pt                 INTEGER  prompt tokens
//   ct                 INTEGER  completion tokens
//   tt                 INTEGER  total tokens
//   cct                INTEGER  cache-hit tokens
//   cwt                INTEGER  cache-write tokens
//   rt                 INTEGER  reasoning tokens
//   last_activity      STRING   latest time written in its own chats
//   total              INTEGER  rows without skip and limit
// Example:
//   :param skip => 0
//   :param limit => 100

MATCH (root:Chat {kind: 'root'})
CALL (root) {
  MATCH (root)-[:JOB|AGENT_JOB|DEPENDENCY|LOG|RESULT*0..]->(n)
  WITH DISTINCT n
  RETURN max(CASE WHEN n:Chat THEN n.ended_at END) AS last
}
WITH root, last ORDER BY coalesce(last, datetime('0001-01-01T00:00:00Z')) DESC, root.id
WITH collect([root, last]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS root, row[1] AS last, size(rows) AS total
CALL (root) {
  MATCH (root)-[:JOB|AGENT_JOB|DEPENDENCY|LOG|RESULT*0..]->(n)
  WITH DISTINCT n
  RETURN [n IN collect(n) WHERE n:Chat] AS chats, [n IN collect(n) WHERE n:Job] AS own
}
CALL (root) {
  MATCH (root)-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(j:Job)
  WITH DISTINCT j
  RETURN collect(j) AS jobs
}
CALL (root, jobs, own) {
  UNWIND jobs AS j
  MATCH (j)<-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*1..]-(other)
  WITH DISTINCT j, other
  WHERE other:Chat AND other.kind = 'root' AND other <> root
  WITH DISTINCT j
  RETURN count(j) AS shared, count(CASE WHEN j IN own THEN 1 END) AS own_shared
}
WITH root, last, total, chats, own, size(jobs) AS reached, shared, own_shared, [c IN chats | c.id] AS ids
CALL (chats) {
  UNWIND chats AS c
  RETURN sum(c.messages) AS messages, sum(c.inlined_messages) AS inlined_messages, sum(c.tool_calls) AS tool_calls,
         sum(c.original_tool_calls - c.handed_original_tool_calls) AS originals
}
CALL (chats) {
  UNWIND chats AS c
  MATCH (c)-[r:COPIES_FROM]->(d:Chat)
  WHERE r.messages > r.handed AND NOT d IN chats
  WITH DISTINCT d
  MATCH (d)-[:HAS_MESSAGE]->(o:ToolCall)<-[:COPY_OF]-(m:Message)<-[:HAS_MESSAGE]-(c)
  WHERE m.origin <> 'inherited' AND c IN chats
  RETURN count(DISTINCT o) AS elsewhere
}
CALL (ids) {
  UNWIND ids AS id
  MATCH ()-[e:EVIDENCE]->(i:Inference)
  WHERE e.chat = id AND NOT e.handed
  WITH i, e ORDER BY e.rank
  WITH i, collect(e)[0] AS first, any(e IN collect(e) WHERE e.paid) AS paid
  WHERE paid
  RETURN count(i) AS requests, sum(first.pt) AS pt, sum(first.ct) AS ct, sum(first.tt) AS tt,
         sum(first.cct) AS cct, sum(first.cwt) AS cwt, sum(first.rt) AS rt
}
RETURN root.id AS root, size(own) AS own_jobs, reached - size(own) AS context_jobs, shared AS shared_jobs,
       own_shared AS own_shared_jobs, size(chats) AS chats, messages, inlined_messages, tool_calls,
       originals + elsewhere AS unique_tool_calls, requests, pt, ct, tt, cct, cwt, rt,
       toString(last) AS last_activity, total;
