"""Conversations: every root chat with what is its own, shared and context, and what it cost."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.answers.conversations import Conversation
from indexer.api import Index
from indexer.dashboard.asked import Asked, typed
from indexer.dashboard.pulse import pulse_of
from indexer.dashboard.view import index_of, render, store_of, whole
from indexer.report.content import common_folder
from indexer.store.connection import Store

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


class Known:
    """All conversations as they were last asked for, kept until somebody writes into the graph.

    So that a filter answers at once while one types.
    """

    def __init__(self) -> None:
        self._kept: tuple[str, list[Conversation]] | None = None

    def rows(self, store: Store, index: Index | None) -> list[Conversation] | None:
        """The kept rows where they still hold; else asked for where `index` is given, None otherwise."""
        pulse = pulse_of(store)
        kept = self._kept
        if kept is not None and kept[0] == pulse:
            return kept[1]
        if index is None:
            return None
        rows = index.conversations(per_page=EVERYTHING).items
        # What was asked for while somebody wrote is not kept.
        self._kept = (pulse, rows) if pulse_of(store) == pulse else None
        return rows


def conversations(request: Request) -> HTMLResponse:
    """The first page. `q` filters by path, `sort` orders (a leading minus: the other way round)."""
    asked = request.query_params
    q, sort = asked.get("q", "").strip(), asked.get("sort", "last")
    index, page = index_of(request), whole(request, "page")
    backwards = sort.startswith("-")
    order = sort.removeprefix("-") if sort.removeprefix("-") in ORDERS else "last"
    known: Known = request.app.state.conversations
    every = known.rows(store_of(request), index if q or order != "last" or backwards else None)
    if every is None:
        found = index.conversations(page=page, per_page=ROWS)
        rows, total = found.items, found.total
    else:
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
