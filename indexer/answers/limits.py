"""No answer is too large to get: shortening by length of its JSON, with a note of what was left out."""

from __future__ import annotations

from typing import Any, TypeVar

import orjson

from indexer.answers.base import Answer

A = TypeVar("A", bound=Answer)

#: Characters of an answer's JSON that nobody asked to be longer, and of a summary.
MAX_ANSWER = 100_000
MAX_SUMMARY = 4_000

# Lists are shortened first, then texts: an id that is cut leads nowhere.
_STEPS: tuple[tuple[int, int], ...] = (
    *((entries, 100_000) for entries in (50, 20)),
    (10, 20_000),
    (5, 4_000),
    *((entries, 400) for entries in (3, 2, 1)),
    *((entries, 160) for entries in (1, 0)),
    (0, 60),
)
_MARGIN = 200


def fitted(answer: A) -> A:
    """The answer, shortened where its JSON is longer than `MAX_ANSWER`."""
    return _shortened(answer, MAX_ANSWER, 50, "lists were shortened to fit: ask for smaller pages (per_page)")


def summary(answer: A) -> A:
    """Totals and the first few entries: JSON shorter than `MAX_SUMMARY`."""
    return _shortened(answer, MAX_SUMMARY, 5, "a summary: first entries only")


def _shortened(answer: A, limit: int, most: int, note: str) -> A:
    whole = answer.to_json()
    short = fit(whole, limit, most)
    return answer if short is whole else type(answer).model_validate({**short, "cut": note})


def fit(whole: dict[str, Any], limit: int, most: int) -> dict[str, Any]:
    """Values whose JSON is shorter than `limit`: the same, or a copy with at most `most` list entries."""
    if length(whole) < limit:
        return whole
    for entries, characters in _STEPS:
        if entries <= most:
            short: dict[str, Any] = _short(whole, entries, characters)
            if length(short) < limit - _MARGIN:
                return short
    least: dict[str, Any] = _short(whole, 0, 20)
    return least


def length(value: Any) -> int:
    """Characters of its JSON as commands print it in a pipe."""
    return len(orjson.dumps(value).decode())


def _short(value: Any, entries: int, characters: int) -> Any:
    if isinstance(value, dict):
        return {name: _short(inner, entries, characters) for name, inner in value.items()}
    if isinstance(value, list):
        return [_short(inner, entries, characters) for inner in value[:entries]]
    if isinstance(value, str) and len(value) > characters:
        return value[: characters - 1] + "…"
    return value
