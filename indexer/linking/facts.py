"""What linking needs to know of one chat or one job, and nothing else.

Facts are columns, so that a chat of 10,000 messages is a handful of lists. They depend on the bytes of one
file alone; references stand as written and are resolved when linking. `to_bytes` and `from_bytes` are
versioned.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple, Self

import orjson

VERSION = 1

# Flags of one message.
IDENTITY = (
    1  #: a call or output with an id that no producer made from the arguments, a meta with an inference's id
)
META = 2  #: a meta line that names no job
MARKER = 4  #: a meta line that names a job
TURN = 8  #: a user or system message
LEFT_OUT = 16  #: the synthetic first message, a system message of the head: no part in copies
SYNTHETIC = 32  #: the synthetic first message

#: Normalised bytes from which a text is told from others by itself (DESIGN: Copies (b), (d)).
HEAVY = 64


class FactsError(ValueError):
    """Stored facts that this version cannot read: read the file anew."""


class OwnerFact(NamedTuple):
    """Whose log or sidecar a chat is.

    `id` of a job or a saved chat, `place` as discovery names it (log, top, society).
    """

    id: str
    is_job: bool
    place: str = ""


class Marker(NamedTuple):
    """A meta line with `job=`."""

    at: int
    ref: str
    conversation: str | None = None


class Event(NamedTuple):
    """A meta message that is a token event.

    `identity` is the Inference's id, `tokens` the six counts in order, `total` its running total of the
    chat (`tt_c`).
    """

    at: int
    identity: str
    tokens: tuple[int, ...]
    provider: str | None = None
    total: int | None = None


class ReceiptFact(NamedTuple):
    """One readable entry of a receipt that names a job or a paid request.

    `output` is the message that holds it, `time` the time written on that output. `identity` is None
    without tokens, and "" where the entry's own address is the identity.
    """

    output: int
    key: str
    position: int
    call_id: str | None
    tool: str | None
    target: str | None
    time: str | None
    ref: str | None = None
    conversation: str | None = None
    agent: str | None = None
    identity: str | None = None
    tokens: tuple[int, ...] = ()
    provider: str | None = None


class Composition(NamedTuple):
    """An `import`, `continue` or `last` message and what it names."""

    at: int
    role: str
    ref: str


class Named(NamedTuple):
    """A meta line that says who speaks, in which conversation, by which instructions."""

    at: int
    agent: str | None
    conversation: str | None
    instructions: str | None


class Head(NamedTuple):
    """The instructions that a chat begins with: system text without the lines generated for the run."""

    sha1: str
    preview: str
    bytes: int
    agent: str | None


@dataclass(slots=True)
class ChatFacts:
    """Facts of one chat.

    path, kind   id and kind (root, result, log, sidecar) of the chat; `owners` whose log or sidecar it is
    agent        agent that the path names
    fingerprint  digest of all roles and texts
    keys         per message: id of the inference of a meta that has one, else the content key
    flags        per message: the bits above
    weights      per message: normalised bytes, at most 64
    sizes        per message: bytes as parsed
    times        (index, time) of the metas that have one, in order
    first_user   content key of the first user message that someone wrote
    started, ended   earliest and latest time written in the chat
    """

    path: str
    kind: str = "root"
    owners: tuple[OwnerFact, ...] = ()
    agent: str | None = None
    fingerprint: str = ""
    keys: list[str] = field(default_factory=list)
    flags: bytes = b""
    weights: bytes = b""
    sizes: list[int] = field(default_factory=list)
    markers: list[Marker] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    receipts: list[ReceiptFact] = field(default_factory=list)
    compositions: list[Composition] = field(default_factory=list)
    named: list[Named] = field(default_factory=list)
    times: list[tuple[int, str]] = field(default_factory=list)
    first_user: str | None = None
    started: str | None = None
    ended: str | None = None
    head: Head | None = None
    cache: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.keys)

    def copy(self) -> Self:
        """The same facts with lists of their own."""
        other = replace(self, cache={})
        for column in fields(self):
            value = getattr(self, column.name)
            if isinstance(value, list):
                setattr(other, column.name, list(value))
        return other

    def to_bytes(self) -> bytes:
        """The facts as bytes that `from_bytes` reads."""
        columns = [
            *(self.path, self.kind, self.owners, self.agent, self.fingerprint, self.keys),
            *(self.flags.decode("latin-1"), self.weights.decode("latin-1"), self.sizes),
            *(list(map(tuple, table)) for table in (self.markers, self.events, self.receipts)),
            *(list(map(tuple, table)) for table in (self.compositions, self.named, self.times)),
            *(self.first_user, self.started, self.ended, self.head),
        ]
        return _pack("chat", columns)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """FactsError where the bytes are none of this version's."""
        with _well_formed("chat"):
            row = _unpack("chat", data, 19)
            path, kind, owners, agent, fingerprint, keys, flags, weights, sizes, *tables = row[:15]
            markers, events, receipts, compositions, named, times = tables
            first_user, started, ended, head = row[15:]
            return cls(
                *(path, kind, tuple(OwnerFact(*owner) for owner in owners), agent, fingerprint, keys),
                *(flags.encode("latin-1"), weights.encode("latin-1"), sizes),
                list(map(Marker._make, markers)),
                [Event(at, identity, tuple(tokens), *row) for at, identity, tokens, *row in events],
                [ReceiptFact._make((*row[:11], tuple(row[11]), row[12])) for row in receipts],
                list(map(Composition._make, compositions)),
                list(map(Named._make, named)),
                [(at, time) for at, time in times],
                first_user,
                started,
                ended,
                Head(*head) if head else None,
            )


#: Statuses of a job that has not come to its end.
UNFINISHED = frozenset(("waiting", "setup", "start", "streaming", "queue"))


@dataclass(frozen=True, slots=True)
class JobFacts:
    """Facts of one job whose files are or were there.

    Times are ISO-8601 UTC strings of one width; `dependencies` stand as written. `status` and `type` are
    None without a readable info.
    """

    id: str
    status: str | None = None
    type: str | None = None
    issued: str | None = None
    start: str | None = None
    end: str | None = None
    dependencies: tuple[str, ...] = ()

    @property
    def unfinished(self) -> bool:
        """True when its info says that it has not come to an end."""
        return self.status in UNFINISHED

    def to_bytes(self) -> bytes:
        """The facts as bytes that `from_bytes` reads."""
        row = [self.id, self.status, self.type, self.issued, self.start, self.end, self.dependencies]
        return _pack("job", row)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """FactsError where the bytes are none of this version's."""
        with _well_formed("job"):
            *row, dependencies = _unpack("job", data, 7)
            job, status, type_, issued, start, end = row
            return cls(job, status, type_, issued, start, end, tuple(dependencies))


@contextmanager
def _well_formed(what: str) -> Iterator[None]:
    """FactsError for a row that has the right length and other things in it."""
    try:
        yield
    except FactsError:
        raise
    except (TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise FactsError(f"no facts of a {what}: {error}") from error


def _pack(what: str, columns: list[Any]) -> bytes:
    # orjson writes tuples as arrays; the named ones it leaves to `default`.
    return zlib.compress(orjson.dumps([what, VERSION, *columns], default=tuple), 1)


def _unpack(what: str, data: bytes, count: int) -> list[Any]:
    try:
        row = orjson.loads(zlib.decompress(data))
    except (zlib.error, orjson.JSONDecodeError) as error:
        raise FactsError(f"no facts of a {what}: {error}") from error
    if not isinstance(row, list) or row[:2] != [what, VERSION] or len(row) != count + 2:
        raise FactsError(f"facts of another version or kind than {what} {VERSION}")
    return row[2:]
