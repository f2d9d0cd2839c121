"""Chats that grow: what was read of them is kept, so that of what was added only is read anew.

A chat is taken line by line: all whole lines stay taken, and each reading finishes a copy, for the last line
may go on and the last message with it. What is kept holds as long as the file begins with the very bytes that
were read before (their digest tells), and nothing added reaches back:

* a closing tag that was looked for in vain (FORMAT.md 1.2 rule 7);
* an output of a call that is no longer among the records kept.

Else the chat is read whole again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import Any, BinaryIO

from indexer.discovery.paths import native
from indexer.discovery.stamps import Reading, read_stable
from indexer.formats import reading as bytes_of
from indexer.formats.records import MessageRecord
from indexer.ingest.deriving import tally
from indexer.ingest.growth import Closers, Growth, NotGrown
from indexer.ingest.plans import MARK
from indexer.ingest.reading import COMPRESSED, SMALL, ChatReading, chat_reading
from indexer.redaction.messages import Redact

#: Chats from this size on (bytes) are worth keeping.
LEAST = 1 << 18
_CHUNK = 1 << 20


def is_worth_keeping(path: str, size: int) -> bool:
    """True for chats that take long to be read."""
    return size >= LEAST and not path.endswith(COMPRESSED)


def read_growing(
    path: str, redact: Redact | None, attempts: int, before: Growth | None
) -> Reading[ChatReading]:
    """Read a chat like `reading.read_chat`, from `before` on where that holds; the value has its `growth`."""
    if before is not None:
        known = before
        try:
            return read_stable(path, lambda file: _go_on(path, file, redact, known), attempts)
        except NotGrown:
            pass
    return read_stable(path, lambda file: _begin(path, file, redact), attempts)


def _begin(path: str, file: BinaryIO, redact: Redact | None) -> ChatReading:
    """Read the whole file. Records are held where it is small enough, else it is parsed again for them."""

    def closers() -> frozenset[str]:
        return _closing(bytes_of.windows(bytes_of.read_chunks(native(path), [])))

    def again() -> Iterator[MessageRecord]:
        other = Growth(path, Closers(closers))
        for window in bytes_of.windows(bytes_of.read_chunks(native(path), [])):
            yield from other.take(window, redact)
        yield from other.end(redact)

    def chunks() -> Iterator[bytes]:
        while chunk := file.read(bytes_of.CHUNK):
            growth.size += len(chunk)
            growth.hash.update(chunk)
            yield chunk

    growth = Growth(path, Closers(closers))
    held: list[MessageRecord] | None = []
    last: bytes | None = None
    for window in bytes_of.windows(chunks()):
        if last is not None:
            records = growth.take(last, redact)
            growth.at += len(last)
            if growth.size > SMALL:
                held = None
            elif held is not None:
                held += records
        last = window
    final = growth.copy(growth.closers)
    records = [*final.take(last or b"\n", redact), *final.end(redact)]
    if held is None:
        reading = _reading(path, growth, final, again, redact)
        reading.streamed = True
        return reading
    whole = [*held, *records]
    return _reading(path, growth, final, lambda: whole, redact)


def _go_on(path: str, file: BinaryIO, redact: Redact | None, before: Growth) -> ChatReading:
    """Read what was added. NotGrown where that is not all that changed."""
    tail, digest = _unchanged(file, before)
    added = file.read(SMALL + 1)
    if len(added) > SMALL:
        raise NotGrown
    digest.update(added)
    rest = tail + added
    growth = before.copy(before.closers.grown(_closing([rest])))
    growth.size, growth.hash = before.size + len(added), digest
    cut = rest.rfind(b"\n")
    start, records = before.start, list(before.records)
    records += growth.take(rest[:cut], redact) if cut else []
    growth.at += cut
    final = growth.copy(growth.closers)
    records += [*final.take(rest[cut:], redact), *final.end(redact)]
    reading = _reading(path, growth, final, lambda: records, redact)
    if any(before.answers.get(call) != growth.answers.get(call) for call in reading.calls if call < start):
        raise NotGrown
    reading.start, reading.marks = start, before.marks[: start * MARK]
    reading.counts = before.counts
    for record in before.records:
        reading.counts = tally(reading.counts, record, -1)
    return reading


def _unchanged(file: BinaryIO, before: Growth) -> tuple[bytes, Any]:
    """The last line that was read before, led by its newline, and the digest so far. NotGrown where it differs."""
    digest, tail, place = blake2b(), [b"\n"] if before.at < 0 else [], 0
    while place < before.size:
        chunk = file.read(min(_CHUNK, before.size - place))
        if not chunk:
            raise NotGrown
        digest.update(chunk)
        if place + len(chunk) > before.at:
            tail.append(chunk[max(0, before.at - place) :])
        place += len(chunk)
    if digest.digest() != before.hash.digest():
        raise NotGrown
    return b"".join(tail), digest


def _reading(
    path: str,
    growth: Growth,
    final: Growth,
    records: Callable[[], Iterable[MessageRecord]],
    redact: Redact | None,
) -> ChatReading:
    reading = chat_reading(path, final.collector, records, [*final.read, *final.said], redact)
    reading.redactions, reading.last_line, reading.growth = final.redactions, final.last_line, growth
    growth.answers = {
        call: (reading.pairs[call], output.status, output.reason) for call, output in reading.answers.items()
    }
    return reading


def _closing(windows: Iterable[bytes]) -> frozenset[str]:
    return bytes_of.closing_tags(bytes_of.scrub(window)[0] for window in windows)
