"""Jobs of the whole graph that someone should look at."""

from __future__ import annotations

from indexer.answers.base import Page, Row
from indexer.answers.pages import Paging, page_of
from indexer.answers.runner import Runner

PER_PAGE = 50


class SharedJob(Row):
    """A job that several conversations reach; `roots` and `own_of` hold the first five root chats."""

    job: str
    ref: str
    status: str | None
    own_of: list[str]
    roots: list[str]
    roots_total: int


class JobState(Row):
    """A job and how far it came."""

    job: str
    ref: str
    status: str | None
    issued: str | None
    start: str | None
    end: str | None
    host: str | None
    pid: int | None
    missing: bool


def shared_jobs(runner: Runner, paging: Paging) -> Page[SharedJob]:
    """Jobs that more than one root chat reaches, those with the most first."""
    entries = paging.per_page or PER_PAGE
    return page_of(runner, "shared_jobs", {}, SharedJob, paging.page, entries)


def orphan_jobs(runner: Runner, paging: Paging) -> Page[JobState]:
    """Jobs that no chat but their own and no other job refers to."""
    entries = paging.per_page or PER_PAGE
    return page_of(runner, "orphan_jobs", {}, JobState, paging.page, entries)


def stale_jobs(runner: Runner, paging: Paging, hours: int = 24) -> Page[JobState]:
    """Jobs whose process is dead, and open ones that began at least `hours` ago."""
    entries = paging.per_page or PER_PAGE
    return page_of(runner, "stale_jobs", {"hours": hours}, JobState, paging.page, entries)
