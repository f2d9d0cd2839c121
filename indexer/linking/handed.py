"""Handed history: the part of a job's log that was handed to it, not said in it (DESIGN: Copies (d)).

A message of a log is handed when it stands outside blocks and equals one outside blocks of a *source*: a chat that names
the job, a log of a job that depends on it, or a chat these import, continue or take the last of. All before the last
such message is inherited.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from indexer.linking.facts import HEAVY, IDENTITY, LEFT_OUT, MARKER, META, TURN
from indexer.linking.strand import OUTSIDE, Strand
from indexer.linking.topology import Composing, Topology

#: (strand, index) of a handed message and of the equal message in a source.
Pair = tuple[Strand, int, Strand, int]


@dataclass(slots=True)
class Spine:
    """What stands outside the blocks of a chat, and the marker of each block for the whole of it.

    keys, indices  in order, aligned
    text           True where the element is a message that can be handed, False for a `job=` marker
    strong         keys that tell a message from others by themselves -> places in the spine, ascending
    led            strong keys whose message is followed directly by one that is not strong
    """

    keys: list[str]
    indices: list[int]
    text: list[bool]
    strong: dict[str, list[int]]
    led: set[str]


def spine_of(strand: Strand) -> Spine:
    """The spine of a chat whose blocks are known."""
    flags, weights, inside = strand.facts.flags, strand.facts.weights, strand.inside
    spine = Spine([], [], [], defaultdict(list), set())
    before: str | None = None
    for index, (key, flag) in enumerate(zip(strand.keys, flags, strict=True)):
        if flag & LEFT_OUT or (inside[index] != OUTSIDE and not flag & MARKER):
            continue
        if inside[index] != OUTSIDE and index not in strand.starts:
            continue
        spine.keys.append(key)
        spine.indices.append(index)
        spine.text.append(not flag & MARKER)
        if flag & IDENTITY or (weights[index] >= HEAVY and not flag & MARKER):
            spine.strong[key].append(len(spine.keys) - 1)
            before = key
        elif before is not None:
            spine.led.add(before)
            before = None
    return spine


class Handed:
    """Finds the handed history of logs. Spines are made once for each chat that is asked about."""

    def __init__(self, strands: Mapping[str, Strand], topology: Topology) -> None:
        self._strands = strands
        self._topology = topology
        self._spines: dict[str, Spine] = {}
        self._compiled: dict[str, tuple[str, ...]] = {}

    def find(self, log: Strand) -> list[Pair]:
        """Notes the end of the handed history in the strand; gives the handed messages that carry no identity, which
        only this rule makes copies."""
        cap = self._own_from(log)
        last = self._old_segments(log)
        pairs: list[Pair] = []
        for source in self._sources(log):
            last = max(last, self._equal(log, source, cap, pairs))
        log.handed_last = last
        return pairs

    def spine(self, path: str) -> Spine:
        """The spine of a chat."""
        spine = self._spines.get(path)
        if spine is None:
            spine = self._spines[path] = spine_of(self._strands[path])
        return spine

    def _sources(self, log: Strand) -> list[Strand]:
        """The chats that may have handed the log its history, in order of their ids."""
        topology, job = self._topology, log.job or ""
        found = set(topology.named_by.get(job, ()))
        for dependant in topology.dependants.get(job, ()):
            found.update(topology.logs.get(dependant, ()))
        queue = list(found)
        while queue:
            for composing in topology.compositions.get(queue.pop(), ()):
                if composing.chat not in found and composing.chat in self._strands:
                    found.add(composing.chat)
                    queue.append(composing.chat)
        return [self._strands[path] for path in sorted(found - topology.owned[job])]

    def _own_from(self, log: Strand) -> int:
        """Index of the first message outside blocks that was certainly written by the job itself: a second after it
        began, since its times are whole seconds. What equals it elsewhere was taken from here."""
        info = log.info
        began = (info.start or info.issued) if info else None
        if began is not None:
            edge = _second_after(began)
            for index, time in log.facts.times:
                if time >= edge and log.inside[index] == OUTSIDE:
                    return index
        return len(log)

    def _old_segments(self, log: Strand) -> int:
        """Index of the last message outside blocks whose meta was written before the job was asked for, -1 without one.
        The messages of a response share the meta before them (FORMAT.md 5, segments)."""
        last = -1
        end = log.old_by_time()
        if end < 0:
            return last
        flags = log.facts.flags
        old = {index for index, _ in log.facts.times if index <= end}
        in_old = False
        for index in range(len(log)):
            if flags[index] & (TURN | META | MARKER):
                if index > end:
                    break
                in_old = index in old
            if in_old and log.inside[index] == OUTSIDE and not flags[index] & LEFT_OUT:
                last = index
        return last

    def _equal(self, log: Strand, source: Strand, cap: int, pairs: list[Pair]) -> int:
        """Index of the last message of the log that `source` may have handed it, -1 for none."""
        mine, theirs = self.spine(log.path), self.spine(source.path)
        flags = log.facts.flags
        last = -1
        for key in mine.strong.keys() & theirs.strong.keys():
            places, others = mine.strong[key], theirs.strong[key]
            for nth, place in enumerate(places):
                index = mine.indices[place]
                if index >= cap:
                    break
                last = max(last, index)
                other = others[min(nth, len(others) - 1)]
                if not flags[index] & IDENTITY:
                    pairs.append((log, index, source, theirs.indices[other]))
                if key in mine.led:
                    last = max(last, self._follow(log, place, source, other, cap, pairs))
        return max(last, self._prefix(log, source, cap, pairs))

    def _follow(
        self, log: Strand, place: int, source: Strand, other: int, cap: int, pairs: list[Pair]
    ) -> int:
        """Takes the messages directly after a handed one that follow its equal in the source, too."""
        mine, theirs = self.spine(log.path), self.spine(source.path)
        last = -1
        while True:
            place, other = place + 1, other + 1
            if place >= len(mine.keys) or other >= len(theirs.keys) or mine.keys[place] != theirs.keys[other]:
                return last
            if mine.indices[place] >= cap or mine.keys[place] in mine.strong:
                return last
            if mine.text[place]:
                last = mine.indices[place]
                pairs.append((log, last, source, theirs.indices[other]))

    def _prefix(self, log: Strand, source: Strand, cap: int, pairs: list[Pair]) -> int:
        """Short messages alone tell nothing, but a log that begins as its source does, with what that one imports, was
        handed this beginning: when a marker or a strong message is in it, or when the source names the job right after."""
        mine = self.spine(log.path)
        last, told = -1, False
        found: list[Pair] = []
        place = 0
        naming = f"job:{log.job}"
        for strand, other in self._compile(source.path):
            theirs = self.spine(strand.path)
            key = theirs.keys[other]
            if place >= len(mine.keys) or mine.keys[place] != key or mine.indices[place] >= cap:
                told = told or (key == naming and place > 0)
                break
            if mine.text[place]:
                last = mine.indices[place]
                found.append((log, last, strand, theirs.indices[other]))
            told = told or not mine.text[place] or key in mine.strong
            place += 1
        if not told:
            return -1
        flags = log.facts.flags
        pairs.extend(pair for pair in found if not flags[pair[1]] & IDENTITY)
        return last

    def _compile(self, path: str, above: tuple[str, ...] = ()) -> Iterator[tuple[Strand, int]]:
        """The spine of a chat with what it imports in place of each import, and so on down."""
        composed: dict[int, list[Composing]] = defaultdict(list)
        for composing in self._topology.compositions.get(path, ()):
            composed[composing.at].append(composing)
        strand, spine = self._strands[path], self.spine(path)
        for place, index in enumerate(spine.indices):
            if index not in composed:
                yield strand, place
                continue
            for composing in composed[index]:
                if composing.chat in self._strands and composing.chat not in (*above, path):
                    inner = self._compile(composing.chat, (*above, path))
                    yield from inner if composing.type == "IMPORTS" else _last(inner)


def _last(elements: Iterator[tuple[Strand, int]]) -> Iterator[tuple[Strand, int]]:
    last = None
    for last in elements:
        pass
    if last is not None:
        yield last


def _second_after(time: str) -> str:
    """One second later, times being ISO-8601 UTC strings of one width."""
    moment = datetime.fromisoformat(time) + timedelta(seconds=1)
    return moment.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
