// The chats of a closure: roles, calls, receipts and jobs of each.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   path                    STRING        id
//   kind                    STRING        root, result, log or sidecar
//   agent                   STRING        agent
//   conversation            STRING        conversation
//   messages                INTEGER       messages as parsed
//   bytes                   INTEGER       UTF-8 bytes
//   originals               INTEGER       messages that are nobody's copy
//   tool_calls              INTEGER       call records
//   roles                   LIST<MAP>     role and number of messages
//   direct_jobs             LIST<STRING>  first five jobs named by its job= lines
//   direct_jobs_total       INTEGER       jobs named by them
//   receipt_records         INTEGER       receipt entries
//   receipt_job_references  LIST<STRING>  first five jobs named by receipts, as written
//   receipt_jobs_total      INTEGER       jobs named by them
//   imports                 LIST<STRING>  first three chats that it imports, continues or takes the last of
//   started_at              STRING        earliest time written
//   ended_at                STRING        latest time written
//   missing                 BOOLEAN       the file is gone
//   total                   INTEGER       rows without skip and limit
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
WITH n ORDER BY n.id
WITH collect(n) AS found
UNWIND found[$skip..$skip + $limit] AS c
CALL (c) {
  OPTIONAL MATCH (c)-[:HAS_MESSAGE]->(m:Message)
  WITH m.role AS role, count(m) AS n
  WHERE n > 0
  WITH role, n ORDER BY n DESC, role
  RETURN collect({role: role, messages: n}) AS roles
}
CALL (c) {
  OPTIONAL MATCH (c)-[:HAS_MESSAGE]->(:Message)-[:HAS_RECEIPT]->(r:Receipt)
  WITH count(r) AS receipt_records, collect(DISTINCT r.job_ref) AS refs
  RETURN receipt_records, refs
}
RETURN c.id AS path, c.kind AS kind, c.agent AS agent, c.conversation AS conversation, c.messages AS messages,
       c.bytes AS bytes, c.originals AS originals, c.tool_calls AS tool_calls, roles,
       COLLECT { MATCH (c)-[r:JOB|CONTEXT]->(j:Job) WHERE coalesce(r.relation, 'job') = 'job' RETURN DISTINCT j.id ORDER BY j.id LIMIT 5 } AS direct_jobs,
       COUNT { MATCH (c)-[r:JOB|CONTEXT]->(j:Job) WHERE coalesce(r.relation, 'job') = 'job' RETURN DISTINCT j } AS direct_jobs_total,
       receipt_records, refs[..5] AS receipt_job_references, size(refs) AS receipt_jobs_total,
       COLLECT { MATCH (c)-[:IMPORTS|CONTINUES|LAST]->(d:Chat) RETURN DISTINCT d.id ORDER BY d.id LIMIT 3 } AS imports,
       toString(c.started_at) AS started_at, toString(c.ended_at) AS ended_at, coalesce(c.missing, false) AS missing,
       size(found) AS total;
