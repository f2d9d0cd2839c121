"""Reading one file: bytes to records and facts.

A file that changes while it is read is read again (`discovery.stamps`); whatever goes wrong inside one file
becomes a problem of that file and never stops the scan. Large chats are parsed twice (facts first, then
rows), so that memory holds their facts and one transaction's rows, never the whole text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from indexer.discovery.found import PathProblem
from indexer.discovery.kinds import SNIFF_BYTES
from indexer.discovery.paths import native
from indexer.discovery.stamps import Reading, read_stable
from indexer.formats.calls import pair
from indexer.formats.chat import iter_messages, parse
from indexer.formats.info import read_info
from indexer.formats.messages import derive
from indexer.formats.records import Call, JobInfo, Message, MessageRecord, Output, Problem
from indexer.linking.collect import Collector
from indexer.linking.facts import ChatFacts
from indexer.redaction import Redactor

Redact = Callable[[str], tuple[str, int]]

#: Raised when other things are read out of the same bytes: files that were read before are then read again.
READING = 1

#: Chats up to this size are held in memory while they are read.
SMALL = 64 << 20
_COMPRESSED = (".gz", ".bgz", ".zip")


@dataclass(slots=True)
class ChatReading:
    """One chat as read. `records()` gives its messages again, from memory or by parsing once more.

    pairs    call index -> output index
    answers  call index -> the output's record body
    last_line  line where the last message begins
    streamed   `records()` parses the file again: by then it may be another
    """

    path: str
    records: Callable[[], Iterable[MessageRecord]]
    facts: ChatFacts
    pairs: dict[int, int]
    answers: dict[int, Output]
    problems: list[Problem] = field(default_factory=list)
    redactions: int = 0
    last_line: int = 0
    streamed: bool = False


def version_of(redactor: Redactor | None) -> str:
    """Version of the reading: what was read and redacted by the same version is the same for the same bytes."""
    return f"{READING}-{redactor.identity if redactor is not None else 'off'}"


def read_chat(path: str, redact: Redact | None = None, attempts: int = 3) -> Reading[ChatReading]:
    """Read a chat file at a storable real path; a reading without value where it cannot be opened."""
    return read_stable(path, lambda file: _read_chat(path, file, redact), attempts)


def read_job(path: str, redact: Redact | None = None, attempts: int = 3) -> Reading[JobInfo]:
    """Read a job's `.info` file; a reading without value where it cannot be opened."""
    return read_stable(path, lambda file: _read_info(file, redact), attempts)


def read_head(path: str) -> Reading[bytes]:
    """The beginning of a file, to tell what it is."""
    return read_stable(path, lambda file: file.read(SNIFF_BYTES))


def _read_info(file: BinaryIO, redact: Redact | None) -> JobInfo:
    info = read_info(file.read(64 << 20))
    if redact is None or not info.messages:
        return info
    return replace(info, messages=tuple(redact(message)[0] for message in info.messages))


def _read_chat(path: str, file: BinaryIO, redact: Redact | None) -> ChatReading:
    problems: list[Problem] = []

    def again(found: list[Problem]) -> Iterator[MessageRecord]:
        return _derived(iter_messages(native(path), found), found, redact)

    if not path.endswith(_COMPRESSED):
        data = file.read(SMALL + 1)
        if len(data) <= SMALL:
            parsed = parse(data)
            problems.extend(parsed.problems)
            held = list(_derived(parsed.messages, problems, redact))
            return _chat_reading(path, held, lambda: held, problems)
        del data
    streamed = _chat_reading(path, again(problems), lambda: again([]), problems)
    streamed.streamed = True
    return streamed


def _chat_reading(
    path: str,
    records: Iterable[MessageRecord],
    repeat: Callable[[], Iterable[MessageRecord]],
    problems: list[Problem],
) -> ChatReading:
    collector = Collector(path)
    calls: list[tuple[int, Call]] = []
    outputs: dict[int, Output] = {}
    redactions = last_line = 0
    for record in records:
        last_line = record.line
        collector.add(record)
        redactions += record.redactions
        if isinstance(record.body, Call):
            calls.append((record.index, record.body))
        elif isinstance(record.body, Output):
            outputs[record.index] = record.body
    pairs = pair(calls, outputs.items())
    answers = {call: outputs[output] for call, output in pairs.items()}
    return ChatReading(path, repeat, collector.facts(), pairs, answers, problems, redactions, last_line)


def _derived(
    messages: Iterable[Message], problems: list[Problem], redact: Redact | None
) -> Iterator[MessageRecord]:
    """Records of messages whose secrets are taken out first: nothing derived or stored has seen them."""
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


def path_problem(problem: PathProblem) -> Problem:
    """A problem of a path as a problem of its file."""
    return Problem(problem.kind, problem.detail)
