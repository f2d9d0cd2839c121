"""`indexer scope`: what belongs to a root, and what is only context."""

from __future__ import annotations

import click
from rich.console import RenderableType

from indexer.answers.scope import Scope
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("scope", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Chats and jobs that ROOT reaches, edges, totals, and what is only context."""
    with asking(options) as index:
        answer = index.scope(root, **scope.how(paging))
    emit(answer, options.json, _tables)
    if not options.json:
        longest = max(answer.totals.chats, answer.totals.jobs, answer.context_total)
        remaining(answer.page, answer.per_page, longest)


def _tables(answer: Scope) -> list[RenderableType]:
    totals = answer.totals
    figures: list[tuple[str, object]] = [
        ("chats", totals.chats),
        ("jobs", totals.jobs),
        ("messages", f"{totals.messages:,} ({totals.unique_messages:,} unique)"),
        ("tool calls", f"{totals.tool_calls:,} ({totals.unique_tool_calls:,} unique)"),
        ("bytes", f"{totals.bytes:,} ({totals.unique_bytes:,} unique)"),
        ("requests", totals.requests),
        ("tokens", f"{totals.tokens.tt:,} ({totals.tokens.pt:,} prompt, {totals.tokens.ct:,} completion)"),
        *((f"{name} edges", number) for name, number in answer.edges.model_dump().items()),
    ]
    parts: list[RenderableType] = [
        table(("", ""), figures, answer.root),
        table(("chats",), [(chat,) for chat in answer.chats]),
        table(("jobs",), [(job,) for job in answer.jobs]),
    ]
    if answer.context:
        rows = [(c.from_, c.to, c.relation, c.basis, c.target_in_scope) for c in answer.context]
        parts.append(table(("context: from", "to", "relation", "basis", "in scope"), rows))
    return parts
