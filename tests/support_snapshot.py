"""The answers' part of a graph as plain values, so that a test that finds two graphs unequal says where."""

from __future__ import annotations

from typing import Any

import orjson

from indexer.ingest import digest
from indexer.store.connection import Store

Snapshot = dict[str, int]


def snapshot(store: Store) -> Snapshot:
    """Every node and relationship as the digest sees it, with how often it is there."""
    found: dict[str, int] = {}
    for row in store.read(digest.NODES):
        _add(found, (sorted(row["labels"]), digest._told(row["properties"])))
    for row in store.read(digest.RELATIONSHIPS):
        ends = [row[name] for name in ("type", "from_label", "from", "to_label", "to")]
        _add(found, (*ends, digest._told(row["properties"])))
    return found


def _add(found: dict[str, int], item: Any) -> None:
    text = orjson.dumps(item, default=str, option=orjson.OPT_SORT_KEYS).decode()
    found[text] = found.get(text, 0) + 1


def difference(left: Snapshot, right: Snapshot, most: int = 30) -> str:
    """What only one of two graphs holds; empty for equal ones."""
    lines = [f"- {n}x {text}" for text, n in sorted(left.items()) if right.get(text) != n]
    more = [f"+ {n}x {text}" for text, n in sorted(right.items()) if left.get(text) != n]
    shown = [*lines[:most], *more[:most]]
    return f"{len(lines)} only left, {len(more)} only right\n" + "\n".join(shown) if shown else ""
