"""A chat as a readable transcript, a page at a time."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from indexer.answers.errors import AnswerError, NotInGraph
from indexer.answers.roots import Root
from indexer.api import Index
from indexer.dashboard import links
from indexer.dashboard.asked import Asked, typed
from indexer.dashboard.transcript import JOBS, spans, tokens_of
from indexer.dashboard.view import index_of, render, wanted, whole

#: Characters of one message; the rest is a page of its own.
LETTERS = 20_000


def chat(request: Request) -> HTMLResponse:
    """Messages of a chat with their texts, calls, receipts and origins."""
    index, id = index_of(request), wanted(request, "id")
    page = whole(request, "page")
    params = {"chat": id, "skip": (page - 1) * links.TURNS, "limit": links.TURNS, "length": LETTERS}
    rows = index.query("transcript", params)
    total = rows[0]["total"] if rows else 0
    if not rows:
        first = index.query("transcript", {**params, "skip": 0, "limit": 1})
        if not first:
            raise NotInGraph(f"no chat named {id} with messages is in the graph")
        total = first[0]["total"]
    return render(
        request,
        "chat.html",
        id=id,
        spans=spans(rows),
        named=_named(index, rows),
        total=total,
        page_number=page,
        pages=max(1, -(-total // links.TURNS)),
        largest=max(tokens_of(rows), default=0),
        asked=[Asked(typed("messages", id, "--root-only"), "transcript", params)],
    )


def message(request: Request) -> Response:
    """A message or receipt address leads to its place in the transcript; with `whole=1` to its whole text."""
    address = wanted(request, "address")
    if request.query_params.get("whole") is None:
        return RedirectResponse(links.message(address), 303)
    offset = whole(request, "offset", 0) if request.query_params.get("offset") else 0
    found = index_of(request).message(address, offset=offset, limit=200_000)
    params = {"address": found.address, "offset": offset, "length": 200_000}
    asked = [Asked(typed("message", found.address), "message", params)]
    return render(request, "message.html", found=found, offset=offset, asked=asked)


def _named(index: Index, rows: list[dict[str, Any]]) -> dict[str, Root]:
    """What messages of the roles job and inline_job name, by address, where it is in the graph."""
    found: dict[str, Root] = {}
    for row in rows:
        if row["role"] in JOBS and row["content"]:
            with suppress(AnswerError):
                found[row["address"]] = index.resolve(row["content"].strip())
    return found
