// What each job of a closure paid.
//
// A request counts for the job of the chat that paid. The rows add up to the deduplicated total.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   key       STRING   job whose log or result is the chat that paid; null: no job, the conversation itself
//   requests  INTEGER  paid requests
//   pt        INTEGER  prompt tokens
//   ct        INTEGER  completion tokens
//   tt        INTEGER  total tokens
//   cct       INTEGER  cache-hit tokens
//   cwt       INTEGER  cache-write tokens
//   rt        INTEGER  reasoning tokens
//   total     INTEGER  rows without skip and limit
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
WHERE n:Chat
WITH collect(n.id) AS ids
CALL (ids) {
  UNWIND ids AS id
  MATCH ()-[e:EVIDENCE]->(i:Inference)
  WHERE e.chat = id AND ($job_refs = 'all' OR NOT e.handed)
  WITH i, e ORDER BY e.rank
  WITH i, collect(e)[0] AS first, [e IN collect(e) WHERE e.paid | e.chat] AS payers
  WHERE $job_refs = 'all' OR size(payers) > 0
  WITH i, first, coalesce(payers[0], first.chat) AS chat
  WITH chat, collect([i, first]) AS paid
  MATCH (c:Chat {id: chat})
  WITH paid, head(COLLECT { MATCH (j:Job)-[:LOG|RESULT]->(c) RETURN j.id ORDER BY j.id LIMIT 1 }) AS key
  UNWIND paid AS one
  WITH key, one[0] AS i, one[1] AS first
  WITH key, count(i) AS requests, sum(first.pt) AS pt, sum(first.ct) AS ct, sum(first.tt) AS tt,
       sum(first.cct) AS cct, sum(first.cwt) AS cwt, sum(first.rt) AS rt
  ORDER BY tt DESC, key
  RETURN collect({key: key, requests: requests, pt: pt, ct: ct, tt: tt, cct: cct, cwt: cwt, rt: rt}) AS rows
}
UNWIND rows[$skip..$skip + $limit] AS row
RETURN row.key AS key, row.requests AS requests, row.pt AS pt, row.ct AS ct, row.tt AS tt, row.cct AS cct, row.cwt AS cwt,
       row.rt AS rt, size(rows) AS total;
