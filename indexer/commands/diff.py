"""`indexer diff`: how two closures differ."""

from __future__ import annotations

import click
from rich.console import RenderableType

from indexer.answers.diff import Diff
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("diff", cls=FollowingCommand)
@click.argument("a")
@click.argument("b")
@root_options
@page_options
@store_options
def command(a: str, b: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """What only A reaches, only B, and both: chats, jobs, edges, tokens."""
    with asking(options) as index:
        answer = index.diff(a, b, **scope.how(paging))
    emit(answer, options.json, _tables)
    if not options.json:
        sides = (answer.only_in_a, answer.only_in_b, answer.in_both)
        longest = max(max(side.chats_total, side.jobs_total) for side in sides)
        remaining(answer.page, answer.per_page, longest)


def _tables(answer: Diff) -> list[RenderableType]:
    sides = (
        (f"only in {answer.a}", answer.only_in_a),
        (f"only in {answer.b}", answer.only_in_b),
        ("in both", answer.in_both),
    )
    figures = [
        (name, side.chats_total, side.jobs_total, side.edges, side.requests, side.tokens.tt)
        for name, side in sides
    ]
    parts: list[RenderableType] = [table(("", "#chats", "#jobs", "#edges", "#requests", "#tokens"), figures)]
    for name, side in sides[:2]:
        members = [("chat", chat) for chat in side.chats] + [("job", job) for job in side.jobs]
        if members:
            parts.append(table(("kind", name), members))
    return parts
