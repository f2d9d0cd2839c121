// Where results of other jobs stand inlined in the chats of a root: each block with its size.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   chat         STRING   chat that holds the block
//   first_index  INTEGER  its job= line
//   last_index   INTEGER  its last message
//   job          STRING   job whose result it is
//   original     STRING   chat where the text first stood: the result, else a log; null when neither is
//                         known
//   bytes        INTEGER  UTF-8 bytes of the block's parsed contents
//   messages     INTEGER  messages of the block
//   total        INTEGER  rows without skip and limit
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
MATCH (n)-[r:JOB|CONTEXT]->(j:Job)
WHERE r.relation IS NULL OR r.relation = 'job'
UNWIND r.addresses AS address
MATCH (m:Message {id: address})
WHERE m.block_last IS NOT NULL
WITH n, m, j
ORDER BY n.id, m.index
WITH collect([n, m, j]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS n, row[1] AS m, row[2] AS j, size(rows) AS total
RETURN n.id AS chat, m.index AS first_index, m.block_last AS last_index, j.id AS job,
       head(COLLECT { MATCH (j)-[s:RESULT|LOG]->(c:Chat) WHERE c <> n AND NOT c.missing RETURN c.id ORDER BY type(s) DESC, c.id LIMIT 1 }
            + COLLECT { MATCH (j)-[s:RESULT|LOG]->(c:Chat) WHERE c <> n RETURN c.id ORDER BY type(s) DESC, c.id LIMIT 1 }) AS original,
       m.block_bytes AS bytes, m.block_last - m.index + 1 AS messages, total;
