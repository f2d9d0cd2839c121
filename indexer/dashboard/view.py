"""What every page gets out of its address, and how a template becomes a response."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import DictLoader, Environment, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from indexer.answers.closure import RELATIONS, Closure, closure
from indexer.answers.errors import BadQuestion
from indexer.api import Index
from indexer.dashboard import bars, links
from indexer.dashboard.asked import Asked
from indexer.dashboard.pulse import pulse_of
from indexer.report.content import below, plural, share, size
from indexer.store.connection import Store

Page = Callable[[Request], Response]


@dataclass(frozen=True, slots=True)
class Scoped:
    """Root and closure that a page is about."""

    root: str
    closure: Closure

    def how(self) -> dict[str, Any]:
        """Keyword arguments of the methods of `Index`."""
        return {"job_refs": self.closure.job_refs, "follow": self.closure.follow}

    def link(self) -> dict[str, Any]:
        """Parameters of a link that keeps the closure."""
        own = "own" if self.closure.job_refs == "own" else None
        return {
            "job_refs": own,
            "follow": None if self.closure.follow == RELATIONS else list(self.closure.follow),
        }


def index_of(request: Request) -> Index:
    """The index that the pages ask."""
    found: Index = request.app.state.index
    return found


def store_of(request: Request) -> Store:
    """The store behind the index."""
    found: Store = request.app.state.store
    return found


def reached(page: Page) -> Page:
    """The page, which then knows the pulse of what it shows.

    Where the store does not answer it is not asked for: its queries would be tried again for half a minute.
    The page raises StoreError.
    """

    def asked(request: Request) -> Response:
        request.state.pulse = pulse_of(store_of(request))
        return page(request)

    return asked


def wanted(request: Request, name: str) -> str:
    """A parameter that a page cannot do without. Raises BadQuestion."""
    value = request.query_params.get(name, "")
    if not value:
        raise BadQuestion(f"this page needs ?{name}=")
    return value


def scoped(request: Request, name: str = "id", job_refs: str = "all") -> Scoped:
    """Root and closure from the address; the root is whatever a command takes. Raises AnswerError."""
    root = index_of(request).resolve(wanted(request, name))
    follow = request.query_params.getlist("follow")
    return Scoped(root.id, closure(request.query_params.get("job_refs", job_refs), follow or None))


def whole(request: Request, name: str, default: int = 1) -> int:
    """A number from 1 in the address; the default where it is none."""
    value = request.query_params.get(name, "")
    return max(1, int(value)) if value.isdecimal() and len(value) < 9 else default


def render(
    request: Request, template: str, *, status: int = 200, asked: list[Asked] | None = None, **values: Any
) -> HTMLResponse:
    """A page."""
    path = request.url.path
    known = {
        "asked": asked or [],
        "path": path,
        "status": status,
        "store": request.app.state.where,
        "live": request.app.state.live,
        "pulse": getattr(request.state, "pulse", ""),
    }
    return HTMLResponse(environment().get_template(template).render(**known, **values), status)


_ENVIRONMENT: list[Environment] = []


def environment() -> Environment:
    """The templates, read once."""
    if not _ENVIRONMENT:
        folder = files("indexer.dashboard").joinpath("templates")
        texts = {
            entry.name: entry.read_text(encoding="utf-8")
            for entry in folder.iterdir()
            if entry.name.endswith(".html")
        }
        env = Environment(
            loader=DictLoader(texts),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        env.filters.update(
            number=number, name=links.last, place=links.place, when=when, size=size, dom_id=dom_id
        )
        env.globals.update(
            page=links.page,
            message_link=links.message,
            node_link=links.node,
            rows_link=links.rows,
            root_link=links.provenance,
            stacked=bars.stacked,
            part=bars.part,
            share=share,
            below=below,
            plural=plural,
            relations=RELATIONS,
        )
        _ENVIRONMENT.append(env)
    return _ENVIRONMENT[0]


def number(value: float | None) -> str:
    """A number as people read it; nothing for None."""
    return "" if value is None else f"{value:,}"


def when(time: str | None) -> str:
    """A time to the minute, in UTC as stored."""
    return "" if time is None else time.replace("T", " ")[:16]


def dom_id(text: str) -> str:
    """Any text as the id of an element."""
    return quote(text, safe="")
