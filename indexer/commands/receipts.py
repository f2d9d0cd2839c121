"""`indexer receipts`: what tool outputs tell of jobs and paid requests."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.receipts import Receipt
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("receipts", cls=FollowingCommand)
@click.argument("root")
@click.option("--call-id", help="Only of this call.")
@click.option("--warnings", is_flag=True, help="Only entries that could not be read or resolved.")
@root_options
@page_options
@store_options
def command(
    root: str,
    call_id: str | None,
    warnings: bool,
    scope: RootOptions,
    paging: PageOptions,
    options: StoreOptions,
) -> None:
    """Receipt entries of the closure of ROOT: jobs and paid requests that tool outputs tell of."""
    with asking(options) as index:
        answer = index.receipts(root, call_id, warnings, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "receipts")


def _table(answer: Page[Receipt]) -> RenderableType:
    rows: list[list[Any]] = [
        [x.address, x.tool, x.job or x.job_ref, x.inference, x.tokens.tt, x.direct, x.warning]
        for x in answer.items
    ]
    return table(("entry", "tool", "job", "request", "#tt", "direct", "warning"), rows)
