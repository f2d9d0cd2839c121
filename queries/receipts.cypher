// The receipt entries of a closure: jobs and paid requests that tool outputs tell of, and what is wrong with them.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   call_id   STRING        only of this call; null: all
//   warnings  BOOLEAN       only entries with a warning
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   address         STRING   the entry: chat#index/agent_meta/0 or /meta/0
//   output_address  STRING   output that holds it
//   call_id         STRING   call that the output answers
//   tool            STRING   tool of that call
//   job_ref         STRING   job named, as written
//   job             STRING   job it resolves to
//   inference       STRING   paid request it tells of
//   direct          BOOLEAN  a chat of the closure tells of that request too
//   pt              INTEGER  prompt tokens
//   ct              INTEGER  completion tokens
//   tt              INTEGER  total tokens
//   cct             INTEGER  cache-hit tokens
//   cwt             INTEGER  cache-write tokens
//   rt              INTEGER  reasoning tokens
//   warning         STRING   why it could not be read, or unresolved_job_reference
//   total           INTEGER  rows without skip and limit
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']
//   :param call_id => null
//   :param warnings => false
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
WITH collect(n) AS chats, collect(n.id) AS ids
CALL (chats) {
  UNWIND chats AS c
  MATCH (c)-[:HAS_MESSAGE]->(m:Message)-[:HAS_RECEIPT]->(r:Receipt)
  WHERE $call_id IS NULL OR r.call_id = $call_id
  OPTIONAL MATCH (r)-[:RECEIPT_OF]->(j:Job)
  WITH c, m, r, j, coalesce(r.malformed, CASE WHEN r.job_ref IS NOT NULL AND coalesce(j.missing, true) THEN 'unresolved_job_reference' END) AS warning
  WHERE NOT $warnings OR warning IS NOT NULL
  WITH r, j, warning ORDER BY c.id, m.index, r.id
  RETURN collect([r, j, warning]) AS rows
}
UNWIND rows[$skip..$skip + $limit] AS row
WITH ids, row[0] AS r, row[1] AS j, row[2] AS warning, size(rows) AS total
OPTIONAL MATCH (r)-[e:EVIDENCE]->(i:Inference)
RETURN r.id AS address, head(COLLECT { MATCH (r)<-[:HAS_RECEIPT]-(c:ToolCall)-[:RETURNED]->(x:Message) RETURN x.id }
            + COLLECT { MATCH (r)<-[:HAS_RECEIPT]-(x:Message) RETURN x.id }) AS output_address, r.call_id AS call_id, r.tool AS tool,
       r.job_ref AS job_ref, j.id AS job, i.id AS inference,
       EXISTS { MATCH (i)<-[d:EVIDENCE]-(:Message) WHERE d.chat IN ids } AS direct,
       e.pt AS pt, e.ct AS ct, e.tt AS tt, e.cct AS cct, e.cwt AS cwt, e.rt AS rt, warning, total;
