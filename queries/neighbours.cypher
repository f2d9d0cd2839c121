// What stands directly around one chat or job: each relationship in either direction.
//
// Parameters:
//   id     STRING   id of a chat or job
//   kind   STRING   chat or job
//   skip   INTEGER  rows left out before the first
//   limit  INTEGER  rows at most
// Columns:
//   direction  STRING        out: from it; in: to it
//   relation   STRING        job, agent_job, context, dependency, log, result, imports, continues or last
//   kind       STRING        chat or job, of the other end
//   id         STRING        the other end
//   about      STRING        agent of a chat, status of a job
//   basis      STRING        rule that decided own or context
//   addresses  LIST<STRING>  first ten places that say so
//   number     INTEGER       places that say so
//   missing    BOOLEAN       the other end's file is gone
//   total      INTEGER       rows without skip and limit
// Example:
//   :param id => '/home/me/chats/plan.chat'
//   :param kind => 'chat'
//   :param skip => 0
//   :param limit => 100

OPTIONAL MATCH (chat:Chat {id: $id})
OPTIONAL MATCH (job:Job {id: $id})
WITH CASE $kind WHEN 'chat' THEN chat ELSE job END AS n
MATCH (n)-[e:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT|IMPORTS|CONTINUES|LAST]-(m)
WITH CASE WHEN startNode(e) = n THEN 'out' ELSE 'in' END AS direction, e, m
ORDER BY direction, type(e), m.id
WITH collect([direction, e, m]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS direction, row[1] AS e, row[2] AS m, size(rows) AS total
RETURN direction, toLower(type(e)) AS relation, CASE WHEN m:Chat THEN 'chat' ELSE 'job' END AS kind, m.id AS id,
       CASE WHEN m:Chat THEN m.agent ELSE m.status END AS about, e.basis AS basis, e.addresses[..10] AS addresses,
       coalesce(size(e.addresses), 1) AS number, coalesce(m.missing, false) AS missing, total;
