// Messages whose text holds exactly these characters; reads every stored text.
//
// For what the full-text index does not know as words.
//
// Parameters:
//   text       STRING   the exact characters, upper and lower case told apart
//   role       STRING   only this role; null: all
//   originals  BOOLEAN  leave copies out
//   skip       INTEGER  rows left out before the first
//   limit      INTEGER  rows at most
// Columns:
//   address  STRING   chat#index
//   role     STRING   role
//   agent    STRING   agent of the chat
//   snippet  STRING   the beginning of the text, or what stands around the match
//   bytes    INTEGER  UTF-8 bytes of the message
//   origin   STRING   own, projection, inlined or inherited
//   copy_of  STRING   address of its original
//   score    FLOAT    how well it matches
//   total    INTEGER  rows without skip and limit
// Example:
//   :param text => 'run_id=17'
//   :param role => null
//   :param originals => false
//   :param skip => 0
//   :param limit => 100

MATCH (t:Content)
WHERE t.text CONTAINS $text
MATCH (t)<-[:HAS_CONTENT]-(m:Message)<-[:HAS_MESSAGE]-(c:Chat)
WHERE true
  AND ($role IS NULL OR m.role = $role) AND NOT ($originals AND EXISTS { (m)-[:COPY_OF]->() })
WITH t, c, m ORDER BY c.id, m.index
WITH collect([m, c, t]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS m, row[1] AS c, row[2] AS t, size(rows) AS total
WITH m, c, t, size(split(t.text, $text)[0]) AS place, total
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
RETURN m.id AS address, m.role AS role, c.agent AS agent, substring(t.text, CASE WHEN place > 60 THEN place - 60 ELSE 0 END, 200) AS snippet,
       m.bytes AS bytes, m.origin AS origin, o.id AS copy_of, 1.0 AS score, total;
