// The agents at work in a closure: their chats, delegations to them, instruction versions and what they paid.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   agent        STRING        name; null where a chat names none
//   chats        INTEGER       chats that it wrote
//   jobs         INTEGER       jobs whose log or result these are
//   tool_calls   INTEGER       call records in these chats
//   delegations  INTEGER       original calls of the closure that name it as their target
//   versions     LIST<STRING>  digests of its instructions
//   requests     INTEGER       paid requests
//   pt           INTEGER       prompt tokens
//   ct           INTEGER       completion tokens
//   tt           INTEGER       total tokens
//   cct          INTEGER       cache-hit tokens
//   cwt          INTEGER       cache-write tokens
//   rt           INTEGER       reasoning tokens
//   total        INTEGER       rows without skip and limit
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
WITH collect(n) AS chats, collect(n.id) AS ids
CALL (ids) {
  UNWIND ids AS id
  MATCH ()-[e:EVIDENCE]->(i:Inference)
  WHERE e.chat = id AND ($job_refs = 'all' OR NOT e.handed)
  WITH i, e ORDER BY e.rank
  WITH i, collect(e)[0] AS first, [e IN collect(e) WHERE e.paid | e.chat] AS payers
  WHERE $job_refs = 'all' OR size(payers) > 0
  MATCH (c:Chat {id: coalesce(payers[0], first.chat)})
  WITH coalesce(c.agent, '') AS agent, count(i) AS requests, sum(first.pt) AS pt, sum(first.ct) AS ct, sum(first.tt) AS tt,
       sum(first.cct) AS cct, sum(first.cwt) AS cwt, sum(first.rt) AS rt
  RETURN collect({agent: agent, requests: requests, pt: pt, ct: ct, tt: tt, cct: cct, cwt: cwt, rt: rt}) AS paid
}
CALL (chats) {
  UNWIND chats AS c
  MATCH (c)-[:HAS_MESSAGE]->(m:ToolCall)
  WHERE m.target_agent IS NOT NULL
  OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
  WITH m.target_agent AS agent, count(DISTINCT coalesce(o, m)) AS delegations
  RETURN collect({agent: agent, delegations: delegations}) AS asked
}
CALL (chats) {
  UNWIND chats AS c
  OPTIONAL MATCH (j:Job)-[:LOG|RESULT]->(c)
  OPTIONAL MATCH (c)-[:RAN_WITH]->(v:Instructions)
  WITH c, collect(DISTINCT j) AS js, collect(DISTINCT v.digest) AS vs
  WITH coalesce(c.agent, '') AS agent, collect(c) AS cs, collect(js) AS js, collect(vs) AS vs
  UNWIND js + [[]] AS some
  UNWIND some + [null] AS j
  WITH agent, cs, vs, count(DISTINCT j) AS jobs
  UNWIND vs + [[]] AS some
  UNWIND some + [null] AS v
  WITH agent, cs, jobs, v ORDER BY v
  RETURN agent, size(cs) AS chats_of, reduce(t = 0, c IN cs | t + c.tool_calls) AS tool_calls, jobs, collect(DISTINCT v) AS versions
}
WITH agent, chats_of, tool_calls, jobs, versions, head([p IN paid WHERE p.agent = agent]) AS p,
     coalesce(head([a IN asked WHERE a.agent = agent]).delegations, 0) AS delegations
ORDER BY coalesce(p.tt, 0) DESC, agent
WITH collect({agent: CASE WHEN agent <> '' THEN agent END, chats: chats_of, jobs: jobs, tool_calls: tool_calls,
              delegations: delegations, versions: versions, p: p}) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
RETURN row.agent AS agent, row.chats AS chats, row.jobs AS jobs, row.tool_calls AS tool_calls,
       row.delegations AS delegations, row.versions AS versions, coalesce(row.p.requests, 0) AS requests,
       coalesce(row.p.pt, 0) AS pt, coalesce(row.p.ct, 0) AS ct, coalesce(row.p.tt, 0) AS tt,
       coalesce(row.p.cct, 0) AS cct, coalesce(row.p.cwt, 0) AS cwt, coalesce(row.p.rt, 0) AS rt, size(rows) AS total;
