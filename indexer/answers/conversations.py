"""All conversations of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexer.answers.base import Page, Row, Tokens, part_of, with_tokens
from indexer.answers.pages import Paging, page_of
from indexer.answers.runner import Runner

PER_PAGE = 20


class Conversation(Row):
    """One root chat and what it led to.

    `own_jobs` are reached without CONTEXT, `context_jobs` only with it, `shared_jobs` (of either) by another
    root chat too, `own_shared_jobs` are the own ones of these. Messages, calls, requests and tokens are those
    of the own scope; `inlined_messages` stand in inlined results of other jobs, `inlined_share` is their part
    of `messages`.
    """

    root: str
    own_jobs: int
    context_jobs: int
    shared_jobs: int
    tool_calls: int
    unique_tool_calls: int
    tokens: Tokens
    last_activity: str | None
    chats: int
    requests: int
    messages: int = 0
    inlined_messages: int = 0
    inlined_share: float = 0.0
    own_shared_jobs: int = 0


def conversations(runner: Runner, paging: Paging) -> Page[Conversation]:
    """Root chats, the latest first; 20 a page, since the closure of each is counted."""
    return page_of(runner, "conversations", {}, Conversation, paging.page, paging.per_page or PER_PAGE, _row)


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    return with_tokens(row) | {"inlined_share": part_of(row["inlined_messages"], row["messages"])}
