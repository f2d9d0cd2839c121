"""What a root cost."""

from __future__ import annotations

from typing import Literal, get_args

from indexer.answers.base import Answer, Page, Row, Tokens, tokens, with_tokens
from indexer.answers.closure import Closure
from indexer.answers.errors import BadQuestion
from indexer.answers.pages import Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

By = Literal["agent", "job", "chat", "tool", "day"]
EVENT = Cost(ids=6, rest=450)
GROUP = Cost(ids=1, rest=120)


class TokenScopes(Row):
    """Tokens of paid requests, each once (FORMAT.md 5).

    All of them; those that a chat's meta line tells of; those that a receipt tells of; those that only
    receipts tell of. The second and the third overlap.
    """

    deduplicated_total: Tokens
    chat_evidence: Tokens
    receipt_evidence: Tokens
    receipt_only: Tokens


class Evidence(Row):
    """A place that tells of a paid request: `source` is chat_meta or receipt."""

    source: str
    address: str


class Event(Row):
    """One paid request with the tokens of its first evidence; `evidence` holds the first five places."""

    id: str
    identity: str
    tokens: Tokens
    conflict: bool
    incomplete_evidence: bool
    payer: str | None
    evidence: list[Evidence]
    evidence_total: int


class Group(Row):
    """The cost of one agent, job, chat, tool or day; `key` is None for what has none."""

    key: str | None
    requests: int
    tokens: Tokens


class TokenAnswer(Answer):
    """Totals by scope, events, and how far to trust them.

    `unknown` counts requests that say nothing of their tokens: they are in no total. `groups` is there
    with `by`.
    """

    root: str
    job_refs: str
    totals: TokenScopes
    events: Page[Event]
    conflicts: int
    incomplete_evidence: int
    unknown: int
    by: str | None = None
    groups: Page[Group] | None = None


def token_totals(
    runner: Runner, root: Root, closure: Closure, paging: Paging, by: str | None = None
) -> TokenAnswer:
    """Tokens of a closure; with `by` also grouped (groups and events then share the room of an answer)."""
    if by is not None and by not in get_args(By):
        raise BadQuestion(f"tokens are grouped by {', '.join(get_args(By))}, not by {by}")
    params = closure.params(root.id)
    found = {row["scope"]: row for row in runner.run("tokens", params)}
    whole = found["deduplicated_total"]
    share = 1 if by is None else 2
    entries = per_page(runner, root.id, closure, paging, EVENT, share=share)
    return TokenAnswer(
        root=root.id,
        job_refs=closure.job_refs,
        totals=TokenScopes(**{name: tokens(found[name]) for name in TokenScopes.model_fields}),
        events=page_of(runner, "token_events", params, Event, paging.page, entries, with_tokens),
        conflicts=whole["conflicts"],
        incomplete_evidence=whole["incomplete_evidence"],
        unknown=whole["unknown"],
        by=by,
        groups=None if by is None else _groups(runner, root, closure, paging, by),
    )


def _groups(runner: Runner, root: Root, closure: Closure, paging: Paging, by: str) -> Page[Group]:
    entries = per_page(runner, root.id, closure, paging, GROUP, share=2)
    return page_of(
        runner, f"tokens_by_{by}", closure.params(root.id), Group, paging.page, entries, with_tokens
    )
