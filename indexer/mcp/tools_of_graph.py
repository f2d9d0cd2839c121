"""Tools about the whole graph: conversations, search, problems, and read-only Cypher."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated, Any

from pydantic import Field

from indexer.mcp.arguments import JobRefs, PageNumber, PerPage, Room
from indexer.mcp.fitting import PER_PAGE, ROOM, Json, fitted, fitted_rows, fitted_text
from indexer.mcp.tools import Tools
from indexer.reading_cypher import read_cypher

CYPHER_SECONDS = 30.0
CYPHER_ROWS = 1000


def register(tools: Tools) -> None:
    """Add the tools."""
    ask = tools.graph.ask

    @tools.add
    def conversations(
        page: PageNumber = 1, per_page: PerPage = PER_PAGE, max_characters: Room = ROOM
    ) -> Json:
        """Root chats, the latest first: own, context and shared jobs, calls, cost. `root` is for others."""
        found = ask(lambda i: i.conversations(page=page, per_page=per_page))
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def find(
        text: Annotated[
            str, Field(min_length=1, description="Words, or characters as they stand with exact.")
        ],
        root: Annotated[str | None, Field(description="Only in what this root reaches.")] = None,
        role: Annotated[str | None, Field(description="Only messages of this role.")] = None,
        originals: Annotated[bool, Field(description="Leave copies out.")] = True,
        exact: Annotated[bool, Field(description="Characters as they stand, not words.")] = False,
        job_refs: JobRefs = "all",
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """Messages whose text matches, in the whole graph or in what a root reaches."""
        found = ask(
            lambda i: i.find(
                text, root, role, originals, exact, job_refs=job_refs, page=page, per_page=per_page
            )
        )
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def problems(
        root: Annotated[str | None, Field(description="Only of what this root reaches.")] = None,
        kind: Annotated[str | None, Field(description="Only of this kind.")] = None,
        path: Annotated[str | None, Field(description="Only of this file or folder.")] = None,
        page: PageNumber = 1,
        per_page: PerPage = PER_PAGE,
        max_characters: Room = ROOM,
    ) -> Json:
        """What could not be read or resolved, with file and line."""
        found = ask(lambda i: i.problems(root, kind, path, page=page, per_page=per_page))
        return fitted(found.to_json(), page, per_page, max_characters)

    @tools.add
    def cypher(
        text: Annotated[
            str, Field(min_length=1, description="One statement that only reads; `schema` has the model.")
        ],
        params: Annotated[dict[str, Any] | None, Field(description="Its parameters.")] = None,
        max_characters: Room = ROOM,
    ) -> Json:
        """Rows of read-only Cypher. `more`: there are further rows; page with ORDER BY, SKIP and LIMIT."""
        answer = tools.graph.read(
            lambda store: read_cypher(store, text, params or {}, limit=CYPHER_ROWS, timeout=CYPHER_SECONDS)
        )
        return fitted_rows(answer.as_dict(), max_characters)

    @tools.add
    def schema(
        offset: Annotated[
            int, Field(ge=0, description="Characters to leave out: take it from next_offset.")
        ] = 0,
        max_characters: Room = ROOM,
    ) -> Json:
        """The graph model in Markdown: labels, properties, relationships; for `cypher`."""
        model = files("indexer.schema").joinpath("README.md").read_text(encoding="utf-8")
        return fitted_text(model, offset, max_characters)
