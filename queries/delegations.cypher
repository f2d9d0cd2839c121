// Who asked whom: each job of a closure under what led to it, with its cost alone and rolled up.
//
// Rolled up: everything reached from the job without CONTEXT, each request once; so rows do not add up
// where work is shared.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   depth         INTEGER  jobs on the way from the root, itself included
//   job           STRING   id
//   ref           STRING   Workflow/task/name
//   parent        STRING   chat or job that led to it; null on the root
//   relation      STRING   job, agent_job, context or dependency
//   tool          STRING   tool that asked
//   agent         STRING   agent of its log
//   status        STRING   status
//   requests      INTEGER  requests that its own chats paid
//   tt            INTEGER  their total tokens
//   all_requests  INTEGER  requests of all that it led to, each once
//   all_pt        INTEGER  prompt tokens, rolled up
//   all_ct        INTEGER  completion tokens, rolled up
//   all_tt        INTEGER  total tokens, rolled up
//   all_cct       INTEGER  cache-hit tokens, rolled up
//   all_cwt       INTEGER  cache-write tokens, rolled up
//   all_rt        INTEGER  reasoning tokens, rolled up
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
MATCH (root)-[path:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(j)
WHERE all(e IN path WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END)
WITH DISTINCT root, j
WHERE j:Job
MATCH p = SHORTEST 1 (root)-[e:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END]->*(j)
WITH j, last(relationships(p)) AS by, [n IN nodes(p) | n.id] AS trail, size([n IN nodes(p) WHERE n:Job]) AS depth
ORDER BY trail
WITH collect([j, by, depth]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS j, row[1] AS by, row[2] AS depth, size(rows) AS total
CALL (j) {
  OPTIONAL MATCH (j)-[:LOG|RESULT]->(c:Chat)
  WITH collect(DISTINCT c) AS cs
  RETURN [c IN cs | c.id] AS own_ids, head([c IN cs WHERE c.kind = 'log' AND c.agent IS NOT NULL | c.agent]) AS agent
}
CALL (own_ids) {
  UNWIND own_ids AS id
  MATCH ()-[e:EVIDENCE]->(i:Inference)
  WHERE e.chat = id AND e.paid
  WITH DISTINCT i
  RETURN count(i) AS requests, sum(i.tt) AS tt
}
CALL (j) {
  MATCH (j)-[path:JOB|AGENT_JOB|DEPENDENCY|LOG|RESULT*0..]->(n)
  WHERE all(e IN path WHERE toLower(type(e)) IN $follow)
  WITH DISTINCT n
  WHERE n:Chat
  RETURN collect(n.id) AS ids
}
CALL (ids) {
  UNWIND ids AS id
  MATCH ()-[e:EVIDENCE]->(i:Inference)
  WHERE e.chat = id AND NOT e.handed
  WITH i, e ORDER BY e.rank
  WITH i, collect(e)[0] AS first, any(e IN collect(e) WHERE e.paid) AS paid
  WHERE paid
  RETURN count(i) AS all_requests, sum(first.pt) AS all_pt, sum(first.ct) AS all_ct, sum(first.tt) AS all_tt,
         sum(first.cct) AS all_cct, sum(first.cwt) AS all_cwt, sum(first.rt) AS all_rt
}
RETURN depth, j.id AS job, j.ref AS ref, startNode(by).id AS parent, coalesce(toLower(type(by)), 'root') AS relation,
       by.tools[0] AS tool, agent, CASE WHEN j.crashed_since IS NULL THEN j.status ELSE 'crashed' END AS status, requests, tt, all_requests, all_pt, all_ct, all_tt, all_cct, all_cwt,
       all_rt, total;
