"""Methods of `Index`: questions to the whole graph."""

from __future__ import annotations

from typing import Unpack

from indexer.answers import conversations as _conversations
from indexer.answers import copies as _copies
from indexer.answers import find as _find
from indexer.answers import jobs as _jobs
from indexer.answers import problems as _problems
from indexer.answers.asking import Asking, Listed, Rooted, closure_of, paging_of, sized
from indexer.answers.base import Page


class OfGraph(Asking):
    """Questions to the whole graph."""

    def conversations(self, **how: Unpack[Listed]) -> Page[_conversations.Conversation]:
        """Root chats, the latest first."""
        return sized(_conversations.conversations(self.runner, paging_of(how)), how)

    def find(
        self,
        text: str,
        root: str | None = None,
        role: str | None = None,
        originals: bool = False,
        exact: bool = False,
        **how: Unpack[Rooted],
    ) -> _find.Found:
        """Messages whose text matches, in the whole graph or in a closure."""
        place = None if root is None else self.resolve(root)
        found = _find.find(self.runner, text, paging_of(how), place, closure_of(how), role, originals, exact)
        return sized(found, how)

    def problems(
        self,
        root: str | None = None,
        kind: str | None = None,
        path: str | None = None,
        **how: Unpack[Rooted],
    ) -> Page[_problems.Problem]:
        """What could not be read or resolved: in the whole graph, a file or folder, or a closure."""
        place = None if root is None else self.resolve(root)
        found = _problems.problems(self.runner, paging_of(how), kind, path, place, closure_of(how))
        return sized(found, how)

    def shared_jobs(self, **how: Unpack[Listed]) -> Page[_jobs.SharedJob]:
        """Jobs that more than one conversation reaches."""
        return sized(_jobs.shared_jobs(self.runner, paging_of(how)), how)

    def orphan_jobs(self, **how: Unpack[Listed]) -> Page[_jobs.JobState]:
        """Jobs that nothing refers to."""
        return sized(_jobs.orphan_jobs(self.runner, paging_of(how)), how)

    def stale_jobs(self, hours: int = 24, **how: Unpack[Listed]) -> Page[_jobs.JobState]:
        """Jobs that never came to an end."""
        return sized(_jobs.stale_jobs(self.runner, paging_of(how), hours), how)

    def copied_blocks(self, **how: Unpack[Listed]) -> Page[_copies.CopiedBlock]:
        """Results that are inlined most."""
        return sized(_copies.copied_blocks(self.runner, paging_of(how)), how)

    def replayed_answers(self, **how: Unpack[Listed]) -> Page[_copies.ReplayedAnswer]:
        """Paid answers that a cache gave elsewhere."""
        return sized(_copies.replayed_answers(self.runner, paging_of(how)), how)
