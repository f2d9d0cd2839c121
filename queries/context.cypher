// Which references of a root's chats are only context, and by which rule.
//
// With job_refs 'own' these are the references that leave the scope; with 'all' they are followed, and
// listed too.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   from             STRING   chat
//   to               STRING   job
//   relation         STRING   job or agent_job: what the reference would be as own work
//   basis            STRING   rule that decided
//   address          STRING   where the reference stands: a message, or a receipt entry
//   target_in_scope  BOOLEAN  the job is reached another way all the same
//   total            INTEGER  rows without skip and limit
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
WITH collect(n) AS nodes
UNWIND nodes AS c
MATCH (c)-[r:CONTEXT]->(j:Job)
WHERE r.relation IN $follow
UNWIND CASE r.relation WHEN 'agent_job' THEN r.addresses ELSE [r.addresses[0]] END AS address
WITH c.id AS from, j.id AS to, r.relation AS relation, r.basis AS basis, address, j IN nodes AS target_in_scope
ORDER BY from, to, relation, address
WITH collect({from: from, to: to, relation: relation, basis: basis, address: address,
              target_in_scope: target_in_scope}) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
RETURN row.from AS from, row.to AS to, row.relation AS relation, row.basis AS basis, row.address AS address,
       row.target_in_scope AS target_in_scope, size(rows) AS total;
