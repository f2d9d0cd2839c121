"""Tools about a root: what belongs to it, and what it cost."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indexer.mcp.arguments import Follow, JobRefs, PageNumber, PerPage, Relation, Room, Root
from indexer.mcp.fitting import PER_PAGE, ROOM, Json, fitted, fitted_steps, fitted_text
from indexer.mcp.tools import Tools


def register(tools: Tools) -> None:
    """Add the tools."""
    ask = tools.graph.ask

    @tools.add
    def overview(
        root: Root,
        job_refs: JobRefs = "all",
        follow: Follow = None,
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """Chats, jobs, edges, totals and warnings of a root: the first look at a conversation."""
        found = ask(
            lambda i: i.overview(root, job_refs=job_refs, follow=follow, page=page, per_page=per_page)
        )
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def scope(
        root: Root,
        job_refs: JobRefs = "all",
        follow: Follow = None,
        root_only: Annotated[bool, Field(description="The root alone.")] = False,
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """What belongs to a root: chats, jobs, totals; references that are only context, by which rule."""
        found = ask(
            lambda i: i.scope(
                root, job_refs=job_refs, follow=follow, root_only=root_only, page=page, per_page=per_page
            )
        )
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def diff(
        a: Root,
        b: Root,
        job_refs: JobRefs = "all",
        follow: Follow = None,
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """What only root A reaches, what only B, and what both: chats, jobs, edges, tokens."""
        found = ask(lambda i: i.diff(a, b, job_refs=job_refs, follow=follow, page=page, per_page=per_page))
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def dedup(
        root: Root,
        job_refs: JobRefs = "all",
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """Raw and unique counts of messages, tool calls and bytes, and results spliced into other chats."""
        found = ask(lambda i: i.dedup(root, job_refs=job_refs, page=page, per_page=per_page))
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def tokens(
        root: Root,
        by: Annotated[
            Literal["agent", "job", "chat", "tool", "day"] | None, Field(description="Also grouped by this.")
        ] = None,
        job_refs: JobRefs = "all",
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """What a root cost: every paid request once, totals by kind of evidence, conflicts.

        pt, ct, tt: prompt, completion and total tokens; cct, cwt: cache hits and writes; rt: reasoning.
        `unknown` counts requests whose cost is not written.
        """
        found = ask(lambda i: i.tokens(root, by, job_refs=job_refs, page=page, per_page=per_page))
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def edges(
        root: Root,
        relation: Annotated[Relation | Literal["context"] | None, Field(description="Only this one.")] = None,
        call_id: Annotated[str | None, Field(description="Only edges of this call.")] = None,
        job: Annotated[str | None, Field(description="Only edges of this job.")] = None,
        job_refs: JobRefs = "all",
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """Relationships between the chats and jobs of a root, with the messages that prove them."""
        found = ask(
            lambda i: i.edges(root, relation, call_id, job, job_refs=job_refs, page=page, per_page=per_page)
        )
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def why(
        root: Root,
        target: Annotated[str, Field(description="A chat, a job or a message address.")],
        job_refs: JobRefs = "all",
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """The shortest chain of relationships from the root to the target; an empty path: there is none."""

        def steps(page: int, per_page: int) -> Json:
            return ask(
                lambda i: i.why(root, target, job_refs=job_refs, page=page, per_page=per_page)
            ).to_json()

        return fitted_steps(steps, page, per_page, max_characters)

    @tools.add
    def report(
        root: Root,
        offset: Annotated[
            int, Field(ge=0, description="Characters to leave out: take it from next_offset.")
        ] = 0,
        max_characters: Room = ROOM,
    ) -> Json:
        """One page about a root in Markdown: own work, context, copies, cost, problems."""
        page = ask(lambda i: i.report(root).to_markdown())
        return fitted_text(page, offset, max_characters)
