"""Derived records: digests, sizes, keys, previews; and response segments."""

from __future__ import annotations

import json
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.formats.chat import parse
from indexer.formats.lineage import content_key, fingerprint, normalise, text_key
from indexer.formats.messages import derive
from indexer.formats.records import Call, Message, Meta, Output
from indexer.formats.segments import Segment, segments
from tests.formats.fragments import chat_texts

VECTORS = Path(__file__).resolve().parent.parent / "vectors"

ROOT_LINEAGE = "693d623f5715279909f1e279bf95ad84"


def test_a_record_in_full() -> None:
    [synthetic, user, meta, assistant] = derive(
        parse("user:\n\nñ  \nb\nmeta: pt=1\nassistant: ok\n").messages
    )
    assert (synthetic.synthetic, synthetic.lineage, synthetic.bytes, synthetic.preview) == (
        True,
        ROOT_LINEAGE,
        0,
        "",
    )
    assert (user.index, user.role, user.content, user.line) == (1, "user", "ñ  \nb", 1)
    assert (user.bytes, user.norm_bytes) == (6, 4)
    assert user.lineage == md5(f"[{ROOT_LINEAGE}, user, ñ  \nb]".encode()).hexdigest()
    assert meta.lineage == md5(f"[{user.lineage}, meta, pt=1]".encode()).hexdigest()
    assert assistant.lineage == md5(f"[{user.lineage}, assistant, ok]".encode()).hexdigest()
    assert isinstance(meta.body, Meta)
    assert (user.body, assistant.body, assistant.redactions) == (None, None, 0)


def test_bodies_by_role() -> None:
    text = (
        'user: {"name":"x"}\nfunction_call: {"name":"f","id":"c"}\nmcp_call: {"name":"g","id":"d"}\n'
        'function_call_output: {"id":"c","content":"x"}\nmeta: pt=1\ntool: {"id":"c"}\n'
    )
    assert [type(record.body) for record in derive(parse(text).messages)] == [
        type(None),
        type(None),
        Call,
        Call,
        Output,
        Meta,
        type(None),
    ]


@pytest.mark.parametrize(
    ("content", "normal"),
    [
        ("", ""),
        ("a", "a"),
        (" \0\t\n\v\f\ra b\xa0 \n", "a b\xa0"),
        ("a \nb\t\r\nc", "a\nb\nc"),
        ("a\n \n\nb", "a\n\n\nb"),
        ("  a\n  b", "a\n  b"),
        (
            "\\note: a\n\\x_1:b\n\\\\y: c\n  \\z: d\n\\Z: e\n\\q",
            "note: a\nx_1:b\n\\\\y: c\n  \\z: d\n\\Z: e\n\\q",
        ),
        ("a\\note: b", "a\\note: b"),
        ("\\a:", "a:"),
        ("x\n\\ñ: y", "x\n\\ñ: y"),
        ("a\x85\nb\u2028\nc", "a\x85\nb\u2028\nc"),
    ],
)
def test_normalised(content: str, normal: str) -> None:
    assert normalise(content) == normal
    [record] = derive([Message(0, "user", content, 1)])
    assert (record.bytes, record.norm_bytes) == (len(content.encode()), len(normal.encode()))
    assert record.content_key == content_key("user", content)
    assert record.text_key == text_key(content)


def test_keys_tell_apart_what_differs() -> None:
    keys = {
        content_key("user", "a"),
        content_key("assistant", "a"),
        content_key("user", "a b"),
        content_key("usera", ""),
    }
    assert len(keys) == 4
    assert content_key("user", "a \r\n\\note: b\n") == content_key("user", "a\nnote: b")
    assert text_key("a") != text_key("a ")
    assert all(len(key) == 32 for key in keys)


@settings(max_examples=400, deadline=None)
@given(chat_texts)
def test_records_agree_with_the_single_functions(text: str) -> None:
    for record in derive(parse(text).messages):
        assert record.content_key == content_key(record.role, record.content)
        assert record.text_key == text_key(record.content)
        assert record.preview == fingerprint(record.content)
        assert record.norm_bytes == len(normalise(record.content).encode())


@settings(max_examples=400, deadline=None)
@given(chat_texts)
def test_normalising_strips_lines_and_is_stable_but_for_backslashes(text: str) -> None:
    normal = normalise(text)
    assert all(line == line.rstrip("\0\t\v\f\r ") for line in normal.split("\n"))
    assert normal == normal.strip("\0\t\n\v\f\r ")
    assert normalise(text.replace("\n", "\r\n")) == normal
    assert normalise(f" \n{text}\n\n") == normal


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=400))
def test_a_fingerprint_is_short(text: str) -> None:
    shown = fingerprint(text)
    assert len(shown) <= 150
    assert (shown == text) == (len(text) <= 150)


@pytest.mark.parametrize(
    "case",
    [case for case in json.loads((VECTORS / "parse.json").read_text())["cases"] if "segments" in case],
    ids=lambda case: case["id"],
)
def test_recorded_segments(case: Any) -> None:
    records = list(derive(parse(case["input"]).messages))
    found = [
        (
            records[segment.meta].lineage,
            [records[member].lineage for member in segment.members],
            segment.orphan,
        )
        for segment in segments(records)
    ]
    assert found == [(entry["lineage_id"], entry["messages"], entry["orphan"]) for entry in case["segments"]]


def test_case_38_an_orphan_round_and_one_of_calls_alone() -> None:
    text = (
        "user: q\nmeta: pt=1\nmeta: pt=2\nfunction_call: {}\nfunction_call_output: {}\n"
        "meta: pt=3\nassistant: a\n"
        "system: s\nnote: belongs to none\nmeta: pt=4\n"
    )
    assert segments(parse(text).messages) == [
        Segment(2, ()),
        Segment(3, (4, 5)),
        Segment(6, (7,)),
        Segment(10, ()),
    ]
    assert [segment.orphan for segment in segments(parse(text).messages)] == [True, False, False, True]
