"""Query files: one .cypher file per question, runnable unchanged in Neo4j Browser."""
