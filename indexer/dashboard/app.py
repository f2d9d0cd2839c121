"""The application: pages by path, the guard before them, errors as pages."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from indexer.answers.errors import AnswerError, NotInGraph
from indexer.api import Index
from indexer.dashboard.chat import chat, message
from indexer.dashboard.compare import compare
from indexer.dashboard.conversations import Known, conversations
from indexer.dashboard.cost import cost
from indexer.dashboard.health import health
from indexer.dashboard.live import Live, events, pulse
from indexer.dashboard.provenance import node, provenance, why
from indexer.dashboard.rows import problems, rows
from indexer.dashboard.search import search
from indexer.dashboard.security import LOOPBACK, Guard
from indexer.dashboard.view import Page, index_of, reached, render, scoped
from indexer.report import gather
from indexer.report.page import to_html
from indexer.report.styles import report_sheet
from indexer.store.connection import Store
from indexer.store.errors import StoreError

log = logging.getLogger(__name__)
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
STATIC = ("app.js", "live.js", "htmx.min.js", "icon.svg")


def create_app(
    store: Store, *, hosts: Collection[str] = LOOPBACK, token: str | None = None, live: bool = True
) -> Starlette:
    """The dashboard of one store. `hosts` are the names it answers to; `token`, where given, is needed."""
    pages: dict[str, Page] = {
        "/": conversations,
        "/root": provenance,
        "/node": node,
        "/why": why,
        "/diff": compare,
        "/cost": cost,
        "/chat": chat,
        "/message": message,
        "/rows/{name}": rows,
        "/problems": problems,
        "/search": search,
        "/health": health,
        "/report": report,
    }
    others = {"/pulse": pulse, "/events": events, "/static/{name}": static}
    app = Starlette(
        routes=[
            *(Route(path, reached(page), methods=["GET"]) for path, page in pages.items()),
            *(Route(path, other, methods=["GET"]) for path, other in others.items()),
        ],
        middleware=[Middleware(Guard, hosts=hosts, token=token)],
        exception_handlers={
            AnswerError: _not_answered,
            StoreError: _not_reached,
            HTTPException: _not_found,
            Exception: _failed,
        },
    )
    app.state.store, app.state.index, app.state.where, app.state.live = store, Index(store), store.where, live
    app.state.live_news, app.state.conversations = Live(store), Known()
    return app


def report(request: Request) -> HTMLResponse:
    """The self-contained page about a root, to save and hand on."""
    about = scoped(request)
    found = gather.figures(index_of(request), about.root, about.closure.follow)
    name = re.sub(r"[^A-Za-z0-9._-]", "_", about.root.rsplit("/", 1)[-1])
    headers = {"Content-Disposition": f'attachment; filename="provenance-{name}.html"'}
    return HTMLResponse(to_html(gather.content(found), found.picture), headers=headers)


def static(request: Request) -> Response:
    """A file of the dashboard itself."""
    name = request.path_params["name"]
    if name == "style.css":
        sheet = report_sheet() + files("indexer.dashboard").joinpath("static", "app.css").read_text(
            encoding="utf-8"
        )
        return Response(sheet, media_type="text/css", headers={"Cache-Control": "max-age=3600"})
    if name not in STATIC:
        raise HTTPException(404)
    content = files("indexer.dashboard").joinpath("static", name).read_bytes()
    return Response(
        content, media_type=TYPES[name.rsplit(".", 1)[-1]], headers={"Cache-Control": "max-age=3600"}
    )


def _not_answered(request: Request, error: Exception) -> Response:
    candidates = list(error.candidates) if isinstance(error, NotInGraph) else []
    said = error.message if isinstance(error, NotInGraph) else str(error)
    status = 404 if isinstance(error, NotInGraph) else 400
    return render(request, "error.html", status=status, said=said, candidates=candidates)


def _not_reached(request: Request, error: Exception) -> Response:
    said, remedy = (error.message, error.remedy) if isinstance(error, StoreError) else (str(error), "")
    return render(request, "error.html", status=503, said=said, remedy=remedy, candidates=[])


def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return render(request, "error.html", status=status, said="There is no such page.", candidates=[])


def _failed(request: Request, error: Exception) -> Response:
    log.error("%s failed", request.url.path, exc_info=error)
    return render(
        request, "error.html", status=500, said="This page failed; the server's log says why.", candidates=[]
    )
