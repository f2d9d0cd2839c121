"""Reading one file into a plan: bytes to records, records to facts and rows.

A file that changes while it is read is read again; whatever goes wrong inside one file becomes a problem of that file
and never stops the scan. Large chats are parsed twice (facts first, then rows), so that memory holds their facts and
one transaction's rows, never the whole text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from indexer.discovery.paths import native
from indexer.formats.calls import pair
from indexer.formats.chat import iter_messages
from indexer.formats.info import read_info
from indexer.formats.messages import derive
from indexer.formats.records import Call, JobInfo, Message, MessageRecord, Output, Problem

Redact = Callable[[str], tuple[str, int]]

#: Chats up to this size are held in memory while they are read.
SMALL = 64 << 20
_CHUNK = 1 << 20
_ATTEMPTS = 4


@dataclass(frozen=True, slots=True)
class FileState:
    """A file's stat and digest at the moment it was read."""

    size: int
    mtime_ns: int
    inode: int
    digest: str


@dataclass(slots=True)
class ChatReading:
    """One chat as read. `records()` gives its messages again, from memory or by parsing once more."""

    path: str
    state: FileState
    records: Callable[[], Iterable[MessageRecord]]
    pairs: dict[int, int]
    answers: dict[int, Output]
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class InfoReading:
    """One job's info as read."""

    path: str
    state: FileState
    info: JobInfo
    problems: list[Problem] = field(default_factory=list)


def file_state(path: str) -> FileState:
    """Stat a file and digest its bytes. OSError passes through."""
    digest = blake2b(digest_size=16)
    with open(native(path), "rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
        stat = os.fstat(file.fileno())
    return FileState(stat.st_size, stat.st_mtime_ns, stat.st_ino, digest.hexdigest())


def read_chat(path: str, redact: Redact | None = None) -> ChatReading:
    """Read a chat file. OSError of the file passes through."""
    for last in (False, False, False, True):
        before = _stat(path)
        reading = _read_chat_once(path, redact)
        if before == _stat(path) == (reading.state.size, reading.state.mtime_ns, reading.state.inode):
            return reading
        if last:
            reading.problems.append(
                Problem("changed_while_read", "the file kept changing while it was read; the next scan reads it again")
            )
    return _void(reading)


def _void(reading: ChatReading) -> ChatReading:
    """A reading whose stamp fits no file, so that the next scan reads the file again."""
    reading.state = FileState(reading.state.size, -1, reading.state.inode, reading.state.digest)
    return reading


def _stat(path: str) -> tuple[int, int, int]:
    stat = os.stat(native(path))
    return stat.st_size, stat.st_mtime_ns, stat.st_ino


def _read_chat_once(path: str, redact: Redact | None) -> ChatReading:
    problems: list[Problem] = []

    def parse(found: list[Problem]) -> Iterator[MessageRecord]:
        return _derived(iter_messages(native(path), found), found, redact)

    state = file_state(path)
    records: Callable[[], Iterable[MessageRecord]]
    if state.size <= SMALL:
        held = list(parse(problems))
        pairs, answers = _pairs(held)
        return ChatReading(path, state, lambda: held, pairs, answers, problems)
    pairs, answers = _pairs(parse(problems))
    return ChatReading(path, state, lambda: parse([]), pairs, answers, problems)


def _derived(messages: Iterable[Message], problems: list[Problem], redact: Redact | None) -> Iterator[MessageRecord]:
    if redact is None:
        yield from derive(messages, problems)
        return
    counts: dict[int, int] = {}

    def cleaned() -> Iterator[Message]:
        for message in messages:
            content, count = redact(message.content)
            if count:
                counts[message.index] = count
                message = Message(message.index, message.role, content, message.line, message.synthetic)
            yield message

    for record in derive(cleaned(), problems):
        count = counts.pop(record.index, 0)
        if count:
            object.__setattr__(record, "redactions", count)
        yield record


def _pairs(records: Iterable[MessageRecord]) -> tuple[dict[int, int], dict[int, Output]]:
    """Call index -> output index, and call index -> its output (without keeping texts)."""
    calls: list[tuple[int, Call]] = []
    outputs: dict[int, Output] = {}
    for record in records:
        if isinstance(record.body, Call):
            calls.append((record.index, record.body))
        elif isinstance(record.body, Output):
            outputs[record.index] = record.body
    pairs = pair(calls, outputs.items())
    return pairs, {call: outputs[output] for call, output in pairs.items()}


def read_job(path: str) -> InfoReading:
    """Read a job's `.info` file. OSError of the file passes through."""
    for _ in range(_ATTEMPTS):
        before = _stat(path)
        with open(native(path), "rb") as file:
            data = file.read(64 << 20)
        after = _stat(path)
        if before == after:
            break
    digest = blake2b(data, digest_size=16).hexdigest()
    state = FileState(after[0], after[1] if before == after else -1, after[2], digest)
    info = read_info(data)
    return InfoReading(path, state, info, list(info.problems))
