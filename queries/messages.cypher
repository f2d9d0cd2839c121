// The messages of a closure, chat by chat.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   chat      STRING        only messages of this chat; null: all
//   role      STRING        only this role; null: all
//   origin    STRING        own, projection, inlined or inherited; null: all
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   address      STRING   chat#index
//   index        INTEGER  place in the chat, from 0
//   role         STRING   role as written
//   lineage      STRING   md5 over the messages before it
//   content_key  STRING   digest of role and normalised content
//   preview      STRING   fingerprint of the content
//   bytes        INTEGER  UTF-8 bytes as parsed
//   line         INTEGER  line of its header
//   origin       STRING   own, projection, inlined or inherited
//   copy_of      STRING   address of its original; null on an original
//   total        INTEGER  rows without skip and limit
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']
//   :param chat => null
//   :param role => null
//   :param origin => null
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
WHERE n:Chat AND ($chat IS NULL OR n.id = $chat)
WITH n, n.id AS id ORDER BY id
MATCH (n)-[:HAS_MESSAGE]->(m:Message)
WHERE ($role IS NULL OR m.role = $role) AND ($origin IS NULL OR m.origin = $origin)
WITH id, m ORDER BY id, m.index
WITH collect(m) AS found
UNWIND found[$skip..$skip + $limit] AS m
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
RETURN m.id AS address, m.index AS index, m.role AS role, m.lineage AS lineage, m.content_key AS content_key,
       m.preview AS preview, m.bytes AS bytes, m.line AS line, m.origin AS origin, o.id AS copy_of, size(found) AS total;
