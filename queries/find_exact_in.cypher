// Messages of a closure whose text holds exactly these characters.
//
// Parameters:
//   root       STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs   STRING        'all' follows CONTEXT, 'own' does not
//   follow     LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                            alone
//   text       STRING        the exact characters, upper and lower case told apart
//   role       STRING        only this role; null: all
//   originals  BOOLEAN       leave copies out
//   skip       INTEGER       rows left out before the first
//   limit      INTEGER       rows at most
// Columns:
//   address  STRING   chat#index
//   role     STRING   role
//   agent    STRING   agent of the chat
//   snippet  STRING   the beginning of the text, or what stands around the match
//   bytes    INTEGER  UTF-8 bytes of the message
//   origin   STRING   own, projection, inlined or inherited
//   copy_of  STRING   address of its original
//   score    FLOAT    how well it matches
//   total    INTEGER  rows without skip and limit
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']
//   :param text => 'run_id=17'
//   :param role => null
//   :param originals => false
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
WITH n AS c
MATCH (c)-[:HAS_MESSAGE]->(m:Message)-[:HAS_CONTENT]->(t:Content)
WHERE t.text CONTAINS $text
  AND ($role IS NULL OR m.role = $role) AND NOT ($originals AND EXISTS { (m)-[:COPY_OF]->() })
WITH t, c, m ORDER BY c.id, m.index
WITH collect([m, c, t]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS m, row[1] AS c, row[2] AS t, size(rows) AS total
WITH m, c, t, size(split(t.text, $text)[0]) AS place, total
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
RETURN m.id AS address, m.role AS role, c.agent AS agent, substring(t.text, CASE WHEN place > 60 THEN place - 60 ELSE 0 END, 200) AS snippet,
       m.bytes AS bytes, m.origin AS origin, o.id AS copy_of, 1.0 AS score, total;
