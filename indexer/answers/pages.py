"""Pages: which rows are asked for, how many fit into an answer, and fetching them.

An answer stays below 100,000 characters unless `per_page` is asked for. Most of a row are paths, so the
number of rows that fit follows from the longest path in the closure; it is the same for all pages of one
question, so that pages that are asked for one after another neither skip nor repeat an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from indexer.answers.base import Page, Row
from indexer.answers.closure import Closure
from indexer.answers.runner import Rows, Runner

R = TypeVar("R", bound=Row)

#: Characters for the lists of one answer; the rest of the 100,000 is for all else that it says.
ROOM = 90_000
PER_PAGE = 100
#: Rows of the lists that are no page envelope (ids of a scope, inlined blocks) where they fit.
LONG_LIST = 1000


@dataclass(frozen=True, slots=True)
class Paging:
    """The page asked for. `per_page` None: as many as fit, at most `PER_PAGE`."""

    page: int = 1
    per_page: int | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What one row takes: `ids` paths and `rest` characters."""

    ids: int
    rest: int

    def rows(self, longest: int, room: int = ROOM, most: int = PER_PAGE) -> int:
        """Rows that fit where the longest path has `longest` characters; at least one."""
        return max(1, min(most, room // (self.ids * (longest + 8) + self.rest)))


@dataclass(frozen=True, slots=True)
class Size:
    """How large a closure is: numbers, and characters of the longest ids."""

    chats: int
    jobs: int
    references: int
    longest_chat: int
    longest_job: int

    @property
    def longest(self) -> int:
        """Characters of the longest id."""
        return max(self.longest_chat, self.longest_job)


def size(runner: Runner, root: str, closure: Closure) -> Size:
    """Size of a closure."""
    (row,) = runner.run("closure_size", closure.params(root))
    return Size(**row)


def per_page(
    runner: Runner,
    root: str,
    closure: Closure,
    paging: Paging,
    cost: Cost,
    most: int = PER_PAGE,
    share: int = 1,
) -> int:
    """Rows of a page about a root: what was asked for, else what fits into a `share`-th of the room."""
    if paging.per_page is not None:
        return paging.per_page
    return cost.rows(size(runner, root, closure).longest, ROOM // share, most)


def rows(runner: Runner, query: str, params: Mapping[str, Any], page: int, per_page: int) -> tuple[Rows, int]:
    """One page of a query file with skip, limit and a column `total`: its rows, and the total."""
    skip = (page - 1) * per_page
    found = runner.run(query, {**params, "skip": skip, "limit": per_page})
    if found or skip == 0:
        return found, found[0]["total"] if found else 0
    first = runner.run(query, {**params, "skip": 0, "limit": 1})
    return [], first[0]["total"] if first else 0


def page_of(
    runner: Runner,
    query: str,
    params: Mapping[str, Any],
    model: type[R],
    page: int,
    per_page: int,
    shape: Callable[[dict[str, Any]], Any] = dict,
) -> Page[R]:
    """One page of a query file as rows of an answer; `shape` makes of its columns what `model` takes."""
    found, total = rows(runner, query, params, page, per_page)
    # The page knows its rows' type, so that a shortened copy of it has rows of that type again.
    of_model = cast("type[Page[R]]", Page[model])  # type: ignore[valid-type]
    return of_model(page=page, per_page=per_page, total=total, items=[shape(row) for row in found])
