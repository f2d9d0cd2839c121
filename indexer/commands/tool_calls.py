"""`indexer tool-calls`: the tool calls of a closure."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.tool_calls import ToolCall
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("tool-calls", cls=FollowingCommand)
@click.argument("root")
@click.option("--exclude-inlined", is_flag=True, help="Without inlined blocks and handed history.")
@click.option("--unique", is_flag=True, help="One row per original.")
@click.option("--tool", help="Only this tool.")
@click.option("--status", help="Only success, failure or unknown.")
@click.option("--call-id", help="Only this call id.")
@root_options
@page_options
@store_options
def command(
    root: str,
    exclude_inlined: bool,
    unique: bool,
    tool: str | None,
    status: str | None,
    call_id: str | None,
    scope: RootOptions,
    paging: PageOptions,
    options: StoreOptions,
) -> None:
    """Tool calls of the closure of ROOT: status, output, origin, and of what they are copies."""
    with asking(options) as index:
        answer = index.tool_calls(root, tool, status, call_id, exclude_inlined, unique, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "calls")


def _table(answer: Page[ToolCall]) -> RenderableType:
    rows: list[list[Any]] = [
        [x.address, x.tool, x.status, x.status_reason, x.target_agent, x.origin, x.receipts]
        for x in answer.items
    ]
    return table(("call", "tool", "status", "reason", "agent", "origin", "#receipts"), rows)
