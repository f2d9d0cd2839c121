"""Conversations: every root chat with what is its own, shared and context, and what it cost."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.answers.conversations import Conversation
from indexer.dashboard.asked import Asked, typed
from indexer.dashboard.view import index_of, render, whole
from indexer.report.content import common_folder

#: Rows of one page without a filter; a filter looks at all of them.
ROWS = 50
EVERYTHING = 100_000

ORDERS: dict[str, Callable[[Conversation], object]] = {
    "last": lambda row: row.last_activity or "",
    "name": lambda row: row.root.rsplit("/", 1)[-1].lower(),
    "own": lambda row: row.own_jobs,
    "context": lambda row: row.context_jobs,
    "inlined": lambda row: row.inlined_share,
    "calls": lambda row: row.unique_tool_calls,
    "tokens": lambda row: row.tokens.tt,
}


def conversations(request: Request) -> HTMLResponse:
    """The first page. `q` filters by path, `sort` orders (a leading minus: the other way round)."""
    asked = request.query_params
    q, sort = asked.get("q", "").strip(), asked.get("sort", "last")
    index, page = index_of(request), whole(request, "page")
    backwards = sort.startswith("-")
    order = sort.removeprefix("-") if sort.removeprefix("-") in ORDERS else "last"
    if not q and order == "last" and not backwards:
        found = index.conversations(page=page, per_page=ROWS)
        rows, total = found.items, found.total
    else:
        every = index.conversations(per_page=EVERYTHING).items
        kept = [row for row in every if all(word in row.root.lower() for word in q.lower().split())]
        # Figures and times the largest first, names from A.
        kept.sort(key=ORDERS[order], reverse=(order != "name") != backwards)  # type: ignore[arg-type]
        rows, total = kept[(page - 1) * ROWS : page * ROWS], len(kept)
    template = "conversation_rows.html" if request.headers.get("hx-request") else "conversations.html"
    return render(
        request,
        template,
        rows=rows,
        latest=rows[0] if rows and not q and page == 1 and order == "last" and not backwards else None,
        longest=max((row.own_jobs + row.context_jobs for row in rows), default=0),
        base=common_folder([row.root for row in rows]),
        total=total,
        q=q,
        sort=sort,
        page_number=page,
        pages=max(1, -(-total // ROWS)),
        asked=[Asked(typed("conversations"), "conversations", {"skip": (page - 1) * ROWS, "limit": ROWS})],
    )
