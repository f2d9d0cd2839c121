// How large a closure is, and how long the longest names in it are (for the size of pages).
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
// Columns:
//   chats         INTEGER  chats reached
//   jobs          INTEGER  jobs reached
//   references    INTEGER  CONTEXT references of these chats
//   longest_chat  INTEGER  characters of the longest chat id
//   longest_job   INTEGER  characters of the longest job id
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
OPTIONAL MATCH (n)-[c:CONTEXT]->()
WITH n, sum(CASE c.relation WHEN 'agent_job' THEN size(c.addresses) WHEN 'job' THEN 1 ELSE 0 END) AS references
RETURN count(CASE WHEN n:Chat THEN 1 END) AS chats, count(CASE WHEN n:Job THEN 1 END) AS jobs,
       sum(references) AS references,
       coalesce(max(CASE WHEN n:Chat THEN size(n.id) END), 0) AS longest_chat,
       coalesce(max(CASE WHEN n:Job THEN size(n.id) END), 0) AS longest_job;
