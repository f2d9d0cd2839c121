"""Handed history: the part of a job's log that was handed to it, not said in it (DESIGN: Copies (d)).

A message of a log is handed when it stands outside blocks and equals one outside blocks of a *source*: a
chat that names the job, a log of a job that depends on it, or a chat these import, continue or take the
last of. All before the last such message is inherited.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from indexer.linking.facts import IDENTITY, LEFT_OUT, MARKER, META, TURN
from indexer.linking.spine import Spine, compiled, spine_of
from indexer.linking.strand import OUTSIDE, Strand
from indexer.linking.topology import Topology

#: (strand, index) of a handed message and of the equal message in a source.
Pair = tuple[Strand, int, Strand, int]


class Handed:
    """Finds the handed history of the logs among related chats, whose blocks are known."""

    def __init__(self, strands: Mapping[str, Strand], topology: Topology) -> None:
        self._strands = strands
        self._topology = topology
        self._compiled: dict[str, Spine] = {}

    def find(self, log: Strand) -> list[Pair]:
        """Notes the end of the handed history in the strand.

        Gives the handed messages without an identity, which only this rule makes copies.
        """
        last = self._old_segments(log)
        pairs: list[Pair] = []
        sources = self._sources(log)
        if sources:
            cap = self._own_from(log)
            mine = spine_of(log, cap)
            for source in sources:
                last = max(last, self._equal(log, mine, source, pairs))
        log.handed_last = last
        return pairs

    def _sources(self, log: Strand) -> list[Strand]:
        """The chats that may have handed the log its history, in order of their ids.

        What they import is part of them (`compiled`).
        """
        topology, job = self._topology, log.job or ""
        found = set(topology.named_by.get(job, ()))
        for dependant in topology.dependants.get(job, ()):
            found.update(topology.logs.get(dependant, ()))
        for source in tuple(found):
            for composing in topology.compositions.get(source, ()):
                if composing.type != "IMPORTS" and composing.chat in self._strands:
                    found.add(composing.chat)
        return [self._strands[path] for path in sorted(found - topology.owned[job])]

    def _told(self, source: Strand) -> Spine:
        spine = self._compiled.get(source.path)
        if spine is None:
            compositions = self._topology.compositions
            spine = self._compiled[source.path] = compiled(source, self._strands, compositions)
        return spine

    def _own_from(self, log: Strand) -> int:
        """Index of the first message outside blocks that the job itself has certainly written.

        That is a second after it began, since its times are whole seconds. What equals it elsewhere was
        taken from here.
        """
        info = log.info
        began = (info.start or info.issued) if info else None
        if began is not None:
            edge = _second_after(began)
            for index, time in log.facts.times:
                if time >= edge and log.inside[index] == OUTSIDE:
                    return index
        return len(log)

    def _old_segments(self, log: Strand) -> int:
        """Index of the last message outside blocks with a meta older than the job's asking, -1 without one.

        The messages of a response share the meta before them (FORMAT.md 5, segments).
        """
        last, end = -1, log.old_by_time
        if end < 0:
            return last
        flags, inside = log.facts.flags, log.inside
        old = {index for index, _ in log.facts.times if index <= end}
        in_old = False
        for index, flag in enumerate(flags):
            if flag & (TURN | META | MARKER):
                if index > end:
                    break
                in_old = index in old
            if in_old and inside[index] == OUTSIDE and not flag & LEFT_OUT:
                last = index
        return last

    def _equal(self, log: Strand, mine: Spine, source: Strand, pairs: list[Pair]) -> int:
        """Index of the last message of the log that `source` may have handed it, -1 for none.

        It can only have handed what it held before it first named the job. What is said twice was said
        twice, so the n-th of equal messages answers the n-th.
        """
        theirs = self._told(source)
        named = self._topology.first_naming(source.path, log.job or "")
        end = len(theirs.keys) if named is None else theirs.before(named)
        flags = log.facts.flags
        last = -1
        for key in mine.strong.keys() & theirs.strong.keys():
            for place, other in zip(mine.strong[key], theirs.strong[key], strict=False):
                index = mine.indices[place]
                if other >= end:
                    break
                last = max(last, index)
                if not flags[index] & IDENTITY:
                    pairs.append((log, index, theirs.strands[other], theirs.indices[other]))
                if key in mine.led:
                    last = max(last, _follow(log, mine, place, theirs, other, end, pairs))
        return max(last, _prefix(log, mine, theirs, end, pairs))


def _follow(
    log: Strand, mine: Spine, place: int, theirs: Spine, other: int, end: int, pairs: list[Pair]
) -> int:
    """Takes the short messages directly after a handed one that follow its equal in the source, too."""
    last = -1
    while True:
        place, other = place + 1, other + 1
        if place >= len(mine.keys) or other >= end or mine.keys[place] != theirs.keys[other]:
            return last
        if mine.keys[place] in mine.strong:
            return last
        if mine.text[place]:
            last = mine.indices[place]
            pairs.append((log, last, theirs.strands[other], theirs.indices[other]))


def _prefix(log: Strand, mine: Spine, theirs: Spine, end: int, pairs: list[Pair]) -> int:
    """Index of the last message with which a log begins as its source does, -1 where that tells nothing.

    Short messages alone tell nothing. But a beginning was handed on when a marker or a strong message is in
    it, or when it is all that the source held before it named the job.
    """
    last, told = -1, False
    found: list[Pair] = []
    flags = log.facts.flags
    place = 0
    for place in range(min(len(mine.keys), end)):
        key, index = mine.keys[place], mine.indices[place]
        if key != theirs.keys[place]:
            break
        if mine.text[place]:
            last = index
            if not flags[index] & IDENTITY:
                found.append((log, index, theirs.strands[place], theirs.indices[place]))
        told = told or not mine.text[place] or key in mine.strong
    else:
        told = told or 0 < end <= len(mine.keys)
    if not told:
        return -1
    pairs.extend(found)
    return last


def _second_after(time: str) -> str:
    """One second later, times being ISO-8601 UTC strings of one width."""
    moment = datetime.fromisoformat(time) + timedelta(seconds=1)
    return moment.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
