"""The pictures of a closure and of a comparison, from the query files `graph` and `edges`."""

from __future__ import annotations

from typing import Any

from indexer.answers.closure import Closure
from indexer.answers.roots import Root
from indexer.answers.runner import Rows, Runner
from indexer.report.graph import Edge, Key, Kind, Node, Picture, picture

#: Rows of a query file at a time.
ROWS = 20_000


def provenance(runner: Runner, root: Root, closure: Closure) -> Picture:
    """All of a closure: what is own, shared with other conversations, or context."""
    nodes = [_node(row, _standing(row)) for row in every(runner, "graph", closure.params(root.id))]
    return picture(nodes, edges(runner, root, closure), _key(root))


def comparison(runner: Runner, a: Root, b: Root, closure: Closure) -> Picture:
    """Two closures in one picture: what only A reaches, only B, and both."""
    reached_a = {_row_key(row): row for row in every(runner, "graph", closure.params(a.id))}
    reached_b = {_row_key(row): row for row in every(runner, "graph", closure.params(b.id))}
    nodes = []
    for key, row in {**reached_b, **reached_a}.items():
        place = (
            "in_both"
            if key in reached_a and key in reached_b
            else "only_in_a"
            if key in reached_a
            else "only_in_b"
        )
        nodes.append(_node(row, place))
    joined = {edge: None for root in (a, b) for edge in edges(runner, root, closure)}
    return picture(nodes, joined, _key(a))


def edges(runner: Runner, root: Root, closure: Closure) -> list[Edge]:
    """The edges of a closure, those by receipts counted per receipt entry."""
    params = {**closure.params(root.id), "relation": None, "call_id": None, "job": None}
    counts: dict[tuple[Key, Key, str], int] = {}
    for row in every(runner, "edges", params):
        key = ((row["from_kind"], row["from"]), (row["to_kind"], row["to"]), row["relation"])
        counts[key] = counts.get(key, 0) + 1
    return [
        Edge(source, target, relation, relation == "context", number)
        for (source, target, relation), number in counts.items()
    ]


def every(runner: Runner, query: str, params: dict[str, Any]) -> Rows:
    """All rows of a query file with skip, limit and a column `total`."""
    found: Rows = []
    while True:
        rows = runner.run(query, {**params, "skip": len(found), "limit": ROWS})
        found += rows
        if not rows or len(found) >= rows[0]["total"]:
            return found


def _key(root: Root) -> Key:
    kind: Kind = "chat" if root.kind == "chat" else "job"
    return kind, root.id


def _row_key(row: dict[str, Any]) -> tuple[str, str]:
    return row["kind"], row["id"]


def _standing(row: dict[str, Any]) -> str:
    if not row["own"]:
        return "context"
    return "shared" if row["shared"] else "own"


def _node(row: dict[str, Any], standing: str) -> Node:
    chat = row["kind"] == "chat"
    agent = row["about"] if chat else None
    return Node(
        kind=row["kind"],
        id=row["id"],
        title=row["name"] or row["id"].rsplit("/", 1)[-1],
        subtitle=f"{row['part'] or 'chat'} chat" + (f" · {agent}" if agent else "") if chat else _place(row),
        standing=standing,
        about=row["about"],
        chat_kind=row["part"] if chat else None,
        conversation=row["conversation"],
        missing=row["missing"],
        messages=row["messages"],
        tool_calls=row["tool_calls"],
        inlined=row["inlined"],
    )


def _place(row: dict[str, Any]) -> str:
    """Workflow and name of a job: steps of one task differ by their names only."""
    return " · ".join(part for part in (row["part"], row["id"].rsplit("/", 1)[-1]) if part)
