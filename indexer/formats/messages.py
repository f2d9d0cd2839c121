"""From messages to records: everything that a message says by itself, in one pass over a chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b, md5

from indexer.formats.calls import CALL_ROLES, NOT_SERIALISED, OUTPUT_ROLE, read_call, read_output
from indexer.formats.lineage import FINGERPRINT_CHARS, long_fingerprint, normalise, role_key
from indexer.formats.meta import read_meta
from indexer.formats.records import Call, Message, MessageRecord, Meta, Output, Problem

#: What the first message of a chat builds on.
FIRST = "nil"


def derive(
    messages: Iterable[Message], problems: list[Problem] | None = None, previous: str = FIRST
) -> Iterator[MessageRecord]:
    """One record per message, in order. `problems` takes what their contents hold that could not be read.

    The lineage of a meta message is made like any other, but the next message does not build on it
    (FORMAT.md 5). `previous` is the lineage that the first of the messages builds on, where they go on a chat.
    """
    for message in messages:
        role, content = message.role, message.content
        encoded = content.encode("utf-8", "replace")
        normal = normalise(content)
        key = blake2b(encoded, digest_size=16).hexdigest()
        if normal is content or normal == content:
            normal_bytes, normal_key = len(encoded), key
        else:
            normal_encoded = normal.encode("utf-8", "replace")
            normal_bytes = len(normal_encoded)
            normal_key = blake2b(normal_encoded, digest_size=16).hexdigest()
        chained = b"[%b, %b, %b]" % (previous.encode(), role.encode(), encoded)
        lineage = md5(chained, usedforsecurity=False).hexdigest()
        body: Meta | Call | Output | None = None
        if role == "meta":
            body = read_meta(content, problems, message.index)
        else:
            previous = lineage
            if role in CALL_ROLES:
                body = read_call(content)
            elif role == OUTPUT_ROLE:
                body = read_output(content, problems, message.index)
            if body is None and problems is not None and role in _JSON_ROLES:
                problems.append(_unreadable(message))
        yield MessageRecord(
            message.index,
            role,
            content,
            message.line,
            message.synthetic,
            len(encoded),
            normal_bytes,
            lineage,
            role_key(role, normal_key),
            key,
            content if len(content) <= FINGERPRINT_CHARS else long_fingerprint(content, encoded),
            body,
        )


_JSON_ROLES = CALL_ROLES | {OUTPUT_ROLE}


def _unreadable(message: Message) -> Problem:
    if message.role == OUTPUT_ROLE and NOT_SERIALISED in message.content[:200]:
        kind, detail = (
            "output_not_serialised",
            "the producer could not write this output: its call stays unanswered",
        )
    else:
        kind, detail = (
            "unreadable_call",
            f"the content of this {message.role} is no JSON object: it pairs with nothing",
        )
    return Problem(kind, detail, message.line, message.index)
