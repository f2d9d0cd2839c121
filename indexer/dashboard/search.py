"""Messages whose text matches, in the whole graph or in one closure."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.answers.find import as_words
from indexer.dashboard.asked import Asked, typed
from indexer.dashboard.view import index_of, render, whole

PER_PAGE = 50


def search(request: Request) -> HTMLResponse:
    """The page; without `q` only its form."""
    given, index, page = request.query_params, index_of(request), whole(request, "page")
    q, root = given.get("q", "").strip(), given.get("root", "").strip()
    originals = given.get("originals") == "true"
    found = index.find(q, root or None, originals=originals, page=page, per_page=PER_PAGE) if q else None
    words = [q, *(["--root", root] if root else []), *(["--originals"] if originals else [])]
    params = {
        "text": as_words(q),
        "role": None,
        "originals": originals,
        "skip": (page - 1) * PER_PAGE,
        "limit": PER_PAGE,
    }
    return render(
        request,
        "search.html",
        q=q,
        root=root,
        originals=originals,
        found=found,
        page_number=page,
        pages=max(1, -(-found.total // PER_PAGE)) if found else 1,
        asked=[Asked(typed("find", *words), "find", params)] if q else [],
    )
