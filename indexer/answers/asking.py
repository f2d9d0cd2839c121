"""What the groups of methods of `Index` share: the runner, finding roots, common arguments, length."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict, TypeVar

from indexer.answers.base import Answer
from indexer.answers.closure import Closure, closure
from indexer.answers.errors import BadQuestion
from indexer.answers.limits import fitted, summary
from indexer.answers.pages import Paging
from indexer.answers.roots import Root, resolve_root
from indexer.answers.runner import Runner

A = TypeVar("A", bound=Answer)


class Listed(TypedDict, total=False):
    """What every method with a list takes: the page, its length, or a summary instead."""

    page: int
    per_page: int | None
    summary: bool


class Rooted(Listed, total=False):
    """What every method about a root takes: "all" or "own", relations (None: all), the root alone."""

    job_refs: str
    follow: Iterable[str] | None
    root_only: bool


class Asking:
    """A group of questions to one graph."""

    runner: Runner

    def resolve(self, text: str) -> Root:
        """The chat or job that a path, a short reference or a unique part of a name means."""
        return resolve_root(self.runner, text)


def closure_of(how: Rooted) -> Closure:
    """The closure asked for."""
    return closure(how.get("job_refs", "all"), how.get("follow"), how.get("root_only", False))


def paging_of(how: Listed) -> Paging:
    """The page asked for. Raises BadQuestion for a page that there cannot be."""
    page, per_page = how.get("page", 1), how.get("per_page")
    if page < 1 or (per_page is not None and per_page < 1):
        raise BadQuestion("pages are counted from 1, and hold at least one entry")
    return Paging(page, per_page)


def sized(answer: A, how: Listed) -> A:
    """Shortened where a summary is asked for, or where it is too long and nobody asked for the length."""
    if how.get("summary"):
        return summary(answer)
    return answer if how.get("per_page") is not None else fitted(answer)
