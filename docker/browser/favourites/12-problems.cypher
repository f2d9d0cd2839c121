// What could not be read or resolved
MATCH (problem:Problem)
OPTIONAL MATCH p = (problem)-[:ABOUT]->()
RETURN problem, p LIMIT 100
