// Messages whose text has these words, best first, by the full-text index.
//
// At most the 10,000 best texts are looked at.
//
// Parameters:
//   text       STRING   words, or Lucene syntax: "a phrase", a AND b, a*
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
//   :param text => 'glossary AND tide*'
//   :param role => null
//   :param originals => false
//   :param skip => 0
//   :param limit => 100

CALL db.index.fulltext.queryNodes('content_text', $text, {limit: 10000}) YIELD node AS t, score
MATCH (t)<-[:HAS_CONTENT]-(m:Message)<-[:HAS_MESSAGE]-(c:Chat)
WHERE true
  AND ($role IS NULL OR m.role = $role) AND NOT ($originals AND EXISTS { (m)-[:COPY_OF]->() })
WITH score, c, m ORDER BY score DESC, c.id, m.index
WITH collect([m, c, score]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
WITH row[0] AS m, row[1] AS c, row[2] AS score, size(rows) AS total
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
RETURN m.id AS address, m.role AS role, c.agent AS agent, m.preview AS snippet, m.bytes AS bytes, m.origin AS origin,
       o.id AS copy_of, score, total;
