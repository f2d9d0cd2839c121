"""`indexer edges`: every edge of a closure, with what proves it."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.edges import Edge
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("edges", cls=FollowingCommand)
@click.argument("root")
@click.option("--relation", help="Only this relation; context is one too.")
@click.option("--call-id", help="Only edges by receipts of this call.")
@click.option("--job", help="Only edges from or to this job.")
@root_options
@page_options
@store_options
def command(
    root: str,
    relation: str | None,
    call_id: str | None,
    job: str | None,
    scope: RootOptions,
    paging: PageOptions,
    options: StoreOptions,
) -> None:
    """Edges of the closure of ROOT, with the message or receipt that each rests on."""
    with asking(options) as index:
        answer = index.edges(root, relation, call_id, job, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "edges")


def _table(answer: Page[Edge]) -> RenderableType:
    rows: list[list[Any]] = [
        [x.relation, x.from_, x.to, x.detail.get("basis"), x.detail.get("address"), x.detail.get("call_id")]
        for x in answer.items
    ]
    return table(("relation", "from", "to", "basis", "address", "call"), rows)
