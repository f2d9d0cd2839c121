"""`indexer accounting`: what each chat cost."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.delegation import Account
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("accounting", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Accounts of the chats of the closure of ROOT: alone and with all they led to, direct and delegated."""
    with asking(options) as index:
        answer = index.accounting(root, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "chats")


def _table(answer: Page[Account]) -> RenderableType:
    rows: list[list[Any]] = [
        [
            x.path,
            x.agent,
            x.paid,
            x.own.direct.tokens.tt,
            x.own.delegated.tokens.tt,
            x.closure.direct.tokens.tt,
            x.closure.delegated.tokens.tt,
        ]
        for x in answer.items
    ]
    return table(
        ("chat", "agent", "#paid", "#own direct", "#own delegated", "#all direct", "#all delegated"), rows
    )
