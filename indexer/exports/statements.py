"""Every Cypher statement of the exports, as constants; closures as in `queries/closure.cypher`."""

from __future__ import annotations

from typing import LiteralString

# Chats before jobs, each sorted, so that two exports of one graph are equal.
SCOPE_NODES: LiteralString = """
OPTIONAL MATCH (job:Job {id: $root})
OPTIONAL MATCH (chat:Chat {id: $root})
WITH CASE WHEN chat IS NULL OR job.status <> 'noinfo' THEN job ELSE chat END AS root
MATCH (root)-[path:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(n)
WHERE all(e IN path WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END)
WITH DISTINCT n
ORDER BY n:Job, n.id
RETURN CASE WHEN n:Chat THEN 'chat' ELSE 'job' END AS kind, properties(n) AS properties,
       COLLECT { MATCH (n)-[:RAN_WITH]->(i:Instructions) RETURN i {.digest, .agent, .preview} ORDER BY
       i.digest } AS instructions
"""

SCOPE_EDGES: LiteralString = """
OPTIONAL MATCH (job:Job {id: $root})
OPTIONAL MATCH (chat:Chat {id: $root})
WITH CASE WHEN chat IS NULL OR job.status <> 'noinfo' THEN job ELSE chat END AS root
MATCH (root)-[path:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(n)
WHERE all(e IN path WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END)
WITH DISTINCT n
MATCH (n)-[e:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT|IMPORTS|CONTINUES|LAST]->(to)
RETURN toLower(type(e)) AS relation, CASE WHEN n:Chat THEN 'chat' ELSE 'job' END AS from_kind, n.id AS from,
       CASE WHEN to:Chat THEN 'chat' ELSE 'job' END AS to_kind, to.id AS to, e.basis AS basis,
       e.relation AS context_relation, e.addresses AS addresses
ORDER BY from, from_kind, relation, to
"""

# A request stands at its first evidence in the scope; its time is that of the meta line, or of the output
# that holds the receipt. What went before is the nearest earlier time of the same chat.
SCOPE_REQUESTS: LiteralString = """
OPTIONAL MATCH (job:Job {id: $root})
OPTIONAL MATCH (chat:Chat {id: $root})
WITH CASE WHEN chat IS NULL OR job.status <> 'noinfo' THEN job ELSE chat END AS root
MATCH (root)-[path:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(n)
WHERE all(e IN path WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END)
WITH DISTINCT n
WHERE n:Chat
WITH collect(n.id) AS ids
UNWIND ids AS id
MATCH ()-[e:EVIDENCE]->(i:Inference)
WHERE e.chat = id AND ($job_refs = 'all' OR NOT e.handed)
WITH ids, i, e ORDER BY e.rank
WITH ids, i, collect(e) AS es
WHERE $job_refs = 'all' OR any(e IN es WHERE e.paid)
WITH i, es[0] AS first, startNode(es[0]) AS place, CASE WHEN i.payer IN ids THEN i.payer ELSE es[0].chat END
AS chat, head([e IN es WHERE e.provider_response_id <> '' | e.provider_response_id]) AS response
ORDER BY i.id
WITH i, first, chat, response, place, CASE WHEN place:Message THEN place ELSE coalesce(
       head(COLLECT { MATCH (place)<-[:HAS_RECEIPT]-()-[:RETURNED]->(o:Message) RETURN o }),
       head(COLLECT { MATCH (place)<-[:HAS_RECEIPT]-(o:Message) RETURN o })) END AS told
RETURN i.id AS id, i.identity AS identity, chat, place.id AS address, first.source AS source, response,
       first.pt AS pt, first.ct AS ct, first.tt AS tt, first.cct AS cct, first.cwt AS cwt, first.rt AS rt,
       i.conflict AS conflict, told.at AS at,
       head(COLLECT { MATCH (told)<-[:NEXT*1..12]-(b:Message) WHERE b.at <= told.at RETURN b.at ORDER BY
       b.index DESC LIMIT 1 }) AS before
"""

# Calls that were really made: originals, and first copies of what lies outside the scope.
SCOPE_CALLS: LiteralString = """
OPTIONAL MATCH (job:Job {id: $root})
OPTIONAL MATCH (chat:Chat {id: $root})
WITH CASE WHEN chat IS NULL OR job.status <> 'noinfo' THEN job ELSE chat END AS root
MATCH (root)-[path:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT*0..]->(n)
WHERE all(e IN path WHERE CASE type(e)
  WHEN 'CONTEXT' THEN $job_refs = 'all' AND e.relation IN $follow
  ELSE toLower(type(e)) IN $follow END)
WITH DISTINCT n
WHERE n:Chat
WITH n ORDER BY n.id
MATCH (n)-[:HAS_MESSAGE]->(m:ToolCall)
WHERE $job_refs = 'all' OR m.origin <> 'inherited'
WITH n, m ORDER BY n.id, m.index
OPTIONAL MATCH (m)-[:COPY_OF]->(o:Message)
WITH coalesce(o, m) AS original, collect(m) AS here
WITH CASE WHEN original IN here THEN original ELSE here[0] END AS m
MATCH (c:Chat)-[:HAS_MESSAGE]->(m)
OPTIONAL MATCH (m)-[:RETURNED]->(o:Message)
RETURN m.id AS address, c.id AS chat, m.tool AS tool, m.call_id AS call_id, m.status AS status,
       m.status_reason AS reason, m.target_agent AS target_agent, o.at AS at, o.error AS error,
       head(COLLECT { MATCH (m)<-[:NEXT*1..12]-(b:Message) WHERE b.at <= o.at RETURN b.at ORDER BY b.index
       DESC LIMIT 1 }) AS before
"""

# The whole graph, once over its nodes and once over its relationships.
ALL_NODES: LiteralString = "MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties"

ALL_RELATIONSHIPS: LiteralString = """
MATCH (a)-[r]->(b)
RETURN type(r) AS type, labels(a) AS from_labels, coalesce(a.id, a.key, a.digest) AS from,
       labels(b) AS to_labels, coalesce(b.id, b.key, b.digest) AS to, properties(r) AS properties
"""

# Which of the candidate marks stand in no list of strings, and so can part its items.
UNUSED_MARKS: LiteralString = """
CALL () {
  MATCH (:Chat)-[r:JOB|AGENT_JOB|CONTEXT|IMPORTS|CONTINUES|LAST]->()
  RETURN coalesce(r.addresses, []) + coalesce(r.refs, []) + coalesce(r.call_ids, []) + coalesce(r.tools, [])
  AS items UNION ALL
  MATCH (f:File) WHERE f.names IS NOT NULL RETURN f.names AS items
}
UNWIND items AS item
UNWIND $marks AS mark
WITH mark, item WHERE item CONTAINS mark
RETURN collect(DISTINCT mark) AS used
"""
