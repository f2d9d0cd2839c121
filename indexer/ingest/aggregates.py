"""What is kept per chat so that unique counts of a closure need not visit its messages.

The unique messages of a set of chats are the originals that stand in them, plus the originals elsewhere that
they hold copies of (DESIGN: Copies). With the originals of a chat counted on its node, and one COPIES_FROM
relationship per pair of chats, a query reads one node per chat and looks at messages only where a copy's
original lies outside the set.

The figures of a chat follow from its own messages, their `origin` and COPY_OF, and the `norm_bytes` of their
originals; so they are brought up to date for exactly the chats whose messages or COPY_OF were written, in the
same transaction.
"""

from typing import LiteralString

#: Parameter `chats`: ids. May be run again; gives the same whatever was there before.
#: Chat: originals, original_tool_calls, original_bytes (normalised), original_unknown (requests without token
#: fields), and the part of each that stands in handed history (handed_...; such an original is known nowhere
#: else); inlined_messages (of the blocks that stand in it, their job= lines included; blocks of one chat
#: never overlap). COPIES_FROM: messages (copies), handed (of these in handed history), longer (than their
#: original, normalised).
SUMMARISE_CHATS: LiteralString = """
UNWIND $chats AS id
MATCH (c:Chat {id: id})
FOREACH (old IN COLLECT { MATCH (c)-[r:COPIES_FROM]->() RETURN r } | DELETE old)
WITH c
CALL (c) {
  OPTIONAL MATCH (c)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.synthetic IS NULL AND NOT EXISTS { (m)-[:COPY_OF]->() }
  WITH m, CASE WHEN m.origin = 'inherited' THEN 1 ELSE 0 END AS handed,
       CASE WHEN m:ToolCall THEN 1 ELSE 0 END AS call,
       CASE WHEN m.unknown_tokens THEN 1 ELSE 0 END AS unknown
  RETURN count(m) AS originals, sum(call) AS calls, sum(m.norm_bytes) AS bytes, sum(unknown) AS unknown,
         sum(handed) AS handed, sum(handed * call) AS handed_calls,
         sum(handed * m.norm_bytes) AS handed_bytes, sum(handed * unknown) AS handed_unknown
}
SET c.originals = originals, c.original_tool_calls = calls, c.original_bytes = bytes,
    c.original_unknown = unknown,
    c.handed_originals = handed, c.handed_original_tool_calls = handed_calls,
    c.handed_original_bytes = handed_bytes, c.handed_original_unknown = handed_unknown
WITH c
CALL (c) {
  MATCH (c)-[:HAS_MESSAGE]->(m:Message)
  WHERE m.block_last IS NOT NULL
  RETURN coalesce(sum(m.block_last - m.index + 1), 0) AS inlined
}
SET c.inlined_messages = inlined
WITH c
CALL (c) {
  MATCH (c)-[:HAS_MESSAGE]->(m:Message)-[:COPY_OF]->(o:Message)<-[:HAS_MESSAGE]-(d:Chat)
  WITH d, count(*) AS messages, count(CASE WHEN m.origin = 'inherited' THEN 1 END) AS handed,
       count(CASE WHEN m.norm_bytes > o.norm_bytes THEN 1 END) AS longer
  CREATE (c)-[:COPIES_FROM {messages: messages, handed: handed, longer: longer}]->(d)
}
"""
