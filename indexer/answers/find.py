"""Messages whose text matches."""

from __future__ import annotations

import re

from indexer.answers.base import Answer, Page, Row
from indexer.answers.closure import Closure
from indexer.answers.pages import Paging, page_of
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

PER_PAGE = 50
#: Longer words are in no full-text index, and its query language refuses them.
LONGEST_WORD = 8_000
#: More words than these make more clauses (two for each) than the index takes.
MOST_WORDS = 400


class Match(Row):
    """One message; `snippet` is the beginning of its text, or what stands around the match."""

    address: str
    role: str
    agent: str | None
    snippet: str
    bytes: int
    origin: str
    copy_of: str | None
    score: float


class Found(Answer):
    """`how` is words (by the full-text index) or exact (characters as they are, where no word matched)."""

    text: str
    how: str
    page: int
    per_page: int
    total: int
    items: list[Match]


def find(
    runner: Runner,
    text: str,
    paging: Paging,
    root: Root | None = None,
    closure: Closure | None = None,
    role: str | None = None,
    originals: bool = False,
    exact: bool = False,
) -> Found:
    """Messages with all words of `text`, best first.

    Where there are none, messages with exactly these characters. `root` limits the search to its closure;
    `exact` asks for the characters at once.
    """
    scope = {} if root is None else (closure or Closure()).params(root.id)
    suffix = "" if root is None else "_in"
    filters = {**scope, "role": role, "originals": originals}
    entries = paging.per_page or PER_PAGE
    words = as_words(text)
    if not exact and words:
        found: Page[Match] = page_of(
            runner, f"find{suffix}", {**filters, "text": words}, Match, paging.page, entries
        )
        if found.total:
            return _found(text, "words", found)
    found = page_of(runner, f"find_exact{suffix}", {**filters, "text": text}, Match, paging.page, entries)
    return _found(text, "exact", found)


def as_words(text: str) -> str:
    """A query for the full-text index: all words of the text, or words that begin so."""
    words = [word for word in text.split() if re.search(r"\w", word)]
    if len(words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in words):
        return ""  # the index holds no such words; the text may still stand somewhere as it is
    return " AND ".join(_word(word) for word in words)


def _word(word: str) -> str:
    if re.fullmatch(r"\w+", word) and word not in ("AND", "OR", "NOT"):
        return f"({word} OR {word}*)"
    return '"' + re.sub(r'(["\\])', r"\\\1", word) + '"'


def _found(text: str, how: str, page: Page[Match]) -> Found:
    return Found(
        text=text, how=how, page=page.page, per_page=page.per_page, total=page.total, items=page.items
    )
