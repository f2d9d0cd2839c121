"""Response segments: which messages a meta accounts for (FORMAT.md 5, "Segments")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from indexer.formats.records import Message, MessageRecord

#: Roles that end a segment without opening one.
_ENDING = frozenset(("user", "system"))


@dataclass(frozen=True, slots=True)
class Segment:
    """A meta message and the messages of its response, by index. Without members the meta is an orphan."""

    meta: int
    members: tuple[int, ...]

    @property
    def orphan(self) -> bool:
        """True for a meta that accounts for no message."""
        return not self.members


def segments(messages: Iterable[Message | MessageRecord]) -> list[Segment]:
    """The segments of one chat in order. Messages outside any segment belong to none."""
    found: list[Segment] = []
    meta: int | None = None
    members: list[int] = []
    for message in messages:
        if message.role == "meta" or message.role in _ENDING:
            if meta is not None:
                found.append(Segment(meta, tuple(members)))
            meta = message.index if message.role == "meta" else None
            members = []
        elif meta is not None:
            members.append(message.index)
    if meta is not None:
        found.append(Segment(meta, tuple(members)))
    return found
