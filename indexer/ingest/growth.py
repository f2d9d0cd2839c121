"""What is known of a chat after its whole lines, so that a later reading can go on from there."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from hashlib import blake2b

from indexer.formats.chat import Parsing
from indexer.formats.messages import FIRST
from indexer.formats.records import Message, MessageRecord, Problem
from indexer.ingest.deriving import Counts, derived, tally
from indexer.ingest.plans import MARK
from indexer.linking.collect import Collector
from indexer.redaction.messages import Redact

#: Records kept of the end of a chat: their number, and bytes of text.
_RECORDS = 64
_RECORD_BYTES = 1 << 20

Answer = tuple[int, str, str | None]
"""Index of an output, and what it says of its call: status and reason."""


class NotGrown(Exception):
    """The file does not go on from what was read of it."""


class Closers:
    """The tags that close anywhere in a file, looked up once asked for; `missed` were asked for in vain."""

    def __init__(self, find: Callable[[], frozenset[str]]) -> None:
        self._find = find
        self._names: frozenset[str] | None = None
        self.missed: set[str] = set()

    def ask(self) -> Closers:
        """Itself, with the tags at hand."""
        if self._names is None:
            self._names = self._find()
        return self

    def __contains__(self, tag: object) -> bool:
        found = tag in (self._names or ())
        if not found:
            self.missed.add(str(tag))
        return found

    def grown(self, added: frozenset[str]) -> Closers:
        """The tags of the file with what was added to it. NotGrown where one of these was asked for before."""
        if self.missed & added:
            raise NotGrown
        other = Closers(self._find)
        other._names = None if self._names is None else self._names | added
        other.missed = set(self.missed)
        return other


class Growth:
    """What is known of a chat after its whole lines.

    size, hash   of the bytes that were read, the last line included
    at           place of the newline that leads the last line; -1: there is but one line
    records      the last messages
    marks        of all messages (`plans.mark`); `answers` is what those of calls tell of their outputs
    digest       version of the file (`File.digest`) that this is part of
    """

    def __init__(self, path: str, closers: Closers) -> None:
        self.size, self.at, self.hash = 0, -1, blake2b()
        self.closers = closers
        self.collector = Collector(path)
        self.read: list[Problem] = []
        self.said: list[Problem] = []
        self.parsing = Parsing(closers.ask, self.read)
        self.previous = FIRST
        self.before: Message | None = None
        self.records: deque[MessageRecord] = deque()
        self.counts: Counts = (0, 0, 0)
        self.redactions = self.last_line = self._record_bytes = 0
        self.marks, self.answers, self.digest = b"", dict[int, Answer](), ""

    def copy(self, closers: Closers) -> Growth:
        """Another one that goes on from here."""
        other = Growth("", closers)
        other.size, other.at, other.hash = self.size, self.at, self.hash
        other.collector = self.collector.copy()
        other.read, other.said = list(self.read), list(self.said)
        other.parsing = self.parsing.copy(closers.ask, other.read)
        other.previous, other.before = self.previous, self.before
        other.records, other._record_bytes = deque(self.records), self._record_bytes
        other.counts = self.counts
        other.redactions, other.last_line = self.redactions, self.last_line
        return other

    def planned(self, marks: bytes, digest: str) -> Growth:
        """Itself, with what a plan says of the file: marks of all its messages, and its version."""
        self.marks, self.digest = marks[: self.counts[0] * MARK], digest
        return self

    @property
    def start(self) -> int:
        """Index of the first of `records`."""
        return self.counts[0] - len(self.records)

    def take(self, window: bytes | memoryview, redact: Redact | None) -> list[MessageRecord]:
        """Take whole lines, each led by its newline: the records of the messages that end in them."""
        return self._derive(self.parsing.feed(window), redact)

    def end(self, redact: Redact | None) -> list[MessageRecord]:
        """The records of the messages that the end of the file ends."""
        return self._derive(self.parsing.finish(), redact)

    def _derive(self, messages: list[Message], redact: Redact | None) -> list[MessageRecord]:
        found = list(derived(messages, self.said, redact, self.previous, self.before))
        for record in found:
            self.collector.add(record)
            self.redactions += record.redactions
            self.last_line = record.line
            if record.role != "meta":
                self.previous = record.lineage
            self.counts = tally(self.counts, record)
            self.records.append(record)
            self._record_bytes += record.bytes
        if messages:
            self.before = messages[-1]
        while len(self.records) > _RECORDS or (self.records and self._record_bytes > _RECORD_BYTES):
            self._record_bytes -= self.records.popleft().bytes
        return found


class Growths:
    """What is kept of the chats that one process follows; the least recently read go first."""

    def __init__(self, most: int = 300_000) -> None:
        """`most` is the number of messages of all of them."""
        self._most = most
        self._held: OrderedDict[str, Growth] = OrderedDict()
        self._messages = 0

    def get(self, path: str, held_digest: str, held_marks: bytes | None) -> Growth | None:
        """What is kept of a chat, where the graph holds that version of it."""
        growth = self._held.get(path)
        if growth is None or growth.digest != held_digest or held_marks is None:
            return None
        return growth if held_marks.startswith(growth.marks) else None

    def put(self, path: str, growth: Growth) -> None:
        """Keep this of a chat."""
        self.drop(path)
        self._held[path] = growth
        self._messages += growth.counts[0] + 1
        while self._messages > self._most and self._held:
            self.drop(next(iter(self._held)))

    def drop(self, path: str) -> None:
        """Forget a chat."""
        growth = self._held.pop(path, None)
        if growth is not None:
            self._messages -= growth.counts[0] + 1
