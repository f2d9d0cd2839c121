"""`indexer overview`: a root at a glance."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.overview import Overview
from indexer.commands.answering import FollowingCommand, RootOptions, asking, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("overview", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Chats, jobs, edges, totals and warnings of what ROOT reaches."""
    with asking(options) as index:
        answer = index.overview(root, **scope.how(paging))
    emit(answer, options.json, _tables)


def _tables(answer: Overview) -> list[RenderableType]:
    totals: list[list[Any]] = []
    for name, value in answer.totals.model_dump().items():
        totals.append([name.replace("_", " "), value["tt"] if isinstance(value, dict) else value])
    chats = [[c.path, c.kind, c.agent, c.messages, c.tool_calls, c.ended_at] for c in answer.chats.items]
    jobs = [[j.path, j.status, j.dependencies, j.direct_logs, j.end, j.error] for j in answer.jobs.items]
    parts: list[RenderableType] = [
        table((answer.root.kind, "#"), totals, answer.root.path),
        table(("chat", "kind", "agent", "#messages", "#calls", "last"), chats, _title("chats", answer.chats)),
        table(("job", "status", "#dependencies", "#logs", "end", "error"), jobs, _title("jobs", answer.jobs)),
        table(
            ("relation", "from", "to", "basis"),
            [[e.relation, e.from_, e.to, e.detail.get("basis")] for e in answer.edges.items],
            _title("edges", answer.edges),
        ),
    ]
    if answer.warnings.items:
        rows = [[p.kind, p.address, p.line, p.detail] for p in answer.warnings.items]
        parts.append(table(("warning", "place", "#line", "what"), rows, _title("warnings", answer.warnings)))
    return parts


def _title(name: str, page: Any) -> str:
    return f"{len(page.items):,} of {page.total:,} {name}"
