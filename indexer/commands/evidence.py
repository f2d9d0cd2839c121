"""`indexer evidence`: the meta lines of a closure."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.evidence import MetaLine
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("evidence", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Meta lines of the closure of ROOT: paid requests and jobs that they tell of."""
    with asking(options) as index:
        answer = index.evidence(root, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "meta lines")


def _table(answer: Page[MetaLine]) -> RenderableType:
    rows: list[list[Any]] = [
        [
            x.address,
            x.kind,
            x.inference or x.job or x.job_ref,
            x.tokens.pt,
            x.tokens.ct,
            x.tokens.tt,
            x.at,
            x.origin,
        ]
        for x in answer.items
    ]
    return table(("address", "kind", "request or job", "#pt", "#ct", "#tt", "at", "origin"), rows)
