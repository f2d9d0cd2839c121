"""`indexer reasoning`: the reasoning written down in a closure."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.reasoning import Reasoning
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("reasoning", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Reasoning texts of the closure of ROOT, copies left out."""
    with asking(options) as index:
        answer = index.reasoning(root, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "texts")


def _table(answer: Page[Reasoning]) -> RenderableType:
    rows: list[list[Any]] = [[x.address, x.agent, x.at, x.text] for x in answer.items]
    return table(("address", "agent", "at", "reasoning"), rows)
