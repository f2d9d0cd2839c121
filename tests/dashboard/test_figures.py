"""Every figure on a page is the command's."""

from __future__ import annotations

import re

import pytest

from indexer.answers.closure import closure
from indexer.dashboard.cost import most_copied
from indexer.dashboard.links import page
from indexer.report import pictures
from tests.dashboard.conftest import Shown
from tests.dashboard.reading import Reading, flat


def figures(words: str) -> list[int]:
    """The numbers in a text."""
    return [int(found.replace(",", "")) for found in re.findall(r"\d[\d,]*", words)]


def cells(reading: Reading) -> list[list[str]]:
    """Rows of all tables of a page."""
    rows: list[list[str]] = []
    for element in reading.elements:
        if element.tag == "tr":
            rows.append([])
        elif element.tag in ("td", "th") and rows:
            rows[-1].append(flat(element.words))
    return rows


def test_conversations(shown: Shown) -> None:
    rows = {row[0].split(" ")[0]: row for row in cells(Reading(shown.text("/")))}
    found = shown.index.conversations(per_page=100)
    assert found.total == 3
    for item in found.items:
        row = rows[item.root.rsplit("/", 1)[-1]]
        told = (
            item.own_jobs,
            item.context_jobs,
            item.shared_jobs,
            item.unique_tool_calls,
            item.tool_calls,
            item.tokens.tt,
        )
        assert tuple(int(row[place].replace(",", "")) for place in (2, 3, 4, 7, 8, 9)) == told
        assert figures(row[6])[:2] == [item.inlined_messages, item.messages]
        assert row[6].endswith(f"{100 * item.inlined_share:.0f} %")


@pytest.mark.parametrize(
    "sort", ["tokens", "inlined", "-tokens", "name", "-name", "own", "calls", "context", "last", "-last"]
)
def test_conversations_sorted_and_filtered(shown: Shown, sort: str) -> None:
    names = [row[0].split(" ")[0] for row in cells(Reading(shown.text(f"/?sort={sort}")))[1:]]
    assert sorted(names) == ["analysis.chat", "hostile.chat", "review.chat"]
    if sort.endswith("name"):
        assert names == sorted(names, reverse=sort.startswith("-"))
    only = Reading(shown.text(f"/?sort={sort}&q=REVIEW"))
    assert [row[0].split(" ")[0] for row in cells(only)[1:]] == ["review.chat"]
    assert "1 conversation with" in flat(only.all("p", "muted")[1].words)


def test_provenance(shown: Shown) -> None:
    own = shown.index.scope(shown.analysis, job_refs="own")
    every = shown.index.scope(shown.analysis)
    copies = shown.index.dedup(shown.analysis)
    reading = Reading(shown.text(page("/root", id=shown.analysis)))
    cards = [figures(card.words) for card in reading.all("section", "card")]
    assert cards[0] == [
        own.totals.jobs,
        own.totals.chats,
        own.totals.unique_tool_calls,
        own.totals.tokens.tt,
        own.totals.requests,
    ]
    assert cards[1] == [
        every.totals.jobs - own.totals.jobs,
        every.totals.chats - own.totals.chats,
        own.context_total,
    ]
    assert cards[2][1:4] == [copies.totals.tool_calls, copies.totals.unique_tool_calls, copies.inlined_total]
    assert cards[2][4] == round(100 * copies.inlined_share)
    # The README of the examples tells these.
    assert (every.totals.chats, every.totals.jobs, own.totals.chats, own.totals.jobs) == (10, 7, 6, 5)


def test_the_picture_holds_the_scope(shown: Shown) -> None:
    root = shown.index.resolve(shown.analysis)
    own = shown.index.scope(shown.analysis, job_refs="own", per_page=1000)
    every = shown.index.scope(shown.analysis, per_page=1000)
    picture = pictures.provenance(shown.index.runner, root, closure())
    nodes = [node for box in picture.boxes.values() for node in box.members]
    assert sorted(n.id for n in nodes if n.kind == "chat") == every.chats
    assert sorted(n.id for n in nodes if n.kind == "job") == every.jobs
    assert sorted(n.id for n in nodes if n.kind == "job" and n.standing != "context") == own.jobs
    assert sorted(n.id for n in nodes if n.kind == "chat" and n.standing != "context") == own.chats
    assert sum(n.inlined for n in nodes) == shown.index.dedup(shown.analysis).inlined_total
    shared = {n.id for n in nodes if n.standing == "shared"}
    assert all(shown.review not in id for id in shared)
    edges = pictures.edges(shown.index.runner, root, closure())
    assert sum(edge.count for edge in edges) == sum(every.edges.model_dump().values())


def test_diff(shown: Shown) -> None:
    diff = shown.index.diff(shown.review, shown.analysis)
    reading = Reading(shown.text(page("/diff", a=shown.review, b=shown.analysis)))
    cards = [figures(card.words) for card in reading.all("section", "card")]
    for card, side in zip(cards, (diff.only_in_b, diff.in_both, diff.only_in_a), strict=True):
        told = [
            side.jobs_total,
            side.chats_total,
            side.edges,
            side.tokens.tt,
            side.tokens.pt,
            side.tokens.ct,
            side.requests,
        ]
        assert card == told
    boxes = pictures.comparison(
        shown.index.runner, shown.index.resolve(shown.review), shown.index.resolve(shown.analysis), closure()
    ).boxes
    nodes = [node for box in boxes.values() for node in box.members]
    assert sorted(n.id for n in nodes if n.standing == "only_in_b" and n.kind == "job") == diff.only_in_b.jobs
    assert sorted(n.id for n in nodes if n.standing == "in_both" and n.kind == "chat") == diff.in_both.chats


@pytest.mark.parametrize("job_refs", ["all", "own"])
@pytest.mark.parametrize("by", ["agent", "job", "chat", "tool", "day"])
def test_cost(shown: Shown, job_refs: str, by: str) -> None:
    copies = shown.index.dedup(shown.analysis, job_refs=job_refs).totals
    spent = shown.index.tokens(shown.analysis, by=by, job_refs=job_refs)
    rows = cells(Reading(shown.text(page("/cost", id=shown.analysis, by=by, job_refs=job_refs))))
    named = {row[0]: row for row in rows}
    assert figures(" ".join(named["messages"][1:3])) == [copies.messages, copies.unique_messages]
    assert figures(" ".join(named["tool calls"][1:3])) == [copies.tool_calls, copies.unique_tool_calls]
    total = spent.totals.deduplicated_total
    assert figures(" ".join(named["deduplicated total"][1:])) == [
        total.tt,
        total.pt,
        total.ct,
        total.cct,
        total.cwt,
        total.rt,
    ]
    blocks = shown.index.dedup(shown.analysis, job_refs=job_refs).inlined
    copied = most_copied(blocks)
    assert sum(one.times for one in copied) == len(blocks)
    for one in copied:
        same = [block for block in blocks if block.job == one.job]
        told = [
            len(same),
            len({b.chat for b in same}),
            sum(b.messages for b in same),
            sum(b.bytes for b in same),
        ]
        assert figures(" ".join(named[one.ref][1:5])) == told
    assert spent.groups is not None
    for group in spent.groups.items:
        row = named[group.key if group.key is not None else "none named"]
        assert figures(" ".join(row[1:3])) == [group.requests, group.tokens.tt]


def test_lists_hold_the_rows_of_their_figures(shown: Shown) -> None:
    own = shown.index.scope(shown.analysis, job_refs="own").totals
    for name, total in (
        ("jobs", own.jobs),
        ("chats", own.chats),
        ("tool-calls", own.tool_calls),
        ("unique-tool-calls", own.unique_tool_calls),
        ("events", own.requests),
        ("messages", own.messages),
    ):
        reading = Reading(shown.text(page(f"/rows/{name}", root=shown.analysis, job_refs="own")))
        status = next(
            flat(e.words)
            for e in reading.all("p")
            if e.attributes.get("role") == "status" and "rows" in e.words
        )
        assert figures(status)[0] == total, name
        assert len(cells(reading)) - 1 == min(total, 100), name


def test_health(shown: Shown) -> None:
    rows = {row[0]: row[1] for row in cells(Reading(shown.text("/health"))) if len(row) == 2}
    messages = shown.index.query("dedup", closure().params(shown.analysis))[0]["messages"]
    assert int(rows["Message"].replace(",", "")) > messages
    assert rows["Schema"].startswith("✓ version")
