"""Provenance of a root: the layered picture, what is own and what is context, what stands around a box."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.answers.closure import Closure
from indexer.api import Index
from indexer.dashboard import links
from indexer.dashboard.asked import Asked, about_root, typed
from indexer.dashboard.view import Scoped, index_of, render, scoped, wanted, whole
from indexer.report import pictures
from indexer.report.fold import Folding, fold
from indexer.report.graph import Box, Node
from indexer.report.page import legend
from indexer.report.svg import draw, label

MEMBERS = 60
NEIGHBOURS = 100


def provenance(request: Request) -> HTMLResponse:
    """The page of a root. `context=open` unfolds context, `steps=all` equal steps; `box` selects one."""
    about, index = scoped(request), index_of(request)
    follow = about.closure.follow
    own = index.scope(about.root, job_refs="own", follow=follow, per_page=1)
    every = index.scope(about.root, job_refs="all", follow=follow, per_page=1)
    here = own if about.closure.job_refs == "own" else every
    root = index.resolve(about.root)
    picture = pictures.provenance(index.runner, root, about.closure)
    unfolded = request.query_params.get("context") == "open"
    steps = {"all": False, "fold": True}.get(request.query_params.get("steps", ""))
    shown = fold(picture, Folding(context=not unfolded, steps=steps))
    kept = about.link() | {
        "context": "open" if unfolded else None,
        "steps": request.query_params.get("steps"),
    }
    selected = request.query_params.get("box")
    box = shown.boxes.get(selected or "")
    return render(
        request,
        "provenance.html",
        about=about,
        kind=root.kind,
        kept=kept,
        own=own,
        every=every,
        here=here,
        copies=index.dedup(about.root, **about.how(), per_page=1),
        svg=draw(
            shown,
            f"Provenance of {about.root.rsplit('/', 1)[-1]}",
            lambda b: _where(about, kept, b),
            selected,
        ),
        boxes=[(b, label(b), _where(about, kept, b)) for b in shown.boxes.values()],
        folded=any(b.folded > 1 for b in shown.boxes.values()),
        unfolded=unfolded,
        legend=legend(),
        panel=_panel(index, box, about) if box else None,
        asked=[
            about_root("scope", "scope", about.root, about.closure, skip=0, limit=100),
            Asked(
                _graph_command(about), "graph", {**about.closure.params(about.root), "skip": 0, "limit": 1000}
            ),
            about_root(
                "edges",
                "edges",
                about.root,
                about.closure,
                relation=None,
                call_id=None,
                job=None,
                skip=0,
                limit=1000,
            ),
        ],
    )


def node(request: Request) -> HTMLResponse:
    """One chat or job: every relationship in either direction; with `root` also why it is in that closure."""
    index, id = index_of(request), wanted(request, "id")
    kind = "chat" if request.query_params.get("kind") == "chat" else "job"
    number = whole(request, "page")
    params = {"id": id, "kind": kind, "skip": (number - 1) * NEIGHBOURS, "limit": NEIGHBOURS}
    found = index.query("neighbours", params)
    root = request.query_params.get("root") or None
    path = index.why(root, id).path if root else []
    asked = [
        Asked(
            typed("query", "neighbours", "--param", f"id={id}", "--param", f"kind={kind}"),
            "neighbours",
            params,
        )
    ]
    if root:
        at = index.resolve(root).id
        asked.append(Asked(typed("why", at, id), "why", {**Closure().params(at), "target": id}))
    return render(
        request,
        "node.html",
        id=id,
        kind=kind,
        root=root,
        rows=found,
        total=found[0]["total"] if found else 0,
        page_number=number,
        per_page=NEIGHBOURS,
        why=path,
        asked=asked,
    )


def why(request: Request) -> HTMLResponse:
    """The path by which something is in a closure. The target may be a chat, a job or a message."""
    about, target = scoped(request, "root"), wanted(request, "target")
    found = index_of(request).why(about.root, target, **about.how())
    params = {**about.closure.params(about.root), "target": target.partition("#")[0]}
    asked = [Asked(typed("why", about.root, target), "why", params)]
    return render(request, "why.html", about=about, target=target, why=found.path, asked=asked)


def _graph_command(about: Scoped) -> str:
    params = {**about.closure.params(about.root), "skip": 0, "limit": 1000}
    return typed(
        "query",
        "graph",
        *(word for name, value in params.items() for word in ("--param", f"{name}={json.dumps(value)}")),
    )


def _where(about: Scoped, kept: dict[str, object], box: Box) -> str:
    return links.provenance(about.root, **kept, box=box.key) + "#panel"


def _panel(index: Index, box: Box, about: Scoped) -> dict[str, object]:
    """What the side panel says of a box: its members, and how the root reaches the first of them."""
    first = box.members[0]
    around = index.query("neighbours", {"id": first.id, "kind": first.kind, "skip": 0, "limit": 12})
    return {
        "box": box,
        "members": box.members[:MEMBERS],
        "why": _reached(index, about, first),
        "around": around,
        "around_total": around[0]["total"] if around else 0,
    }


def _reached(index: Index, about: Scoped, member: Node) -> list[dict[str, object]]:
    return [] if member.id == about.root else index.why(about.root, member.id, **about.how()).path
