// How two closures differ: what only A reaches, only B, and both.
//
// Every node and edge is on one of the three sides; so is every paid request.
//
// Parameters:
//   a         STRING        id of a chat or job
//   b         STRING        id of a chat or job
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   place        STRING        only_in_a, only_in_b or in_both; always these three rows
//   chats        LIST<STRING>  ids of the page, sorted
//   jobs         LIST<STRING>  ids of the page, sorted
//   chats_total  INTEGER       chats
//   jobs_total   INTEGER       jobs
//   edges        INTEGER       edges; receipt references one per entry
//   requests     INTEGER       paid requests, each once
//   pt           INTEGER       prompt tokens
//   ct           INTEGER       completion tokens
//   tt           INTEGER       total tokens
//   cct          INTEGER       cache-hit tokens
//   cwt          INTEGER       cache-write tokens
//   rt           INTEGER       reasoning tokens
// Example:
//   :param a => '/home/me/chats/monday.chat'
//   :param b => '/home/me/chats/friday.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']
//   :param skip => 0
//   :param limit => 100

UNWIND [['a', $a], ['b', $b]] AS side
OPTIONAL MATCH (job:Job {id: side[1]})
OPTIONAL MATCH (chat:Chat {id: side[1]})
WITH side[0] AS side, CASE WHEN chat IS NULL OR job.status <> 'noinfo' THEN job ELSE chat END AS root
MATCH (root)-[path:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(n)
WHERE all(e IN path WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END)
WITH DISTINCT side, n
WITH n, collect(side) AS sides
ORDER BY n.id
WITH collect({n: n, place: CASE sides WHEN ['a'] THEN 'only_in_a' WHEN ['b'] THEN 'only_in_b' ELSE 'in_both' END}) AS found
CALL (found) {
  // A request belongs to A, to B or to both by the chats that hold its evidence (own: and by the chat that paid).
  UNWIND [f IN found WHERE f.n:Chat] AS f
  MATCH ()-[e:EVIDENCE]->(i)
  WHERE e.chat = f.n.id AND ($job_refs = 'all' OR NOT e.handed)
  WITH i, min(e.rank) AS rank,
       collect(DISTINCT CASE WHEN $job_refs = 'all' OR e.paid THEN f.place END) AS places
  // A request's own counts are those of its very first evidence; where that is elsewhere, the first here counts.
  WITH i, places, CASE rank WHEN 0 THEN i
    ELSE head(COLLECT { MATCH ()-[x:EVIDENCE]->(i) WHERE x.rank = rank RETURN x }) END AS first
  WITH i, first,
       any(place IN places WHERE place <> 'only_in_b') AS in_a,
       any(place IN places WHERE place <> 'only_in_a') AS in_b
  WHERE in_a OR in_b
  WITH CASE WHEN in_a AND in_b THEN 'in_both' WHEN in_a THEN 'only_in_a' ELSE 'only_in_b' END AS place,
       count(i) AS requests, sum(first.pt) AS pt, sum(first.ct) AS ct, sum(first.tt) AS tt, sum(first.cct) AS cct,
       sum(first.cwt) AS cwt, sum(first.rt) AS rt
  RETURN collect({place: place, requests: requests, pt: pt, ct: ct, tt: tt, cct: cct, cwt: cwt, rt: rt}) AS tokens
}
UNWIND ['only_in_a', 'only_in_b', 'in_both'] AS place
WITH place, [f IN found WHERE f.place = place | f.n] AS nodes, head([t IN tokens WHERE t.place = place]) AS t
CALL (nodes) {
  UNWIND nodes AS n
  MATCH (n)-[e:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT]->()
  WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END
  RETURN sum(CASE WHEN 'agent_job' IN [e.relation, toLower(type(e))] THEN size(e.addresses) ELSE 1 END) AS edges
}
WITH place, [n IN nodes WHERE n:Chat | n.id] AS chats, [n IN nodes WHERE n:Job | n.id] AS jobs, edges, t
RETURN place, chats[$skip..$skip + $limit] AS chats, jobs[$skip..$skip + $limit] AS jobs,
       size(chats) AS chats_total, size(jobs) AS jobs_total, edges, coalesce(t.requests, 0) AS requests,
       coalesce(t.pt, 0) AS pt, coalesce(t.ct, 0) AS ct, coalesce(t.tt, 0) AS tt, coalesce(t.cct, 0) AS cct,
       coalesce(t.cwt, 0) AS cwt, coalesce(t.rt, 0) AS rt;
