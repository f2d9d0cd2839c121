"""What belongs to a root, and what is only context."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from indexer.answers.base import Answer, Row, Tokens, tokens
from indexer.answers.closure import Closure
from indexer.answers.context import ContextReference, context
from indexer.answers.pages import LONG_LIST, ROOM, Paging, Size, size
from indexer.answers.roots import Root
from indexer.answers.runner import Runner


class EdgeCounts(Row):
    """Edges of a closure by relation. agent_job and its share of context count receipt entries.

    Own references only are in job and agent_job; `context` counts the others, followed or (in an own
    scope) not.
    """

    job: int = 0
    dependency: int = 0
    log: int = 0
    result: int = 0
    agent_job: int = 0
    context: int = 0


class Counts(Row):
    """Counts of a closure: raw ones of occurrences as parsed, unique ones of originals."""

    messages: int
    unique_messages: int
    tool_calls: int
    unique_tool_calls: int
    bytes: int
    unique_bytes: int


class Totals(Counts):
    """Counts, members and tokens of a closure; `requests` is the number of paid requests behind `tokens`."""

    chats: int
    jobs: int
    requests: int = 0
    tokens: Tokens


class Scope(Answer):
    """A scope; `chats`, `jobs` and `context` hold one page each of what the totals count."""

    root: str
    job_refs: str
    follow: list[str]
    chats: list[str]
    jobs: list[str]
    edges: EdgeCounts
    context: list[ContextReference]
    totals: Totals
    context_total: int
    page: int = 1
    per_page: int = Field(description="entries of each list at most")


def scope(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Scope:
    """The chats and jobs of a closure, its edges and totals, and its context references."""
    entries = paging.per_page or _fitting(size(runner, root.id, closure))
    params = closure.params(root.id)
    skip = (paging.page - 1) * entries
    (row,) = runner.run("scope", {**params, "skip": skip, "limit": entries})
    references = context(runner, root, closure, Paging(paging.page, entries))
    return Scope(
        root=root.id,
        job_refs=closure.job_refs,
        follow=list(closure.follow),
        chats=row["chats"],
        jobs=row["jobs"],
        edges=EdgeCounts(**row["edges"]),
        context=references.items,
        totals=totals(row),
        context_total=references.total,
        page=paging.page,
        per_page=entries,
    )


def totals(row: dict[str, Any]) -> Totals:
    """The totals in a row of `scope`."""
    counts = {name: row[name] for name in Counts.model_fields}
    return Totals(
        chats=row["chats_total"],
        jobs=row["jobs_total"],
        requests=row["requests"],
        tokens=tokens(row),
        **counts,
    )


def _fitting(found: Size) -> int:
    """Entries of each of the three lists that fit together."""
    reference = 2 * found.longest_chat + found.longest_job + 180

    def taken(entries: int) -> int:
        return (
            min(entries, found.chats) * (found.longest_chat + 3)
            + min(entries, found.jobs) * (found.longest_job + 3)
            + min(entries, found.references) * reference
        )

    fitting = (entries for entries in range(LONG_LIST, 0, -10) if taken(entries) <= ROOM)
    return next(fitting, 10)
