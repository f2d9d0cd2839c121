// What could not be read or resolved in a closure, with file and line.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   kind      STRING        only this kind; null: all
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   kind     STRING   stable name
//   address  STRING   file, or message
//   path     STRING   file
//   line     INTEGER  line, from 1
//   stage    STRING   read or link
//   detail   STRING   what it is and what to do
//   total    INTEGER  rows without skip and limit
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']
//   :param kind => null
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
UNWIND [n.id, n.id + '.info'] AS path
MATCH (p:Problem {path: path})
WHERE $kind IS NULL OR p.kind = $kind
WITH DISTINCT p
WITH p ORDER BY p.path, p.line, p.kind, p.id
WITH collect(p) AS found
UNWIND found[$skip..$skip + $limit] AS p
RETURN p.kind AS kind, p.address AS address, p.path AS path, p.line AS line, p.stage AS stage, p.detail AS detail,
       size(found) AS total;
