"""A digest of the whole graph: equal for equal graphs, whatever the order in which they were made.

Every node and relationship is hashed by what it says and the hashes are added up, so nothing needs sorting.
Bookkeeping (File, Migration) and the time when an absence was first seen are left out: they tell of the
scans, not of the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, LiteralString

import orjson
from neo4j import ManagedTransaction

from indexer.store.connection import Store

NODES: LiteralString = """
MATCH (n)
WHERE n:Chat OR n:Job OR n:Message OR n:Content OR n:Receipt OR n:Inference OR n:Instructions OR n:Problem
RETURN labels(n) AS labels, properties(n) AS properties
"""
RELATIONSHIPS: LiteralString = """
MATCH (a)-[r]->(b)
RETURN type(r) AS type, labels(a)[0] AS from_label, coalesce(a.id, a.key, a.digest) AS from,
       labels(b)[0] AS to_label, coalesce(b.id, b.key, b.digest) AS to, properties(r) AS properties
"""
_BITS = 128
#: When something was first noticed: that tells of whoever looked, not of the files.
_OF_THE_MOMENT = frozenset({"missing_since", "crashed_since"})


def graph_digest(store: Store) -> str:
    """32 hex digits over all nodes and relationships of the answers' part of the graph."""
    total = store.read(_sum_nodes) + store.read(_sum_relationships)
    return f"{total % (1 << _BITS):032x}"


def _sum_nodes(tx: ManagedTransaction) -> int:
    return _total(
        (sorted(record["labels"]), _told(record["properties"])) for record in tx.run(NODES)
    )  # streamed: the graph need not fit into memory


def _sum_relationships(tx: ManagedTransaction) -> int:
    return _total(
        (r["type"], r["from_label"], r["from"], r["to_label"], r["to"], _told(r["properties"]))
        for r in tx.run(RELATIONSHIPS)
    )


def _told(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if name not in _OF_THE_MOMENT}


def _total(items: Iterable[object]) -> int:
    total = 0
    for item in items:
        data = orjson.dumps(item, default=str, option=orjson.OPT_SORT_KEYS)
        total += int.from_bytes(blake2b(data, digest_size=_BITS // 8).digest())
    return total
