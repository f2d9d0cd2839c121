"""Dedup and tokens of a root: raw against unique, what it cost, who spent it, and what was copied most."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.dashboard.asked import about_root
from indexer.dashboard.view import index_of, render, scoped

BY = ("agent", "job", "chat", "tool", "day")
ROWS = 30


def cost(request: Request) -> HTMLResponse:
    """The page; `by` groups the cost by agent, job, chat, tool or day."""
    about, index = scoped(request), index_of(request)
    by = request.query_params.get("by", "agent")
    by = by if by in BY else "agent"
    copies = index.dedup(about.root, **about.how(), per_page=ROWS)
    spent = index.tokens(about.root, by=by, **about.how(), per_page=ROWS)
    return render(
        request,
        "cost.html",
        about=about,
        by=by,
        choices=BY,
        copies=copies,
        blocks=sorted(copies.inlined, key=lambda block: -block.bytes),
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
