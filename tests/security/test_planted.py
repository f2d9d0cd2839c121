"""Secrets of every kind, planted in every place that is stored: none may be found in the store."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.ingest.scan import Scanner, ScanOptions
from indexer.redaction import redactor_for
from indexer.store.connection import Store
from tests.redaction.fakes import Fakes
from tests.security.kinds import kinds, pieces
from tests.security.places import WHOLE_LINE, found_in, plant

REDACTOR = redactor_for("default")
KINDS = kinds()


def numbered(text: str, form: str) -> str:
    return "\n".join(form.format(number, line) for number, line in enumerate(text.split("\n"), 1))


WRITINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "between lines": lambda text: f"Here it is:\n\n{text}\n\nDone.",
    "in a fence": lambda text: f"```yaml\n{text}\n```",
    "in JSON": lambda text: json.dumps({"name": "bash", "content": text, "id": "call_1"}),
    "in JSON in JSON": lambda text: json.dumps({"content": json.dumps({"stdout": text, "exit": 0})}),
    "three times in JSON": lambda text: json.dumps({"a": json.dumps({"b": json.dumps([text])})}),
    "in a Ruby hash": lambda text: '{"content"=>' + json.dumps(text) + "}",
    "with numbers": lambda text: numbered(text, "{:6}\t{}"),
    "found by grep": lambda text: numbered(text, "config/x.yml:{}:{}"),
    "in a difference": lambda text: "\n".join("+" + line for line in text.split("\n")),
    "quoted": lambda text: "\n".join("> " + line for line in text.split("\n")),
    "in reasoning": lambda text: "pt=1 ct=2 reas=" + text.replace("\n", " "),
}


def test_enough_kinds() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 300


@pytest.mark.parametrize("writing", WRITINGS)
def test_every_kind_in_every_writing(writing: str) -> None:
    left = {}
    for number, kind in enumerate(KINDS):
        if writing == "in reasoning" and kind.form in WHOLE_LINE:
            continue
        secret = kind.make(Fakes(number))
        text = WRITINGS[writing](kind.text(secret))
        clean, count = REDACTOR.redact(text)
        if any(piece in clean for piece in pieces(secret)):
            left[kind.name] = clean
        assert REDACTOR.redact(clean) == (clean, 0)
        assert count or kind.name in left
    assert not left


def everything(store: Store) -> str:
    """Every property of every node and relationship, what is compressed also unpacked."""
    values: list[str] = []
    for query in ("MATCH (n) RETURN properties(n) AS p", "MATCH ()-[r]->() RETURN properties(r) AS p"):
        for row in store.read(query):
            for value in row["p"].values():
                if isinstance(value, bytes | bytearray):
                    data = zlib.decompress(bytes(value)) if value[:1] == b"\x78" else bytes(value)
                    value = data.decode("latin-1")
                values.append(str(value))
    return "\n".join(values)


def test_none_is_found_in_the_store(store: Store, tmp_path: Path) -> None:
    planted = plant(tmp_path / "work", every=3)  # all of them: python -m tests.security.search_bytes
    assert len(planted) > 80
    report = Scanner(store, ScanOptions(redact=REDACTOR)).scan([str(tmp_path / "work")])
    assert report.chats >= len(planted)
    assert report.redactions > 10 * len(planted)
    stored = everything(store)
    assert "[redacted:" in stored
    assert not found_in(planted, stored)
