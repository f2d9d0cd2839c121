"""`indexer conversations`: all root chats."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.conversations import Conversation
from indexer.commands.answering import asking, pages, remaining
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("conversations")
@page_options
@store_options
def command(paging: PageOptions, options: StoreOptions) -> None:
    """Root chats, the latest first: own, context and shared jobs, inlined share, calls, tokens."""
    with asking(options) as index:
        answer = index.conversations(**pages(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "conversations")


def _table(answer: Page[Conversation]) -> RenderableType:
    rows: list[list[Any]] = [
        [
            x.root,
            x.own_jobs,
            x.context_jobs,
            x.shared_jobs,
            f"{x.inlined_share:.0%}",
            x.tool_calls,
            x.unique_tool_calls,
            x.tokens.tt,
            x.last_activity,
        ]
        for x in answer.items
    ]
    return table(
        ("root", "#own jobs", "#context", "#shared", "#inlined", "#calls", "#unique", "#tt", "last activity"),
        rows,
    )
