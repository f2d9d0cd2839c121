// The chats and jobs of a closure as a picture shows them: each with its standing and what to write on it.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   kind          STRING   chat or job
//   id            STRING   path
//   name          STRING   file name of a chat, task of a job
//   about         STRING   agent of a chat, status of a job
//   part          STRING   workflow of a job; root, result, log or sidecar of a chat
//   conversation  STRING   conversation of a chat
//   own           BOOLEAN  reached without CONTEXT
//   shared        BOOLEAN  own, and own work of another root chat too
//   inlined       INTEGER  blocks of this job in chats of the closure
//   messages      INTEGER  messages of a chat
//   tool_calls    INTEGER  calls of a chat
//   missing       BOOLEAN  its file is gone
//   total         INTEGER  rows without skip and limit
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
WITH DISTINCT root, n
ORDER BY n:Job, n.id
WITH root, collect(n) AS nodes
CALL (root) {
  MATCH (root)-[path:JOB|AGENT_JOB|DEPENDENCY|LOG|RESULT*0..]->(n)
  WHERE all(e IN path WHERE toLower(type(e)) IN $follow)
  WITH DISTINCT n
  RETURN collect(n) AS own
}
CALL (nodes) {
  UNWIND nodes AS c
  MATCH (c)-[r:JOB|CONTEXT]->(j:Job)
  WHERE c:Chat AND coalesce(r.relation, 'job') = 'job'
  UNWIND r.addresses AS address
  MATCH (m:Message {id: address})
  WHERE m.block_last IS NOT NULL
  WITH j, count(m) AS blocks
  RETURN collect({job: j.id, blocks: blocks}) AS inlined
}
WITH root, own, nodes, inlined
UNWIND nodes[$skip..$skip + $limit] AS n
WITH root, n, n IN own AS own, inlined, size(nodes) AS total
CALL (root, n, own) {
  OPTIONAL MATCH (n)<-[:JOB|AGENT_JOB|DEPENDENCY|LOG|RESULT*1..]-(other)
  WITH root, own, other
  WHERE own AND other:Chat AND other.kind = 'root' AND other <> root
  RETURN count(DISTINCT other) AS others
}
RETURN CASE WHEN n:Chat THEN 'chat' ELSE 'job' END AS kind, n.id AS id, CASE WHEN n:Chat THEN n.name ELSE coalesce(n.task, n.name) END AS name,
       CASE WHEN n:Chat THEN n.agent WHEN n.crashed_since IS NULL THEN n.status ELSE 'crashed' END AS about, CASE WHEN n:Chat THEN n.kind ELSE n.workflow END AS part,
       n.conversation AS conversation, own, others > 0 AS shared,
       coalesce(head([i IN inlined WHERE n:Job AND i.job = n.id | i.blocks]), 0) AS inlined,
       coalesce(n.messages, 0) AS messages, coalesce(n.tool_calls, 0) AS tool_calls, coalesce(n.missing, false) AS missing,
       total;
