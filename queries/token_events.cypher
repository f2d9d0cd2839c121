// Each paid request of a closure with its tokens and where it is written down; the dearest first.
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
//   skip      INTEGER       rows left out before the first
//   limit     INTEGER       rows at most
// Columns:
//   id                   STRING     identity kind and value
//   identity             STRING     inference_id, provider_response_id, lineage or receipt
//   pt                   INTEGER    prompt tokens
//   ct                   INTEGER    completion tokens
//   tt                   INTEGER    total tokens
//   cct                  INTEGER    cache-hit tokens
//   cwt                  INTEGER    cache-write tokens
//   rt                   INTEGER    reasoning tokens
//   conflict             BOOLEAN    evidence in the scope disagrees
//   incomplete_evidence  BOOLEAN    some of it lacks the provider's id
//   payer                STRING     chat that paid
//   evidence             LIST<MAP>  source and address of the first five, the canonical one first
//   evidence_total       INTEGER    places in the scope
//   total                INTEGER    rows without skip and limit
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
WITH collect(n.id) AS ids
CALL (ids) {
  UNWIND ids AS id
  MATCH ()-[e:EVIDENCE]->(i:Inference)
  WHERE e.chat = id AND ($job_refs = 'all' OR NOT e.handed)
  WITH i, e ORDER BY e.rank
  WITH i, collect(e) AS es
  WHERE $job_refs = 'all' OR any(e IN es WHERE e.paid)
  WITH i, es ORDER BY coalesce(es[0].tt, 0) DESC, i.id
  RETURN collect([i, es]) AS rows
}
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS i, row[1] AS es, size(rows) AS total
CALL (i, es) {
  WITH i, es, es[0] AS first, [e IN es WHERE e.provider_response_id <> '' | e.provider_response_id] AS providers
  WITH i, es, first,
       i.conflict AND (any(p IN providers WHERE p <> providers[0]) OR any(e IN es WHERE
         coalesce(e.pt, 0) <> coalesce(first.pt, 0) OR coalesce(e.ct, 0) <> coalesce(first.ct, 0)
         OR coalesce(e.tt, 0) <> coalesce(first.tt, 0))) AS conflict,
       i.incomplete_evidence AND size(providers) > 0 AND size(providers) < size(es) AS incomplete
  RETURN first, conflict, incomplete
}
RETURN i.id AS id, i.identity AS identity, first.pt AS pt, first.ct AS ct, first.tt AS tt, first.cct AS cct,
       first.cwt AS cwt, first.rt AS rt, conflict, incomplete AS incomplete_evidence, i.payer AS payer,
       [e IN es[..5] | {source: e.source, address: startNode(e).id}] AS evidence, size(es) AS evidence_total, total;
