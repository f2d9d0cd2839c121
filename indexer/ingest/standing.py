"""What the graph holds, in numbers: for `status` and `doctor`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import LiteralString

from indexer import migrations
from indexer.store.connection import Store

# Counts of whole labels and types come from the server's count store: they cost nothing.
NODES: LiteralString = """
CALL () {
  MATCH (n:Chat) RETURN 'Chat' AS label, count(n) AS number
  UNION ALL MATCH (n:Message) RETURN 'Message' AS label, count(n) AS number
  UNION ALL MATCH (n:Content) RETURN 'Content' AS label, count(n) AS number
  UNION ALL MATCH (n:Job) RETURN 'Job' AS label, count(n) AS number
  UNION ALL MATCH (n:ToolCall) RETURN 'ToolCall' AS label, count(n) AS number
  UNION ALL MATCH (n:Receipt) RETURN 'Receipt' AS label, count(n) AS number
  UNION ALL MATCH (n:Inference) RETURN 'Inference' AS label, count(n) AS number
  UNION ALL MATCH (n:Instructions) RETURN 'Instructions' AS label, count(n) AS number
  UNION ALL MATCH (n:Problem) RETURN 'Problem' AS label, count(n) AS number
  UNION ALL MATCH (n:File) RETURN 'File' AS label, count(n) AS number
}
RETURN label, number
"""
RELATIONSHIPS: LiteralString = "MATCH ()-[r]->() RETURN type(r) AS type, count(r) AS number ORDER BY type"
PROBLEMS: LiteralString = (
    "MATCH (p:Problem) RETURN p.kind AS kind, count(*) AS number ORDER BY number DESC, kind"
)
FILES: LiteralString = """
MATCH (f:File)
RETURN count(CASE WHEN f.pending THEN 1 END) AS pending, count(f.missing_since) AS missing,
       toString(max(f.written_at)) AS last_change
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
