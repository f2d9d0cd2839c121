"""Arguments that tools share, with the sentences an agent reads."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indexer.mcp.fitting import MOST, PER_PAGE, ROOM

Root = Annotated[
    str,
    Field(description="A chat or job: path, short reference (Workflow/task/name), or unique part of a name."),
]
JobRefs = Annotated[
    Literal["all", "own"],
    Field(description="own: only the root's own work; all: also what it inherited or shares as context."),
]
Relation = Literal["job", "agent_job", "dependency", "log", "result"]
Follow = Annotated[
    list[Relation] | None, Field(description="Relations to follow; all of them where not given.")
]
PageNumber = Annotated[int, Field(ge=1, description="Page of the lists, from 1: take it from `next`.")]
PerPage = Annotated[
    int,
    Field(
        ge=1,
        le=1000,
        description=f"Entries of each list, {PER_PAGE} by default; fewer come where they do not fit.",
    ),
]
Room = Annotated[
    int,
    Field(
        ge=1000, le=MOST, description=f"Characters of the answer at most, {ROOM} by default, up to {MOST}."
    ),
]
