// Which jobs more than one conversation reaches, as own work or as context.
//
// Parameters:
//   skip   INTEGER  rows left out before the first
//   limit  INTEGER  rows at most
// Columns:
//   job          STRING        id
//   ref          STRING        Workflow/task/name
//   status       STRING        status
//   own_of       LIST<STRING>  first five root chats that reach it without CONTEXT
//   roots        LIST<STRING>  first five root chats that reach it
//   roots_total  INTEGER       root chats that reach it
//   total        INTEGER       rows without skip and limit
// Example:
//   :param skip => 0
//   :param limit => 100

MATCH (root:Chat {kind: 'root'})
CALL (root) {
  MATCH (root)-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*1..]->(j)
  WITH DISTINCT j
  WHERE j:Job
  RETURN j
}
WITH j, root ORDER BY root.id
WITH j, collect(root) AS roots
WHERE size(roots) > 1
WITH j, roots ORDER BY size(roots) DESC, j.id
WITH collect([j, roots]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS j, row[1] AS roots, size(rows) AS total
CALL (j, roots) {
  MATCH (j)<-[:JOB|AGENT_JOB|DEPENDENCY|LOG|RESULT*1..]-(r)
  WITH DISTINCT r
  WHERE r IN roots
  WITH r ORDER BY r.id
  RETURN collect(r.id)[..5] AS own_of
}
RETURN j.id AS job, j.ref AS ref, CASE WHEN j.crashed_since IS NULL THEN j.status ELSE 'crashed' END AS status, own_of, [r IN roots[..5] | r.id] AS roots, size(roots) AS roots_total,
       total;
