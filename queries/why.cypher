// The shortest chain of relationships by which a root reaches a chat or a job.
//
// No row: the root does not reach it (with these relations).
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   target    STRING        id of a chat or job
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
// Columns:
//   path  LIST<MAP>  nodes (id, kind) and between them relationships (relation, basis, address), from the
//                    root on
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param target => '/home/me/var/jobs/Flow/ask/Default.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']

OPTIONAL MATCH (job:Job {id: $root})
OPTIONAL MATCH (chat:Chat {id: $root})
WITH CASE WHEN chat IS NULL OR job.status <> 'noinfo' THEN job ELSE chat END AS root
OPTIONAL MATCH (target_job:Job {id: $target})
OPTIONAL MATCH (target_chat:Chat {id: $target})
UNWIND [n IN [target_job, target_chat] WHERE n IS NOT NULL] AS target
MATCH p = SHORTEST 1 (root)-[e:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END]->*(target)
WITH p ORDER BY length(p) LIMIT 1
WITH nodes(p) AS ns, relationships(p) AS es
RETURN reduce(path = [{id: ns[0].id, kind: CASE WHEN ns[0]:Chat THEN 'chat' ELSE 'job' END}], i IN range(1, size(es)) |
  path + [{relation: toLower(type(es[i - 1])), basis: es[i - 1].basis, address: es[i - 1].addresses[0]},
          {id: ns[i].id, kind: CASE WHEN ns[i]:Chat THEN 'chat' ELSE 'job' END}]) AS path;
