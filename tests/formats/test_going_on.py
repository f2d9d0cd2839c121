"""A parse that goes on from where it was comes to what a parse of the whole text comes to."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.formats import reading
from indexer.formats.chat import Parsing, parse
from indexer.formats.messages import FIRST, derive
from indexer.formats.records import Message, Problem
from indexer.linking.collect import Collector
from tests.formats.fragments import broken_bytes, chat_texts

texts = st.one_of(chat_texts.map(lambda text: text.encode()), broken_bytes)


@settings(max_examples=400, deadline=None)
@given(texts, st.data())
def test_copies_of_a_parse_are_finished_on_their_own(data: bytes, draw: st.DataObject) -> None:
    closers = reading.closing_tags(reading.scrub(window)[0] for window in reading.cut(data))
    problems: list[Problem] = []
    parsing, messages = Parsing(lambda: closers, problems), list[Message]()
    lines = [b"\n" + line for line in data.split(b"\n")]
    while lines:
        count = draw.draw(st.integers(1, len(lines)))
        window = b"".join(lines[:count])
        told = list(problems)
        before = parsing.copy(lambda: closers, told)
        # What a copy takes and how it ends leaves the first one as it was.
        before.feed(b"\nuser: something else\n```")
        before.finish()
        messages += parsing.feed(window)
        del lines[:count]
    messages += parsing.finish()
    whole = parse(data)
    assert (messages, problems) == (whole.messages, whole.problems)


@settings(max_examples=200, deadline=None)
@given(texts, st.data())
def test_records_and_facts_go_on(data: bytes, draw: st.DataObject) -> None:
    messages = parse(data).messages
    at = draw.draw(st.integers(0, len(messages)))
    whole = list(derive(messages))
    first = list(derive(messages[:at]))
    previous = next((record.lineage for record in reversed(first) if record.role != "meta"), FIRST)
    rest = list(derive(messages[at:], None, previous))
    assert first + rest == whole
    collector = Collector("/a.chat")
    for record in first:
        collector.add(record)
    other = collector.copy()
    before = collector.copy().facts()
    for record in rest:
        other.add(record)
    everything = Collector("/a.chat")
    for record in whole:
        everything.add(record)
    assert other.facts() == everything.facts()
    assert collector.facts() == before
