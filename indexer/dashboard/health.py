"""Health: what is indexed, in which store, what is pending, and what could not be read."""

from __future__ import annotations

import hashlib
from typing import LiteralString

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse

from indexer.dashboard.asked import Asked, typed
from indexer.dashboard.view import index_of, render, store_of
from indexer.ingest.standing import standing

PROBLEMS = 20
# Counts of whole labels and types come from the server's count store: asking often costs nothing.
PULSE: LiteralString = """
CALL () {
  MATCH (n:Message) RETURN count(n) AS number UNION ALL MATCH (n:Chat) RETURN count(n) AS number
  UNION ALL MATCH (n:Job) RETURN count(n) AS number UNION ALL MATCH (n:Problem) RETURN count(n) AS number
  UNION ALL MATCH ()-[r:COPY_OF]->() RETURN count(r) AS number
}
RETURN collect(number) AS numbers
"""


def health(request: Request) -> HTMLResponse:
    """The page."""
    found = standing(store_of(request))
    listed = index_of(request).problems(per_page=PROBLEMS)
    asked = [
        Asked(typed("problems"), "problems", {"kind": None, "path": None, "skip": 0, "limit": PROBLEMS}),
    ]
    return render(request, "health.html", found=found, problems=listed, asked=asked)


def pulse(request: Request) -> PlainTextResponse:
    """A short text that changes when the graph does: pages ask for it and offer to load anew."""
    numbers = store_of(request).read(PULSE)[0]["numbers"]
    return PlainTextResponse(hashlib.sha256(repr(numbers).encode()).hexdigest()[:16])
