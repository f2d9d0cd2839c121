"""Records of a chat's messages without their secrets, and their counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from indexer.formats.calls import CALL_ROLES
from indexer.formats.messages import FIRST, derive
from indexer.formats.records import Message, MessageRecord, Problem
from indexer.redaction.messages import Redact, redact_messages
from indexer.redaction.records import redact_decoded

Counts = tuple[int, int, int]
"""Messages, tool calls, bytes."""


def tally(counts: Counts, record: MessageRecord, sign: int = 1) -> Counts:
    """Messages, tool calls and bytes with one message more, or less."""
    calls = record.role in CALL_ROLES and record.body is not None
    return counts[0] + sign, counts[1] + sign * calls, counts[2] + sign * record.bytes


def derived(
    messages: Iterable[Message],
    problems: list[Problem],
    redact: Redact | None,
    previous: str = FIRST,
    before: Message | None = None,
) -> Iterator[MessageRecord]:
    """Records of messages whose secrets are taken out first: nothing derived or stored has seen them.

    `previous` and `before` are the lineage and the message, as parsed, that the first of them follows.
    """
    if redact is None:
        yield from derive(messages, problems, previous)
        return
    counts: dict[int, int] = {}
    for record in derive(redact_messages(messages, redact, counts, before), problems, previous):
        count = counts.pop(record.index, 0)
        if count:
            object.__setattr__(record, "redactions", count)
        if record.body is not None and ("\\u" in record.content or "\\/" in record.content):
            object.__setattr__(record, "body", redact_decoded(record.body, redact))
        yield record
