"""Tools about the parts of a root: calls, messages, agents."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indexer.mcp.arguments import JobRefs, PageNumber, PerPage, Room, Root
from indexer.mcp.fitting import PER_PAGE, ROOM, Json, fitted, length
from indexer.mcp.tools import Tools


def register(tools: Tools) -> None:
    """Add the tools."""
    ask = tools.graph.ask

    @tools.add
    def tool_calls(
        root: Root,
        tool: Annotated[str | None, Field(description="Only this tool.")] = None,
        status: Annotated[
            Literal["success", "failure", "unknown"] | None, Field(description="Only these.")
        ] = None,
        call_id: Annotated[str | None, Field(description="Only this call id.")] = None,
        unique: Annotated[
            bool, Field(description="One row per call that was really made; copies left out.")
        ] = True,
        job_refs: JobRefs = "all",
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """Tool calls with status, output address and receipts; `total` counts them all."""
        found = ask(
            lambda i: i.tool_calls(
                root, tool, status, call_id, unique=unique, job_refs=job_refs, page=page, per_page=per_page
            )
        )
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def messages(
        root: Root,
        role: Annotated[str | None, Field(description="Only this role: user, assistant, meta, ...")] = None,
        origin: Annotated[
            Literal["own", "projection", "inlined", "inherited"] | None,
            Field(description="own: written here; the others are copies of some kind."),
        ] = None,
        chat: Annotated[str | None, Field(description="Only messages of this chat.")] = None,
        job_refs: JobRefs = "all",
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """Messages of a root's chats: address, role, preview, origin, and of what they are copies."""
        found = ask(
            lambda i: i.messages(root, role, origin, chat, job_refs=job_refs, page=page, per_page=per_page)
        )
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def message(
        address: Annotated[str, Field(description="path#index, as other tools give it.")],
        offset: Annotated[
            int, Field(ge=0, description="Characters to leave out: take it from next_offset.")
        ] = 0,
        max_characters: Room = ROOM,
    ) -> Json:
        """One message with its text, or the part of it that fits; `next_offset` while more follows."""

        def part(characters: int) -> Json:
            return ask(lambda i: i.message(address, offset, characters)).to_json()

        limit = max_characters
        while True:
            found = part(limit)
            over = length(found) - max_characters
            if over <= 0 or limit <= 100:
                return found
            limit = max(100, limit - max(over, limit // 20))

    @tools.add
    def agents(
        root: Root,
        job_refs: JobRefs = "all",
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """Agents at work in a root: chats, delegations, versions of instructions, cost."""
        found = ask(lambda i: i.agents(root, job_refs=job_refs, page=page, per_page=per_page))
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def reasoning(
        root: Root,
        job_refs: JobRefs = "all",
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """Reasoning texts that the models wrote, where chats keep them."""
        found = ask(lambda i: i.reasoning(root, job_refs=job_refs, page=page, per_page=per_page))
        return fitted(found.to_json(), page, per_page, max_characters)
