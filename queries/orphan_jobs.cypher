// Which jobs nothing refers to: no chat but their own, and no other job.
//
// Parameters:
//   skip   INTEGER  rows left out before the first
//   limit  INTEGER  rows at most
// Columns:
//   job      STRING   id
//   ref      STRING   Workflow/task/name
//   status   STRING   status
//   issued   STRING   asked for
//   start    STRING   begun
//   end      STRING   ended
//   host     STRING   machine of its process
//   pid      INTEGER  its process
//   missing  BOOLEAN  its files are gone, or were only ever named
//   total    INTEGER  rows without skip and limit
// Example:
//   :param skip => 0
//   :param limit => 100

MATCH (j:Job)
WHERE NOT EXISTS { (:Job)-[:DEPENDENCY]->(j) }
  AND NOT EXISTS {
    MATCH (c:Chat)-[:JOB|AGENT_JOB|CONTEXT]->(j)
    WHERE NOT EXISTS { (j)-[:LOG|RESULT]->(c) } }
WITH j ORDER BY j.id
WITH collect(j) AS found
UNWIND found[$skip..$skip + $limit] AS j
RETURN j.id AS job, j.ref AS ref, CASE WHEN j.crashed_since IS NULL THEN j.status ELSE 'crashed' END AS status, toString(j.issued) AS issued, toString(j.start) AS start,
       toString(j.end) AS end, j.host AS host, j.pid AS pid, coalesce(j.missing, false) AS missing, size(found) AS total;
