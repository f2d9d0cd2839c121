"""The meta lines of a closure."""

from __future__ import annotations

from indexer.answers.base import Page, Row, Tokens, with_tokens
from indexer.answers.closure import Closure
from indexer.answers.pages import Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

COST = Cost(ids=4, rest=480)


class MetaLine(Row):
    """One meta line, of `kind` tokens (of a paid request), job, or unknown (of neither)."""

    address: str
    kind: str
    inference: str | None
    provider_response_id: str | None
    tokens: Tokens
    job_ref: str | None
    job: str | None
    at: str | None
    origin: str
    copy_of: str | None


def evidence(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Page[MetaLine]:
    """Meta lines of a closure, chat by chat."""
    entries = per_page(runner, root.id, closure, paging, COST)
    return page_of(runner, "evidence", closure.params(root.id), MetaLine, paging.page, entries, with_tokens)
