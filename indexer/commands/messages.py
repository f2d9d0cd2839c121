"""`indexer messages`: the messages of a closure."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.messages import Message
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("messages", cls=FollowingCommand)
@click.argument("root")
@click.option("--role", help="Only this role.")
@click.option("--origin", help="Only own, projection, inlined or inherited ones.")
@click.option("--chat", help="Only messages of this chat.")
@root_options
@page_options
@store_options
def command(
    root: str,
    role: str | None,
    origin: str | None,
    chat: str | None,
    scope: RootOptions,
    paging: PageOptions,
    options: StoreOptions,
) -> None:
    """Messages of the closure of ROOT, chat by chat."""
    with asking(options) as index:
        answer = index.messages(root, role, origin, chat, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "messages")


def _table(answer: Page[Message]) -> RenderableType:
    rows: list[list[Any]] = [
        [x.address, x.role, x.origin, x.bytes, " ".join(x.preview.split())] for x in answer.items
    ]
    return table(("address", "role", "origin", "#bytes", "preview"), rows)
