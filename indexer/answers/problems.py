"""What could not be read or resolved."""

from __future__ import annotations

from typing import Any

from indexer.answers.base import Page, Row
from indexer.answers.closure import Closure
from indexer.answers.pages import Paging, page_of
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

PER_PAGE = 50
DETAIL = 600


class Problem(Row):
    """One problem: a stable `kind`, where it is (`line` from 1), the stage that found it, and what to do."""

    kind: str
    address: str
    path: str
    line: int | None
    stage: str | None
    detail: str


def problems(
    runner: Runner,
    paging: Paging,
    kind: str | None = None,
    path: str | None = None,
    root: Root | None = None,
    closure: Closure | None = None,
) -> Page[Problem]:
    """Problems of the whole graph, of a file or folder, or of a closure, by file and line."""
    entries = paging.per_page or PER_PAGE
    if root is None:
        params: dict[str, Any] = {"kind": kind, "path": path}
        return page_of(runner, "problems", params, Problem, paging.page, entries, _problem)
    params = {**(closure or Closure()).params(root.id), "kind": kind}
    return page_of(runner, "problems_in", params, Problem, paging.page, entries, _problem)


def _problem(row: dict[str, Any]) -> Problem:
    return Problem.model_validate({**row, "detail": row["detail"][:DETAIL]})
