"""What is copied most in the whole graph."""

from __future__ import annotations

from indexer.answers.base import Page, Row
from indexer.answers.pages import Paging, page_of
from indexer.answers.runner import Runner

PER_PAGE = 50


class CopiedBlock(Row):
    """A job whose result stands inlined elsewhere, and what that takes; the first five places."""

    job: str
    ref: str
    blocks: int
    chats: int
    messages: int
    bytes: int
    examples: list[str]


class ReplayedAnswer(Row):
    """One paid request that several originals tell of; `places` are the first five."""

    inference: str
    payer: str | None
    places: list[str]
    places_total: int
    tt: int | None


def copied_blocks(runner: Runner, paging: Paging) -> Page[CopiedBlock]:
    """Results that are inlined in other chats, those that take most bytes first."""
    entries = paging.per_page or PER_PAGE
    return page_of(runner, "copied_blocks", {}, CopiedBlock, paging.page, entries)


def replayed_answers(runner: Runner, paging: Paging) -> Page[ReplayedAnswer]:
    """Paid answers that were replayed elsewhere, the most often replayed first."""
    entries = paging.per_page or PER_PAGE
    return page_of(runner, "replayed_answers", {}, ReplayedAnswer, paging.page, entries)
