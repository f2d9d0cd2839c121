r"""JSON as producers write it, read without ever raising, and in a canonical form for digests.

No lone surrogate (`"\ud800"`) leaves this module: it becomes U+FFFD, since neither UTF-8 nor the database
has one.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import orjson


class Unreadable:
    """What `load` gives for text that is no JSON."""


UNREADABLE = Unreadable()


def load(text: str | bytes) -> Any:
    """The value of a JSON text, or `UNREADABLE`: also for nesting beyond the interpreter's depth."""
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError):
        pass
    try:
        # What orjson refuses but the reference or JSON itself allows: lone surrogates, deeper nesting.
        return clean(json.loads(text, parse_constant=_no_constant))
    except (ValueError, RecursionError, MemoryError):
        return UNREADABLE


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def clean_text(text: str) -> str:
    """`text` with each lone surrogate replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def clean(value: Any) -> Any:
    """`value` with `clean_text` on every string in it, keys too. RecursionError for absurd depth."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(str(key)): clean(item) for key, item in value.items()}
    return value


def canonical_digest(value: Any) -> str:
    """32 hex digits that equal values share, however their keys were ordered."""
    try:
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except (TypeError, RecursionError):
        try:
            text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(
                "utf-8"
            )
        except (TypeError, ValueError, RecursionError):
            text = b"undumpable"
    return hashlib.blake2b(text, digest_size=16).hexdigest()
