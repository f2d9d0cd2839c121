"""`indexer find`: messages whose text matches."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.find import Found
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.exits import Exit
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, fail, table


@click.command("find", cls=FollowingCommand)
@click.argument("text")
@click.option("--root", help="Only in the closure of this chat or job.")
@click.option("--role", help="Only this role.")
@click.option("--originals", is_flag=True, help="Leave copies out.")
@click.option("--exact", is_flag=True, help="Exactly these characters, not words.")
@root_options
@page_options
@store_options
def command(
    text: str,
    root: str | None,
    role: str | None,
    originals: bool,
    exact: bool,
    scope: RootOptions,
    paging: PageOptions,
    options: StoreOptions,
) -> None:
    """Messages with all words of TEXT, or else exactly these characters. Exit code 1: none."""
    if not text.strip():
        fail(Exit.USAGE, "say what to look for")
    with asking(options) as index:
        answer = index.find(text, root, role, originals, exact, **scope.how(paging))
    emit(answer, options.json, _table)
    if not answer.total:
        fail(Exit.NO, f"no message holds {text}")
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "messages")


def _table(answer: Found) -> RenderableType:
    rows: list[list[Any]] = [
        [x.address, x.role, x.agent, x.origin, " ".join(x.snippet.split())] for x in answer.items
    ]
    return table(("address", "role", "agent", "origin", "text"), rows)
