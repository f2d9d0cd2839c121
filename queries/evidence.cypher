// The meta lines of a closure: what each tells of a paid request or of a job.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   address               STRING   the meta line
//   kind                  STRING   tokens, job or unknown
//   inference             STRING   paid request
//   provider_response_id  STRING   as written here
//   pt                    INTEGER  prompt tokens
//   ct                    INTEGER  completion tokens
//   tt                    INTEGER  total tokens
//   cct                   INTEGER  cache-hit tokens
//   cwt                   INTEGER  cache-write tokens
//   rt                    INTEGER  reasoning tokens
//   job_ref               STRING   job= as written
//   job                   STRING   job it resolves to
//   at                    STRING   time written
//   origin                STRING   own, projection, inlined or inherited
//   copy_of               STRING   address of its original
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
WITH DISTINCT n
WHERE n:Chat
WITH n, n.id AS id ORDER BY id
MATCH (n)-[:HAS_MESSAGE]->(m:Message {role: 'meta'})
WITH id, n, m ORDER BY id, m.index
WITH collect([n, m]) AS found
UNWIND found[$skip..$skip + $limit] AS row
WITH row[0] AS n, row[1] AS m, size(found) AS total
OPTIONAL MATCH (m)-[e:EVIDENCE]->(i:Inference)
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
RETURN m.id AS address, CASE WHEN m.job_ref IS NOT NULL THEN 'job' WHEN i IS NOT NULL THEN 'tokens' ELSE 'unknown' END AS kind,
       i.id AS inference, e.provider_response_id AS provider_response_id, e.pt AS pt, e.ct AS ct, e.tt AS tt,
       e.cct AS cct, e.cwt AS cwt, e.rt AS rt, m.job_ref AS job_ref,
       head(COLLECT { MATCH (n)-[r:JOB|CONTEXT]->(j:Job) WHERE m.job_ref IS NOT NULL AND m.id IN r.addresses RETURN j.id }) AS job,
       toString(m.at) AS at, m.origin AS origin, o.id AS copy_of, total;
