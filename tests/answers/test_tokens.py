from __future__ import annotations

import pytest

from indexer import Index
from indexer.answers.errors import BadQuestion
from tests.answers.conftest import LoadTold
from tests.answers.scenes import J1, J2, J3, L1, L2, L3, G
from tests.support_graph import Told, at


def test_scopes_of_evidence(index: Index) -> None:
    found = index.tokens(G)
    assert found.totals.deduplicated_total.model_dump() == {
        "pt": 1650, "ct": 165, "tt": 1815, "cct": 0, "cwt": 0, "rt": 0,
    }  # fmt: skip
    assert found.totals.chat_evidence.tt == 1815
    assert found.totals.receipt_evidence.tt == 55
    assert found.totals.receipt_only.tt == 0
    assert (found.conflicts, found.incomplete_evidence, found.unknown) == (0, 0, 0)
    assert found.events.total == 5
    dearest, cheapest = found.events.items[0], found.events.items[-1]
    assert (dearest.id, dearest.tokens.tt, dearest.payer) == ("inference_id:g1", 1100, L2)
    assert [(e.source, e.address) for e in cheapest.evidence] == [
        ("chat_meta", f"{L3}#2"),
        ("receipt", f"{L2}#6/agent_meta/1"),
    ]


def test_a_receipt_alone(index: Index) -> None:
    found = index.tokens(G, follow=["job", "log", "result", "dependency"])
    assert found.totals.receipt_only.tt == 55
    assert found.totals.deduplicated_total.tt == 1815
    assert found.totals.chat_evidence.tt == 1760


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("agent", [("Planner", 1760), ("Critic", 55)]),
        ("chat", [(L2, 1430), (L1, 330), (L3, 55)]),
        ("job", [(J2, 1430), (J1, 330), (J3, 55)]),
        ("tool", [(None, 1760), ("ask", 55)]),
        ("day", [("2026-09-01", 1815)]),
    ],
)
def test_groups_add_up(index: Index, by: str, groups: list[tuple[str | None, int]]) -> None:
    found = index.tokens(G, by=by)
    assert found.by == by
    assert found.groups is not None
    assert [(group.key, group.tokens.tt) for group in found.groups.items] == groups
    assert found.groups.total == len(groups)


def evidence_scene() -> tuple[Told, str]:
    """A root with a log: a conflict, half a provider id, a replay, requests that say nothing."""
    told = Told()
    root, log = told.chat("/h/chats/r.chat"), told.chat("/h/j/W/t/J.files/log/agent.chat", "log")
    other = told.chat("/h/chats/other.chat")
    job = told.job("/h/j/W/t/J")
    told.works(root, job)
    told.log(job, log)
    told.meta(root, "conflicting", (10, 1, 11))
    told.meta(log, "conflicting", (11, 1, 12))
    told.meta(root, "half", (20, 2, 22), provider="resp-1")
    told.meta(log, "half", (20, 2, 22))
    told.meta(root, "cache", (5, 5, 10, 1, 2, 3))
    told.meta(log, "cache", (5, 5, 10, 9, 9, 9))
    told.meta(other, "replayed", (7, 7, 14), payer=other)
    told.meta(root, "replayed", (7, 7, 14), payer=other)
    unknown = told.meta(log)
    told.meta(root, copy_of=unknown, origin="inlined")
    told.meta(root, copy_of=told.meta(other), origin="inlined")
    return told, root


def test_conflicts_are_judged_by_the_evidence_in_the_scope(load: LoadTold) -> None:
    told, root = evidence_scene()
    index = load(told)
    found = index.tokens(root)
    assert (found.conflicts, found.incomplete_evidence) == (1, 1)
    # Cache counts may differ between copies: that is no conflict, and the first evidence counts.
    assert found.totals.deduplicated_total.cct == 1
    alone = index.tokens(root, root_only=True)
    assert (alone.conflicts, alone.incomplete_evidence) == (0, 0)


def test_the_first_evidence_in_the_scope_gives_the_tokens(load: LoadTold) -> None:
    told, _ = evidence_scene()
    index = load(told)
    assert index.tokens("W/t/J").totals.deduplicated_total.model_dump() == {
        "pt": 36, "ct": 8, "tt": 44, "cct": 9, "cwt": 9, "rt": 9,
    }  # fmt: skip


def test_replayed_answers_and_unknown_requests(load: LoadTold) -> None:
    told, root = evidence_scene()
    index = load(told)
    assert index.tokens(root).totals.deduplicated_total.tt == 11 + 22 + 10 + 14
    assert index.tokens(root, job_refs="own").totals.deduplicated_total.tt == 11 + 22 + 10
    # One original here with its copy, and a copy of one elsewhere.
    assert index.tokens(root).unknown == 2


def test_days_and_missing_times(load: LoadTold) -> None:
    told = Told()
    root = told.chat("/h/chats/r.chat")
    told.meta(root, "late", (1, 1, 2), at=at(12 * 60 + 1))
    told.meta(root, "early", (1, 1, 3), at=at(0))
    told.meta(root, "undated", (1, 1, 1))
    call = told.call(root, "ask", "k")
    output = told.output(root, call, at=at(0))
    told.receipt(call, output, inference="by receipt", tokens=(0, 0, 40))
    groups = load(told).tokens(root, by="day").groups
    assert groups is not None
    assert [(group.key, group.tokens.tt) for group in groups.items] == [
        ("2026-09-01", 43),
        ("2026-09-02", 2),
        (None, 1),
    ]


def test_unknown_groups(index: Index) -> None:
    with pytest.raises(BadQuestion, match="agent, job, chat, tool, day"):
        index.tokens(G, by="colour")
