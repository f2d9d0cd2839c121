// The jobs of a closure: state, times, dependencies and logs of each.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   path          STRING   id
//   ref           STRING   Workflow/task/name
//   workflow      STRING   workflow
//   task          STRING   task
//   status        STRING   status
//   type          STRING   result type
//   dependencies  INTEGER  dependencies
//   direct_logs   INTEGER  logs
//   issued        STRING   asked for
//   start         STRING   begun
//   end           STRING   ended
//   time_elapsed  FLOAT    seconds
//   error         STRING   last message of a failed job
//   missing       BOOLEAN  its files are gone, or were only ever named
//   total         INTEGER  rows without skip and limit
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
WHERE n:Job
WITH n ORDER BY n.id
WITH collect(n) AS found
UNWIND found[$skip..$skip + $limit] AS j
RETURN j.id AS path, j.ref AS ref, j.workflow AS workflow, j.task AS task, CASE WHEN j.crashed_since IS NULL THEN j.status ELSE 'crashed' END AS status, j.type AS type,
       COUNT { (j)-[:DEPENDENCY]->() } AS dependencies, COUNT { (j)-[:LOG]->() } AS direct_logs,
       toString(j.issued) AS issued, toString(j.start) AS start, toString(j.end) AS end, j.time_elapsed AS time_elapsed,
       j.error AS error, coalesce(j.missing, false) AS missing, size(found) AS total;
