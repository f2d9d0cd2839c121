"""Reading one file: bytes to records and facts.

A file that changes while it is read is read again (`discovery.stamps`); whatever goes wrong inside one file
becomes a problem of that file and never stops the scan. Large chats are parsed twice (facts first, then
rows), so that memory holds their facts and one transaction's rows, never the whole text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from indexer.discovery.found import PathProblem
from indexer.discovery.kinds import SNIFF_BYTES
from indexer.discovery.paths import native
from indexer.discovery.stamps import Reading, read_stable
from indexer.formats.calls import pair
from indexer.formats.chat import iter_messages, parse
from indexer.formats.info import read_info
from indexer.formats.records import Call, JobInfo, MessageRecord, Output, Problem
from indexer.ingest.deriving import Counts, derived
from indexer.ingest.growth import Growth
from indexer.linking.collect import Collector
from indexer.linking.facts import ChatFacts
from indexer.redaction import Redactor
from indexer.redaction.messages import Redact
from indexer.redaction.records import redact_info, redact_problems

#: Raised when other things are read out of the same bytes: files that were read before are then read again.
READING = 2

#: Chats up to this size are held in memory while they are read.
SMALL = 64 << 20
#: Ends of the names of chats that are decompressed as they are read.
COMPRESSED = (".gz", ".bgz", ".zip")


@dataclass(slots=True)
class ChatReading:
    """One chat as read. `records()` gives its messages again, from memory or by parsing once more.

    pairs    call index -> output index
    answers  call index -> the output's record body
    last_line  line where the last message begins
    streamed   `records()` parses the file again: by then it may be another
    calls      call index -> the call's record body
    start      index of the first of `records()`: those before are known to be as they were, and `marks` and
               `counts` are theirs: messages, tool calls, bytes
    growth     what to go on from when the chat has grown
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
    calls: dict[int, Call] = field(default_factory=dict)
    start: int = 0
    marks: bytes = b""
    counts: Counts = (0, 0, 0)
    growth: Growth | None = None


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
    return info if redact is None else redact_info(info, redact)


def _read_chat(path: str, file: BinaryIO, redact: Redact | None) -> ChatReading:
    problems: list[Problem] = []

    def again(found: list[Problem]) -> Iterator[MessageRecord]:
        return derived(iter_messages(native(path), found), found, redact)

    if not path.endswith(COMPRESSED):
        data = file.read(SMALL + 1)
        if len(data) <= SMALL:
            parsed = parse(data)
            problems.extend(parsed.problems)
            held = list(derived(parsed.messages, problems, redact))
            return _chat_reading(path, held, lambda: held, problems, redact)
        del data
    streamed = _chat_reading(path, again(problems), lambda: again([]), problems, redact)
    streamed.streamed = True
    return streamed


def _chat_reading(
    path: str,
    records: Iterable[MessageRecord],
    repeat: Callable[[], Iterable[MessageRecord]],
    problems: list[Problem],
    redact: Redact | None,
) -> ChatReading:
    collector = Collector(path)
    redactions = last_line = 0
    for record in records:
        last_line = record.line
        collector.add(record)
        redactions += record.redactions
    reading = chat_reading(path, collector, repeat, problems, redact)
    reading.redactions, reading.last_line = redactions, last_line
    return reading


def chat_reading(
    path: str,
    collector: Collector,
    records: Callable[[], Iterable[MessageRecord]],
    problems: list[Problem],
    redact: Redact | None,
) -> ChatReading:
    """The reading of a chat whose messages were all collected."""
    outputs = dict(collector.outputs)
    pairs = pair(collector.calls, collector.outputs)
    answers = {call: outputs[output] for call, output in pairs.items()}
    if redact is not None:
        problems = redact_problems(problems, redact)
    reading = ChatReading(path, records, collector.facts(), pairs, answers, problems)
    reading.calls = dict(collector.calls)
    return reading


def path_problem(problem: PathProblem) -> Problem:
    """A problem of a path as a problem of its file."""
    return Problem(problem.kind, problem.detail)
