"""What the graph holds, in numbers: for `status` and `doctor`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import LiteralString

from indexer import migrations
from indexer.store.connection import Store

# Counts of whole labels and types come from the server's count store and cost nothing, as long as nothing else
# stands beside them where they are counted.
NODES: LiteralString = """
CALL () {
  MATCH (n:Chat) WITH count(n) AS number RETURN 'Chat' AS label, number
  UNION ALL MATCH (n:Message) WITH count(n) AS number RETURN 'Message' AS label, number
  UNION ALL MATCH (n:Content) WITH count(n) AS number RETURN 'Content' AS label, number
  UNION ALL MATCH (n:Job) WITH count(n) AS number RETURN 'Job' AS label, number
  UNION ALL MATCH (n:ToolCall) WITH count(n) AS number RETURN 'ToolCall' AS label, number
  UNION ALL MATCH (n:Receipt) WITH count(n) AS number RETURN 'Receipt' AS label, number
  UNION ALL MATCH (n:Inference) WITH count(n) AS number RETURN 'Inference' AS label, number
  UNION ALL MATCH (n:Instructions) WITH count(n) AS number RETURN 'Instructions' AS label, number
  UNION ALL MATCH (n:Problem) WITH count(n) AS number RETURN 'Problem' AS label, number
  UNION ALL MATCH (n:File) WITH count(n) AS number RETURN 'File' AS label, number
}
RETURN label, number
"""
RELATIONSHIPS: LiteralString = """
CALL () {
  MATCH ()-[r:ABOUT]->() WITH count(r) AS number RETURN 'ABOUT' AS type, number
  UNION ALL MATCH ()-[r:AGENT_JOB]->() WITH count(r) AS number RETURN 'AGENT_JOB' AS type, number
  UNION ALL MATCH ()-[r:CONTEXT]->() WITH count(r) AS number RETURN 'CONTEXT' AS type, number
  UNION ALL MATCH ()-[r:CONTINUES]->() WITH count(r) AS number RETURN 'CONTINUES' AS type, number
  UNION ALL MATCH ()-[r:COPIES_FROM]->() WITH count(r) AS number RETURN 'COPIES_FROM' AS type, number
  UNION ALL MATCH ()-[r:COPY_OF]->() WITH count(r) AS number RETURN 'COPY_OF' AS type, number
  UNION ALL MATCH ()-[r:DEPENDENCY]->() WITH count(r) AS number RETURN 'DEPENDENCY' AS type, number
  UNION ALL MATCH ()-[r:EVIDENCE]->() WITH count(r) AS number RETURN 'EVIDENCE' AS type, number
  UNION ALL MATCH ()-[r:HAS_CONTENT]->() WITH count(r) AS number RETURN 'HAS_CONTENT' AS type, number
  UNION ALL MATCH ()-[r:HAS_MESSAGE]->() WITH count(r) AS number RETURN 'HAS_MESSAGE' AS type, number
  UNION ALL MATCH ()-[r:HAS_RECEIPT]->() WITH count(r) AS number RETURN 'HAS_RECEIPT' AS type, number
  UNION ALL MATCH ()-[r:IMPORTS]->() WITH count(r) AS number RETURN 'IMPORTS' AS type, number
  UNION ALL MATCH ()-[r:JOB]->() WITH count(r) AS number RETURN 'JOB' AS type, number
  UNION ALL MATCH ()-[r:LAST]->() WITH count(r) AS number RETURN 'LAST' AS type, number
  UNION ALL MATCH ()-[r:LOG]->() WITH count(r) AS number RETURN 'LOG' AS type, number
  UNION ALL MATCH ()-[r:NEXT]->() WITH count(r) AS number RETURN 'NEXT' AS type, number
  UNION ALL MATCH ()-[r:RAN_WITH]->() WITH count(r) AS number RETURN 'RAN_WITH' AS type, number
  UNION ALL MATCH ()-[r:RECEIPT_OF]->() WITH count(r) AS number RETURN 'RECEIPT_OF' AS type, number
  UNION ALL MATCH ()-[r:RESULT]->() WITH count(r) AS number RETURN 'RESULT' AS type, number
  UNION ALL MATCH ()-[r:RETURNED]->() WITH count(r) AS number RETURN 'RETURNED' AS type, number
}
WITH type, number WHERE number > 0
RETURN type, number ORDER BY type
"""
PROBLEMS: LiteralString = (
    "MATCH (p:Problem) RETURN p.kind AS kind, count(*) AS number ORDER BY number DESC, kind"
)
# From indexes: the files themselves, with all they keep, are never looked at.
FILES: LiteralString = """
CALL () { MATCH (f:File) WHERE f.pending = true RETURN count(f) AS pending }
CALL () { MATCH (f:File) WHERE f.missing_since IS NOT NULL RETURN count(f) AS missing }
CALL () {
  OPTIONAL MATCH (f:File) WHERE f.written_at IS NOT NULL
  RETURN f.written_at AS last ORDER BY f.written_at DESC LIMIT 1
}
RETURN pending, missing, toString(last) AS last_change
"""
SERVER: LiteralString = """
CALL dbms.components() YIELD name, versions, edition RETURN name + ' ' + versions[0] + ' ' + edition AS server
"""


@dataclass(slots=True)
class Standing:
    """The store and what is in it. `last_change` is the time of the last file written."""

    store: str
    server: str
    schema_version: int
    schema_current: bool
    last_change: str | None
    pending: int
    missing_files: int
    nodes: dict[str, int] = field(default_factory=dict)
    relationships: dict[str, int] = field(default_factory=dict)
    problems: dict[str, int] = field(default_factory=dict)


def standing(store: Store) -> Standing:
    """Look at the store."""
    state = migrations.inspect(store.driver, store.database)
    files = store.read(FILES)[0]
    return Standing(
        store=store.where,
        server=store.read(SERVER)[0]["server"],
        schema_version=max(state.applied, default=0),
        schema_current=state.current,
        last_change=files["last_change"],
        pending=files["pending"],
        missing_files=files["missing"],
        nodes={row["label"]: row["number"] for row in store.read(NODES)},
        relationships={row["type"]: row["number"] for row in store.read(RELATIONSHIPS)},
        problems={row["kind"]: row["number"] for row in store.read(PROBLEMS)},
    )
