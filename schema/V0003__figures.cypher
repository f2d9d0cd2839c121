// What figures need so that nobody has to look at every message or file. May be run again.

CREATE INDEX file_written_at IF NOT EXISTS FOR (n:File) ON (n.written_at);

// How many messages of a chat stand in inlined results.
MATCH (c:Chat) WHERE c.originals IS NOT NULL AND c.inlined_messages IS NULL
SET c.inlined_messages = reduce(sum = 0, n IN COLLECT {
  MATCH (c)-[:HAS_MESSAGE]->(m:Message) WHERE m.block_last IS NOT NULL RETURN m.block_last - m.index + 1
} | sum + n);
