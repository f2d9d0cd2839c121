// Messages of a closure whose text has these words, best first, by the full-text index.
//
// Parameters:
//   root       STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs   STRING        'all' follows CONTEXT, 'own' does not
//   follow     LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                            alone
//   text       STRING        words, or Lucene syntax: "a phrase", a AND b, a*
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
//   :param text => 'glossary AND tide*'
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
WITH collect(n) AS chats
CALL db.index.fulltext.queryNodes('content_text', $text, {limit: 100000}) YIELD node AS t, score
MATCH (t)<-[:HAS_CONTENT]-(m:Message)<-[:HAS_MESSAGE]-(c:Chat)
WHERE c IN chats
  AND ($role IS NULL OR m.role = $role) AND NOT ($originals AND EXISTS { (m)-[:COPY_OF]->() })
WITH score, c, m ORDER BY score DESC, c.id, m.index
WITH collect([m, c, score]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS m, row[1] AS c, row[2] AS score, size(rows) AS total
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
RETURN m.id AS address, m.role AS role, c.agent AS agent, m.preview AS snippet, m.bytes AS bytes, m.origin AS origin,
       o.id AS copy_of, score, total;
