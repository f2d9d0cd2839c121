"""Meta lines: exactly as the reference reads them, and as they are indexed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.formats.meta import MAX_COUNT, meta_of, parse_values, read_meta, serialize
from indexer.formats.records import Meta, Problem, Tokens
from tests.formats.fragments import meta_texts

VECTORS = Path(__file__).resolve().parent.parent / "vectors"


def cases(name: str) -> list[Any]:
    return list(json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["cases"])


@pytest.mark.parametrize("case", cases("meta_parse"), ids=lambda case: case["text"][:30] or "empty")
def test_parse_values(case: Any) -> None:
    parsed = parse_values(case["text"])
    assert parsed == case["parsed"]
    assert {key: type(value) for key, value in parsed.items()} == {
        key: type(value) for key, value in case["parsed"].items()
    }


@pytest.mark.parametrize("case", cases("meta_serialize"), ids=lambda case: case["serialized"][:30])
def test_serialize(case: Any) -> None:
    assert serialize(case["meta"]) == case["serialized"]
    assert parse_values(case["serialized"]) == case["parsed"]


def test_a_usual_line() -> None:
    meta = read_meta(
        "pt=10 ct=2 tt=12 cct=4 cwt=0 rt=1 pt_s=99 tt_c=120 timestamp=2026-08-01T10:00:00.123Z "
        "inference_id=0b0e7a1c-5c1f-4f7e-9d0e-000000000001 reas=thinking of it"
    )
    assert meta.tokens == Tokens(10, 2, 12, 4, 0, 1)
    assert meta.totals == {"pt_s": 99, "tt_c": 120}
    assert meta.timestamp == "2026-08-01T10:00:00.123000Z"
    assert meta.inference_id == "0b0e7a1c-5c1f-4f7e-9d0e-000000000001"
    assert meta.reasoning == "thinking of it"
    assert not meta.unknown_tokens
    assert "reas" not in meta.values


def test_missing_counts_are_zero_when_one_is_there() -> None:
    assert read_meta("ct=2").tokens == Tokens(ct=2)
    assert read_meta("pt=0").tokens == Tokens()


def test_a_job_line_is_no_token_event() -> None:
    meta = read_meta("job=a/b c/d.chat pt=1")
    assert (meta.job, meta.tokens, meta.unknown_tokens) == ("a/b c/d.chat", None, False)


@pytest.mark.parametrize(
    ("line", "tokens", "reasoning"),
    [
        ("pt=5 ct=1 tt=6 reas=I set pt=99 and ct=7 here", Tokens(5, 1, 6), "I set pt=99 and ct=7 here"),
        ("timestamp=2026-08-01T10:00:00.123Z reas=with pt=99 in it", None, "with pt=99 in it"),
        ("pt=5 reas=first line\nthen pt=3", Tokens(5), "first line\nthen pt=3"),
        ('pt=5 reas="quoted" then ct=3 more', Tokens(5), '"quoted" then ct=3 more'),
        ("pt=5 reas=x=1 y=2 z", Tokens(5), "x=1 y=2 z"),
    ],
)
def test_case_12_reasoning_forges_no_counts(line: str, tokens: Tokens | None, reasoning: str) -> None:
    """REPORTS 12: before the quoting, text with `=` in the reasoning read as more keys; the last one won."""
    meta = read_meta(line)
    assert (meta.tokens, meta.reasoning) == (tokens, reasoning)


def test_case_12_reasoning_forges_no_identity_and_no_job() -> None:
    meta = read_meta(
        "pt=5 inference_id=real-1 reas=compare inference_id=other-2 with job=A/b/c and timestamp=x"
    )
    assert (meta.inference_id, meta.job, meta.timestamp) == ("real-1", None, None)
    assert meta.reasoning == "compare inference_id=other-2 with job=A/b/c and timestamp=x"
    old = read_meta("pt=5 reas=the line said inference_id=abc so I stopped")
    assert (old.inference_id, old.reasoning) == (None, "the line said inference_id=abc so I stopped")


def test_short_reasoning_stands_before_longer_ids() -> None:
    """Keys are sorted by the length of their texts, so a short reasoning is followed by genuine keys."""
    meta = read_meta(
        "pt=5 reas=hm, no timestamp=2026-08-01T10:00:00.123Z "
        "inference_id=0b0e7a1c-5c1f-4f7e-9d0e-000000000001"
    )
    assert meta.reasoning == "hm, no"
    assert meta.timestamp == "2026-08-01T10:00:00.123000Z"
    assert meta.inference_id == "0b0e7a1c-5c1f-4f7e-9d0e-000000000001"


def test_quoted_reasoning_hides_what_it_holds() -> None:
    line = serialize({"pt": 5, "reas": 'I set pt=99 and "ct=7" \\ here', "inference_id": "i-1"})
    meta = read_meta(line)
    assert (meta.tokens, meta.inference_id) == (Tokens(5), "i-1")
    assert meta.reasoning == 'I set pt=99 and "ct=7" \\ here'


def test_the_first_of_equal_keys_wins() -> None:
    meta = read_meta("pt=1 pt=2 inference_id=a inference_id=b")
    assert (meta.tokens, meta.inference_id) == (Tokens(1), "a")


def test_case_13_ids_stay_text_with_their_zeros() -> None:
    meta = read_meta("pt=007 inference_id=00123 provider_response_id=42 conversation=0 x=00123 y=123")
    assert (meta.inference_id, meta.provider_response_id, meta.conversation) == ("00123", "42", "0")
    assert meta.tokens == Tokens(7)
    assert (meta.values["x"], meta.values["y"]) == ("00123", 123)


def test_case_14_running_totals_are_no_tokens() -> None:
    """REPORTS 14: totals of old files are wrong, and the oldest first request has nothing but them."""
    meta = read_meta("pt_s=100 ct_s=5 pt_c=100 ct_c=5 tt_c=105")
    assert (meta.tokens, meta.unknown_tokens) == (None, True)
    assert meta.totals == {"pt_s": 100, "ct_s": 5, "pt_c": 100, "ct_c": 5, "tt_c": 105}


def test_case_39_a_line_without_counts_has_unknown_tokens() -> None:
    meta = read_meta("timestamp=2026-08-01T10:00:00.123Z reas=no counts here")
    assert (meta.tokens, meta.unknown_tokens) == (None, True)


def test_keys_of_newer_writers() -> None:
    meta = read_meta("pt=1 orphan=true agent=Critic/brief conversation=c 1 instructions_digest=00ff")
    assert meta.orphan
    assert (meta.agent, meta.conversation, meta.instructions_digest) == ("Critic/brief", "c 1", "00ff")


@pytest.mark.parametrize(
    "value", ["-5", "abc", "9007199254740993", "9" * 30, "9" * 5000, "1e9", "0x10", "1_000"]
)
def test_counts_that_are_none_are_problems(value: str) -> None:
    problems: list[Problem] = []
    meta = read_meta(f"pt={value} ct=3", problems, 7)
    assert meta.tokens == Tokens(ct=3)
    assert [(problem.kind, problem.index) for problem in problems] == [("bad_token_count", 7)]
    assert read_meta(f"pt={value}").unknown_tokens


def test_counts_of_receipts_are_json_values() -> None:
    meta = meta_of({"pt": 3, "ct": 2.0, "tt": "5", "rt": None, "inference_id": 12, "orphan": True, "job": ""})
    assert meta.tokens == Tokens(3, 2, 5)
    assert (meta.inference_id, meta.orphan, meta.job) == ("12", True, None)
    problems: list[Problem] = []
    odd = meta_of(
        {"pt": True, "ct": [1], "tt": float("inf"), "cwt": -1, "x": {"a": 1}, "y": 2**70}, None, problems
    )
    assert odd.tokens is None
    assert len(problems) == 4
    assert odd.values == {"x": "{:a=>1}", "y": str(2**70)}


@settings(max_examples=500, deadline=None)
@given(meta_texts)
def test_no_line_breaks_a_reader(text: str) -> None:
    parse_values(text)
    problems: list[Problem] = []
    meta = read_meta(text, problems, 0)
    check_storable(meta)


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(("pt", "inference_id", "x", "reas", "job", "pt_c")),
        st.one_of(
            st.none(),
            st.booleans(),
            st.integers(),
            st.floats(),
            st.text(max_size=5),
            st.lists(st.integers(), max_size=2),
        ),
    )
)
def test_any_json_values_can_be_stored(values: dict[str, Any]) -> None:
    check_storable(meta_of(values))


def check_storable(meta: Meta) -> None:
    """What the database can hold: 64-bit integers, finite floats, text with a UTF-8 form."""
    for count in (*meta.totals.values(), *([meta.tokens.pt, meta.tokens.tt] if meta.tokens else [])):
        assert 0 <= count <= MAX_COUNT
    for key, value in meta.values.items():
        key.encode()
        if isinstance(value, str):
            value.encode()
        elif isinstance(value, int):
            assert -(2**63) <= value < 2**63
        else:
            assert value - value == 0
    for text in (meta.reasoning, meta.job, meta.inference_id, meta.agent):
        assert text is None or text.encode() or text == ""


texts_without_control = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=20
)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9), texts_without_control)
def test_what_is_written_is_read(count: int, reasoning: str) -> None:
    reasoning = reasoning.strip()
    line = serialize({"pt": count, "inference_id": "i-1", "reas": f"because {reasoning}".strip()})
    meta = read_meta(line)
    assert (meta.tokens, meta.inference_id) == (Tokens(count), "i-1")
    assert meta.reasoning == f"because {reasoning}".strip()
