"""`indexer agents`: who worked."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.agents import Agent
from indexer.answers.base import Page
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("agents", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Agents of the closure of ROOT: chats, delegations, versions of instructions, cost."""
    with asking(options) as index:
        answer = index.agents(root, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "agents")


def _table(answer: Page[Agent]) -> RenderableType:
    rows: list[list[Any]] = [
        [x.agent, x.chats, x.jobs, x.tool_calls, x.delegations, len(x.versions), x.requests, x.tokens.tt]
        for x in answer.items
    ]
    return table(
        ("agent", "#chats", "#jobs", "#calls", "#delegations", "#versions", "#requests", "#tt"), rows
    )
