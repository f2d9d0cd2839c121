"""Messages whose text matches, in the whole graph or in one closure."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.answers.closure import Closure
from indexer.answers.find import Found, as_words
from indexer.api import Index
from indexer.dashboard.asked import Asked, typed
from indexer.dashboard.view import index_of, render, whole

PER_PAGE = 50


def search(request: Request) -> HTMLResponse:
    """The page; without `q` only its form."""
    given, index, page = request.query_params, index_of(request), whole(request, "page")
    q, root = given.get("q", "").strip(), given.get("root", "").strip()
    originals = given.get("originals") == "true"
    found = index.find(q, root or None, originals=originals, page=page, per_page=PER_PAGE) if q else None
    return render(
        request,
        "search.html",
        q=q,
        root=root,
        originals=originals,
        found=found,
        page_number=page,
        pages=max(1, -(-found.total // PER_PAGE)) if found else 1,
        asked=[_asked(index, found, root, originals, page)] if found else [],
    )


def _asked(index: Index, found: Found, root: str, originals: bool, page: int) -> Asked:
    """The query file that found it: by words or by characters, in all or below a root."""
    words = [*(["--root", root] if root else []), *(["--originals"] if originals else [])]
    scope = Closure().params(index.resolve(root).id) if root else {}
    text = as_words(found.text) if found.how == "words" else found.text
    paging = {"skip": (page - 1) * PER_PAGE, "limit": PER_PAGE}
    query = ("find" if found.how == "words" else "find_exact") + ("_in" if root else "")
    # A text that begins with a hyphen would be an option.
    typed_text = ["--", found.text] if found.text.startswith("-") else [found.text]
    return Asked(
        typed("find", *words, *typed_text),
        query,
        {**scope, "text": text, "role": None, "originals": originals, **paging},
    )
