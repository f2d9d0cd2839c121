"""Methods of `Index`: what belongs to a root, and what it cost."""

from __future__ import annotations

from typing import Unpack

from indexer.answers import context as _context
from indexer.answers import dedup as _dedup
from indexer.answers import delegation as _delegation
from indexer.answers import diff as _diff
from indexer.answers import earlier as _earlier
from indexer.answers import edges as _edges
from indexer.answers import overview as _overview
from indexer.answers import scope as _scope
from indexer.answers import tokens as _tokens
from indexer.answers import why as _why
from indexer.answers.asking import Asking, Listed, Rooted, closure_of, paging_of, sized
from indexer.answers.base import Page


class OfRoots(Asking):
    """What belongs to a root, and what it cost."""

    def scope(self, root: str, **how: Unpack[Rooted]) -> _scope.Scope:
        """Chats, jobs, edges and totals of a closure, and what in it is only context."""
        return sized(_scope.scope(self.runner, self.resolve(root), closure_of(how), paging_of(how)), how)

    def context(self, root: str, **how: Unpack[Rooted]) -> Page[_context.ContextReference]:
        """References that are only context."""
        return sized(_context.context(self.runner, self.resolve(root), closure_of(how), paging_of(how)), how)

    def edges(
        self,
        root: str,
        relation: str | None = None,
        call_id: str | None = None,
        job: str | None = None,
        **how: Unpack[Rooted],
    ) -> Page[_edges.Edge]:
        """Edges of a closure, filtered by relation, call id, or a job at either end."""
        at = None if job is None else self.resolve(job).id
        found = _edges.edges(
            self.runner, self.resolve(root), closure_of(how), paging_of(how), relation, call_id, at
        )
        return sized(found, how)

    def diff(self, a: str, b: str, **how: Unpack[Rooted]) -> _diff.Diff:
        """What only A reaches, only B, and both."""
        found = _diff.diff(self.runner, self.resolve(a), self.resolve(b), closure_of(how), paging_of(how))
        return sized(found, how)

    def earlier(self, root: str, **how: Unpack[Listed]) -> Page[_earlier.Earlier]:
        """What a root continues, shares work with, or follows: the `a` of a diff, the best first."""
        return sized(_earlier.earlier(self.runner, self.resolve(root), paging_of(how)), how)

    def dedup(self, root: str, **how: Unpack[Rooted]) -> _dedup.Dedup:
        """Raw and unique counts, and inlined blocks."""
        return sized(_dedup.dedup(self.runner, self.resolve(root), closure_of(how), paging_of(how)), how)

    def overview(self, root: str, **how: Unpack[Rooted]) -> _overview.Overview:
        """Chats, jobs, edges, totals and warnings of a closure."""
        return sized(
            _overview.overview(self.runner, self.resolve(root), closure_of(how), paging_of(how)), how
        )

    def why(self, root: str, target: str, **how: Unpack[Rooted]) -> _why.Why:
        """The shortest chain by which the root reaches a chat, a job or a message."""
        chat, mark, index = target.rpartition("#")
        message = mark and index.isdigit()
        reached = self.resolve(chat if message else target)
        address = f"{reached.id}#{index}" if message else None
        found = _why.why(self.runner, self.resolve(root), reached, closure_of(how), address, paging_of(how))
        return sized(found, how)

    def tokens(self, root: str, by: str | None = None, **how: Unpack[Rooted]) -> _tokens.TokenAnswer:
        """Tokens by scope of evidence, events; `by` agent, job, chat, tool or day."""
        found = _tokens.token_totals(self.runner, self.resolve(root), closure_of(how), paging_of(how), by)
        return sized(found, how)

    def delegations(self, root: str, **how: Unpack[Rooted]) -> Page[_delegation.Delegation]:
        """Jobs of a closure as a tree, with cost rolled up."""
        found = _delegation.delegations(self.runner, self.resolve(root), closure_of(how), paging_of(how))
        return sized(found, how)

    def accounting(self, root: str, **how: Unpack[Rooted]) -> Page[_delegation.Account]:
        """What each chat cost: own and closure, direct and delegated."""
        found = _delegation.accounting(self.runner, self.resolve(root), closure_of(how), paging_of(how))
        return sized(found, how)
