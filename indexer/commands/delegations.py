"""`indexer delegations`: the delegation tree with cost rolled up."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.delegation import Delegation
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("delegations", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Jobs of the closure of ROOT as a tree: each under what led to it, with cost alone and rolled up."""
    with asking(options) as index:
        answer = index.delegations(root, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "jobs")


def _table(answer: Page[Delegation]) -> RenderableType:
    rows: list[list[Any]] = [
        ["  " * (x.depth - 1) + x.ref, x.agent, x.tool, x.status, x.requests, x.tt, x.total.tt]
        for x in answer.items
    ]
    return table(("job", "agent", "tool", "status", "#requests", "#tt alone", "#tt rolled up"), rows)
