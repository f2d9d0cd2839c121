"""Receipts of delegated work inside tool outputs, both generations of them (FORMAT.md 4).

`agent_meta` lists meta messages, `meta` lists objects that are already parsed. A key that is there with
anything but a list is a malformed receipt, also when it is null (REPORTS 19).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexer.formats.meta import meta_of, read_meta
from indexer.formats.records import Meta, Problem, Receipt

KEYS = ("agent_meta", "meta")


def read_receipts(
    envelope: Mapping[str, Any], problems: list[Problem] | None = None, index: int | None = None
) -> tuple[Receipt, ...]:
    """The entries of all receipts in the envelope of a tool output, in order."""
    found: list[Receipt] = []
    for key in KEYS:
        if key not in envelope:
            continue
        entries = envelope[key]
        if not isinstance(entries, list):
            found.append(Receipt(key, None, None, "not_an_array"))
            continue
        read = _message_entry if key == "agent_meta" else _fields_entry
        for position, entry in enumerate(entries):
            meta = read(entry, problems, index)
            if isinstance(meta, str):
                found.append(Receipt(key, position, None, meta))
            else:
                found.append(Receipt(key, position, meta))
    return tuple(found)


def _message_entry(entry: Any, problems: list[Problem] | None, index: int | None) -> Meta | str:
    """An entry `{"role":"meta","content":"k=v ..."}`, or how it is malformed."""
    if not isinstance(entry, dict):
        return "not_a_hash"
    if entry.get("role") != "meta":
        return "invalid_role"
    content = entry.get("content")
    if not isinstance(content, str):
        return "invalid_content"
    meta = read_meta(content, problems, index)
    return meta if meta.values or meta.reasoning is not None else "unparseable_meta"


def _fields_entry(entry: Any, problems: list[Problem] | None, index: int | None) -> Meta | str:
    """An entry of fields, or how it is malformed; also a wrapped meta line, as a version between wrote it."""
    if not isinstance(entry, dict):
        return "not_a_hash"
    if not entry:
        return "empty_meta"
    if entry.get("role") == "meta" and isinstance(entry.get("content"), str):
        return _message_entry(entry, problems, index)
    return meta_of(entry, None, problems, index)
