"""What a root is best compared with."""

from __future__ import annotations

from indexer.answers.base import Page, Row
from indexer.answers.pages import PER_PAGE, Cost, Paging, page_of
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

COST = Cost(ids=1, rest=160)
#: Characters of a path that pages are cut for: the others' paths are not known before they are asked for.
LONGEST = 800


class Earlier(Row):
    """A conversation (of a job: a job of the same task) to compare a root with; the best one comes first.

    `continued`: the root says so itself (import, continue, last). `shared_jobs` are reached by both.
    `before` is False where it is known to be the later one.
    """

    other: str
    continued: bool
    shared_jobs: int
    same_folder: bool
    before: bool
    last_activity: str | None

    @property
    def reason(self) -> str:
        """Why it is offered, in words."""
        if self.continued:
            return "it is continued here"
        if self.shared_jobs:
            shared = "1 job" if self.shared_jobs == 1 else f"{self.shared_jobs:,} jobs"
            return f"shares {shared}" if self.before else f"shares {shared}, but is later"
        when = "before it" if self.last_activity else "no time is known"
        return f"{when}, same place" if self.same_folder else when


def earlier(runner: Runner, root: Root, paging: Paging) -> Page[Earlier]:
    """What `root` continues, what shares its work, and what came just before it."""
    entries = paging.per_page or COST.rows(LONGEST, most=PER_PAGE)
    return page_of(runner, "earlier", {"root": root.id}, Earlier, paging.page, entries)
