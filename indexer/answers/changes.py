"""What of a closure was rewritten, or went away, after it was indexed."""

from __future__ import annotations

from indexer.answers.base import Page, Row
from indexer.answers.closure import Closure
from indexer.answers.pages import Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

COST = Cost(ids=1, rest=260)


class Change(Row):
    """One chat or job that is no longer as it was when it was first indexed.

    `change` is "rewritten" (a message says something else, or is not there any more) or "gone"; `at` is when
    that was seen (ISO-8601), for several rewritings the last. Fingerprints are those of chats: of the text as
    indexed now, and before the last rewriting.
    """

    path: str
    kind: str
    change: str
    at: str
    fingerprint: str | None
    previous_fingerprint: str | None


def changes(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Page[Change]:
    """Changes in a closure, the last ones first."""
    entries = per_page(runner, root.id, closure, paging, COST)
    return page_of(runner, "changes", closure.params(root.id), Change, paging.page, entries)
