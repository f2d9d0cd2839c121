// What each chat of a closure paid itself and through delegation: the chat alone, and all that it led to.
//
// Direct and delegated add up to what the closure of that chat cost.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   path               STRING   chat
//   kind               STRING   root, result, log or sidecar
//   agent              STRING   agent
//   tool_calls         INTEGER  call records in it
//   paid               INTEGER  requests of which it is the payer
//   own_direct         MAP      requests and tokens that its own meta lines tell of, handed history left
//                               out
//   own_delegated      MAP      those that only receipts in it tell of
//   closure_chats      INTEGER  chats that it reaches, itself included
//   closure_jobs       INTEGER  jobs that it reaches
//   closure_direct     MAP      as own_direct
//   closure_delegated  MAP      requests and tokens of all else that it reaches
//   total              INTEGER  rows without skip and limit
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
  MATCH (c)-[path:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(n)
  WHERE all(e IN path WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END)
  WITH DISTINCT n
  RETURN [n IN collect(n) WHERE n:Chat | n.id] AS ids, count(CASE WHEN n:Job THEN 1 END) AS jobs
}
CALL (c, ids) {
  UNWIND ids AS id
  MATCH ()-[e:EVIDENCE]->(i:Inference)
  WHERE e.chat = id AND NOT (e.handed AND ($job_refs = 'own' OR id = c.id))
  WITH i, e ORDER BY e.rank
  WITH i, collect(e) AS es
  WITH i, es, es[0] AS first, [e IN es WHERE e.chat = c.id | e.source] AS here
  WITH i, first, CASE WHEN 'chat_meta' IN here THEN 'direct' WHEN size(here) > 0 THEN 'receipt' ELSE 'beyond' END AS place,
       CASE WHEN any(e IN es WHERE e.paid AND e.chat = c.id) THEN 1 ELSE 0 END AS paid, es
  WHERE $job_refs = 'all' OR any(e IN es WHERE e.paid) OR place = 'direct'
  WITH place, sum(paid) AS paid, count(i) AS requests, sum(first.pt) AS pt, sum(first.ct) AS ct, sum(first.tt) AS tt,
       sum(first.cct) AS cct, sum(first.cwt) AS cwt, sum(first.rt) AS rt
  RETURN sum(paid) AS paid, collect({place: place, requests: requests, pt: pt, ct: ct, tt: tt, cct: cct, cwt: cwt, rt: rt}) AS parts
}
WITH c, ids, jobs, paid, size(found) AS total, {requests: 0, pt: 0, ct: 0, tt: 0, cct: 0, cwt: 0, rt: 0} AS none,
     head([p IN parts WHERE p.place = 'direct']) AS d, head([p IN parts WHERE p.place = 'receipt']) AS r,
     head([p IN parts WHERE p.place = 'beyond']) AS b
WITH c, ids, jobs, paid, total, coalesce(d, none) AS d, coalesce(r, none) AS r, coalesce(b, none) AS b
WITH c, ids, jobs, paid, total, {requests: d.requests, pt: d.pt, ct: d.ct, tt: d.tt, cct: d.cct, cwt: d.cwt, rt: d.rt} AS direct,
     {requests: r.requests, pt: r.pt, ct: r.ct, tt: r.tt, cct: r.cct, cwt: r.cwt, rt: r.rt} AS receipt,
     {requests: r.requests + b.requests, pt: r.pt + b.pt, ct: r.ct + b.ct, tt: r.tt + b.tt, cct: r.cct + b.cct,
      cwt: r.cwt + b.cwt, rt: r.rt + b.rt} AS delegated
RETURN c.id AS path, c.kind AS kind, c.agent AS agent, c.tool_calls AS tool_calls, paid, direct AS own_direct,
       receipt AS own_delegated, size(ids) AS closure_chats, jobs AS closure_jobs, direct AS closure_direct,
       delegated AS closure_delegated, total;
