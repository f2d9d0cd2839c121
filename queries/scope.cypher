// What belongs to a root: its chats and jobs, edges by relation, counts raw and unique, tokens.
//
// In an own scope CONTEXT is counted, not followed; originals count with an occurrence outside handed
// history, and a request with evidence outside it when a chat of the scope paid.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   chats              LIST<STRING>  ids of the page, sorted
//   jobs               LIST<STRING>  ids of the page, sorted
//   chats_total        INTEGER       chats reached
//   jobs_total         INTEGER       jobs reached
//   edges              MAP           job, agent_job, dependency, log, result, context: number; agent_job
//                                    counts receipt entries
//   messages           INTEGER       messages as parsed
//   unique_messages    INTEGER       originals among them
//   tool_calls         INTEGER       call records
//   unique_tool_calls  INTEGER       originals among them
//   bytes              INTEGER       UTF-8 bytes of parsed contents
//   unique_bytes       INTEGER       normalised bytes, each original once
//   requests           INTEGER       paid requests, each once
//   pt                 INTEGER       prompt tokens
//   ct                 INTEGER       completion tokens
//   tt                 INTEGER       total tokens
//   cct                INTEGER       cache-hit tokens
//   cwt                INTEGER       cache-write tokens
//   rt                 INTEGER       reasoning tokens
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']
//   :param skip => 0
//   :param limit => 100

OPTIONAL MATCH (job:Job {id: $root})
OPTIONAL MATCH (chat:Chat {id: $root})
WITH CASE WHEN chat IS NULL OR job.status <> 'noinfo' THEN job ELSE chat END AS root
MATCH (root)-[path:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(n)
WHERE all(e IN path WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END)
WITH DISTINCT n
ORDER BY n.id
WITH collect(n) AS nodes
WITH [n IN nodes WHERE n:Chat] AS chats, [n IN nodes WHERE n:Job] AS jobs, [n IN nodes WHERE n:Chat | n.id] AS ids
CALL (chats, jobs) {
  UNWIND chats + jobs AS n
  MATCH (n)-[e:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT]->()
  WHERE coalesce(e.relation, toLower(type(e))) IN $follow
  WITH type(e) AS type, CASE WHEN 'agent_job' IN [e.relation, toLower(type(e))] THEN size(e.addresses) ELSE 1 END AS n
  RETURN {job: sum(CASE type WHEN 'JOB' THEN n ELSE 0 END),
          dependency: sum(CASE type WHEN 'DEPENDENCY' THEN n ELSE 0 END),
          log: sum(CASE type WHEN 'LOG' THEN n ELSE 0 END),
          result: sum(CASE type WHEN 'RESULT' THEN n ELSE 0 END),
          agent_job: sum(CASE type WHEN 'AGENT_JOB' THEN n ELSE 0 END),
          context: sum(CASE type WHEN 'CONTEXT' THEN n ELSE 0 END)} AS edges
}
CALL (chats) {
  UNWIND chats AS c
  WITH c, CASE $job_refs WHEN 'own' THEN 1 ELSE 0 END AS own
  RETURN sum(c.messages) AS messages, sum(c.tool_calls) AS tool_calls, sum(c.bytes) AS bytes,
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
CALL (ids) {
  UNWIND ids AS id
  MATCH ()-[e:EVIDENCE]->(i)
  WHERE e.chat = id AND ($job_refs = 'all' OR NOT e.handed)
  WITH i, min(e.rank) AS rank, count(CASE WHEN e.paid THEN 1 END) AS paid
  WHERE $job_refs = 'all' OR paid > 0
  // A request's own counts are those of its very first evidence; where that is elsewhere, the first here counts.
  WITH i, CASE rank WHEN 0 THEN i
    ELSE head(COLLECT { MATCH ()-[x:EVIDENCE]->(i) WHERE x.rank = rank RETURN x }) END AS first
  RETURN count(i) AS requests, sum(first.pt) AS pt, sum(first.ct) AS ct, sum(first.tt) AS tt, sum(first.cct) AS cct,
         sum(first.cwt) AS cwt, sum(first.rt) AS rt
}
RETURN ids[$skip..$skip + $limit] AS chats, [j IN jobs[$skip..$skip + $limit] | j.id] AS jobs,
       size(chats) AS chats_total, size(jobs) AS jobs_total, edges,
       messages, originals + further AS unique_messages,
       tool_calls, original_tool_calls + further_calls AS unique_tool_calls,
       bytes, original_bytes + further_bytes + longer AS unique_bytes,
       requests, pt, ct, tt, cct, cwt, rt;
