"""Chats being written: where each message stands, how it came there, and the spliced job blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from .said import CALL_ROLES, Form, Said, form_of

if TYPE_CHECKING:
    from .jobs import Job

How = Literal["own", "projection", "inlined", "inherited"]


class Placed(NamedTuple):
    """One message of one chat. `said` is None for the synthetic first message."""

    said: Said | None
    form: Form
    how: How


class Piece(NamedTuple):
    """Messages that travel together, each with its style: the block of `job`, or plain talk."""

    items: tuple[tuple[Said, str], ...]
    job: Job | None = None


class Block(NamedTuple):
    """A spliced job block in a chat."""

    first: int
    last: int
    job: Job


class Span(NamedTuple):
    """Handed history in a log."""

    first: int
    last: int


SYNTHETIC = Placed(None, Form("", "", 0, "user\0", 0), "own")
_RETOLD = {"typed": "printed", "inline": "printed"}


@dataclass(slots=True, eq=False)
class Chat:
    """One chat file. A `loose` one begins with text before any header: it has no synthetic message.

    `lead`, `gap` and `tail` are what stands before, between and after the messages: people are less strict
    about it than programs. `sidecars` are chats of a root chat's own helpers.
    """

    path: str
    kind: Literal["root", "result", "log"]
    conversation: str
    job: Job | None = None
    crlf: bool = False
    loose: bool = False
    placed: list[Placed] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    history: Span | None = None
    sidecars: list[Chat] = field(default_factory=list)
    lead: str = "\n"
    gap: str = "\n\n"
    tail: str = ""

    def __post_init__(self) -> None:
        if not self.loose:
            self.placed.append(SYNTHETIC)

    def say(self, said: Said, style: str = "printed", how: How = "own") -> int:
        """Write `said` down here and give its index. The first place is its home.

        What was never said before cannot be inherited: the prompt of a launched job is its log's own.
        """
        index = len(self.placed)
        if said.home is None:
            said.home = (self.path, index)
            how = "own" if how == "inherited" else how
        self.placed.append(Placed(said, form_of(said, style, self.crlf), how))
        return index

    def splice(self, piece: Piece, how: How = "inlined") -> None:
        """Write a piece that was said elsewhere; the block of a job is noted."""
        first = len(self.placed)
        for said, style in piece.items:
            self.say(said, _RETOLD.get(style, style), how)
        if piece.job is not None and len(piece.items) > 1:
            self.blocks.append(Block(first, len(self.placed) - 1, piece.job))

    def inherit(self, pieces: list[Piece]) -> None:
        """Write a handed history."""
        first = len(self.placed)
        for piece in pieces:
            self.splice(piece, "inherited")
        self.history = Span(first, len(self.placed) - 1)

    def text(self) -> str:
        """The file."""
        written = self.block_text(0 if self.loose else 1, len(self.placed) - 1)
        if self.loose:
            return written.removeprefix("user:\n\n") + self.tail
        lead, tail = (part.replace("\n", "\r\n") if self.crlf else part for part in (self.lead, self.tail))
        return lead + written + tail

    def block_text(self, first: int, last: int) -> str:
        """The messages `first`..`last` as they stand on disk."""
        gap = self.gap.replace("\n", "\r\n") if self.crlf else self.gap
        return gap.join(placed.form.written for placed in self.placed[first : last + 1])

    def counts(self) -> dict[str, int]:
        """Messages, synthetic ones, calls and receipt entries."""
        return {
            "messages": len(self.placed),
            "synthetic": 0 if self.loose else 1,
            "tool_calls": sum(1 for p in self.placed if p.said is not None and p.said.role in CALL_ROLES),
            "receipt_entries": sum(len(p.said.entries) for p in self.placed if p.said is not None),
        }
