// Which paid answers were replayed from a cache elsewhere: one request, told of by several originals.
//
// Equal text in unrelated chats is a new message; with the same request behind it, it is an answer from the
// cache.
//
// Parameters:
//   skip   INTEGER  rows left out before the first
//   limit  INTEGER  rows at most
// Columns:
//   inference     STRING        identity of the paid request
//   payer         STRING        chat that paid
//   places        LIST<STRING>  first five meta lines that tell of it and are nobody's copy
//   places_total  INTEGER       such meta lines
//   tt            INTEGER       total tokens, paid once
//   total         INTEGER       rows without skip and limit
// Example:
//   :param skip => 0
//   :param limit => 100

MATCH (i:Inference)
CALL (i) {
  MATCH (i)<-[e:EVIDENCE]-(m:Message)
  WHERE e.source = 'chat_meta' AND NOT e.handed AND NOT EXISTS { (m)-[:COPY_OF]->() }
  WITH e, m ORDER BY e.rank
  RETURN collect(m.id) AS places, count(DISTINCT e.chat) AS chats
}
WITH i, places, chats
WHERE chats > 1
WITH i, places ORDER BY size(places) DESC, i.id
WITH collect([i, places]) AS rows
UNWIND rows[$skip..$skip + $limit] AS row
RETURN row[0].id AS inference, row[0].payer AS payer, row[1][..5] AS places, size(row[1]) AS places_total,
       row[0].tt AS tt, size(rows) AS total;
