// Which chats and jobs have one of these ids, or exactly this short reference or file name.
//
// Parameters:
//   ids    LIST<STRING>  ids, the best first
//   names  LIST<STRING>  references or names
// Columns:
//   rank  INTEGER  place of the id in $ids; 1000 for a reference, 1001 for a name
//   id    STRING   path
//   kind  STRING   chat or job
// Example:
//   :param ids => ['/home/me/chats/plan.chat']
//   :param names => ['plan.chat']

CALL () {
  UNWIND range(0, size($ids) - 1) AS rank
  MATCH (n:Chat {id: $ids[rank]})
  RETURN rank, n
  UNION
  UNWIND range(0, size($ids) - 1) AS rank
  MATCH (n:Job {id: $ids[rank]})
  RETURN rank, n
  UNION
  UNWIND $names AS name
  MATCH (n:Job {ref: name})
  RETURN 1000 AS rank, n
  UNION
  UNWIND $names AS name
  MATCH (n:Job {name: name})
  RETURN 1001 AS rank, n
  UNION
  UNWIND $names AS name
  MATCH (n:Chat {name: name})
  RETURN 1001 AS rank, n
}
WITH n.id AS id, min(rank) AS rank, collect(n) AS ns
RETURN rank, id, CASE WHEN any(n IN ns WHERE n:Job AND n.status <> 'noinfo') OR none(n IN ns WHERE n:Chat)
                      THEN 'job' ELSE 'chat' END AS kind
ORDER BY rank, id
LIMIT 100;
