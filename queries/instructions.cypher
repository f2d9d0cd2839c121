// Which versions of which agents' instructions ran in a closure, and in which chats.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   digest      STRING        digest of agent name and instructions
//   agent       STRING        agent
//   text_key    STRING        sha1 of the text
//   preview     STRING        fingerprint of the text
//   bytes       INTEGER       UTF-8 bytes
//   chats       LIST<STRING>  chats that began with it
//   first_used  STRING        earliest time written in these chats
//   last_used   STRING        latest
//   total       INTEGER       rows without skip and limit
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
MATCH (n)-[:RAN_WITH]->(v:Instructions)
WITH v, n ORDER BY n.id
WITH v, collect(n.id) AS chats, min(n.started_at) AS first, max(n.ended_at) AS last
ORDER BY v.agent, first, v.digest
WITH collect({v: v, chats: chats, first: first, last: last}) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
RETURN row.v.digest AS digest, row.v.agent AS agent, row.v.text_key AS text_key, row.v.preview AS preview,
       row.v.bytes AS bytes, row.chats AS chats, toString(row.first) AS first_used, toString(row.last) AS last_used,
       size(rows) AS total;
