"""The references of a root's chats that are only context."""

from __future__ import annotations

from pydantic import Field

from indexer.answers.base import Page, Row
from indexer.answers.closure import Closure
from indexer.answers.pages import Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

COST = Cost(ids=3, rest=130)


class ContextReference(Row):
    """A reference that a chat only inherited or shares; `basis` is the rule that decided.

    One for each pair of chat and job; by receipts, one for each receipt entry. `address` is where it stands.
    `target_in_scope`: the job is reached another way all the same.
    """

    from_: str = Field(alias="from")
    to: str
    relation: str
    basis: str
    address: str | None
    target_in_scope: bool


def context(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Page[ContextReference]:
    """The context references of a closure: with `own` those that leave it, with `all` those in it."""
    entries = per_page(runner, root.id, closure, paging, COST)
    params = closure.params(root.id)
    return page_of(runner, "context", params, ContextReference, paging.page, entries)
