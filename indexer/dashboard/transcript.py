"""From rows of `queries/transcript.cypher` to what a reader sees: turns, each with its place in a block."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from indexer.dashboard.prose import as_is, prose
from indexer.formats.meta import read_meta
from indexer.report.markup import Markup, text

CALLS = frozenset({"function_call", "mcp_call"})
REFERENCES = frozenset({"import", "continue", "last"})
#: Roles whose text is the path or the short reference of a job.
JOBS = frozenset({"job", "inline_job"})
SPOKEN = frozenset({"user", "assistant", "system"})
#: Longer outputs are closed at first.
LONG = 1_200


@dataclass(frozen=True, slots=True)
class Turn:
    """A message. `kind`: said, call, output, meta, reference, other or synthetic; `row` is what was read."""

    kind: str
    row: dict[str, Any]
    body: Markup
    title: str
    long: bool = False


@dataclass(slots=True)
class Span:
    """Messages in a row of one origin: own, projection, inlined or inherited.

    Of an inlined one: the `job` whose result it is, the address of its `first` message, and the message that
    it repeats where that is known. `begins` is False where an earlier page holds the beginning.
    """

    origin: str
    turns: list[Turn] = field(default_factory=list)
    job: str | None = None
    first: str | None = None
    original: str | None = None
    begins: bool = True


def spans(rows: Iterable[dict[str, Any]]) -> list[Span]:
    """Rows in order, cut where the origin changes and where an inlined block begins."""
    found: list[Span] = []
    for row in rows:
        block = row["block_first"]
        origin = row["origin"] if block is None else "inlined"
        begins = block == row["index"]
        if not found or begins or found[-1].origin != origin:
            first = None if block is None else f"{row['address'].rpartition('#')[0]}#{block}"
            original = row["block_original"] if begins else row["copy_of"] if block is not None else None
            found.append(
                Span(
                    origin,
                    job=row["block_job"],
                    first=first,
                    original=original,
                    begins=begins or block is None,
                )
            )
        found[-1].turns.append(turn(row))
    return found


def turn(row: dict[str, Any]) -> Turn:
    """One message as it is shown."""
    content, role = row["content"] or "", row["role"]
    if row["synthetic"]:
        return Turn("synthetic", row, text("Empty first message: no one wrote it."), role)
    if role in CALLS:
        return _call(row, content)
    if role == "function_call_output":
        return _output(row, content)
    if role == "meta":
        return _meta(row, content)
    if role in REFERENCES:
        # The chats it names stand beside it as links; as it is written only where there is none.
        return Turn("reference", row, text(None) if row["chats"] else as_is(content), role)
    if role in JOBS:
        return Turn("reference", row, as_is(content), role)
    if role in SPOKEN:
        return Turn("said", row, prose(content), role, role == "system" and len(content) > LONG)
    return Turn("other", row, as_is(content), role, len(content) > LONG)


def _call(row: dict[str, Any], content: str) -> Turn:
    call = _object(content)
    function = call.get("function") if isinstance(call.get("function"), dict) else call
    assert isinstance(function, dict)
    arguments = function.get("arguments")
    title = row["tool"] or "call"
    if arguments is None:
        return Turn("call", row, as_is(content), title, len(content) > LONG)
    shown = _indented(arguments) if isinstance(arguments, str) else _dumped(arguments)
    return Turn("call", row, as_is(shown), title, len(shown) > LONG)


def _output(row: dict[str, Any], content: str) -> Turn:
    inner = _object(content).get("content")
    shown = _lines(inner if isinstance(inner, str) else content)
    return Turn("output", row, as_is(shown), "output", len(shown) > LONG)


def _meta(row: dict[str, Any], content: str) -> Turn:
    reasoning = read_meta(content).reasoning
    body = prose(reasoning) if reasoning else as_is(content)
    return Turn("meta", row, body, "reasoning" if reasoning else "meta", True)


def _object(content: str) -> dict[str, Any]:
    """The JSON object that the text is; empty where it is none, cut ones included."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _indented(content: str) -> str:
    if content[:1] not in ("{", "["):
        return content
    try:
        return _dumped(json.loads(content))
    except (ValueError, RecursionError):
        return content


def _lines(content: str) -> str:
    """What a tool gave: texts of several lines inside an object as lines, not as one long line."""
    found = _object(content)
    if not any(isinstance(value, str) and "\n" in value for value in found.values()):
        return _indented(content)
    parts = [
        f"{name}:\n{value}" if isinstance(value, str) else f"{name}: {_dumped(value)}"
        for name, value in found.items()
    ]
    return "\n".join(parts)


def _dumped(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def tokens_of(rows: Iterable[dict[str, Any]]) -> Iterator[int]:
    """Total tokens that the meta lines among the rows tell of."""
    return (row["tt"] for row in rows if row["tt"])
