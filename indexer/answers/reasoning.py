"""The reasoning written down in a closure."""

from __future__ import annotations

from typing import Any

from indexer.answers.base import Page, Row
from indexer.answers.closure import Closure
from indexer.answers.pages import Paging, page_of
from indexer.answers.roots import Root
from indexer.answers.runner import Runner
from indexer.formats.meta import read_meta

#: Characters of one reasoning text in a list; `message ADDRESS` gives all of it.
EXCERPT = 2_000
PER_PAGE = 20


class Reasoning(Row):
    """The reasoning of one response; `text` holds the first 2,000 of `characters`."""

    address: str
    agent: str | None
    at: str | None
    inference: str | None
    text: str
    characters: int


def reasoning(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Page[Reasoning]:
    """Reasoning texts of a closure, originals only, chat by chat."""
    entries = paging.per_page or PER_PAGE
    return page_of(runner, "reasoning", closure.params(root.id), Reasoning, paging.page, entries, _reasoning)


def _reasoning(row: dict[str, Any]) -> Reasoning:
    text = read_meta(row["text"]).reasoning or ""
    return Reasoning.model_validate({**row, "text": text[:EXCERPT], "characters": len(text)})
