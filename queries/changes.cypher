// Chats and jobs of a closure whose files were rewritten, or went away, after they were indexed.
//
// A chat is rewritten when a message that was read once says something else now, or is not there any more;
// growing is no rewriting. What was indexed of files that went away stays until it is pruned.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   path                  STRING   id
//   kind                  STRING   chat or job
//   change                STRING   rewritten or gone
//   at                    STRING   when that was seen (for several rewritings the last)
//   fingerprint           STRING   of the chat as it is indexed now
//   previous_fingerprint  STRING   of the chat before the last rewriting
//   total                 INTEGER  rows without skip and limit
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
WITH DISTINCT n, CASE WHEN n:Chat THEN 'chat' ELSE 'job' END AS kind
OPTIONAL MATCH (f:File {path: n.id}) WHERE kind = 'chat' AND f.changed_at IS NOT NULL
WITH n, kind, f, [x IN [
    CASE WHEN f IS NULL THEN null ELSE {change: 'rewritten', at: f.changed_at} END,
    CASE WHEN n.missing AND n.missing_since IS NOT NULL THEN {change: 'gone', at: n.missing_since} END
  ] WHERE x IS NOT NULL] AS changes
UNWIND changes AS x
WITH n, kind, f, x ORDER BY x.at DESC, n.id, kind, x.change
WITH collect({path: n.id, kind: kind, change: x.change, at: toString(x.at), fingerprint: n.fingerprint,
              previous: CASE x.change WHEN 'rewritten' THEN f.previous_fingerprint END}) AS found
UNWIND found[$skip..$skip + $limit] AS x
RETURN x.path AS path, x.kind AS kind, x.change AS change, x.at AS at, x.fingerprint AS fingerprint,
       x.previous AS previous_fingerprint, size(found) AS total;
