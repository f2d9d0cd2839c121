"""How two closures differ."""

from __future__ import annotations

from typing import Any

from indexer.answers.base import Answer, Row, Tokens, tokens
from indexer.answers.closure import Closure
from indexer.answers.pages import LONG_LIST, ROOM, Paging, size
from indexer.answers.roots import Root
from indexer.answers.runner import Runner


class Side(Row):
    """What one side holds; `chats` and `jobs` hold one page of `chats_total` and `jobs_total`.

    `tokens` are those of the paid requests that are known on that side only (or on both), each once.
    """

    chats: list[str]
    jobs: list[str]
    edges: int
    tokens: Tokens
    requests: int
    chats_total: int
    jobs_total: int


class Diff(Answer):
    """Every chat, job, edge and paid request of the two closures is on exactly one of three sides."""

    a: str
    b: str
    only_in_a: Side
    only_in_b: Side
    in_both: Side
    job_refs: str
    follow: list[str]
    page: int = 1
    per_page: int


def diff(runner: Runner, a: Root, b: Root, closure: Closure, paging: Paging) -> Diff:
    """Two closures against each other."""
    entries = paging.per_page or _fitting(runner, a, b, closure)
    params = {"a": a.id, "b": b.id, "job_refs": closure.job_refs, "follow": list(closure.follow)}
    rows = runner.run("diff", {**params, "skip": (paging.page - 1) * entries, "limit": entries})
    sides = {row["place"]: _side(row) for row in rows}
    return Diff(
        a=a.id,
        b=b.id,
        job_refs=closure.job_refs,
        follow=list(closure.follow),
        page=paging.page,
        per_page=entries,
        only_in_a=sides["only_in_a"],
        only_in_b=sides["only_in_b"],
        in_both=sides["in_both"],
    )


def _side(row: dict[str, Any]) -> Side:
    kept = {name: row[name] for name in Side.model_fields if name != "tokens"}
    return Side(tokens=tokens(row), **kept)


def _fitting(runner: Runner, a: Root, b: Root, closure: Closure) -> int:
    """Entries of each of the six lists that fit together, whatever the closures share."""
    sizes = [size(runner, root.id, closure) for root in (a, b)]
    chats, jobs = sum(s.chats for s in sizes), sum(s.jobs for s in sizes)
    longest_chat = max(s.longest_chat for s in sizes) + 3
    longest_job = max(s.longest_job for s in sizes) + 3

    def taken(entries: int) -> int:
        return min(3 * entries, chats) * longest_chat + min(3 * entries, jobs) * longest_job

    return next((entries for entries in range(LONG_LIST, 0, -10) if taken(entries) <= ROOM), 10)
