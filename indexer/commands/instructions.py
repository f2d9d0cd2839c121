"""`indexer instructions`: the versions of agents' instructions."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.instructions import InstructionVersions
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("instructions", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Versions of agents' instructions that ran in the closure of ROOT, and where."""
    with asking(options) as index:
        answer = index.instructions(root, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "versions")


def _table(answer: InstructionVersions) -> RenderableType:
    rows: list[list[Any]] = [
        [v.agent, v.digest, len(v.chats), v.first_used, v.last_used, " ".join(v.preview.split())]
        for v in answer.versions
    ]
    return table(("agent", "version", "#chats", "first used", "last used", "begins"), rows)
