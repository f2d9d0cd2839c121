// What is gone from disk, or was only ever named
MATCH (n:Chat|Job {missing: true})
RETURN labels(n)[0] AS kind, n.id AS path, n.missing_since AS since
ORDER BY since DESC, path
LIMIT 200
