"""The program's own Neo4j: install, start on demand, share, stop, back up."""
