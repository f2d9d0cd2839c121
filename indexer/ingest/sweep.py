"""Taking away what a killed writer may have left without any use: nodes that nothing leads to any more.

Run by whoever gets the lease after a holder that did not come to its end. What was read and not linked is
marked pending in the graph and needs no sweep. Each statement looks at one label and takes some rows at a
time.
"""

from __future__ import annotations

from typing import LiteralString

from indexer.store.store import Store

_STATEMENTS: tuple[LiteralString, ...] = (
    """
    MATCH (m:Message) WHERE NOT EXISTS { (m)<-[:HAS_MESSAGE]-() }
    WITH m LIMIT $limit DETACH DELETE m RETURN count(*) AS number
    """,
    """
    MATCH (r:Receipt) WHERE NOT EXISTS { (r)<-[:HAS_RECEIPT]-() }
    WITH r LIMIT $limit DETACH DELETE r RETURN count(*) AS number
    """,
    """
    MATCH (t:Content) WHERE NOT EXISTS { (t)<-[:HAS_CONTENT]-() }
    WITH t LIMIT $limit DELETE t RETURN count(*) AS number
    """,
    """
    MATCH (i:Inference) WHERE NOT EXISTS { (i)<-[:EVIDENCE]-() }
    WITH i LIMIT $limit DELETE i RETURN count(*) AS number
    """,
    """
    MATCH (t:Instructions) WHERE NOT EXISTS { (t)<-[:RAN_WITH]-() }
    WITH t LIMIT $limit DELETE t RETURN count(*) AS number
    """,
    """
    MATCH (c:Chat)
    WHERE NOT EXISTS { (:File {path: c.id, kind: 'chat'}) } AND NOT EXISTS { (c)<-[:IMPORTS|CONTINUES|LAST|LOG|RESULT]-() }
      AND NOT EXISTS { (c)-[:HAS_MESSAGE]->() }
    WITH c LIMIT $limit DETACH DELETE c RETURN count(*) AS number
    """,
    """
    MATCH (j:Job)
    WHERE NOT EXISTS { (f:File {path: j.id}) WHERE f.kind IN ['info', 'result'] }
      AND NOT EXISTS { (:File {path: j.id + '.info', kind: 'info'}) }
      AND NOT EXISTS { (j)<-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|RECEIPT_OF]-() }
      AND NOT EXISTS { (j)-[:DEPENDENCY|LOG|RESULT]->() }
    WITH j LIMIT $limit DETACH DELETE j RETURN count(*) AS number
    """,
    """
    MATCH (p:Problem)
    WHERE p.stage <> 'walk' AND NOT EXISTS { (:File {path: p.path}) } AND NOT EXISTS { (p)-[:ABOUT]->() }
    WITH p LIMIT $limit DETACH DELETE p RETURN count(*) AS number
    """,
)
_LIMIT = 5_000


def sweep(store: Store) -> int:
    """Remove what has no use; how many nodes that were."""
    total = 0
    for statement in _STATEMENTS:
        while number := store.write(statement, {"limit": _LIMIT})[0]["number"]:
            total += number
    return total
