"""The rows behind figures: one page per list, the same rows as the command's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.answers.errors import BadQuestion
from indexer.api import Index
from indexer.dashboard.asked import Asked, about_root, typed
from indexer.dashboard.view import Scoped, index_of, render, scoped, whole

PER_PAGE = 100
Row = dict[str, Any]
#: Filters that lists take from the address, each with what it is when absent.
FILTERS: dict[str, dict[str, Any]] = {
    "tool-calls": {"tool": None, "status": None, "call_id": None, "exclude_inlined": False},
    "unique-tool-calls": {"tool": None, "status": None, "call_id": None, "exclude_inlined": False},
    "messages": {"chat": None, "role": None, "origin": None},
    "edges": {"relation": None, "call_id": None, "job": None},
    "receipts": {"call_id": None, "warnings": False},
}


@dataclass(frozen=True, slots=True)
class Listing:
    """One list: its title, its command and query file, and where its rows come from."""

    title: str
    command: str
    query: str
    columns: tuple[str, ...]
    ask: Callable[[Index, str, dict[str, Any]], tuple[list[Row], int]]
    words: tuple[str, ...] = ()


def _paged(method: str, **more: Any) -> Callable[[Index, str, dict[str, Any]], tuple[list[Row], int]]:
    def ask(index: Index, root: str, how: dict[str, Any]) -> tuple[list[Row], int]:
        page = getattr(index, method)(root, **how, **more)
        return [item.model_dump(mode="json", by_alias=True) for item in page.items], page.total

    return ask


def _part(method: str, part: str) -> Callable[[Index, str, dict[str, Any]], tuple[list[Row], int]]:
    def ask(index: Index, root: str, how: dict[str, Any]) -> tuple[list[Row], int]:
        page = getattr(getattr(index, method)(root, **how), part)
        return [item.model_dump(mode="json", by_alias=True) for item in page.items], page.total

    return ask


def _listed(
    method: str, part: str, total: str
) -> Callable[[Index, str, dict[str, Any]], tuple[list[Row], int]]:
    def ask(index: Index, root: str, how: dict[str, Any]) -> tuple[list[Row], int]:
        found = getattr(index, method)(root, **how)
        return [item.model_dump(mode="json", by_alias=True) for item in getattr(found, part)], getattr(
            found, total
        )

    return ask


CALL = ("address", "tool", "status", "status_reason", "origin", "copy_of", "target_agent", "call_id")
LISTS: dict[str, Listing] = {
    "chats": Listing(
        "Chats",
        "overview",
        "chats",
        ("path", "kind", "agent", "messages", "originals", "tool_calls", "ended_at", "missing"),
        _part("overview", "chats"),
    ),
    "jobs": Listing(
        "Jobs",
        "overview",
        "jobs",
        ("path", "ref", "status", "issued", "end", "time_elapsed", "dependencies", "error", "missing"),
        _part("overview", "jobs"),
    ),
    "edges": Listing("Edges", "edges", "edges", ("relation", "from", "to", "detail"), _paged("edges")),
    "context": Listing(
        "Context references",
        "context",
        "context",
        ("from", "to", "relation", "basis", "address", "target_in_scope"),
        _paged("context"),
    ),
    "messages": Listing(
        "Messages",
        "messages",
        "messages",
        ("address", "role", "origin", "copy_of", "bytes", "line", "preview"),
        _paged("messages"),
    ),
    "tool-calls": Listing("Tool calls, as written", "tool-calls", "tool_calls", CALL, _paged("tool_calls")),
    "unique-tool-calls": Listing(
        "Tool calls, each once",
        "tool-calls",
        "unique_tool_calls",
        CALL,
        _paged("tool_calls", unique=True),
        ("--unique",),
    ),
    "receipts": Listing(
        "Receipts",
        "receipts",
        "receipts",
        ("address", "tool", "job_ref", "job", "inference", "warning"),
        _paged("receipts"),
    ),
    "events": Listing(
        "Paid requests",
        "tokens",
        "token_events",
        ("id", "tokens", "payer", "conflict", "incomplete_evidence", "evidence_total"),
        _part("tokens", "events"),
    ),
    "inlined": Listing(
        "Inlined blocks",
        "dedup",
        "inlined",
        ("chat", "first_index", "last_index", "job", "original", "bytes", "messages"),
        _listed("dedup", "inlined", "inlined_total"),
    ),
    "instructions": Listing(
        "Instructions",
        "instructions",
        "instructions",
        ("agent", "digest", "chats", "first_used", "last_used", "preview"),
        _listed("instructions", "versions", "total"),
    ),
    "changes": Listing(
        "Changed after it was indexed",
        "changes",
        "changes",
        ("path", "kind", "change", "at", "fingerprint", "previous_fingerprint"),
        _paged("changes"),
    ),
    "agents": Listing(
        "Agents",
        "agents",
        "agents",
        ("agent", "chats", "jobs", "tool_calls", "delegations", "requests", "tokens"),
        _paged("agents"),
    ),
}


def rows(request: Request) -> HTMLResponse:
    """A list of a root, filtered by what its command filters by."""
    name = request.path_params["name"]
    listing = LISTS.get(name)
    if listing is None:
        raise BadQuestion(f"there is no list named {name} (there are {', '.join(LISTS)})")
    about, page = scoped(request, "root"), whole(request, "page")
    given = _given(request, name)
    filters = {key: "true" if value is True else value for key, value in given.items() if value}
    how = {**about.how(), "page": page, "per_page": PER_PAGE, **{key: given[key] for key in filters}}
    found, total = listing.ask(index_of(request), about.root, how)
    return render(
        request,
        "rows.html",
        about=about,
        name=name,
        listing=listing,
        paging={"root": about.root, **about.link(), **filters},
        rows=found,
        total=total,
        filters=filters,
        page_number=page,
        pages=max(1, -(-total // PER_PAGE)),
        asked=[_asked(listing, about, given, page)],
    )


def _given(request: Request, name: str) -> dict[str, Any]:
    asked = request.query_params
    return {
        key: (asked.get(key) == "true" if default is False else asked.get(key) or None)
        for key, default in FILTERS.get(name, {}).items()
    }


def _asked(listing: Listing, about: Scoped, given: dict[str, Any], page: int) -> Asked:
    words = list(listing.words)
    for key, value in given.items():
        option = f"--{key.replace('_', '-')}"
        words += [option] if value is True else [option, str(value)] if value else []
    paging = {"skip": (page - 1) * PER_PAGE, "limit": PER_PAGE}
    return about_root(
        listing.command, listing.query, about.root, about.closure, tuple(words), **given, **paging
    )


def problems(request: Request) -> HTMLResponse:
    """What could not be read or resolved: of the whole graph, of one kind, of one file or folder."""
    page, given = whole(request, "page"), request.query_params
    filters = {name: given.get(name) or None for name in ("kind", "path")}
    found = index_of(request).problems(
        kind=filters["kind"], path=filters["path"], page=page, per_page=PER_PAGE
    )
    words = [word for name, value in filters.items() if value for word in (f"--{name}", value)]
    paging = {"skip": (page - 1) * PER_PAGE, "limit": PER_PAGE}
    return render(
        request,
        "problems.html",
        found=found,
        filters=filters,
        page_number=page,
        pages=max(1, -(-found.total // PER_PAGE)),
        asked=[Asked(typed("problems", *words), "problems", {**filters, **paging})],
    )
