// The reasoning written down in a closure: meta lines with reas=, originals only.
//
// Where an original lies outside the closure its first copy stands for it.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   address    STRING   the meta line
//   agent      STRING   agent of the chat
//   at         STRING   time written
//   inference  STRING   paid request
//   text       STRING   the whole meta line, reas= among its values
//   total      INTEGER  rows without skip and limit
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
MATCH (n)-[:HAS_MESSAGE]->(m:Message {role: 'meta'})-[:HAS_CONTENT]->(t:Content)
WHERE ($job_refs = 'all' OR m.origin <> 'inherited') AND t.text CONTAINS 'reas='
WITH id, n, m, t ORDER BY id, m.index
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
WITH coalesce(o, m) AS original, collect([id, m.index])[0] AS place, collect([n, m, t])[0] AS row
ORDER BY place
WITH collect(row) AS found
UNWIND found[$skip..$skip + $limit] AS row
WITH row[0] AS n, row[1] AS m, row[2] AS t, size(found) AS total
RETURN m.id AS address, n.agent AS agent, toString(m.at) AS at,
       head(COLLECT { MATCH (m)-[:EVIDENCE]->(i:Inference) RETURN i.id }) AS inference, t.text AS text, total;
