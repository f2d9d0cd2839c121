// Which jobs never came to an end: still open, or their process is dead.
//
// Parameters:
//   hours  INTEGER  open ones that began less than this long ago are left out
//   skip   INTEGER  rows left out before the first
//   limit  INTEGER  rows at most
// Columns:
//   job      STRING   id
//   ref      STRING   Workflow/task/name
//   status   STRING   as written; crashed where its process was found dead
//   issued   STRING   asked for
//   start    STRING   begun
//   end      STRING   ended
//   host     STRING   machine of its process
//   pid      INTEGER  its process
//   missing  BOOLEAN  its files are gone, or were only ever named
//   total    INTEGER  rows without skip and limit
// Example:
//   :param hours => 24
//   :param skip => 0
//   :param limit => 100

MATCH (j:Job)
WHERE j.status IN ['waiting', 'queue', 'setup', 'start', 'streaming']
  AND (j.crashed_since IS NOT NULL OR coalesce(j.start, j.issued) IS NULL
       OR coalesce(j.start, j.issued) <= datetime() - duration({hours: $hours}))
WITH j ORDER BY coalesce(j.start, j.issued), j.id
WITH collect(j) AS found
UNWIND found[$skip..$skip + $limit] AS j
RETURN j.id AS job, j.ref AS ref, CASE WHEN j.crashed_since IS NULL THEN j.status ELSE 'crashed' END AS status, toString(j.issued) AS issued, toString(j.start) AS start,
       toString(j.end) AS end, j.host AS host, j.pid AS pid, coalesce(j.missing, false) AS missing, size(found) AS total;
