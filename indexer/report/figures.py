"""Asks for everything that a report says. Every figure is one of an answer, or a difference of two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from indexer.answers.base import Page
from indexer.answers.changes import Change
from indexer.answers.closure import closure
from indexer.answers.dedup import Dedup
from indexer.answers.instructions import InstructionVersions
from indexer.answers.overview import Overview
from indexer.answers.roots import Root
from indexer.answers.scope import Scope
from indexer.answers.tokens import TokenAnswer
from indexer.api import Index
from indexer.report import pictures
from indexer.report.graph import Picture

#: Rows of a table at most, where the caller does not say.
ROWS = 50
#: Ids of a scope in one go.
IDS = 100_000


@dataclass(slots=True)
class Figures:
    """The answers behind a report."""

    root: Root
    own: Scope
    whole: Scope
    overview: Overview
    copies: Dedup
    own_copies: Dedup
    cost: TokenAnswer
    own_cost: TokenAnswer
    versions: InstructionVersions
    changes: Page[Change]
    picture: Picture


def figures(index: Index, root: str, follow: Iterable[str] | None = None, rows: int = ROWS) -> Figures:
    """Ask. Raises AnswerError where the root is not in the graph or a relation does not exist."""
    found = index.resolve(root)
    kept = None if follow is None else list(follow)
    at = found.id
    return Figures(
        root=found,
        own=index.scope(at, job_refs="own", follow=kept, per_page=IDS),
        whole=index.scope(at, follow=kept, per_page=IDS),
        overview=index.overview(at, follow=kept, per_page=rows),
        copies=index.dedup(at, follow=kept, per_page=rows),
        own_copies=index.dedup(at, job_refs="own", follow=kept, per_page=1),
        cost=index.tokens(at, by="agent", follow=kept, per_page=rows),
        own_cost=index.tokens(at, by="agent", job_refs="own", follow=kept, per_page=rows),
        versions=index.instructions(at, follow=kept, per_page=rows),
        changes=index.changes(at, follow=kept, per_page=rows),
        picture=pictures.provenance(index.runner, found, closure("all", kept)),
    )
