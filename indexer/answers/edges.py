"""The edges of a closure."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from indexer.answers.base import Page, Row
from indexer.answers.closure import RELATIONS, Closure
from indexer.answers.errors import BadQuestion
from indexer.answers.pages import Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

COST = Cost(ids=4, rest=330)


class Edge(Row):
    """One edge; a receipt reference is one edge per receipt entry.

    `detail` tells what there is to tell: relation (of context), basis, address and number of addresses,
    reference as written, call_id, tool, position (of a dependency).
    """

    relation: str
    from_kind: str
    from_: str = Field(alias="from")
    to_kind: str
    to: str
    detail: dict[str, Any]


def edges(
    runner: Runner,
    root: Root,
    closure: Closure,
    paging: Paging,
    relation: str | None = None,
    call_id: str | None = None,
    job: str | None = None,
) -> Page[Edge]:
    """Edges of a closure, filtered by relation (or `context`), call id, or a job at either end."""
    if relation is not None and relation not in (*RELATIONS, "context"):
        raise BadQuestion(f"no such relation: {relation} (there are {', '.join(RELATIONS)}, context)")
    entries = per_page(runner, root.id, closure, paging, COST)
    params = {**closure.params(root.id), "relation": relation, "call_id": call_id, "job": job}
    return page_of(runner, "edges", params, Edge, paging.page, entries, _edge)


def _edge(row: dict[str, Any]) -> Edge:
    detail = {name: value for name, value in row["detail"].items() if value is not None}
    return Edge.model_validate({**row, "detail": detail})
