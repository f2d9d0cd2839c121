"""`indexer dedup`: how much is copies."""

from __future__ import annotations

import click
from rich.console import RenderableType

from indexer.answers.dedup import Dedup
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("dedup", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Raw and unique messages, tool calls and bytes that ROOT reaches, and results inlined in its chats."""
    with asking(options) as index:
        answer = index.dedup(root, **scope.how(paging))
    emit(answer, options.json, _tables)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.inlined_total, "inlined blocks")


def _tables(answer: Dedup) -> list[RenderableType]:
    totals = answer.totals
    figures: list[tuple[str, int, int | None]] = [
        ("messages", totals.messages, totals.unique_messages),
        ("tool calls", totals.tool_calls, totals.unique_tool_calls),
        ("bytes", totals.bytes, totals.unique_bytes),
        ("messages in inlined results", answer.inlined_messages, None),
    ]
    rows = [(b.chat, f"{b.first_index}-{b.last_index}", b.job, b.bytes) for b in answer.inlined]
    return [
        table(("", "#raw", "#unique"), figures, answer.root),
        table(("inlined in", "messages", "result of", "#bytes"), rows),
    ]
