"""Messages, calls, receipts, agents, instructions, meta lines, reasoning."""

from __future__ import annotations

import pytest

from indexer import Index
from indexer.answers.errors import BadQuestion, NotInGraph
from indexer.answers.limits import length
from tests.answers.conftest import LoadTold
from tests.answers.scenes import J2, L1, L2, L3, E, G
from tests.support_graph import Told


def test_messages_in_order_with_their_originals(index: Index) -> None:
    found = index.messages(G, chat=L2)
    assert [m.index for m in found.items] == list(range(9))
    assert found.items[1].model_dump() | {"lineage": "", "content_key": ""} == {
        "address": f"{L2}#1",
        "index": 1,
        "role": "user",
        "lineage": "",
        "content_key": "",
        "preview": "Which of the tide tables is the one that the harbour used in 1911, and why?",
        "bytes": 75,
        "line": 3,
        "origin": "inherited",
        "copy_of": f"{E}#1",
    }
    assert index.messages(G).total == 30


def test_messages_filtered_and_paged(index: Index) -> None:
    assert index.messages(G, role="meta").total == 9
    assert index.messages(G, origin="inherited").total == 4
    pages = [index.messages(G, page=page, per_page=7).items for page in range(1, 6)]
    assert [len(page) for page in pages] == [7, 7, 7, 7, 2]
    addresses = [m.address for page in pages for m in page]
    assert len(set(addresses)) == 30
    assert index.messages(G, page=99, per_page=7).total == 30
    with pytest.raises(BadQuestion):
        index.messages(G, origin="elsewhere")


def test_a_message_with_what_it_belongs_to(index: Index) -> None:
    call = index.message(f"{L2}#5")
    assert (call.tool, call.call_id, call.target_agent, call.output_address) == (
        "ask",
        "k2",
        "Critic",
        f"{L2}#6",
    )
    assert (call.receipts, call.chat, call.next_offset) == (2, L2, None)
    assert index.message(f"{L2}#6").call_address == f"{L2}#5"
    assert index.message(f"{L1}#2").inference == "inference_id:e1"
    assert index.message(f"{L1}#6").copies == 3
    assert index.message(f"{L2}#2").job == "/h/var/jobs/Flow/ask/E1.chat"
    assert index.message("g.chat#1").content == "Go on and write it up."


def test_a_part_of_a_text(index: Index) -> None:
    part = index.message(f"{G}#1", offset=6, limit=6)
    assert (part.content, part.offset, part.characters, part.next_offset) == ("and wr", 6, 22, 12)


def test_a_text_too_long_for_one_answer(load: LoadTold) -> None:
    told = Told()
    root = told.chat("/h/chats/long.chat")
    text = 'say "ä\n' * 40_000
    told.say(root, "user", text)
    index = load(told)
    read, offset = "", 0
    while True:
        part = index.message(f"{root}#0", offset=offset)
        assert length(part.to_json()) <= 100_000
        read += part.content
        if part.next_offset is None:
            break
        offset = part.next_offset
    assert read == text
    assert length(index.message(f"{root}#0", summary=True).to_json()) < 4_000
    assert index.message(f"{root}#0", limit=500_000).content == text


@pytest.mark.parametrize("address", [f"{G}#99", "nonsense", "/h/chats/none.chat#1"])
def test_no_such_message(index: Index, address: str) -> None:
    with pytest.raises(NotInGraph):
        index.message(address)


def test_tool_calls(index: Index) -> None:
    found = index.tool_calls(G)
    assert [call.tool for call in found.items] == ["search", "ask"]
    assert found.items[1].model_dump() == {
        "address": f"{L2}#5",
        "output_address": f"{L2}#6",
        "tool": "ask",
        "call_id": "k2",
        "status": "success",
        "status_reason": None,
        "target_agent": "Critic",
        "origin": "own",
        "copy_of": None,
        "receipts": 2,
    }
    assert index.tool_calls(G, tool="search").total == 1
    assert index.tool_calls(G, status="failure").total == 0
    assert index.tool_calls(G, call_id="k2").total == 1
    with pytest.raises(BadQuestion):
        index.tool_calls(G, status="fine")


def copied_calls() -> tuple[Told, str]:
    """A log with one call of its own and one inherited from outside, its result with copies of both."""
    told = Told()
    root, result = told.chat("/h/j/W/t/J.files/log/agent.chat", "log"), told.chat("/h/j/W/t/J", "result")
    outside = told.chat("/h/chats/outside.chat")
    job = told.job("/h/j/W/t/J")
    told.works(root, job)
    told.result(job, result)
    away = told.call(outside, "read", "k0")
    told.call(root, "read", "k0", copy_of=away, origin="inherited")
    own = told.call(root, "read", "k1", status="unknown", status_reason="missing_output")
    told.call(result, "read", "k0", copy_of=away, origin="inlined")
    told.call(result, "read", "k1", copy_of=own, origin="projection")
    return told, root


def test_unique_calls(load: LoadTold) -> None:
    told, root = copied_calls()
    index = load(told)
    assert index.tool_calls(root).total == 4
    assert {(c.call_id, c.address) for c in index.tool_calls(root, unique=True).items} == {
        ("k0", "/h/j/W/t/J#0"),
        ("k1", f"{root}#1"),
    }
    assert index.scope(root).totals.unique_tool_calls == 2
    assert index.tool_calls(root, exclude_inlined=True).total == 2


def test_receipts(index: Index) -> None:
    job, request = index.receipts(G).items
    assert (job.address, job.output_address, job.job, job.direct) == (
        f"{L2}#6/agent_meta/0",
        f"{L2}#6",
        "/h/var/jobs/Review/gate/C1",
        False,
    )
    assert (request.inference, request.direct, request.tokens.tt) == ("inference_id:c1", True, 55)
    assert index.receipts(G, warnings=True).total == 0
    assert index.receipts(G, call_id="k1").total == 0


def test_receipt_warnings(load: LoadTold) -> None:
    told = Told()
    root = told.chat("/h/chats/r.chat")
    gone = told.job("/h/j/W/t/gone", status="noinfo", missing=True)
    call = told.call(root, "ask", "k")
    output = told.output(root, call)
    told.receipt(call, output, 0, malformed="not_a_hash")
    told.receipt(call, output, 1, job=gone)
    told.receipt(call, output, 2, inference="i", tokens=(1, 1, 2), key="meta")
    index = load(told)
    assert [r.warning for r in index.receipts(root).items] == ["not_a_hash", "unresolved_job_reference", None]
    assert index.receipts(root, warnings=True).total == 2


def test_agents(index: Index) -> None:
    found = {agent.agent: agent for agent in index.agents(G).items}
    planner, critic = found["Planner"], found["Critic"]
    assert (planner.chats, planner.jobs, planner.tool_calls, planner.versions) == (
        4,
        2,
        2,
        ["planner-1", "planner-2"],
    )
    assert (planner.requests, planner.tokens.tt) == (4, 1760)
    assert (critic.delegations, critic.chats, critic.jobs, critic.tokens.tt) == (1, 1, 1, 55)
    assert list(found) == ["Planner", "Critic", "Lead"]


def test_instructions(index: Index) -> None:
    found = index.instructions(G)
    assert [(v.agent, v.digest, v.chats) for v in found.versions] == [
        ("Critic", "critic-1", [L3]),
        ("Planner", "planner-1", [L1]),
        ("Planner", "planner-2", [L2]),
    ]
    assert [v.digest for v in index.instructions(G, job_refs="own").versions] == ["critic-1", "planner-2"]


def test_meta_lines(index: Index) -> None:
    found = index.evidence(G, job_refs="own")
    assert {m.kind for m in found.items} == {"tokens", "job"}
    own = next(m for m in found.items if m.address == f"{G}#2")
    assert (own.job, own.job_ref, own.origin) == (J2, "Flow/ask/G1.chat", "inlined")
    assert found.total == 6


def test_reasoning(index: Index) -> None:
    (text,) = index.reasoning(G).items
    assert (text.address, text.text, text.agent, text.inference) == (
        f"{L1}#2",
        "first I look at the archive",
        "Planner",
        "inference_id:e1",
    )
    assert index.reasoning(G, job_refs="own").total == 0
