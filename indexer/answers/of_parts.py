"""Methods of `Index`: the parts of a closure."""

from __future__ import annotations

from typing import Unpack

from indexer.answers import agents as _agents
from indexer.answers import changes as _changes
from indexer.answers import evidence as _evidence
from indexer.answers import instructions as _instructions
from indexer.answers import messages as _messages
from indexer.answers import reasoning as _reasoning
from indexer.answers import receipts as _receipts
from indexer.answers import report as _report
from indexer.answers import tool_calls as _tool_calls
from indexer.answers.asking import Asking, Rooted, closure_of, paging_of, sized
from indexer.answers.base import Page


class OfParts(Asking):
    """The parts of a closure."""

    def tool_calls(
        self,
        root: str,
        tool: str | None = None,
        status: str | None = None,
        call_id: str | None = None,
        exclude_inlined: bool = False,
        unique: bool = False,
        **how: Unpack[Rooted],
    ) -> Page[_tool_calls.ToolCall]:
        """Call records of a closure; `unique`: one row per original."""
        found = _tool_calls.tool_calls(
            self.runner,
            self.resolve(root),
            closure_of(how),
            paging_of(how),
            tool,
            status,
            call_id,
            exclude_inlined,
            unique,
        )
        return sized(found, how)

    def messages(
        self,
        root: str,
        role: str | None = None,
        origin: str | None = None,
        chat: str | None = None,
        **how: Unpack[Rooted],
    ) -> Page[_messages.Message]:
        """Messages of a closure, filtered by role, origin, or one chat."""
        at = None if chat is None else self.resolve(chat).id
        found = _messages.messages(
            self.runner, self.resolve(root), closure_of(how), paging_of(how), role, origin, at
        )
        return sized(found, how)

    def message(
        self, address: str, offset: int = 0, limit: int | None = None, summary: bool = False
    ) -> _messages.WholeMessage:
        """One message with its text: `limit` characters from `offset` on, else as many as fit."""
        chat, _, index = address.rpartition("#")
        place = f"{self.resolve(chat).id}#{index}" if chat and index.isdigit() else address
        found = _messages.message(self.runner, place, offset, limit)
        return sized(found, {"per_page": limit, "summary": summary})

    def receipts(
        self, root: str, call_id: str | None = None, warnings: bool = False, **how: Unpack[Rooted]
    ) -> Page[_receipts.Receipt]:
        """Receipt entries of a closure."""
        found = _receipts.receipts(
            self.runner, self.resolve(root), closure_of(how), paging_of(how), call_id, warnings
        )
        return sized(found, how)

    def evidence(self, root: str, **how: Unpack[Rooted]) -> Page[_evidence.MetaLine]:
        """Meta lines of a closure."""
        return sized(
            _evidence.evidence(self.runner, self.resolve(root), closure_of(how), paging_of(how)), how
        )

    def changes(self, root: str, **how: Unpack[Rooted]) -> Page[_changes.Change]:
        """Chats and jobs of a closure that were rewritten, or went away, after they were indexed."""
        return sized(_changes.changes(self.runner, self.resolve(root), closure_of(how), paging_of(how)), how)

    def reasoning(self, root: str, **how: Unpack[Rooted]) -> Page[_reasoning.Reasoning]:
        """Reasoning texts of a closure."""
        return sized(
            _reasoning.reasoning(self.runner, self.resolve(root), closure_of(how), paging_of(how)), how
        )

    def agents(self, root: str, **how: Unpack[Rooted]) -> Page[_agents.Agent]:
        """Agents of a closure."""
        return sized(_agents.agents(self.runner, self.resolve(root), closure_of(how), paging_of(how)), how)

    def instructions(self, root: str, **how: Unpack[Rooted]) -> _instructions.InstructionVersions:
        """Versions of agents' instructions in a closure."""
        found = _instructions.instructions(self.runner, self.resolve(root), closure_of(how), paging_of(how))
        return sized(found, how)

    def report(self, root: str, **how: Unpack[Rooted]) -> _report.Report:
        """One page about a root; `to_markdown()` gives it as text."""
        return sized(_report.report(self.runner, self.resolve(root), closure_of(how)), how)
