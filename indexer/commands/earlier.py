"""`indexer earlier`: what to compare a root with."""

from __future__ import annotations

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.earlier import Earlier
from indexer.commands.answering import asking, pages, remaining
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("earlier")
@click.argument("root")
@page_options
@store_options
def command(root: str, paging: PageOptions, options: StoreOptions) -> None:
    """What ROOT continues, shares work with, or follows: the A of `indexer diff A ROOT`, the best first."""
    with asking(options) as index:
        answer = index.earlier(root, **pages(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "rows")


def _table(answer: Page[Earlier]) -> RenderableType:
    rows = [(x.other, x.reason, x.shared_jobs, x.last_activity) for x in answer.items]
    return table(("compare with", "why", "#shared jobs", "last activity"), rows)
