// What is reached from a root: every chat and job, once.
//
// An edge is followed when its relation is in $follow; CONTEXT counts as the relation it stands for. Cycles
// are normal, and no number of hops cuts the search.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   kind     STRING   chat or job
//   id       STRING   path
//   about    STRING   agent of a chat, status of a job
//   missing  BOOLEAN  its file is gone
//   total    INTEGER  rows without skip and limit
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
ORDER BY n:Job, n.id
WITH collect(n) AS nodes
UNWIND nodes[$skip..$skip + $limit] AS n
RETURN CASE WHEN n:Chat THEN 'chat' ELSE 'job' END AS kind, n.id AS id, coalesce(n.agent, CASE WHEN n.crashed_since IS NULL THEN n.status ELSE 'crashed' END) AS about,
       n.missing AS missing, size(nodes) AS total;
