"""Meta lines: `meta: pt=10 ct=2 tt=12 inference_id=... reas=...` (FORMAT.md 2).

Two readers. `parse_values` gives exactly what the reference reads, corruptions included. `read_meta` is the
one to index by: it keeps ids as strings with their zeros, and what stands inside unquoted reasoning text
forges nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from indexer.formats import ruby
from indexer.formats.jsontext import clean_text
from indexer.formats.records import TOKEN_KEYS, Meta, Problem, Scalar, Tokens
from indexer.formats.times import iso_utc

#: The greatest count taken for real: the last whole number that a float and a JSON reader hold exactly.
MAX_COUNT = 2**53
_INT64 = 2**63

_BLANKS = " \t\r\n\f\v"
_FIRST_KEY = re.compile(r"(?<![^\s=])([^\s=]++)=", re.ASCII)
_NEXT_KEY = re.compile(r"\s([^\s=]++)=", re.ASCII)
_QUOTE = re.compile(r'\\.|"', re.DOTALL)
_AFTER_QUOTE = re.compile(r"\s++[^\s=]++=|\s*+\Z", re.ASCII)
_UNESCAPE = re.compile(r"\\(.)")

_COUNT_KEYS = frozenset(TOKEN_KEYS) | {f"{key}_{scope}" for key in TOKEN_KEYS for scope in "cs"}
#: The counts that a line usually begins with, each followed by another key.
_LEADING_COUNTS = re.compile(r"(?:(?:pt|ct|tt|cct|cwt|rt)(?:_[cs])?=[0-9]{1,15} (?=[^\s=]++=))*+", re.ASCII)
_COUNT_PAIR = re.compile(r"([a-z_]+)=([0-9]+)", re.ASCII)
_CANONICAL_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,18})")
_DECIMAL = re.compile(r"-?[0-9]{1,30}\.[0-9]{1,30}")
_COUNT = re.compile(r"\s*(-?[0-9]+)(?:\.[0-9]*)?\s*", re.ASCII)

#: Keys whose values are text whatever they look like.
_TEXT_KEYS = frozenset(
    (
        "job",
        "inference_id",
        "provider_response_id",
        "timestamp",
        "agent",
        "conversation",
        "instructions_digest",
    )
)
#: Keys that a writer may put after the reasoning text, because their values are longer than it.
_AFTER_REASONING = _TEXT_KEYS - {"job"}


class _Pair(NamedTuple):
    key: str
    start: int  # of the raw value
    raw: str
    quoted: bool


def _pairs(text: str, begin: int = 0) -> Iterator[_Pair]:
    """The `key=value` pairs from `begin` on in order, in time linear in the text.

    A value ends before ` nextkey=` or at the end; one that begins with a quote ends at the first unescaped
    quote that is followed by either, if there is one.
    """
    first = _FIRST_KEY.search(text, begin)
    if not first:
        return
    closing: list[int] | None = None
    key, start = first[1], first.end()
    while True:
        value_end = start
        if text.startswith('"', start):
            if closing is None:
                closing = _closing_quotes(text, start)
            at = bisect_right(closing, start)
            if at < len(closing):
                value_end = closing[at] + 1
        # No key follows where no equals sign does; looking for that first is quick in a long text.
        following = _NEXT_KEY.search(text, value_end) if text.find("=", value_end) >= 0 else None
        end = following.start() if following else len(text)
        yield _Pair(key, start, text[start:end].rstrip(_BLANKS), value_end > start)
        if not following:
            return
        key, start = following[1], following.end()


def _closing_quotes(text: str, start: int) -> list[int]:
    """The places from `start` of unescaped quotes that are followed by ` key=` or the end."""
    return [
        found.start()
        for found in _QUOTE.finditer(text, start)
        if found[0] == '"' and _AFTER_QUOTE.match(text, found.end())
    ]


def _unquote(raw: str) -> str:
    return _UNESCAPE.sub(r"\1", raw[1:-1]) if raw.startswith('"') and raw.endswith('"') else raw


def parse_values(text: str) -> dict[str, Scalar]:
    """The values as the reference reads them: the last of equal keys wins, `00123` is 123."""
    return {pair.key: ruby.number(_unquote(pair.raw)) for pair in _pairs(text)}


def serialize(values: Mapping[str, Any]) -> str:
    """The meta line of `values`, keys sorted by the length of their text values (numbers count 0)."""
    keys = sorted(values, key=lambda key: len(values[key]) if isinstance(values[key], str) else 0)
    return " ".join(f"{key}={_serialize_value(values[key])}" for key in keys)


def _serialize_value(value: Any) -> str:
    text = ruby.to_s(value)
    if "=" not in text:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_meta(text: str, problems: list[Problem] | None = None, index: int | None = None) -> Meta:
    """The meta line `text` for indexing.

    The first of equal keys wins. A writer puts the longest text last, so after unquoted reasoning only the
    text keys are believed, and only when they are longer than it; anything else that looks like a key there
    is part of the reasoning. Counts that are no counts go to `problems` (with the message `index`).
    """
    values: dict[str, Any] = {}
    reasoning: str | None = None
    begun = -1  # start of unquoted reasoning text
    leading = _LEADING_COUNTS.match(text)
    rest = leading.end() if leading else 0
    found = _COUNT_PAIR.findall(text, 0, rest)
    found.reverse()  # so that the first of equal keys is the one that stays
    counts = {key: int(value) for key, value in found}
    for pair in _pairs(text, rest):
        if begun >= 0 and not _believed(pair, values, reasoning or ""):
            reasoning = text[begun:].rstrip(_BLANKS)
            break
        if pair.key == "reas":
            if reasoning is None:
                reasoning = _unquote(pair.raw)
                begun = -1 if pair.quoted else pair.start
        else:
            values.setdefault(pair.key, _unquote(pair.raw))
    return meta_of(values, reasoning, problems, index, counts)


def _believed(pair: _Pair, values: Mapping[str, Any], reasoning: str) -> bool:
    raw = pair.raw
    return (
        pair.key in _AFTER_REASONING
        and pair.key not in values
        and len(raw) >= len(reasoning)
        and not any(blank in raw for blank in _BLANKS)
    )


def meta_of(
    values: Mapping[str, Any],
    reasoning: str | None = None,
    problems: list[Problem] | None = None,
    index: int | None = None,
    counts: dict[str, int] | None = None,
) -> Meta:
    """A `Meta` from parsed values: strings of a meta line, or the JSON values of a receipt entry.

    `counts` are those that came before `values` and are known to be good.
    """
    counts = counts or {}
    scalars: dict[str, Scalar] = dict(counts)
    for key, value in values.items():
        if key in _COUNT_KEYS:
            if key in counts:
                continue
            count = _count(value)
            if count is not None:
                scalars[key] = counts[key] = count
            elif value not in (None, "") and problems is not None:
                detail = f"{key}={_text(value) or '':.60} is no count of tokens: not used"
                problems.append(Problem("bad_token_count", detail, None, index))
        elif key == "reas":
            reasoning = reasoning if reasoning is not None else _text(value)
        elif value is not None:
            scalars[clean_text(str(key))] = (_text(value) or "") if key in _TEXT_KEYS else _scalar(value)
    job = _text(scalars.get("job"))
    tokens = {key: counts[key] for key in TOKEN_KEYS if key in counts} if job is None else None
    timestamp = _text(scalars.get("timestamp"))
    return Meta(
        values=scalars,
        job=job,
        tokens=Tokens(**tokens) if tokens else None,
        totals={key: count for key, count in counts.items() if key[-2] == "_"},
        inference_id=_text(scalars.get("inference_id")),
        provider_response_id=_text(scalars.get("provider_response_id")),
        timestamp=iso_utc(timestamp) if timestamp else None,
        reasoning=reasoning,
        agent=_text(scalars.get("agent")),
        conversation=_text(scalars.get("conversation")),
        instructions_digest=_text(scalars.get("instructions_digest")),
        orphan="orphan" in scalars and str(scalars["orphan"]).lower() == "true",
    )


def _text(value: Any) -> str | None:
    """A value as text: what it is for a string, its JSON-like form otherwise; None for nothing."""
    if value is None or value == "":
        return None
    return clean_text(value) if isinstance(value, str) else ruby.to_s(value)


def _scalar(value: Any) -> Scalar:
    """A value the database can hold: numbers within 64 bit, anything else as text."""
    if isinstance(value, str):
        if _CANONICAL_INT.fullmatch(value):
            value = int(value)
        elif _DECIMAL.fullmatch(value):
            return float(value)
        else:
            return clean_text(value)
    if isinstance(value, int) and not isinstance(value, bool) and -_INT64 <= value < _INT64:
        return value
    if isinstance(value, float) and value - value == 0:  # neither infinite nor NaN
        return value
    return ruby.to_s(value)


def _count(value: Any) -> int | None:
    """A token count from 0 to MAX_COUNT, or None: fractions are cut as the reference does."""
    if isinstance(value, str):
        found = _COUNT.fullmatch(value)
        if not found or len(found[1]) > 20:
            return None
        value = int(found[1])
    if isinstance(value, float):
        value = int(value) if value - value == 0 else -1
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_COUNT:
        return value
    return None
