"""The fast parser against the literal automaton, over chunks, and by properties."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexer.formats.chat import iter_messages, parse, print_chat
from indexer.formats.lineage import content_key
from indexer.formats.messages import derive
from indexer.formats.records import Message, Problem
from tests.formats.fragments import broken_bytes, chat_texts
from tests.formats.literal_automaton import BLANKS, literal_parse


def said(messages: list[Message]) -> list[tuple[str, str, bool]]:
    return [(message.role, message.content, message.synthetic) for message in messages]


@settings(max_examples=800, deadline=None)
@given(chat_texts)
@example("[[\n  sh:-- ls {{{\nx: 1\nsh:--b }}}\nuser: y")
@example("<a>\n[[\n]]\n<b x=''>\n</b>\nuser: still in a\n</a>\nuser: out")
@example("user:\n\n\n")
@example("a:b:-- ls {{{ tail {{{ end\nuser: x\n]]\nuser: y")
def test_fast_is_literal(text: str) -> None:
    assert said(parse(text).messages) == literal_parse(text)


@settings(max_examples=400, deadline=None)
@given(chat_texts, st.integers(1, 40))
def test_chunk_borders_never_matter(text: str, size: int) -> None:
    whole = parse(text)
    problems: list[Problem] = []
    assert list(iter_messages(io.BytesIO(text.encode()), problems, size)) == whole.messages
    assert problems == whole.problems


@settings(max_examples=400, deadline=None)
@given(st.one_of(broken_bytes, st.binary(max_size=200)), st.integers(1, 9))
def test_any_bytes_parse(data: bytes, size: int) -> None:
    clean = data.decode("utf-8", "ignore")
    parsed = parse(data)
    assert said(parsed.messages) == literal_parse(clean)
    problems: list[Problem] = []
    assert list(iter_messages(io.BytesIO(data), problems, size)) == parsed.messages
    assert problems == parsed.problems
    dropped = [problem for problem in problems if problem.kind == "invalid_bytes"]
    assert bool(dropped) == (len(clean.encode()) < len(data))
    list(derive(parsed.messages, problems))


@settings(max_examples=300, deadline=None)
@given(chat_texts)
def test_indices_and_lines(text: str) -> None:
    lines = text.split("\n")
    messages = parse(text).messages
    assert [message.index for message in messages] == list(range(len(messages)))
    assert [message.line for message in messages] == sorted(message.line for message in messages)
    for message in messages:
        line = lines[message.line - 1]
        if not line.startswith(f"{message.role}:") and not message.synthetic:
            first = message.content.split("\n")[0].strip(BLANKS)
            assert first in line or "{{{" in line or "}}}" in line or "[[" in line or "]]" in line


WORDS = st.sampled_from(
    ("plain text", "note: a", "tab:\there", "Upper: x", "  indented: y", "", "¿qué?", "a\\b: c", "x")
)
PROSE = st.lists(WORDS, min_size=1, max_size=6).map("\n".join).filter(lambda text: text.strip() == text != "")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(("user", "assistant", "system", "note")), PROSE), max_size=6))
def test_prose_survives_print_and_parse(given_messages: list[tuple[str, str]]) -> None:
    messages = [Message(0, role, content, 1) for role, content in given_messages]
    parsed = parse(print_chat(messages)).messages
    assert [(message.role, message.content) for message in parsed if not message.synthetic] == given_messages
    assert bool(parsed) == bool(given_messages)
    assert not given_messages or parsed[0].synthetic


@settings(max_examples=100, deadline=None)
@given(PROSE)
def test_a_fenced_text_gains_one_backslash_and_keeps_its_key(text: str) -> None:
    """FORMAT.md 1.4: print escapes role lines in a fence, parse does not undo that; then it is stable."""
    fenced = f"```\n{text}\n```"
    once = parse(print_chat([Message(0, "user", fenced, 1)])).messages
    twice = parse(print_chat(once)).messages
    assert [message.content for message in twice] == [message.content for message in once]
    assert content_key("user", once[-1].content) == content_key("user", fenced)


def test_streaming_holds_little(tmp_path: Path) -> None:
    path = tmp_path / "long.chat"
    turn = (
        "user:\n\n"
        + "some words of prose in a line\n" * 20
        + "\n<note>\nx: 1\n</note>\n\nmeta: pt=1 ct=2\n\n"
    )
    with path.open("w") as file:
        for _ in range(8):
            file.write(turn * 1000)
    size = path.stat().st_size
    count = 0
    tracemalloc.start()
    for _message in iter_messages(path, [], 1 << 16):
        count += 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1 + 2 * 8_000
    assert size > 5_000_000
    assert peak < 2_000_000
