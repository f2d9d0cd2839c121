"""Every Cypher statement that changes the graph, as constants. Only `writer.py` and `sync.py` run them.

Rows come as parameters; nothing is ever glued into the text. CREATE is used for what only this chat or job
owns, MERGE for what several share (contents, jobs named by many, inferences).
"""

from typing import LiteralString

# ---------------------------------------------------------------- checkpoints

FILE_DIGESTS: LiteralString = (
    "UNWIND $paths AS path MATCH (f:File {path: path}) RETURN path, f.digest AS digest"
)

WRITE_FILES: LiteralString = """
UNWIND $rows AS row
MERGE (f:File {path: row.path})
SET f.changed_at = CASE
      WHEN row.rewritten THEN datetime() ELSE f.changed_at END,
    f.previous_fingerprint = CASE
      WHEN row.rewritten THEN row.previous_fingerprint ELSE f.previous_fingerprint END
SET f += row.props, f.written_at = datetime()
REMOVE f.missing_since
"""

# Until the last piece is written the file counts as not read, with the messages that stay for certain: a scan
# after an interruption takes up there. Without facts it is not linked half-written.
BEGIN_LONG_FILE: LiteralString = """
MERGE (f:File {path: $path})
SET f.digest = '', f.kind = 'chat', f.folder = $folder, f.mtime_ns = -1, f.pending = true, f.marks = $marks
REMOVE f.links, f.stamp, f.facts
"""

# ---------------------------------------------------------------- chats and messages

WRITE_CHATS: LiteralString = """
UNWIND $rows AS row
MERGE (c:Chat {id: row.id})
SET c += row.props
REMOVE c.missing_since
"""

# What led into the deleted tail goes with it and comes back as lists of ids: texts and what was named or paid
# there, which may be used by nobody now, and the chats that hold copies, which must be linked anew.
DELETE_TAIL: LiteralString = """
MATCH (:Chat {id: $chat})-[:HAS_MESSAGE]->(m:Message)
WHERE m.index >= $keep
WITH m LIMIT $limit
WITH m,
     COLLECT { MATCH (m)-[:HAS_CONTENT]->(t:Content) RETURN t.key } AS contents,
     COLLECT { MATCH (c:Chat)-[:HAS_MESSAGE]->(:Message)-[:COPY_OF]->(m) RETURN DISTINCT c.id } AS copying,
     COLLECT { MATCH (m)-[:HAS_RECEIPT]->(r:Receipt) RETURN r }
     + COLLECT { MATCH (m)<-[:RETURNED]-()-[:HAS_RECEIPT]->(r:Receipt) RETURN r } AS rs
WITH m, contents, copying, rs,
     COLLECT { MATCH (m)-[:EVIDENCE]->(i:Inference) RETURN i.id } AS paid,
     COLLECT { UNWIND rs AS r MATCH (r)-[:EVIDENCE|RECEIPT_OF]->(n) RETURN n.id } AS named
FOREACH (r IN rs | DETACH DELETE r)
DETACH DELETE m
RETURN collect(contents) AS contents, collect(copying) AS copying, collect(paid + named) AS used
"""

# The same where it is known which messages there are.
DELETE_MESSAGES: LiteralString = """
UNWIND $ids AS id
MATCH (m:Message {id: id})
WITH m,
     COLLECT { MATCH (m)-[:HAS_CONTENT]->(t:Content) RETURN t.key } AS contents,
     COLLECT { MATCH (c:Chat)-[:HAS_MESSAGE]->(:Message)-[:COPY_OF]->(m) RETURN DISTINCT c.id } AS copying,
     COLLECT { MATCH (m)-[:HAS_RECEIPT]->(r:Receipt) RETURN r }
     + COLLECT { MATCH (m)<-[:RETURNED]-()-[:HAS_RECEIPT]->(r:Receipt) RETURN r } AS rs
WITH m, contents, copying, rs,
     COLLECT { MATCH (m)-[:EVIDENCE]->(i:Inference) RETURN i.id } AS paid,
     COLLECT { UNWIND rs AS r MATCH (r)-[:EVIDENCE|RECEIPT_OF]->(n) RETURN n.id } AS named
FOREACH (r IN rs | DETACH DELETE r)
DETACH DELETE m
RETURN collect(contents) AS contents, collect(copying) AS copying, collect(paid + named) AS used
"""

DELETE_UNUSED_CONTENTS: LiteralString = """
UNWIND $keys AS key
MATCH (t:Content {key: key})
WHERE NOT EXISTS { (t)<-[:HAS_CONTENT]-() }
DELETE t
"""

UNLINK_FILES: LiteralString = """
UNWIND $chats AS chat
MATCH (f:File {path: chat}) WHERE f.kind = 'chat'
SET f.pending = true
REMOVE f.links
"""

WRITE_CONTENTS: LiteralString = """
UNWIND $rows AS row
MERGE (t:Content {key: row.key})
ON CREATE SET t += row.props
"""

CREATE_MESSAGES: LiteralString = """
UNWIND $rows AS chat
MATCH (c:Chat {id: chat.id})
CALL (c, chat) {
  UNWIND chat.messages AS row
  MATCH (t:Content {key: row.content})
  CREATE (c)-[:HAS_MESSAGE]->(m:Message)-[:HAS_CONTENT]->(t)
  SET m = row.props
  FOREACH (_ IN CASE WHEN row.call THEN [1] ELSE [] END | SET m:ToolCall)
  WITH collect(m) AS created
  UNWIND range(1, size(created) - 1) AS i
  WITH created[i - 1] AS before, created[i] AS after
  CREATE (before)-[:NEXT]->(after)
}
"""

JOIN_MESSAGES: LiteralString = """
UNWIND $rows AS row
MATCH (before:Message {id: row.before})
MATCH (after:Message {id: row.after})
CREATE (before)-[:NEXT]->(after)
"""

CREATE_RETURNED: LiteralString = """
UNWIND $rows AS row
MATCH (call:Message {id: row.call})
MATCH (output:Message {id: row.output})
CREATE (call)-[:RETURNED]->(output)
"""

CREATE_RECEIPTS: LiteralString = """
UNWIND $rows AS row
MATCH (holder:Message {id: row.holder})
CREATE (holder)-[:HAS_RECEIPT]->(r:Receipt)
SET r = row.props
"""

HAS_MESSAGE_NODE: LiteralString = "MATCH (m:Message {id: $id}) RETURN m.id AS id"

# A long chat's last steps may be repeated after an interruption.
MERGE_RETURNED: LiteralString = """
UNWIND $rows AS row
MATCH (call:Message {id: row.call})
MATCH (output:Message {id: row.output})
MERGE (call)-[:RETURNED]->(output)
"""

MERGE_RECEIPTS: LiteralString = """
UNWIND $rows AS row
MATCH (holder:Message {id: row.holder})
MERGE (r:Receipt {id: row.props.id})
SET r = row.props
MERGE (holder)-[:HAS_RECEIPT]->(r)
"""

# ---------------------------------------------------------------- jobs

WRITE_JOBS: LiteralString = """
UNWIND $rows AS row
MERGE (j:Job {id: row.id})
SET j = row.props
"""

# ---------------------------------------------------------------- problems

DELETE_PROBLEMS: LiteralString = """
UNWIND $paths AS path
MATCH (p:Problem {path: path, stage: $stage})
DETACH DELETE p
"""

WRITE_PROBLEMS: LiteralString = """
UNWIND $rows AS row
MERGE (p:Problem {id: row.props.id})
SET p = row.props
WITH p, row
OPTIONAL MATCH (c:Chat {id: row.chat})
OPTIONAL MATCH (j:Job {id: row.job})
OPTIONAL MATCH (m:Message {id: row.message})
WITH p, [n IN [m, c, j] WHERE n IS NOT NULL][0] AS about
WHERE about IS NOT NULL
MERGE (p)-[:ABOUT]->(about)
"""

# ---------------------------------------------------------------- linking

# A job whose own files were read says more than those who name it.
NAME_JOBS: LiteralString = """
UNWIND $rows AS row
MERGE (j:Job {id: row.id})
WITH j, row
WHERE NOT EXISTS { (f:File {path: row.id}) WHERE f.kind IN ['info', 'result'] }
  AND NOT EXISTS { (:File {path: row.id + '.info', kind: 'info'}) }
SET j = row.props
"""

NAME_CHATS: LiteralString = """
UNWIND $rows AS row
MERGE (c:Chat {id: row.id})
WITH c, row WHERE NOT EXISTS { (:File {path: row.id, kind: 'chat'}) }
SET c += row.props
"""

# What the graph holds of links, to compare with what linking gives (`linkstate`).
HELD_CHAT_LINKS: LiteralString = """
UNWIND $chats AS chat
MATCH (:Chat {id: chat})-[r:JOB|AGENT_JOB|CONTEXT|IMPORTS|CONTINUES|LAST|RAN_WITH|LOG]->(n)
RETURN chat AS from, type(r) AS type, coalesce(n.id, n.digest) AS to, properties(r) AS props,
       elementId(r) AS element
"""

HELD_OWNERS: LiteralString = """
UNWIND $chats AS chat
MATCH (:Chat {id: chat})<-[r:LOG|RESULT]-(j:Job)
RETURN j.id AS from, type(r) AS type, chat AS to, {} AS props, elementId(r) AS element, j.id AS job
"""

HELD_EVIDENCE: LiteralString = """
UNWIND $chats AS chat
MATCH (a)-[r:EVIDENCE]->(i:Inference)
USING INDEX r:EVIDENCE(chat)
WHERE r.chat = chat
RETURN a.id AS from, 'EVIDENCE' AS type, i.id AS to, properties(r) AS props, elementId(r) AS element,
       properties(i) AS inference
"""

HELD_RECEIPTS: LiteralString = """
UNWIND $receipts AS receipt
MATCH (:Receipt {id: receipt})-[r:RECEIPT_OF]->(j:Job)
RETURN receipt AS from, 'RECEIPT_OF' AS type, j.id AS to, {} AS props, elementId(r) AS element
"""

HELD_DEPENDENCIES: LiteralString = """
UNWIND $jobs AS job
MATCH (:Job {id: job})-[r:DEPENDENCY]->(d:Job)
RETURN job AS from, 'DEPENDENCY' AS type, d.id AS to, properties(r) AS props, elementId(r) AS element
"""

DELETE_LINKS: LiteralString = """
UNWIND $elements AS element
MATCH ()-[r]->() WHERE elementId(r) = element
DELETE r
"""

SET_CHAT_LINKS: LiteralString = """
UNWIND $rows AS row
MATCH (c:Chat {id: row.id})
SET c += row.props
"""

CREATE_CHAT_TO_JOB: LiteralString = """
UNWIND $rows AS row
MATCH (c:Chat {id: row.from})
MATCH (j:Job {id: row.to})
FOREACH (_ IN CASE WHEN row.type = 'JOB' THEN [1] ELSE [] END | CREATE (c)-[r:JOB]->(j) SET r = row.props)
FOREACH (_ IN CASE WHEN row.type = 'AGENT_JOB' THEN [1] ELSE [] END |
  CREATE (c)-[r:AGENT_JOB]->(j) SET r = row.props)
FOREACH (_ IN CASE WHEN row.type = 'CONTEXT' THEN [1] ELSE [] END |
  CREATE (c)-[r:CONTEXT]->(j) SET r = row.props)
"""

CREATE_CHAT_TO_CHAT: LiteralString = """
UNWIND $rows AS row
MATCH (c:Chat {id: row.from})
MATCH (d:Chat {id: row.to})
FOREACH (_ IN CASE WHEN row.type = 'IMPORTS' THEN [1] ELSE [] END | CREATE (c)-[r:IMPORTS]->(d) SET r =
row.props) FOREACH (_ IN CASE WHEN row.type = 'CONTINUES' THEN [1] ELSE [] END | CREATE (c)-[r:CONTINUES]->(d)
SET r = row.props) FOREACH (_ IN CASE WHEN row.type = 'LAST' THEN [1] ELSE [] END | CREATE (c)-[r:LAST]->(d)
SET r = row.props) FOREACH (_ IN CASE WHEN row.type = 'LOG' THEN [1] ELSE [] END | CREATE (c)-[r:LOG]->(d) SET
r = row.props)
"""

CREATE_DEPENDENCIES: LiteralString = """
UNWIND $rows AS row
MATCH (j:Job {id: row.from})
MATCH (d:Job {id: row.to})
CREATE (j)-[:DEPENDENCY {position: row.position}]->(d)
"""

CREATE_JOB_CHATS: LiteralString = """
UNWIND $rows AS row
MATCH (j:Job {id: row.from})
MATCH (c:Chat {id: row.to})
FOREACH (_ IN CASE WHEN row.type = 'LOG' THEN [1] ELSE [] END | CREATE (j)-[:LOG]->(c))
FOREACH (_ IN CASE WHEN row.type = 'RESULT' THEN [1] ELSE [] END | CREATE (j)-[:RESULT]->(c))
"""

MESSAGE_STATE: LiteralString = """
UNWIND $chats AS chat
MATCH (:Chat {id: chat})-[:HAS_MESSAGE]->(m:Message)
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
WITH chat, m, o WHERE m.origin <> 'own' OR o IS NOT NULL OR m.block_last IS NOT NULL
RETURN chat, m.index AS index, m.origin AS origin, m.block_last AS block_last, m.block_bytes AS block_bytes,
       o.id AS original
"""

SET_MESSAGES: LiteralString = """
UNWIND $rows AS row
MATCH (m:Message {id: row.id})
SET m += row.props
"""

DELETE_COPIES: LiteralString = """
UNWIND $rows AS row
MATCH (:Message {id: row.id})-[r:COPY_OF]->()
DELETE r
"""

CREATE_COPIES: LiteralString = """
UNWIND $rows AS row
MATCH (m:Message {id: row.copy})
MATCH (o:Message {id: row.original})
CREATE (m)-[:COPY_OF]->(o)
"""

WRITE_INFERENCES: LiteralString = """
UNWIND $rows AS row
MERGE (i:Inference {id: row.id})
SET i = row.props
"""

CREATE_MESSAGE_EVIDENCE: LiteralString = """
UNWIND $rows AS row
MATCH (m:Message {id: row.address})
MATCH (i:Inference {id: row.inference})
CREATE (m)-[e:EVIDENCE]->(i)
SET e = row.props
"""

CREATE_RECEIPT_EVIDENCE: LiteralString = """
UNWIND $rows AS row
MATCH (r:Receipt {id: row.address})
MATCH (i:Inference {id: row.inference})
CREATE (r)-[e:EVIDENCE]->(i)
SET e = row.props
"""

CREATE_RECEIPT_OF: LiteralString = """
UNWIND $rows AS row
MATCH (r:Receipt {id: row.receipt})
MATCH (j:Job {id: row.job})
CREATE (r)-[:RECEIPT_OF]->(j)
"""

WRITE_INSTRUCTIONS: LiteralString = """
UNWIND $rows AS row
MERGE (i:Instructions {digest: row.props.digest})
SET i = row.props
WITH i, row
MATCH (c:Chat {id: row.chat})
MERGE (c)-[:RAN_WITH]->(i)
"""

# What was only ever named, or only shared, and is used by nothing any more.
DELETE_UNUSED: LiteralString = """
UNWIND $ids AS id
OPTIONAL MATCH (i:Inference {id: id}) WHERE NOT EXISTS { (i)<-[:EVIDENCE]-() }
OPTIONAL MATCH (t:Instructions {digest: id}) WHERE NOT EXISTS { (t)<-[:RAN_WITH]-() }
OPTIONAL MATCH (j:Job {id: id})
  WHERE NOT EXISTS { (f:File {path: id}) WHERE f.kind IN ['info', 'result'] }
    AND NOT EXISTS { (:File {path: id + '.info', kind: 'info'}) }
    AND NOT EXISTS { (j)<-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|RECEIPT_OF]-() }
    AND NOT EXISTS { (j)-[:DEPENDENCY|LOG|RESULT]->() }
OPTIONAL MATCH (c:Chat {id: id})
  WHERE NOT EXISTS { (:File {path: id, kind: 'chat'}) }
    AND NOT EXISTS { (c)<-[:IMPORTS|CONTINUES|LAST|LOG|RESULT]-() }
DETACH DELETE i, t, j, c
"""

MARK_LINKED: LiteralString = """
UNWIND $rows AS row
MATCH (f:File {path: row.path})
SET f.links = row.links
REMOVE f.pending
"""
