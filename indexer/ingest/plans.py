"""What one file asks of the writer: plain rows, planned against the version that the graph holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from indexer.formats.records import MessageRecord, Output, Problem
from indexer.ingest.rows import (
    Row,
    content_row,
    message_id,
    message_row,
    problem_row,
    receipt_rows,
)


@dataclass(frozen=True, slots=True)
class Stamp:
    """How a file looked when it was read: size in bytes, mtime in nanoseconds, inode, digest of its bytes.

    The digest ends with `.VERSION`, that of the reading (`reading.version_of`): the same bytes read by other
    rules are another version of the file.
    """

    size: int
    mtime_ns: int
    inode: int
    digest: str

    @property
    def text(self) -> str:
        """The part that a rescan compares without reading: all but the digest, and how it was read."""
        return stamp_text((self.size, self.mtime_ns, self.inode), self.digest.partition(".")[2])


def stamp_text(stamp: tuple[int, int, int], version: str) -> str:
    """A stamp (size, mtime, inode) and the version of the reading, as checkpoints hold them."""
    return ":".join(map(str, (*stamp, version)))


@dataclass(slots=True)
class ChatPlan:
    """Rows of one chat.

    The `keep` first messages of the graph's version stay as they are; the rest is replaced. With `stream` the
    rows are not at hand: it gives them in pieces of so many rows and bytes, and raises ChangedMeanwhile where
    the file is no longer what was planned; `returned` and `receipts` are complete when the pieces are
    through. `held` is the number of messages that the graph surely has; None where a writer may have been
    interrupted at them.
    """

    props: Row
    keep: int = 0
    held: int | None = None
    fresh: bool = True
    messages: list[Row] = field(default_factory=list)
    contents: dict[str, Row] = field(default_factory=dict)
    returned: list[Row] = field(default_factory=list)
    receipts: list[Row] = field(default_factory=list)
    stream: Callable[[int, int], Iterator[ChatPlan]] | None = None

    @property
    def size(self) -> int:
        """About how many bytes the rows weigh in a transaction."""
        return 400 * len(self.messages) + sum(int(row["props"]["bytes"]) for row in self.contents.values())


@dataclass(slots=True)
class FilePlan:
    """Everything one file changes, committed together with its checkpoint.

    `expected` is the digest that the graph held for the file when this was planned (None: no such file), so
    that a repeated or concurrent write is noticed.
    """

    path: str
    kind: str
    stamp: Stamp
    facts: bytes | None = None
    marks: bytes | None = None
    expected: str | None = None
    chat: ChatPlan | None = None
    job: Row | None = None
    problems: list[Row] = field(default_factory=list)
    rewritten: bool = False
    previous_fingerprint: str | None = None

    def file_row(self) -> Row:
        """The checkpoint's row."""
        props: Row = {
            "folder": self.path.rpartition("/")[0],
            "kind": self.kind,
            "stamp": self.stamp.text,
            "size": self.stamp.size,
            "mtime_ns": self.stamp.mtime_ns,
            "inode": self.stamp.inode,
            "digest": self.stamp.digest,
        }
        if self.facts is not None:
            props["facts"] = self.facts
            props["marks"] = self.marks
            props["pending"] = True
            props["links"] = None
        return {
            "path": self.path,
            "props": props,
            "rewritten": self.rewritten,
            "previous_fingerprint": self.previous_fingerprint,
        }


class ChangedMeanwhile(Exception):
    """A large file is no longer what it was when it was planned: it is read anew at the next look."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


#: Bytes of one message's mark, and of these what tells its text.
MARK = 8
TEXT = 5


def mark(record: MessageRecord, answer: Output | None) -> bytes:
    """8 bytes over everything a message's node shows.

    The first 5 tell its text by its lineage, which covers role, content and all before it; the other 3 tell
    what may change without anybody rewriting it: lines, redactions, the status of a call that is answered
    later.
    """
    status = f"{answer.status}{answer.reason}" if answer else ""
    told = f"{record.line}{record.synthetic}{record.redactions}{status}"
    text = blake2b(record.lineage.encode(), digest_size=TEXT).digest()
    return text + blake2b(told.encode(), digest_size=MARK - TEXT).digest()


def same_texts(old: bytes, new: bytes, start: int = 0) -> int:
    """Number of leading messages that say the same in two versions; the first `start` are known to."""
    at = start * MARK
    while at < len(old) and old[at : at + TEXT] == new[at : at + TEXT]:
        at += MARK
    return at // MARK


def kept(old: bytes, new: bytes) -> int:
    """Number of leading messages that are the same in two versions, by their marks."""
    shared = min(len(old), len(new))
    if old[:shared] == new[:shared]:
        return shared // MARK
    low, high = 0, shared // MARK
    while low < high:  # marks agree up to some message and, since lineage is a chain, differ from there on
        middle = (low + high + 1) // 2
        if old[: middle * MARK] == new[: middle * MARK]:
            low = middle
        else:
            high = middle - 1
    return low


def add_message(plan: ChatPlan, chat: str, record: MessageRecord, answers: Mapping[int, Output]) -> None:
    """Add one message (at or after `plan.keep`) with its text."""
    row = message_row(chat, record, answers)
    plan.messages.append(row)
    if record.text_key not in plan.contents:
        plan.contents[record.text_key] = content_row(record)


def add_pairs(plan: ChatPlan, chat: str, pairs: Mapping[int, int]) -> None:
    """Add RETURNED between calls and outputs of which at least one is written anew."""
    for call, output in pairs.items():
        if max(call, output) >= plan.keep:
            plan.returned.append({"call": message_id(chat, call), "output": message_id(chat, output)})


def add_receipts(
    plan: ChatPlan, chat: str, output: MessageRecord, call: int | None, tool: str | None
) -> None:
    """Add the receipt entries of an output that is written anew, or whose call is.

    `call` is the index of the call that it answers, `tool` that call's tool.
    """
    if max(output.index, -1 if call is None else call) >= plan.keep:
        plan.receipts.extend(receipt_rows(chat, output, call, tool))


def problem_rows(
    stage: str, path: str, problems: Sequence[Problem], targets: Mapping[str, str | None]
) -> list[Row]:
    """Problem rows of one file, at most 1,000: a file of noise must not fill the graph."""
    return [problem_row(stage, path, problem, targets) for problem in problems[:1000]]


def digest_of(data: bytes) -> str:
    """Digest of a file's bytes: 32 hex."""
    return blake2b(data, digest_size=16).hexdigest()
