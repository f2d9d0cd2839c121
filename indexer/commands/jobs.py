"""`indexer jobs shared|orphan|stale`: jobs of the whole graph that someone should look at."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.jobs import JobState, SharedJob
from indexer.commands.answering import asking, pages, remaining
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.group("jobs")
def command() -> None:
    """Jobs that several conversations share, that nothing refers to, or that never ended."""


@command.command("shared")
@page_options
@store_options
def shared(paging: PageOptions, options: StoreOptions) -> None:
    """Jobs that more than one root chat reaches."""
    with asking(options) as index:
        answer = index.shared_jobs(**pages(paging))
    emit(answer, options.json, _shared)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "jobs")


@command.command("orphan")
@page_options
@store_options
def orphan(paging: PageOptions, options: StoreOptions) -> None:
    """Jobs that no chat but their own and no other job refers to."""
    with asking(options) as index:
        answer = index.orphan_jobs(**pages(paging))
    emit(answer, options.json, _states)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "jobs")


@command.command("stale")
@click.option("--hours", type=click.IntRange(0), default=24, show_default=True, help="Open for so long.")
@page_options
@store_options
def stale(hours: int, paging: PageOptions, options: StoreOptions) -> None:
    """Jobs whose process is dead, and jobs that are open for long."""
    with asking(options) as index:
        answer = index.stale_jobs(hours, **pages(paging))
    emit(answer, options.json, _states)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "jobs")


def _shared(answer: Page[SharedJob]) -> RenderableType:
    rows: list[list[Any]] = [[x.job, x.status, x.roots_total, "\n".join(x.own_of)] for x in answer.items]
    return table(("job", "status", "#root chats", "own work of"), rows)


def _states(answer: Page[JobState]) -> RenderableType:
    rows: list[list[Any]] = [[x.job, x.status, x.issued, x.start, x.host, x.pid] for x in answer.items]
    return table(("job", "status", "issued", "started", "host", "process"), rows)
