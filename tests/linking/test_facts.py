"""Facts: what is kept of a chat or job, and their bytes."""

from __future__ import annotations

import zlib

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.formats.chat import parse
from indexer.formats.messages import derive
from indexer.formats.records import JobInfo
from indexer.linking.collect import chat_facts, job_facts
from indexer.linking.facts import (
    HEAVY,
    IDENTITY,
    LEFT_OUT,
    MARKER,
    META,
    SYNTHETIC,
    TURN,
    ChatFacts,
    FactsError,
    JobFacts,
    OwnerFact,
)
from tests.linking.scenes import Scene, assistant, call, marker, meta, output, path, system, user

EVERYTHING = (
    system("You are Critic."),
    ("option", "backend lab"),
    system("More rules"),
    user("first"),
    ("import", "other.chat"),
    marker("x", conversation="talk"),
    meta("i1", total=10, at="10:00", agent="Critic"),
    meta(tt=3),
    call("c1", "ask", "Auditor"),
    output("c1", receipt=["job=Flow/task/y.chat", "pt=1 tt=1"], at="09:00"),
    call("read_" + "0123456789abcdef" * 2),
    ("function_call", "not json"),
    assistant("x" * 100),
    system("late"),
)


def _facts() -> ChatFacts:
    scene = Scene()
    where = scene.chat("root", *EVERYTHING)
    return scene.chats[where]


def test_flags_and_weights() -> None:
    facts = _facts()
    assert list(facts.flags) == [
        LEFT_OUT | TURN | SYNTHETIC,
        LEFT_OUT | TURN,
        0,
        LEFT_OUT | TURN,
        TURN,
        0,
        MARKER,
        META | IDENTITY,
        META,
        IDENTITY,
        IDENTITY,
        0,
        0,
        0,
        TURN,
    ]
    assert facts.weights[13] == HEAVY
    assert facts.weights[4] == len("first")
    assert facts.sizes[13] == 100


def test_columns() -> None:
    facts = _facts()
    assert facts.keys[7] == "inference_id:i1"
    assert len({facts.keys[at] for at in (4, 6, 8, 9, 10)}) == 5
    assert [(m.at, m.ref, m.conversation) for m in facts.markers] == [(6, "Flow/task/x.chat", "talk")]
    assert [(e.at, e.total, e.tokens[2]) for e in facts.events] == [(7, 10, 10), (8, None, 3)]
    assert facts.events[1].identity.startswith("lineage:")
    assert [(r.output, r.position, r.tool, r.target, r.ref, r.identity) for r in facts.receipts] == [
        (10, 0, "ask", "Auditor", "Flow/task/y.chat", None),
        (10, 1, "ask", "Auditor", None, ""),
    ]
    assert [(c.at, c.role, c.ref) for c in facts.compositions] == [(5, "import", "other.chat")]
    assert [(n.at, n.agent, n.conversation) for n in facts.named] == [(6, None, "talk"), (7, "Critic", None)]
    assert (facts.started, facts.ended) == ("2026-09-01T09:00:00.000000Z", "2026-09-01T10:00:00.000000Z")
    assert facts.first_user == facts.keys[4]
    assert facts.head is not None
    assert facts.head.preview == "You are Critic.\n\nMore rules"


def test_round_trip() -> None:
    facts = _facts()
    facts.owners = (OwnerFact("/j", True, "log"),)
    assert ChatFacts.from_bytes(facts.to_bytes()) == facts
    job = JobFacts("/j", "done", "chat", "2026", None, "2027", ("a", "b"))
    assert JobFacts.from_bytes(job.to_bytes()) == job


def test_empty_chat() -> None:
    facts = chat_facts("/c", [])
    assert ChatFacts.from_bytes(facts.to_bytes()) == facts
    assert len(facts) == 0


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"garbage",
        zlib.compress(b"no json"),
        zlib.compress(b"{}"),
        zlib.compress(orjson.dumps(["chat", 0])),
        JobFacts("/j").to_bytes(),
    ],
)
def test_foreign_bytes(data: bytes) -> None:
    with pytest.raises(FactsError):
        ChatFacts.from_bytes(data)


def test_job_facts() -> None:
    assert job_facts("/j", None) == JobFacts("/j")
    info = JobInfo("json", status="start", type="chat", issued="i", dependencies=("a",))
    facts = job_facts("/j", info)
    assert facts == JobFacts("/j", "start", "chat", "i", None, None, ("a",))
    assert facts.unfinished
    assert not job_facts("/j", None).unfinished


_LINES = st.lists(
    st.sampled_from(
        [
            "user: hello",
            "user:",
            "assistant: ok",
            "system: rules",
            "meta: pt=1 tt=1 inference_id=a",
            "meta: job=W/t/x",
            "meta: job=",
            "meta: pt=",
            "import: a",
            "```",
            '[["',
            "",
            "text",
            "\x00",
            "meta: timestamp=9999-12-31T23:59:59Z",
            'function_call: {"id":"c","name":"n"}',
            'function_call_output: {"id":"c","content":"","meta":[{"job":"W/t/y"}]}',
            'function_call_output: {"id":"c","agent_meta":[{"role":"meta","content":"job=W/t/x pt=1"}, 7]}',
            'function_call_output: {"id":"c","meta":null,"timestamp":"2026-01-01T00:00:00Z"}',
            "agent: Critic",
            "e\ud800",
        ]
    ),
    max_size=30,
)


@given(_LINES)
def test_any_chat_gives_facts_that_keep(lines: list[str]) -> None:
    text = "\n".join(lines)
    facts = chat_facts("/c", derive(parse(text.encode("utf-8", "surrogatepass")).messages))
    assert ChatFacts.from_bytes(facts.to_bytes()) == facts
    scene = Scene(chats={path("root"): facts})
    facts.path = path("root")
    links = scene.link().links.chats[path("root")]
    assert len(links.origins) == len(facts)
