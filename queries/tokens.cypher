// What a root cost: tokens by the four scopes of evidence, each paid request once.
//
// Evidence of one request is grouped by its identity; the first evidence in the scope (chat metas before
// receipts) gives the tokens. In an own scope evidence in handed history does not count, and the chat that
// paid must be in the scope.
//
// Parameters:
//   root      STRING        id of a chat or job; where one path is both, the job when it has an info
//   job_refs  STRING        'all' follows CONTEXT, 'own' does not
//   follow    LIST<STRING>  relations followed: job, agent_job, dependency, log, result; none: the root
//                           alone
// Columns:
//   scope                STRING   deduplicated_total, chat_evidence, receipt_evidence or receipt_only;
//                                 always these four rows
//   requests             INTEGER  paid requests of that scope
//   pt                   INTEGER  prompt tokens
//   ct                   INTEGER  completion tokens
//   tt                   INTEGER  total tokens
//   cct                  INTEGER  cache-hit tokens
//   cwt                  INTEGER  cache-write tokens
//   rt                   INTEGER  reasoning tokens
//   conflicts            INTEGER  of these, evidence in the scope disagrees on pt, ct, tt or the provider's
//                                 id
//   incomplete_evidence  INTEGER  of these, some evidence lacks the provider's id
//   unknown              INTEGER  requests in all that say nothing of their tokens (the same in every row)
// Example:
//   :param root => '/home/me/chats/plan.chat'
//   :param job_refs => 'all'
//   :param follow => ['job', 'agent_job', 'dependency', 'log', 'result']

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
  MATCH ()-[e:EVIDENCE]->(i)
  WHERE e.chat = id AND ($job_refs = 'all' OR NOT e.handed)
  WITH i, min(e.rank) AS rank, collect(DISTINCT e.source) AS sources, collect(e) AS es,
       count(CASE WHEN e.paid THEN 1 END) AS paid
  WHERE $job_refs = 'all' OR paid > 0
  // A request's own counts are those of its very first evidence; where that is elsewhere, the first here counts.
  WITH i, sources, es, CASE rank WHEN 0 THEN i ELSE head([e IN es WHERE e.rank = rank]) END AS first
  // What evidence in the scope disagrees on is only looked at where evidence anywhere does.
  WITH i, sources, first,
       i.conflict AND any(e IN es WHERE
         coalesce(e.pt, 0) <> coalesce(first.pt, 0) OR coalesce(e.ct, 0) <> coalesce(first.ct, 0)
         OR coalesce(e.tt, 0) <> coalesce(first.tt, 0)
         OR any(o IN es WHERE o.provider_response_id <> '' AND e.provider_response_id <> ''
                          AND o.provider_response_id <> e.provider_response_id)) AS conflict,
       i.incomplete_evidence AND any(e IN es WHERE e.provider_response_id <> '')
         AND any(e IN es WHERE coalesce(e.provider_response_id, '') = '') AS incomplete
  UNWIND ['deduplicated_total']
         + CASE WHEN 'chat_meta' IN sources THEN ['chat_evidence'] ELSE ['receipt_only'] END
         + CASE WHEN 'receipt' IN sources THEN ['receipt_evidence'] ELSE [] END AS scope
  WITH scope, count(i) AS requests, sum(first.pt) AS pt, sum(first.ct) AS ct, sum(first.tt) AS tt,
       sum(first.cct) AS cct, sum(first.cwt) AS cwt, sum(first.rt) AS rt,
       count(CASE WHEN conflict THEN 1 END) AS conflicts, count(CASE WHEN incomplete THEN 1 END) AS incomplete
  RETURN collect({scope: scope, requests: requests, pt: pt, ct: ct, tt: tt, cct: cct, cwt: cwt, rt: rt,
                  conflicts: conflicts, incomplete: incomplete}) AS sums
}
CALL (chats) {
  UNWIND chats AS c
  RETURN sum(c.original_unknown - CASE $job_refs WHEN 'own' THEN c.handed_original_unknown ELSE 0 END) AS here
}
CALL (chats) {
  // Copies of such requests whose original stands outside the scope.
  UNWIND chats AS c
  MATCH (c)-[r:COPIES_FROM]->(d:Chat)
  WHERE NOT d IN chats AND ($job_refs = 'all' OR r.messages > r.handed)
  WITH DISTINCT d
  MATCH (d)-[:HAS_MESSAGE]->(o:Message)<-[:COPY_OF]-(m:Message)<-[:HAS_MESSAGE]-(c)
  WHERE o.unknown_tokens AND c IN chats AND ($job_refs = 'all' OR m.origin <> 'inherited')
  RETURN count(DISTINCT o) AS elsewhere
}
UNWIND ['deduplicated_total', 'chat_evidence', 'receipt_evidence', 'receipt_only'] AS scope
WITH scope, head([s IN sums WHERE s.scope = scope]) AS s, here + elsewhere AS unknown
RETURN scope, coalesce(s.requests, 0) AS requests, coalesce(s.pt, 0) AS pt, coalesce(s.ct, 0) AS ct,
       coalesce(s.tt, 0) AS tt, coalesce(s.cct, 0) AS cct, coalesce(s.cwt, 0) AS cwt, coalesce(s.rt, 0) AS rt,
       coalesce(s.conflicts, 0) AS conflicts, coalesce(s.incomplete, 0) AS incomplete_evidence, unknown;
