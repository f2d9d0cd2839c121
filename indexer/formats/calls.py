"""Tool calls and their outputs (FORMAT.md 4)."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import Any

from indexer.formats import ruby
from indexer.formats.jsontext import UNREADABLE, canonical_digest, load
from indexer.formats.receipts import read_receipts
from indexer.formats.records import Call, Output, Problem
from indexer.formats.times import iso_utc

CALL_ROLES = frozenset(("function_call", "mcp_call"))
OUTPUT_ROLE = "function_call_output"

SUCCESS, FAILURE, UNKNOWN = "success", "failure", "unknown"
#: Status and reason of a call without an output.
MISSING_OUTPUT = (UNKNOWN, "missing_output")

_GENERATED_ID = re.compile(r".+_[0-9a-f]{32}", re.DOTALL)
_HAND_OFF = "hand_off_to_"
#: What an output holds, instead of an envelope, when its result could not be serialised (REPORTS 22).
NOT_SERIALISED = "Error turning content into JSON"


def read_call(content: str) -> Call | None:
    """The call in the content of a `function_call` or `mcp_call` message; None where it is no JSON object."""
    envelope = load(content)
    if not isinstance(envelope, dict):
        return None
    function = envelope.get("function")
    inner: Mapping[str, Any] = function if isinstance(function, dict) else {}
    tool = _name(envelope.get("name")) or _name(inner.get("name"))
    arguments = _first(envelope.get("arguments"), inner.get("arguments"))
    if isinstance(arguments, str):
        parsed = load(arguments)
        if parsed is not UNREADABLE:
            arguments = parsed
    call_id = _call_id(envelope)
    agent, conversation = _target(tool, arguments)
    return Call(
        tool=tool,
        call_id=call_id,
        arguments_key=canonical_digest(arguments),
        generated_id=call_id is not None and _GENERATED_ID.fullmatch(call_id) is not None,
        target_agent=agent,
        target_conversation=conversation,
    )


def read_output(
    content: str, problems: list[Problem] | None = None, index: int | None = None
) -> Output | None:
    """The output in the content of a `function_call_output` message; None where it is no JSON object."""
    envelope = load(content)
    if not isinstance(envelope, dict):
        return None
    status, reason = output_status(envelope.get("content"))
    return Output(
        tool=_name(envelope.get("name")),
        call_id=_call_id(envelope),
        status=status,
        reason=reason,
        error=_name(envelope.get("error")),
        step=_name(envelope.get("step")),
        start_timestamp=iso_utc(envelope.get("start_timestamp")),
        timestamp=iso_utc(envelope.get("timestamp")),
        receipts=read_receipts(envelope, problems, index)
        if "meta" in envelope or "agent_meta" in envelope
        else (),
    )


def output_status(content: Any) -> tuple[str, str]:
    """Status and reason of a call whose output holds `content`.

    An object, or the JSON text of one, with an `exception` other than null or false is a failure; one with
    an `exit_status` succeeds with 0 only; anything else is a success. The envelope's `error` says nothing
    of this.
    """
    if isinstance(content, str):
        # Reading a long text as JSON costs more than looking for the two keys; `\u` may spell them otherwise.
        if not content.lstrip(" \t\r\n").startswith("{") or not (
            "exception" in content or "exit_status" in content or "\\u" in content
        ):
            return SUCCESS, "output"
        content = load(content)
    if not isinstance(content, dict):
        return SUCCESS, "output"
    exception = content.get("exception")
    if exception is not None and exception is not False:
        return FAILURE, "exception"
    if "exit_status" in content:
        return (SUCCESS if _is_zero(content["exit_status"]) else FAILURE), "exit_status"
    return SUCCESS, "output"


def pair(calls: Iterable[tuple[int, Call]], outputs: Iterable[tuple[int, Output]]) -> dict[int, int]:
    """Call index -> output index within one file: the n-th call with an id takes the n-th output with it.

    Takes (message index, record) in file order. It does not matter which of the two comes first in the
    file; calls and outputs without id never pair.
    """
    queues: dict[str, deque[int]] = defaultdict(deque)
    for index, output in outputs:
        if output.call_id is not None:
            queues[output.call_id].append(index)
    pairs: dict[int, int] = {}
    for index, call in calls:
        queue = queues.get(call.call_id) if call.call_id is not None else None
        if queue:
            pairs[index] = queue.popleft()
    return pairs


def _first(*values: Any) -> Any:
    """The first value that is neither missing nor false, as the producers' `||` chooses."""
    for value in values:
        if value is not None and value is not False:
            return value
    return None


def _name(value: Any) -> str | None:
    """A name or id as text; None for nothing, an empty text, or a structure."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return ruby.to_s(value)
    return None


def _call_id(envelope: Mapping[str, Any]) -> str | None:
    return _name(_first(envelope.get("id"), envelope.get("call_id"), envelope.get("tool_call_id")))


def _target(tool: str | None, arguments: Any) -> tuple[str | None, str | None]:
    """The agent and the conversation that a delegation tool addresses, each None where it names none."""
    if tool is None:
        return None, None
    named: Mapping[str, Any] = arguments if isinstance(arguments, dict) else {}
    conversation = _name(named.get("conversation"))
    if tool == "ask" or tool.startswith("cortex_"):
        return _name(named.get("agent")), conversation
    if tool.startswith(_HAND_OFF):
        return tool.removeprefix(_HAND_OFF) or None, conversation
    return None, None


def is_delegation(tool: str | None) -> bool:
    """True for the tools that hand work to an agent by their name; a receipt says so of any other."""
    return tool is not None and (tool == "ask" or tool.startswith((_HAND_OFF, "cortex_")))


def _is_zero(status: Any) -> bool:
    """An exit status that reads as 0, as do null and text that begins with no number."""
    if isinstance(status, str):
        return ruby.to_i(status) == 0
    if status is None:
        return True
    if isinstance(status, float):
        return -1 < status < 1
    return isinstance(status, int) and not isinstance(status, bool) and status == 0
