"""Which messages are one: classes of copies, and the original of each (DESIGN: Copies)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from indexer.linking.blocks import Spliced
from indexer.linking.components import Places
from indexer.linking.facts import IDENTITY, LEFT_OUT
from indexer.linking.records import message_address
from indexer.linking.strand import IN_BLOCK, Strand

Pair = tuple[Strand, int, Strand, int]


class Copies:
    """Classes of copies among the messages of all strands; one component at a time is joined by `relate`."""

    def __init__(self, strands: Sequence[Strand]) -> None:
        self._strands = strands
        self._count = sum(map(len, strands))
        self.places = Places(self._count)
        # Per class that holds messages without identity: strand offset -> its one such message
        # outside blocks.
        self._members: dict[int, dict[int, int]] = {}

    def relate(self, strands: Iterable[Strand], spliced: Spliced, handed: Iterable[Pair]) -> None:
        """Join the copies among related chats, given in a fixed order."""
        strands = list(strands)
        self._by_identity(strands)
        self._by_block(spliced)
        handed = list(handed)
        for log, index, source, other in handed:
            self.places.join(log.offset + index, source.offset + other)
        self._note_members((*spliced.pairs, *handed))
        self._by_neighbours(strands)

    def _by_identity(self, strands: Iterable[Strand]) -> None:
        """Rule (a): a call or output with a call id and the same text, a meta with the same inference."""
        classes: dict[str, int] = {}
        first, parent = classes.setdefault, self.places.parent
        for strand in strands:
            offset = strand.offset
            for index, key in zip(*strand.identities(), strict=True):
                place = offset + index
                parent[place] = first(key, place)

    def _by_block(self, spliced: Spliced) -> None:
        """Rule (c): a message of a block repeats the one that it equals in the job's result or log."""
        join = self.places.join
        for strand, index, source, other in spliced.pairs:
            if not strand.facts.flags[index] & IDENTITY:
                join(strand.offset + index, source.offset + other)
        unknown: dict[tuple[str, int, str], int] = {}
        for strand, index, job, nth in spliced.unknown:
            place = strand.offset + index
            join(place, unknown.setdefault((job, nth, strand.keys[index]), place))

    def _note_members(self, pairs: Iterable[Pair]) -> None:
        for strand, index, source, other in pairs:
            if not strand.facts.flags[index] & IDENTITY:
                members = self._members.setdefault(self.places.find(source.offset + other), {})
                for told in (_alone(source, other), _alone(strand, index)):
                    for chat, message in told.items():
                        members.setdefault(chat, message)

    def _by_neighbours(self, strands: Iterable[Strand]) -> None:
        """Rule (b): a message and its neighbour equal two neighbours elsewhere.

        The n-th time that a chat has two such neighbours answers the n-th time of another chat: what is
        said twice in one chat was said twice.
        """
        classes: dict[tuple[str, str, int], tuple[Strand, int, int]] = {}
        for strand in strands:
            keys, flags = strand.keys, strand.facts.flags
            times: dict[tuple[str, str], int] = defaultdict(int)
            for index, neighbour in strand.pairs():
                pair = (keys[index], keys[neighbour])
                nth = times[pair]
                times[pair] = nth + 1
                other, one, two = classes.setdefault((*pair, nth), (strand, index, neighbour))
                if other is strand:
                    continue
                if not flags[index] & IDENTITY:
                    self._join_once(strand, index, other, one)
                if not flags[neighbour] & IDENTITY:
                    self._join_once(strand, neighbour, other, two)

    def _join_once(self, strand: Strand, index: int, other: Strand, place: int) -> None:
        """Join two messages unless they make two messages of one chat, outside blocks, into one.

        Those were said twice. A message with an identity, or in a block, is told by these.
        """
        one = self.places.find(strand.offset + index)
        two = self.places.find(other.offset + place)
        if one == two:
            return
        mine, theirs = self._members.get(one), self._members.get(two)
        mine = _alone(strand, index) if mine is None else mine
        theirs = _alone(other, place) if theirs is None else theirs
        if not mine.keys().isdisjoint(theirs):
            return
        self.places.join(one, two)
        if len(mine) < len(theirs):
            mine, theirs = theirs, mine
        mine.update(theirs)
        self._members[self.places.find(one)] = mine

    def originals(self, ranks: Mapping[str, Sequence[int]]) -> dict[str, dict[int, str]]:
        """Per chat: index of a copy -> address of its original, the message of the least rank in its class.

        `ranks` gives per chat four numbers that a message's index is added to: outside a block, inside one,
        inherited outside, inherited inside. DESIGN: not inherited before inherited, outside a block before
        inside, and so on.
        """
        parent, find = self.places.parent, self.places.find
        joined = {find(place) for place, up in enumerate(parent) if place != up}
        best: dict[int, int] = {}
        members: list[tuple[Strand, list[tuple[int, int, int]]]] = []
        for strand in self._strands:
            base, found = ranks[strand.path], []
            places = parent[strand.offset : strand.offset + len(strand)]
            for index, (root, flag, place) in enumerate(
                zip(places, strand.facts.flags, strand.standing(), strict=True)
            ):
                if parent[root] != root:
                    root = find(root)
                if root in joined and not flag & LEFT_OUT:
                    rank = base[place] + index
                    found.append((index, root, rank))
                    if rank < best.get(root, rank + 1):
                        best[root] = rank
            members.append((strand, found))
        addresses = {
            root: message_address(strand.path, index)
            for strand, found in members
            for index, root, rank in found
            if rank == best[root]
        }
        return {
            strand.path: {index: addresses[root] for index, root, rank in found if rank != best[root]}
            for strand, found in members
        }


def _alone(strand: Strand, index: int) -> dict[int, int]:
    return {} if strand.inside[index] == IN_BLOCK else {strand.offset: index}
