"""Health: what is indexed, in which store, who follows it, what is pending, what died, what could not be read."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.dashboard.asked import Asked, typed
from indexer.dashboard.view import index_of, render, store_of
from indexer.health import checks_of_store
from indexer.ingest.standing import standing
from indexer.watching.heartbeat import watchers

PROBLEMS = 20
STALE = 20
#: Jobs that are open for less than this long are not listed, unless their process is dead.
HOURS = 24


def health(request: Request) -> HTMLResponse:
    """The page."""
    store, index = store_of(request), index_of(request)
    stale = {"hours": HOURS, "skip": 0, "limit": STALE}
    problems = {"kind": None, "path": None, "skip": 0, "limit": PROBLEMS}
    jobs = index.query("stale_jobs", stale)
    return render(
        request,
        "health.html",
        found=standing(store),
        checks=list(checks_of_store(store)),
        following=watchers(store),
        stale=jobs,
        stale_total=jobs[0]["total"] if jobs else 0,
        hours=HOURS,
        problems=index.problems(per_page=PROBLEMS),
        asked=[
            Asked(typed("status")),
            Asked(typed("doctor")),
            Asked(typed("jobs", "stale", "--per-page", str(STALE)), "stale_jobs", stale),
            Asked(typed("problems", "--per-page", str(PROBLEMS)), "problems", problems),
        ],
    )
