// The edges of a closure, one row each; a receipt reference is one edge per receipt entry.
//
// In an own scope the CONTEXT edges that leave it are listed too.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   relation  STRING        only this relation (context included); null: all
//   call_id   STRING        only edges by receipts of this call; null: all
//   job       STRING        only edges from or to this job (id or Workflow/task/name); null: all
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   relation   STRING   job, agent_job, context, dependency, log or result
//   from_kind  STRING   chat or job
//   from       STRING   id
//   to_kind    STRING   chat or job
//   to         STRING   id
//   detail     MAP      relation and basis, address and number of addresses, reference as written, call_id,
//                       tool, position
//   total      INTEGER  rows without skip and limit
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']
//   :param relation => null
//   :param call_id => null
//   :param job => null
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
MATCH (n)-[e:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT]->(to)
WHERE coalesce(e.relation, toLower(type(e))) IN $follow
  AND ($relation IS NULL OR toLower(type(e)) = $relation)
  AND ($call_id IS NULL OR $call_id IN e.call_ids)
  AND ($job IS NULL OR (n:Job AND $job IN [n.id, n.ref]) OR (to:Job AND $job IN [to.id, to.ref]))
WITH n, e, to, 'agent_job' IN [e.relation, toLower(type(e))] AS by_receipt
UNWIND CASE WHEN by_receipt THEN range(0, size(e.addresses) - 1) ELSE [0] END AS i
WITH n, e, to, i, by_receipt
WHERE $call_id IS NULL OR e.call_ids[i] = $call_id
WITH n, e, to, i, by_receipt
ORDER BY n.id, n:Chat, type(e), to.id, i
WITH collect([n, e, to, i, by_receipt]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS n, row[1] AS e, row[2] AS to, row[3] AS i, row[4] AS by_receipt, size(rows) AS total
RETURN toLower(type(e)) AS relation,
       CASE WHEN n:Chat THEN 'chat' ELSE 'job' END AS from_kind, n.id AS from,
       CASE WHEN to:Chat THEN 'chat' ELSE 'job' END AS to_kind, to.id AS to,
       {relation: e.relation, basis: e.basis, address: e.addresses[i], addresses: size(e.addresses),
        reference: e.refs[i], call_id: CASE WHEN by_receipt THEN e.call_ids[i] END,
        tool: CASE WHEN by_receipt THEN e.tools[i] END, position: e.position} AS detail,
       total;
