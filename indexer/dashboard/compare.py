"""Diff of two roots: counts, tokens, lists, one merged picture, and the instructions that changed.

Whoever comes without knowing what to compare is helped: B is the latest conversation, A what B continues or
shares most work with (`Index.earlier`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import LiteralString

from starlette.requests import Request
from starlette.responses import HTMLResponse

from indexer.answers.closure import closure
from indexer.answers.earlier import Earlier
from indexer.answers.instructions import Version
from indexer.answers.roots import Root
from indexer.api import Index
from indexer.dashboard import links
from indexer.dashboard.asked import Asked, scoped, typed
from indexer.dashboard.view import Scoped, index_of, render, store_of, whole
from indexer.report import pictures
from indexer.report.fold import Folding, fold
from indexer.report.graph import Picture
from indexer.report.svg import draw

#: Ids of each list on a page.
LIST = 50
VERSIONS = 1_000
#: Others that are offered to compare with.
OFFERED = 6
#: What to choose from: names only, so no closure is counted for it.
ROOTS: LiteralString = (
    "MATCH (c:Chat {kind: 'root'}) RETURN c.id AS id ORDER BY c.ended_at DESC, id LIMIT 2000"
)


@dataclass(frozen=True, slots=True)
class Task:
    """New jobs of one task: how many, in which states, asked by agents of which names."""

    name: str
    jobs: int
    states: str
    agents: str


def compare(request: Request) -> HTMLResponse:
    """The page of a comparison. Without `b` the latest conversation, without `a` the best for it."""
    index, given = index_of(request), request.query_params
    roots = [row["id"] for row in store_of(request).read(ROOTS)]
    at = {name: given.get(name, "").strip() for name in ("a", "b")}
    if not at["b"] and not at["a"]:
        latest = index.conversations(per_page=1).items
        at["b"] = latest[0].root if latest else ""
    b = index.resolve(at["b"]) if at["b"] else None
    offered = index.earlier(b.id, per_page=OFFERED).items if b else []
    chosen = offered[0] if b and offered and not at["a"] else None
    a = index.resolve(chosen.other if chosen else at["a"]) if chosen or at["a"] else None
    if a is None or b is None:
        at = {"a": a.id if a else "", "b": b.id if b else ""}
        return render(
            request,
            "compare.html",
            a=at["a"],
            b=at["b"],
            roots=roots,
            offered=offered,
            chosen=None,
            diff=None,
        )
    return _compared(request, a, b, roots, offered, chosen)


def _compared(
    request: Request, a: Root, b: Root, roots: list[str], offered: list[Earlier], chosen: Earlier | None
) -> HTMLResponse:
    index, given = index_of(request), request.query_params
    about = Scoped(a.id, closure(given.get("job_refs", "all"), given.getlist("follow") or None))
    page = whole(request, "page")
    diff = index.diff(a.id, b.id, **about.how(), page=page, per_page=LIST)
    every = pictures.comparison(index.runner, a, b, about.closure)
    folded = fold(every, Folding(context=False, steps=False if given.get("steps") == "all" else None))
    name = links.last(b.id)
    svg = draw(
        folded,
        f"{links.last(a.id)} and {name}",
        lambda box: links.node(box.members[0].kind, box.members[0].id, b.id),
    )
    params = {"a": a.id, "b": b.id, "job_refs": about.closure.job_refs, "follow": list(about.closure.follow)}
    words = [a.id, b.id, *scoped(about.closure)]
    sides = (diff.only_in_a, diff.only_in_b, diff.in_both)
    most = max(max(side.chats_total, side.jobs_total) for side in sides)
    asked = [Asked(typed("diff", *words), "diff", {**params, "skip": (page - 1) * LIST, "limit": LIST})]
    if offered:
        asked.append(Asked(typed("earlier", b.id), "earlier", {"root": b.id, "skip": 0, "limit": OFFERED}))
    return render(
        request,
        "compare.html",
        a=a.id,
        b=b.id,
        roots=roots,
        offered=offered,
        chosen=chosen,
        diff=diff,
        about=about,
        svg=svg,
        steps=given.get("steps"),
        folded=any(box.folded > 1 for box in folded.boxes.values()),
        tasks=new_tasks(every),
        versions=changed(index, about, a.id, b.id),
        page_number=page,
        pages=max(1, -(-most // LIST)),
        asked=asked,
    )


def new_tasks(picture: Picture) -> list[Task]:
    """What only B reaches, by task, the most jobs first."""
    states: dict[str, Counter[str]] = {}
    agents: dict[str, set[str]] = {}
    for box in picture.boxes.values():
        for node in box.members:
            if node.standing != "only_in_b":
                continue
            if node.kind == "job":
                states.setdefault(node.title, Counter())[node.about or "unknown"] += 1
            elif node.about:
                agents.setdefault(box.title, set()).add(node.about)
    tasks = [
        Task(
            name,
            found.total(),
            ", ".join(f"{number:,} {state}" for state, number in sorted(found.items())),
            ", ".join(sorted(agents.get(name, ()))),
        )
        for name, found in states.items()
    ]
    return sorted(tasks, key=lambda task: (-task.jobs, task.name))


def changed(index: Index, about: Scoped, a: str, b: str) -> list[tuple[Version, str]]:
    """Versions of instructions that ran on one side only, each with that side, by agent."""
    of_a = {v.digest: v for v in index.instructions(a, **about.how(), per_page=VERSIONS).versions}
    of_b = {v.digest: v for v in index.instructions(b, **about.how(), per_page=VERSIONS).versions}
    one_sided = [(v, "only A") for digest, v in of_a.items() if digest not in of_b]
    one_sided += [(v, "only B") for digest, v in of_b.items() if digest not in of_a]
    return sorted(one_sided, key=lambda found: (found[0].agent or "", found[1], found[0].first_used or ""))
