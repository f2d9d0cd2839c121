"""A chat that grows is planned as if it were read whole, whatever is added and wherever it is cut."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexer.discovery.stamps import Reading
from indexer.formats.chat import parse
from indexer.ingest import growing, growth
from indexer.ingest.growing import read_growing
from indexer.ingest.growth import Growth, Growths
from indexer.ingest.planning import Held, plan_chat
from indexer.ingest.plans import FilePlan
from indexer.ingest.reading import ChatReading, read_chat
from indexer.redaction import redactor_for
from tests.formats.fragments import broken_bytes, chat_texts

REDACT = redactor_for("default").redact
CALL = 'function_call: {{"name":"run","arguments":{{}},"id":"c{n}"}}\n'
OUTPUT = 'function_call_output: {{"id":"c{n}","name":"run","content":"done {n}","agent_meta":[{{"role":"meta",' \
    '"content":"inference_id=r{n} pt=1 ct=2 tt=3"}}]}}\n'  # fmt: skip
TALK = "user:\n\nQuestion {n}, with some text to it.\n\nassistant:\n\nAnswer {n}\n\n"
META = "meta: inference_id=i{n} pt=10 ct=1 tt=11 timestamp=2026-09-01T10:00:00Z\n"

PARTS = (TALK, CALL, OUTPUT, META, "```\n", "<doc>\n", "</doc>\n", "import: x{n}\n")
sessions = st.lists(
    st.tuples(
        st.sampled_from((TALK, CALL, OUTPUT, META, "```\n", "<doc>\n", "</doc>\n", "import: x{n}\n")),
        st.integers(0, 6),
    ),
    max_size=40,
).map(lambda parts: "".join(part.format(n=n) for part, n in parts).encode())
texts = st.one_of(chat_texts.map(str.encode), broken_bytes, sessions)


def told(plan: FilePlan) -> tuple[object, ...]:
    """All that a plan asks of the writer."""
    chat = plan.chat
    assert chat is not None
    return (
        plan.facts, plan.marks, plan.problems, plan.rewritten, plan.stamp.size, plan.stamp.digest, chat.props,
        chat.keep, chat.messages, chat.contents, chat.returned, chat.receipts,
    )  # fmt: skip


def planned(path: Path, before: Growth | None, held: Held | None) -> tuple[FilePlan, Growth, bool]:
    reading = read_growing(str(path), REDACT, 1, before)
    chat = reading.value
    assert chat is not None
    assert chat.growth is not None
    plan = plan_chat(str(path), reading, held)
    assert plan.marks is not None
    return plan, chat.growth.planned(plan.marks, reading.digest), chat.start > 0


def whole(path: Path, held: Held | None) -> FilePlan:
    reading: Reading[ChatReading] = read_chat(str(path), REDACT, 1)
    return plan_chat(str(path), reading, held)


@settings(max_examples=250, deadline=None)
@given(texts, st.lists(st.integers(0, 2000), max_size=6), st.integers(1, 12))
@example(b"user: a\n<doc>\nuser: inside?\n</doc>\nuser: b\n", [20], 64)
@example(b"a\nb\n\n\n\nuser:\n\nx\n\n\n", [1, 2, 4], 64)
def test_it_comes_to_the_same(data: bytes, cuts: list[int], records: int) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth, "_RECORDS", records)
        patch.setattr(growing, "_CHUNK", 7)
        path = Path(folder, "a.chat")
        before: Growth | None = None
        held: Held | None = None
        for cut in [*sorted(min(cut, len(data)) for cut in cuts), len(data)]:
            path.write_bytes(data[:cut])
            plan, before, _ = planned(path, before, held)
            assert told(plan) == told(whole(path, held))
            held = Held(plan.stamp.digest, plan.marks, None)


def test_only_what_was_added_is_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.chat"
    path.write_text("".join((TALK + CALL + OUTPUT).format(n=n) for n in range(400)))
    plan, before, _ = planned(path, None, None)
    held = Held(plan.stamp.digest, plan.marks, None)
    with path.open("a") as file:
        file.write(CALL.format(n=400) + OUTPUT.format(n=400))
    taken = []
    take = Growth.take
    monkeypatch.setattr(
        Growth, "take", lambda self, window, redact: taken.append(len(window)) or take(self, window, redact)
    )
    plan, before, resumed = planned(path, before, held)
    assert resumed
    assert sum(taken) < 1_000
    assert plan.chat is not None
    assert len(plan.chat.messages) == 2
    assert told(plan) == told(whole(path, held))


def rewritten(text: str) -> str:
    return text.replace("Question 3,", "Question X,", 1)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param(lambda text: text, rewritten, id="an earlier message changes"),
        pytest.param(lambda text: text, lambda text: text[:-40], id="it is cut short"),
        pytest.param(lambda text: f"<doc>\n{text}", lambda text: f"{text}</doc>\n", id="a tag closes late"),
        pytest.param(
            lambda text: CALL.format(n=7777) + text,
            lambda text: text + OUTPUT.format(n=7777),
            id="an old call is answered",
        ),
    ],
)
def test_what_reaches_back_is_read_whole(tmp_path: Path, first, then) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a.chat"
    text = first("".join(TALK.format(n=n) for n in range(200)))
    path.write_text(text)
    plan, before, _ = planned(path, None, None)
    held = Held(plan.stamp.digest, plan.marks, None)
    path.write_text(then(text))
    plan, _, resumed = planned(path, before, held)
    assert not resumed
    assert told(plan) == told(whole(path, held))


def test_what_is_kept_fits_the_graph(tmp_path: Path) -> None:
    path = tmp_path / "a.chat"
    path.write_text("".join(TALK.format(n=n) for n in range(20)))
    plan, kept, _ = planned(path, None, None)
    assert plan.marks is not None
    growths = Growths(most=60)
    growths.put("a", kept)
    assert growths.get("a", plan.stamp.digest, plan.marks) is kept
    assert growths.get("a", "another version", plan.marks) is None
    assert growths.get("a", plan.stamp.digest, None) is None
    growths.put("b", kept)
    assert growths.get("a", plan.stamp.digest, plan.marks) is None, "the oldest goes"
    assert growths.get("b", plan.stamp.digest, plan.marks) is kept


def test_a_large_chat_is_not_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "SMALL", 4_000)
    path = tmp_path / "a.chat"
    path.write_text("".join(TALK.format(n=n) for n in range(20_000)))
    reading = read_growing(str(path), REDACT, 1, None)
    assert reading.value is not None
    assert reading.value.streamed
    assert [(r.role, r.content) for r in reading.value.records()] == [
        (m.role, m.content) for m in parse(path.read_bytes()).messages
    ]
