"""Diff of two roots: counts, tokens, lists, one merged picture, and the instructions that changed."""

from __future__ import annotations

from typing import LiteralString

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.answers.closure import closure
from indexer.answers.instructions import Version
from indexer.api import Index
from indexer.dashboard import links
from indexer.dashboard.asked import Asked, scoped, typed
from indexer.dashboard.provenance import merged
from indexer.dashboard.view import Scoped, index_of, render, store_of, whole
from indexer.report.svg import draw

#: Ids of each list on a page.
LIST = 50
VERSIONS = 1_000
#: What to choose from: names only, so no closure is counted for it.
ROOTS: LiteralString = (
    "MATCH (c:Chat {kind: 'root'}) RETURN c.id AS id ORDER BY c.ended_at DESC, id LIMIT 2000"
)


def compare(request: Request) -> HTMLResponse:
    """The page of a comparison; without `a` and `b` a form to choose them."""
    index, given = index_of(request), request.query_params
    roots = [row["id"] for row in store_of(request).read(ROOTS)]
    if not given.get("a") or not given.get("b"):
        return render(
            request, "compare.html", a=given.get("a", ""), b=given.get("b", ""), roots=roots, diff=None
        )
    a, b = index.resolve(given["a"]), index.resolve(given["b"])
    about = Scoped(a.id, closure(given.get("job_refs", "all"), given.getlist("follow") or None))
    page = whole(request, "page")
    diff = index.diff(a.id, b.id, **about.how(), page=page, per_page=LIST)
    picture = merged(index, a, b, about.closure, given.get("steps") == "all")
    svg = draw(
        picture,
        f"{links.split_address(a.id) or a.id} and {b.id}",
        lambda box: links.node(box.members[0].kind, box.members[0].id),
    )
    params = {"a": a.id, "b": b.id, "job_refs": about.closure.job_refs, "follow": list(about.closure.follow)}
    words = [a.id, b.id, *scoped(about.closure)]
    most = max(
        max(side.chats_total, side.jobs_total) for side in (diff.only_in_a, diff.only_in_b, diff.in_both)
    )
    return render(
        request,
        "compare.html",
        a=a.id,
        b=b.id,
        roots=roots,
        diff=diff,
        about=about,
        svg=svg,
        versions=changed(index, about, a.id, b.id),
        page_number=page,
        pages=max(1, -(-most // LIST)),
        asked=[Asked(typed("diff", *words), "diff", {**params, "skip": (page - 1) * LIST, "limit": LIST})],
    )


def changed(index: Index, about: Scoped, a: str, b: str) -> list[tuple[Version, str]]:
    """Versions of instructions that ran on one side only, each with that side, by agent."""
    of_a = {v.digest: v for v in index.instructions(a, **about.how(), per_page=VERSIONS).versions}
    of_b = {v.digest: v for v in index.instructions(b, **about.how(), per_page=VERSIONS).versions}
    one_sided = [(v, "only A") for digest, v in of_a.items() if digest not in of_b]
    one_sided += [(v, "only B") for digest, v in of_b.items() if digest not in of_a]
    return sorted(one_sided, key=lambda found: (found[0].agent or "", found[1], found[0].first_used or ""))
