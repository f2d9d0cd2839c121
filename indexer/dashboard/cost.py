"""Dedup and tokens of a root: raw against unique, what it cost, who spent it, and what was copied most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.answers.dedup import Inlined
from indexer.dashboard.asked import about_root
from indexer.dashboard.view import index_of, render, scoped

BY = ("agent", "job", "chat", "tool", "day")
ROWS = 30
#: Inlined blocks that are looked at, and results of these that are listed.
BLOCKS, RESULTS = 5_000, 15


@dataclass(frozen=True, slots=True)
class Copied:
    """A job whose result stands inlined: how often, in how many chats, messages and bytes of all its blocks."""

    job: str
    times: int
    chats: int
    messages: int
    bytes: int

    @property
    def ref(self) -> str:
        """Workflow, task and name: names alone are often equal."""
        return "/".join(self.job.split("/")[-3:])


def cost(request: Request) -> HTMLResponse:
    """The page; `by` groups the cost by agent, job, chat, tool or day."""
    about, index = scoped(request), index_of(request)
    by = request.query_params.get("by", "agent")
    by = by if by in BY else "agent"
    copies = index.dedup(about.root, **about.how(), per_page=BLOCKS)
    spent = index.tokens(about.root, by=by, **about.how(), per_page=ROWS)
    return render(
        request,
        "cost.html",
        about=about,
        by=by,
        choices=BY,
        copies=copies,
        all_bytes=sum(block.bytes for block in copies.inlined),
        results=most_copied(copies.inlined)[:RESULTS],
        blocks=sorted(copies.inlined, key=lambda block: -block.bytes)[:ROWS],
        spent=spent,
        groups=spent.groups.items if spent.groups else [],
        groups_total=spent.groups.total if spent.groups else 0,
        asked=[
            about_root("dedup", "dedup", about.root, about.closure),
            about_root("tokens", "tokens", about.root, about.closure),
            about_root(
                "tokens", f"tokens_by_{by}", about.root, about.closure, ("--by", by), skip=0, limit=ROWS
            ),
        ],
    )


def most_copied(blocks: Iterable[Inlined]) -> list[Copied]:
    """Blocks by the job whose result they are, those of the most bytes first."""
    of: dict[str, list[Inlined]] = defaultdict(list)
    for block in blocks:
        of[block.job].append(block)
    found = [
        Copied(
            job,
            len(same),
            len({block.chat for block in same}),
            sum(block.messages for block in same),
            sum(block.bytes for block in same),
        )
        for job, same in of.items()
    ]
    return sorted(found, key=lambda one: (-one.bytes, one.job))
