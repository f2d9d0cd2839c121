r"""Secrets in what is read out of structures: fields of a job's info, of calls and outputs, details of problems.

Chats are redacted as text before they are taken apart. An info may be binary, and JSON can spell a letter as
`\u0041`: there the values are redacted once they are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from indexer.formats.records import JobInfo, Problem
from indexer.redaction.messages import Redact

T = TypeVar("T")


def redact_info(info: JobInfo, redact: Redact) -> JobInfo:
    """The info without the secrets in its texts: messages, names, dependencies, archived infos, problems."""
    return _fields(info, redact)


def redact_decoded(body: T, redact: Redact) -> T:
    """A call, output or meta without the secrets that only show once its JSON is read."""
    return _fields(body, redact)


def redact_problems(problems: Sequence[Problem], redact: Redact) -> list[Problem]:
    """Problems whose details quote no secret."""
    return [_fields(problem, redact) for problem in problems]


def _fields(record: T, redact: Redact) -> T:
    assert is_dataclass(record)
    changed = {}
    for field in fields(record):
        old = getattr(record, field.name)
        new = _clean(old, redact)
        if new is not old:
            changed[field.name] = new
    return replace(record, **changed) if changed else record  # type: ignore[type-var]


def _clean(value: Any, redact: Redact) -> Any:
    """The value without secrets; itself where there is none."""
    if isinstance(value, str):
        return redact(value)[0]
    if isinstance(value, tuple):
        cleaned = tuple(_clean(item, redact) for item in value)
        return cleaned if any(new is not old for new, old in zip(cleaned, value, strict=True)) else value
    if isinstance(value, Mapping):
        pairs = {_clean(key, redact): _clean(item, redact) for key, item in value.items()}
        return pairs if pairs != value else value
    if is_dataclass(value) and not isinstance(value, type):
        return _fields(value, redact)
    return value
