"""`indexer context`: references that are only context."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.context import ContextReference
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("context", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """References of the chats of ROOT that are only context, and the rule that decided."""
    with asking(options) as index:
        answer = index.context(root, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "references")


def _table(answer: Page[ContextReference]) -> RenderableType:
    rows: list[list[Any]] = [
        [x.from_, x.to, x.relation, x.basis, x.address, x.target_in_scope] for x in answer.items
    ]
    return table(("from", "to", "relation", "basis", "address", "in scope"), rows)
