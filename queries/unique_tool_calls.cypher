// The tool calls that were really made in a closure: one row per original.
//
// An original stands for itself; where it lies outside the closure, its first copy stands for it. In an own
// scope, calls with an occurrence outside handed history.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   tool      STRING        only this tool; null: all
//   status    STRING        success, failure or unknown; null: all
//   call_id   STRING        only this call id; null: all
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   address         STRING   the call
//   output_address  STRING   its output; null without one
//   tool            STRING   tool
//   call_id         STRING   id of the call; unique in one conversation only
//   status          STRING   success, failure or unknown
//   status_reason   STRING   why
//   target_agent    STRING   agent that a delegation names
//   origin          STRING   own, projection, inlined or inherited
//   copy_of         STRING   address of its original; null on an original
//   receipts        INTEGER  receipt entries of its output
//   total           INTEGER  rows without skip and limit
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']
//   :param tool => null
//   :param status => null
//   :param call_id => null
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
MATCH (n)-[:HAS_MESSAGE]->(m:ToolCall)
WHERE ($tool IS NULL OR m.tool = $tool) AND ($status IS NULL OR m.status = $status)
  AND ($call_id IS NULL OR m.call_id = $call_id)
  AND ($job_refs = 'all' OR m.origin <> 'inherited')
WITH id, m ORDER BY id, m.index
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
WITH coalesce(o, m) AS original, collect(m) AS here, collect([id, m.index])[0] AS place
ORDER BY place
WITH collect(CASE WHEN original IN here THEN original ELSE here[0] END) AS found
UNWIND found[$skip..$skip + $limit] AS m
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
RETURN m.id AS address, head(COLLECT { MATCH (m)-[:RETURNED]->(x:Message) RETURN x.id }) AS output_address,
       m.tool AS tool, m.call_id AS call_id, m.status AS status, m.status_reason AS status_reason,
       m.target_agent AS target_agent, m.origin AS origin, o.id AS copy_of, COUNT { (m)-[:HAS_RECEIPT]->() } AS receipts,
       size(found) AS total;
