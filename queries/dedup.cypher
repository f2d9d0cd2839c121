// How much of what a root reaches is copies: messages, tool calls and bytes, raw and unique.
//
// Raw counts are occurrences as parsed. Unique counts are originals, the synthetic first message left out;
// in an own scope those with an occurrence outside handed history.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
// Columns:
//   chats              INTEGER  chats reached
//   messages           INTEGER  messages as parsed
//   unique_messages    INTEGER  originals among them
//   tool_calls         INTEGER  call records
//   unique_tool_calls  INTEGER  originals among them
//   bytes              INTEGER  UTF-8 bytes of parsed contents
//   unique_bytes       INTEGER  normalised bytes, each original once
//   inlined_messages   INTEGER  messages of results of other jobs that stand in these chats
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']

OPTIONAL MATCH (job:Job {id: $root})
OPTIONAL MATCH (chat:Chat {id: $root})
WITH CASE WHEN chat IS NULL OR job.status <> 'noinfo' THEN job ELSE chat END AS root
MATCH (root)-[path:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(n)
WHERE all(e IN path WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END)
WITH DISTINCT n
WHERE n:Chat
WITH collect(n) AS chats
CALL (chats) {
  UNWIND chats AS c
  WITH c, CASE $job_refs WHEN 'own' THEN 1 ELSE 0 END AS own
  RETURN sum(c.messages) AS messages, sum(c.tool_calls) AS tool_calls, sum(c.bytes) AS bytes,
         sum(c.inlined_messages) AS inlined_messages,
         sum(c.originals - own * c.handed_originals) AS originals,
         sum(c.original_tool_calls - own * c.handed_original_tool_calls) AS original_tool_calls,
         sum(c.original_bytes - own * c.handed_original_bytes) AS original_bytes
}
CALL (chats) {
  // Originals elsewhere that stand here as copies, each once; found from their own chats, which are few.
  UNWIND chats AS c
  MATCH (c)-[r:COPIES_FROM]->(d:Chat)
  WHERE NOT d IN chats AND ($job_refs = 'all' OR r.messages > r.handed)
  WITH DISTINCT d
  MATCH (d)-[:HAS_MESSAGE]->(o:Message)<-[:COPY_OF]-(m:Message)<-[:HAS_MESSAGE]-(c)
  WHERE c IN chats AND ($job_refs = 'all' OR m.origin <> 'inherited')
  WITH o, max(m.norm_bytes) AS longest
  RETURN count(o) AS further, count(CASE WHEN o:ToolCall THEN 1 END) AS further_calls, sum(longest) AS further_bytes
}
CALL (chats) {
  // Copies here that are longer than their original here: the longest text counts.
  UNWIND chats AS c
  MATCH (c)-[r:COPIES_FROM]->(d:Chat)
  WHERE r.longer > 0 AND d IN chats
  WITH c, collect(d) AS sources
  MATCH (c)-[:HAS_MESSAGE]->(m:Message)-[:COPY_OF]->(o:Message)<-[:HAS_MESSAGE]-(d)
  WHERE m.norm_bytes > o.norm_bytes AND d IN sources AND ($job_refs = 'all' OR m.origin <> 'inherited')
  WITH o, max(m.norm_bytes) AS longest
  RETURN sum(longest - o.norm_bytes) AS longer
}
RETURN size(chats) AS chats, messages, originals + further AS unique_messages,
       tool_calls, original_tool_calls + further_calls AS unique_tool_calls,
       bytes, original_bytes + further_bytes + longer AS unique_bytes,
       inlined_messages;
