// Which chats and jobs have this text in their path.
//
// Root chats first, then short paths.
//
// Parameters:
//   text   STRING   part of a path
//   limit  INTEGER  rows at most
// Columns:
//   id     STRING   path
//   kind   STRING   chat or job
//   total  INTEGER  all of them
// Example:
//   :param text => 'plan'
//   :param limit => 100

CALL () {
  MATCH (c:Chat)
  WHERE toLower(c.id) CONTAINS toLower($text)
  RETURN c AS n
  UNION
  MATCH (j:Job)
  WHERE toLower(j.id) CONTAINS toLower($text)
  RETURN j AS n
}
WITH n.id AS id, collect(n) AS ns
WITH id, CASE WHEN any(n IN ns WHERE n:Job AND n.status <> 'noinfo') OR none(n IN ns WHERE n:Chat)
              THEN 'job' ELSE 'chat' END AS kind, none(n IN ns WHERE n.kind = 'root') AS later
ORDER BY later, size(id), id
WITH collect([id, kind]) AS rows
UNWIND rows[..$limit] AS row
RETURN row[0] AS id, row[1] AS kind, size(rows) AS total;
