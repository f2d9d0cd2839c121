"""Parsing, printing and digests against what the reference was recorded to give."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from indexer.formats.chat import iter_messages, parse, print_chat
from indexer.formats.lineage import fingerprint, lineage_id
from indexer.formats.messages import derive
from indexer.formats.reading import open_text
from indexer.formats.records import Message
from indexer.formats.usage import token_counts

VECTORS = Path(__file__).resolve().parent.parent / "vectors"


def cases(name: str) -> list[Any]:
    return list(json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["cases"])


def shown(messages: list[Message]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in messages]


PARSE = cases("parse")


@pytest.mark.parametrize("case", PARSE, ids=lambda case: case["id"])
def test_parse_and_print(case: Any) -> None:
    messages = parse(case["input"]).messages
    assert shown(messages) == case["messages"]
    printed = print_chat(messages)
    assert printed == case["printed"]
    reparsed = shown(parse(printed).messages)
    assert reparsed == case["reparsed"]
    assert (_less_synthetic(reparsed) == _less_synthetic(case["messages"])) == case["roundtrip_stable"]


def _less_synthetic(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    return messages[1:] if messages[:1] == [{"role": "user", "content": ""}] else messages


@pytest.mark.parametrize("case", [case for case in PARSE if "lineage" in case], ids=lambda case: case["id"])
def test_lineage_and_fingerprints(case: Any) -> None:
    records = list(derive(parse(case["input"]).messages))
    assert [(record.lineage, record.role, record.preview) for record in records] == [
        (entry["id"], entry["role"], entry["fingerprint"]) for entry in case["lineage"]
    ]
    previous = None
    for record, entry in zip(records, case["lineage"], strict=True):
        assert entry["prev"] == previous
        assert lineage_id(previous, record.role, record.content) == entry["id"]
        if record.role != "meta":
            previous = record.lineage


@pytest.mark.parametrize("case", cases("print"), ids=lambda case: case["id"])
def test_print(case: Any) -> None:
    assert print_chat(case["messages"]) == case["printed"]
    assert shown(parse(case["printed"]).messages) == case["reparsed"]


@pytest.mark.parametrize("case", cases("file_bytes"), ids=lambda case: case["id"])
def test_file_bytes(case: Any, tmp_path: Path) -> None:
    path = tmp_path / f"chat_{case['id']}"
    path.write_bytes(base64.b64decode(case["bytes_base64"]))
    text, _ = open_text(path)
    assert text.encode() == base64.b64decode(case["read_base64"])
    assert shown(parse(text).messages) == case["messages"]
    for size in (1, 2, 5, 1 << 16):
        assert shown(list(iter_messages(path, [], size))) == case["messages"]


@pytest.mark.parametrize("case", cases("fingerprint"), ids=lambda case: str(len(case["text"])))
def test_fingerprint(case: Any) -> None:
    assert fingerprint(case["text"]) == case["truncated"]


@pytest.mark.parametrize("case", cases("lineage_digest"), ids=lambda case: case["digest_str"])
def test_lineage_digest(case: Any) -> None:
    assert lineage_id(*case["value"]) == case["md5"]


@pytest.mark.parametrize("case", cases("provider_usage"), ids=lambda case: str(list(case["usage"])))
def test_provider_usage(case: Any) -> None:
    assert token_counts(case["usage"]) == case["normalized"]


def test_usage_that_is_none_or_nonsense() -> None:
    assert token_counts(None) == {}
    assert token_counts({"prompt_tokens": "12", "completion_tokens": 2.9, "prompt_tokens_details": [1]}) == {
        "pt": 12,
        "ct": 2,
        "tt": 14,
    }
