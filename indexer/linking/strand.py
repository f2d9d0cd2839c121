"""One chat while it is being linked: comparison keys, and what was found out about them so far."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from indexer.linking.facts import IDENTITY, LEFT_OUT, MARKER, META, TURN, ChatFacts, JobFacts
from indexer.linking.records import Block

# Where a message stands (`Strand.inside`).
OUTSIDE, IN_BLOCK, IN_OWN = range(3)  # IN_OWN: in the block of its own job, as a result is from its marker on
_STANDING = bytes(code == IN_BLOCK for code in range(256))


class Strand:
    """The messages of one chat, numbered from `offset` among those of all chats.

    keys     comparison keys: `job:` and the resolved job for a marker (DESIGN: Copies)
    job, info   the job it is a log or the result of, and that job's facts
    inside   per message: OUTSIDE, IN_BLOCK or IN_OWN
    blocks   blocks of other jobs in it, outermost only; `block_of` the block that each of their messages
             stands in, `starts` their markers
    own_marker    in a result, the first marker of its own job: what follows is the job's answer (FORMAT.md
                  4)
    handed_last   index of the last message of the handed history, -1 without one
    """

    def __init__(
        self,
        facts: ChatFacts,
        offset: int,
        markers: dict[int, str],
        job: str | None,
        info: JobFacts | None,
    ) -> None:
        self.facts = facts
        self.path = facts.path
        self.offset = offset
        self.markers = markers
        self.job = job
        self.info = info
        self.is_log = job is not None and facts.kind != "result"
        self.is_result = facts.kind == "result"
        self.keys = facts.keys
        if markers:
            self.keys = list(facts.keys)
            for index, marked in markers.items():
                self.keys[index] = f"job:{marked}"
        self.inside = bytearray(len(facts.keys))
        self.blocks: list[Block] = []
        self.block_of: dict[int, Block] = {}
        self.starts: set[int] = set()
        self.handed_last = -1
        self.own_marker = (
            next((index for index, marked in markers.items() if marked == job), None)
            if self.is_result
            else None
        )
        self._positions: dict[str, list[int]] | None = None

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def issued(self) -> str | None:
        """When the chat's job was asked for, else when it began."""
        return (self.info.issued or self.info.start) if self.info else None

    def positions(self) -> dict[str, list[int]]:
        """Key -> ascending indices of the messages that take part in copies."""
        if self._positions is None:
            found: dict[str, list[int]] = defaultdict(list)
            for index, (key, flag) in enumerate(zip(self.keys, self.facts.flags, strict=True)):
                if not flag & LEFT_OUT:
                    found[key].append(index)
            self._positions = found
        return self._positions

    def first(self) -> int:
        """Index of the first message that takes part in copies and stands after all left out at the head."""
        flags = self.facts.flags
        index = 0
        while index < len(flags) and flags[index] & LEFT_OUT:
            index += 1
        return index

    @cached_property
    def old_by_time(self) -> int:
        """Index of the last meta, blocks or not, written before the job was asked for; -1 without one.

        Only up to the first one written since: a replayed answer bears the time of the first asking
        (REPORTS 16).
        """
        issued, last = self.issued, -1
        if issued is not None and self.is_log:
            for index, time in self.facts.times:
                if time >= issued:
                    break
                last = index
        return last

    @cached_property
    def history_end(self) -> int:
        """Index of the last message of the last old response (`old_by_time`), else of the head.

        Blocks or not. The messages of a response share the meta before them (FORMAT.md 5, segments).
        """
        end = self.old_by_time
        if end < 0:
            return self.first() - 1
        flags = self.facts.flags
        while end + 1 < len(flags) and not flags[end + 1] & (TURN | META | MARKER):
            end += 1
        return end

    def standing(self) -> bytes:
        """Per message its place among originals.

        0, in a block of another job 1, and 2 more in handed history.
        """
        codes = self.inside.translate(_STANDING)
        end = self.handed_last + 1
        return bytes(code + 2 for code in codes[:end]) + codes[end:]

    def identities(self) -> tuple[list[int], list[str]]:
        """Indices and keys of the messages that carry an identity; kept with the facts."""
        kept = self.facts.cache.get("identities")
        if kept is None:
            keys = self.facts.keys
            indices = [index for index, flag in enumerate(self.facts.flags) if flag & IDENTITY]
            kept = self.facts.cache["identities"] = (indices, [keys[index] for index in indices])
        return kept

    def pairs(self) -> list[tuple[int, int]]:
        """Neighbours that may make copies of each other by rule (b), in order; kept with the facts.

        As parsed and with token metas left out; not both with an identity, which rule (a) settles; heavy
        enough.
        """
        kept: list[tuple[int, int]] | None = self.facts.cache.get("pairs")
        if kept is None:
            kept = self.facts.cache["pairs"] = list(_pairs(self.facts))
        return kept


def _pairs(facts: ChatFacts) -> list[tuple[int, int]]:
    flags, weights = facts.flags, facts.weights
    taking = [index for index, flag in enumerate(flags) if not flag & LEFT_OUT]
    found = []
    following = [-1] * len(taking)  # per place in `taking`: the next one that is no token meta
    after = -1
    for place in range(len(taking) - 1, -1, -1):
        following[place] = after
        if not flags[taking[place]] & META:
            after = taking[place]
    telling = IDENTITY | MARKER
    for place in range(len(taking) - 1):
        index, neighbour = taking[place], taking[place + 1]
        flag = flags[index]
        others: tuple[int, ...] = (neighbour,)
        if flags[neighbour] & META and not flag & META and following[place] >= 0:
            others = (neighbour, following[place])
        for other in others:
            if flag & flags[other] & IDENTITY:
                continue
            if (flag | flags[other]) & telling or weights[index] + weights[other] >= 64:
                found.append((index, other))
    return found
