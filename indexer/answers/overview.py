"""A root at a glance: its chats, jobs and edges, totals, and what is wrong."""

from __future__ import annotations

from typing import Any

from indexer.answers.base import Answer, Page, Row, Tokens
from indexer.answers.closure import Closure
from indexer.answers.edges import COST as EDGE_COST
from indexer.answers.edges import Edge, edges
from indexer.answers.pages import ROOM, Cost, Paging, page_of, rows, size
from indexer.answers.problems import Problem, problems
from indexer.answers.roots import Root
from indexer.answers.runner import Runner
from indexer.answers.scope import totals

CHAT = Cost(ids=10, rest=900)
JOB = Cost(ids=2, rest=450)
WARNINGS = 10


class ChatSummary(Row):
    """One chat; lists hold the first few of what `..._total` count."""

    path: str
    kind: str | None
    agent: str | None
    conversation: str | None
    messages: int
    bytes: int
    originals: int
    tool_calls: int
    roles: dict[str, int]
    direct_jobs: list[str]
    direct_jobs_total: int
    receipt_records: int
    receipt_job_references: list[str]
    receipt_jobs_total: int
    imports: list[str]
    started_at: str | None
    ended_at: str | None
    missing: bool


class JobSummary(Row):
    """One job: state, times (ISO-8601), `time_elapsed` in seconds, numbers of dependencies and logs."""

    path: str
    ref: str | None
    workflow: str | None
    task: str | None
    status: str | None
    type: str | None
    dependencies: int
    direct_logs: int
    issued: str | None
    start: str | None
    end: str | None
    time_elapsed: float | None
    error: str | None
    missing: bool


class RootKind(Row):
    """The root: chat or job, and its id."""

    kind: str
    path: str


class OverviewTotals(Row):
    """Everything counted; `*_edges` as in a scope."""

    chats: int
    jobs: int
    messages: int
    unique_messages: int
    tool_calls: int
    unique_tool_calls: int
    job_edges: int
    dependency_edges: int
    log_edges: int
    result_edges: int
    agent_job_edges: int
    context_edges: int
    receipt_records: int
    receipt_only_events: int
    conflicts: int
    incomplete_evidence: int
    unknown: int
    tokens: Tokens


class Overview(Answer):
    """One page each of chats, jobs, edges and warnings; totals of all."""

    root: RootKind
    job_refs: str
    totals: OverviewTotals
    chats: Page[ChatSummary]
    jobs: Page[JobSummary]
    edges: Page[Edge]
    warnings: Page[Problem]


def overview(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Overview:
    """A closure at a glance."""
    params = closure.params(root.id)
    longest = size(runner, root.id, closure).longest

    def entries(cost: Cost, share: float) -> int:
        return paging.per_page or cost.rows(longest, int(ROOM * share))

    page = paging.page
    return Overview(
        root=RootKind(kind=root.kind, path=root.id),
        job_refs=closure.job_refs,
        totals=_totals(runner, params),
        chats=page_of(runner, "chats", params, ChatSummary, page, entries(CHAT, 0.45), _chat),
        jobs=page_of(runner, "jobs", params, JobSummary, page, entries(JOB, 0.2), _job),
        edges=edges(runner, root, closure, Paging(page, entries(EDGE_COST, 0.2))),
        warnings=problems(runner, Paging(page, paging.per_page or WARNINGS), root=root, closure=closure),
    )


def _totals(runner: Runner, params: dict[str, Any]) -> OverviewTotals:
    (row,) = runner.run("scope", {**params, "skip": 0, "limit": 0})
    counted = totals(row)
    cost = {found["scope"]: found for found in runner.run("tokens", params)}
    whole = cost["deduplicated_total"]
    _, records = rows(runner, "receipts", {**params, "call_id": None, "warnings": False}, 1, 1)
    return OverviewTotals(
        **{f"{relation}_edges": number for relation, number in row["edges"].items()},
        chats=counted.chats,
        jobs=counted.jobs,
        messages=counted.messages,
        unique_messages=counted.unique_messages,
        tool_calls=counted.tool_calls,
        unique_tool_calls=counted.unique_tool_calls,
        receipt_records=records,
        receipt_only_events=cost["receipt_only"]["requests"],
        conflicts=whole["conflicts"],
        incomplete_evidence=whole["incomplete_evidence"],
        unknown=whole["unknown"],
        tokens=counted.tokens,
    )


def _chat(row: dict[str, Any]) -> ChatSummary:
    roles = {found["role"]: found["messages"] for found in row["roles"][:20]}
    return ChatSummary.model_validate({**row, "roles": roles})


def _job(row: dict[str, Any]) -> JobSummary:
    error = row["error"] and row["error"][:300]
    return JobSummary.model_validate({**row, "error": error})
