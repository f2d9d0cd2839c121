// What could not be read or resolved, with file and line.
//
// Parameters:
//   kind   STRING   only this kind; null: all
//   path   STRING   only of this file or below this folder; null: all
//   skip   INTEGER  rows left out before the first
//   limit  INTEGER  rows at most
// Columns:
//   kind     STRING   stable name
//   address  STRING   file, or message
//   path     STRING   file
//   line     INTEGER  line, from 1
//   stage    STRING   read or link
//   detail   STRING   what it is and what to do
//   total    INTEGER  rows without skip and limit
// Example:
//   :param kind => null
//   :param path => null
//   :param skip => 0
//   :param limit => 100

MATCH (p:Problem)
WHERE ($kind IS NULL OR p.kind = $kind) AND ($path IS NULL OR p.path = $path OR p.path STARTS WITH $path + '/')
WITH p ORDER BY p.path, p.line, p.kind, p.id
WITH collect(p) AS found
UNWIND found[$skip..$skip + $limit] AS p
RETURN p.kind AS kind, p.address AS address, p.path AS path, p.line AS line, p.stage AS stage, p.detail AS detail,
       size(found) AS total;
