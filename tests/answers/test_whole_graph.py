"""Questions to the whole graph: conversations, find, problems, jobs, copies."""

from __future__ import annotations

import pytest

from indexer import Index
from tests.answers.conftest import LoadTold
from tests.answers.scenes import J1, L1, L2, E, G
from tests.support_graph import Told, at


def test_conversations(index: Index) -> None:
    later, earlier = index.conversations().items
    assert later.model_dump() | {"tokens": later.tokens.tt} == {
        "root": G,
        "own_jobs": 2,
        "context_jobs": 1,
        "shared_jobs": 1,
        "tool_calls": 1,
        "unique_tool_calls": 1,
        "tokens": 1485,
        "last_activity": "2026-09-01T12:30:00Z",
        "chats": 4,
        "requests": 3,
        "messages": 20,
        "inlined_messages": 4,
        "inlined_share": 0.2,
        "own_shared_jobs": 0,
    }
    assert (earlier.root, earlier.own_jobs, earlier.context_jobs, earlier.shared_jobs) == (E, 1, 0, 1)
    assert earlier.own_shared_jobs == 1
    assert (earlier.tokens.tt, earlier.last_activity) == (330, "2026-09-01T12:10:00Z")
    assert index.conversations(page=2, per_page=1).items == [earlier]


def test_find_words(index: Index) -> None:
    found = index.find("harbour stamp")
    assert (found.how, found.total) == ("words", 4)
    assert found.items[0].copy_of in (None, f"{L1}#6")
    assert index.find("harbour stamp", originals=True).total == 1
    assert index.find("harbour", root=G, job_refs="own").total == 5
    assert index.find("harbour", role="user").total == 3


def test_find_characters_where_no_word_matches(index: Index) -> None:
    found = index.find("ide table", originals=True)
    assert (found.how, found.total) == ("exact", 2)
    assert "ide table" in found.items[0].snippet
    assert index.find("Go on", exact=True, root=G).total == 1
    assert index.find("Go on", exact=True, root=E).total == 0


@pytest.mark.parametrize("text", ['"', "a AND", "tide~*(", "[x", "k1/\\", "!", "NOT"])
def test_find_takes_any_text(index: Index, text: str) -> None:
    assert index.find(text).total >= 0


def test_problems(load: LoadTold) -> None:
    told = Told()
    root, other = told.chat("/h/chats/a/r.chat"), told.chat("/h/chats/b/o.chat")
    job = told.job("/h/j/W/t/gone", missing=True)
    told.works(root, job)
    told.first(root)
    told.problem("unclosed_region", ("Message", f"{root}#0"), "the region never closes", line=7)
    told.problem("dangling_reference", ("Job", job), "no such job")
    told.problem("invalid_bytes", ("Chat", other), "2 bytes were dropped")
    index = load(told)
    assert index.problems().total == 3
    assert [(p.kind, p.line, p.path) for p in index.problems(path="/h/chats/a").items] == [
        ("unclosed_region", 7, root)
    ]
    assert [p.kind for p in index.problems(root).items] == ["unclosed_region", "dangling_reference"]
    assert index.problems(kind="invalid_bytes").items[0].address == other
    overview = index.overview(root)
    assert overview.warnings.total == 2


def test_shared_jobs(index: Index) -> None:
    (shared,) = index.shared_jobs().items
    assert (shared.job, shared.own_of, shared.roots, shared.roots_total) == (J1, [E], [E, G], 2)


def test_orphan_and_stale_jobs(load: LoadTold) -> None:
    told = Told()
    root = told.chat("/h/chats/r.chat")
    used, needed = told.job("/h/j/W/t/used"), told.job("/h/j/W/t/needed", status="waiting")
    alone = told.job("/h/j/W/t/alone", status="start", pid=7, host="here", issued=at(0), crashed_since=at(9))
    told.works(root, used)
    told.depends(used, needed)
    result = told.chat(alone, "result")
    told.result(alone, result)
    told.works(result, alone, basis="self")
    index = load(told)
    assert [job.job for job in index.orphan_jobs().items] == [alone]
    stale = index.stale_jobs().items
    assert [(job.job, job.status) for job in stale] == [(alone, "crashed"), (needed, "waiting")]
    assert (stale[0].pid, stale[0].issued) == (7, "2026-09-01T12:00:00Z")


def test_copied_blocks_and_replays(load: LoadTold) -> None:
    told = Told()
    first, second = told.chat("/h/chats/1.chat"), told.chat("/h/chats/2.chat")
    job = told.job("/h/j/W/t/J")
    for chat in (first, second):
        told.works(chat, job, told.meta(chat, job_ref="W/t/J", block_last=1, block_bytes=10))
        told.say(chat, "assistant", "result")
    told.meta(first, "paid", (1, 1, 2))
    told.meta(second, "paid", (1, 1, 2))
    told.meta(second, copy_of=told.meta(first, "copied", (1, 1, 2)))
    index = load(told)
    (block,) = index.copied_blocks().items
    assert (block.job, block.blocks, block.chats, block.messages, block.bytes) == (job, 2, 2, 4, 20)
    (replay,) = index.replayed_answers().items
    assert (replay.inference, replay.payer, replay.places_total) == ("inference_id:paid", first, 2)


def test_delegations(index: Index) -> None:
    found = index.delegations(G).items
    told = [(d.depth, d.ref, d.parent, d.relation, d.tool, d.agent, d.tt, d.total.tt) for d in found]
    assert told == [
        (1, "Flow/ask/G1.chat", G, "job", None, "Planner", 1430, 1485),
        (2, "Flow/ask/E1.chat", L2, "context", None, "Planner", 330, 330),
        (2, "Review/gate/C1", L2, "agent_job", "ask", "Critic", 55, 55),
    ]
    assert index.delegations(G, job_refs="own").total == 2


def test_accounting(index: Index) -> None:
    accounts = {account.path: account for account in index.accounting(G).items}
    log, root = accounts[L2], accounts[G]
    assert (log.own.direct.tokens.tt, log.own.delegated.tokens.tt, log.paid) == (1430, 0 + 55, 2)
    assert (log.closure.direct.tokens.tt, log.closure.delegated.tokens.tt) == (1430, 385)
    assert (root.own.direct.requests, root.closure.delegated.tokens.tt) == (0, 1815)
    assert (root.closure_chats, root.closure_jobs) == (6, 3)


def test_overview(index: Index) -> None:
    found = index.overview(G)
    assert (found.root.kind, found.root.path) == ("chat", G)
    assert found.totals.model_dump() | {"tokens": found.totals.tokens.tt} == {
        "chats": 6, "jobs": 3, "messages": 30, "unique_messages": 17, "tool_calls": 2, "unique_tool_calls": 2,
        "job_edges": 3, "dependency_edges": 0, "log_edges": 3, "result_edges": 2, "agent_job_edges": 1,
        "context_edges": 1, "receipt_records": 2, "receipt_only_events": 0, "conflicts": 0,
        "incomplete_evidence": 0, "unknown": 0, "tokens": 1815,
    }  # fmt: skip
    chat = next(c for c in found.chats.items if c.path == L2)
    assert chat.roles == {"meta": 3, "assistant": 2, "user": 2, "function_call": 1, "function_call_output": 1}
    assert (chat.direct_jobs, chat.receipt_records) == ([J1], 2)
    assert next(c for c in found.chats.items if c.path == G).imports == [E]
    assert found.edges.total == 10
    assert found.jobs.total == 3


def test_why(index: Index) -> None:
    assert index.why(G, J1).path == [
        {"id": G, "kind": "chat"},
        {"relation": "job", "basis": "default", "address": f"{G}#2"},
        {"id": "/h/var/jobs/Flow/ask/G1.chat", "kind": "job"},
        {"relation": "log"},
        {"id": L2, "kind": "chat"},
        {"relation": "context", "basis": "inherited", "address": f"{L2}#2"},
        {"id": J1, "kind": "job"},
    ]
    assert not index.why(G, L1, job_refs="own").reached
    assert not index.why(E, G).reached
    assert index.why(G, G).path == [{"id": G, "kind": "chat"}]
    assert index.why(G, f"{L1}#6").path[-2:] == [
        {"relation": "has_message"},
        {"id": f"{L1}#6", "kind": "message"},
    ]


def test_edges(index: Index) -> None:
    found = index.edges(G)
    assert found.total == 10
    receipt = next(edge for edge in found.items if edge.relation == "agent_job")
    assert receipt.model_dump(by_alias=True) == {
        "relation": "agent_job",
        "from_kind": "chat",
        "from": L2,
        "to_kind": "job",
        "to": "/h/var/jobs/Review/gate/C1",
        "detail": {
            "basis": "called",
            "address": f"{L2}#6/agent_meta/0",
            "addresses": 1,
            "reference": "/h/var/jobs/Review/gate/C1",
            "call_id": "k2",
            "tool": "ask",
        },
    }
    assert index.edges(G, relation="context").items[0].detail["relation"] == "job"
    assert index.edges(G, call_id="k2").total == 1
    assert index.edges(G, job="Review/gate/C1").total == 2
    assert [c.to for c in index.context(G).items] == [J1]


def test_report(index: Index) -> None:
    page = index.report(G)
    titles = [section.title for section in page.sections]
    assert titles[0] == "Own work and everything reached"
    assert ["messages", 20, 30] in page.sections[0].rows
    assert ["tokens tt", 1485, 1815] in page.sections[0].rows
    text = page.to_markdown()
    assert text.startswith(f"# {G}\n")
    assert f"| {L2} | {J1} | job | inherited |" in text
    assert "| Planner | 4 |" in text
