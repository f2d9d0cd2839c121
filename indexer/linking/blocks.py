"""Blocks: a job's answer that stands, after its `job=` marker, in another chat (DESIGN: Copies (c))."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from indexer.linking.facts import LEFT_OUT, MARKER, META, TURN, JobFacts
from indexer.linking.records import Block
from indexer.linking.strand import IN_BLOCK, IN_OWN, Strand

#: (strand, index) of a message and of the message it repeats.
Pair = tuple[Strand, int, Strand, int]


@dataclass(slots=True)
class Sources:
    """What can be read of each job: its result, its logs, its facts."""

    results: Mapping[str, Strand]
    logs: Mapping[str, list[Strand]]
    jobs: Mapping[str, JobFacts]


@dataclass(slots=True)
class Spliced:
    """What the blocks of some chats repeat.

    pairs     messages with the ones they repeat
    unknown   messages of blocks whose job cannot be read any more: (strand, index, job, place in the block)
    repeats   messages of a result that repeat a log of its job
    """

    pairs: list[Pair] = field(default_factory=list)
    unknown: list[tuple[Strand, int, str, int]] = field(default_factory=list)
    repeats: dict[str, set[int]] = field(default_factory=dict)


def find_blocks(strand: Strand, sources: Sources, spliced: Spliced) -> None:
    """Find the blocks of one chat in one pass over its markers.

    They are noted in the strand; what they repeat in `spliced`.
    """
    own = strand.own_marker
    if own is not None:
        _own_block(strand, own, sources, spliced)
    end = -1
    for index, job in strand.markers.items():
        if index <= end or index == own or job == strand.job:
            continue  # a log may name its own job; nothing of another stands there
        last = _block(strand, index, job, sources, spliced)
        if last > index:
            end = last
            block = Block(index, last, job, sum(strand.facts.sizes[index : last + 1]))
            strand.blocks.append(block)
            strand.starts.add(index)
            for inside in range(index, last + 1):
                strand.inside[inside] = IN_BLOCK
                strand.block_of[inside] = block


def _own_block(strand: Strand, marker: int, sources: Sources, spliced: Spliced) -> None:
    """A result is the answer of its own job from its marker on.

    It repeats the job's log in order, with gaps on both sides.
    """
    for index in range(marker, len(strand)):
        strand.inside[index] = IN_OWN
    best: list[tuple[int, int]] = []
    log: Strand | None = None
    for candidate in sources.logs.get(strand.job or "", ()):
        run = _latest(strand, candidate, _run(strand, marker + 1, candidate, tolerant=True))
        if len(run) > len(best):
            best, log = run, candidate
    if log is not None:
        spliced.repeats[strand.path] = {index for index, _ in best}
        spliced.pairs.extend((strand, index, log, place) for index, place in best)


def _block(strand: Strand, marker: int, job: str, sources: Sources, spliced: Spliced) -> int:
    """Index of the last message of the block at `marker`; `marker` itself where there is none."""
    result = sources.results.get(job)
    logs = [log for log in sources.logs.get(job, ()) if log is not strand]
    if result is not None and result is not strand:
        own = result.own_marker
        start = result.first() if own is None else own + 1
        length = _equal_run(strand, marker + 1, result, start)
        if length:
            if own is not None:
                spliced.pairs.append((strand, marker, result, own))
            spliced.pairs.extend((strand, marker + 1 + step, result, start + step) for step in range(length))
            return marker + length
    best: list[tuple[int, int]] = []
    source: Strand | None = None
    for log in logs:
        run = _run(strand, marker + 1, log)
        if len(run) > len(best):
            best, source = run, log
    if source is not None:
        if result is not None and result.own_marker is not None:
            spliced.pairs.append((strand, marker, result, result.own_marker))
        spliced.pairs.extend((strand, index, source, place) for index, place in _latest(strand, source, best))
        return marker + len(best)
    info = sources.jobs.get(job)
    if result is None and not logs and not (info is not None and info.unfinished):
        last = marker
        for last in _unread(strand, marker):
            spliced.unknown.append((strand, last, job, last - marker))
        if last > marker:
            spliced.unknown.append((strand, marker, job, 0))
        return last
    return marker


def _equal_run(strand: Strand, at: int, source: Strand, start: int) -> int:
    """Number of messages from `at` that equal those of `source` from `start` one by one."""
    mine, theirs = strand.keys, source.keys
    longest = min(len(mine) - at, len(theirs) - start)
    if mine[at : at + longest] == theirs[start : start + longest]:
        return longest
    length = 0
    while mine[at + length] == theirs[start + length]:
        length += 1
    return length


def _run(strand: Strand, at: int, log: Strand, tolerant: bool = False) -> list[tuple[int, int]]:
    """(index, place) pairs: messages from `at` that `log` holds in this order, with gaps in the log.

    What the log was handed is no answer, so the search starts after what is older than its job. An answer
    begins with what the agent did, never with a user or system message. `tolerant` leaves out what the log
    does not hold.
    """
    positions, flags = log.positions(), strand.facts.flags
    place = log.history_end
    found: list[tuple[int, int]] = []
    for index in range(at, len(strand)):
        if not found and not tolerant and flags[index] & TURN:
            break
        places = positions.get(strand.keys[index], ())
        step = bisect_right(places, place)
        if step < len(places):
            place = places[step]
            found.append((index, place))
        elif not tolerant:
            break
    return found


def _latest(strand: Strand, log: Strand, run: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same messages at the latest places that keep their order.

    An answer is the end of a log, and a short text may stand earlier in it as well.
    """
    positions, place = log.positions(), len(log)
    moved = []
    for index, _ in reversed(run):
        places = positions[strand.keys[index]]
        place = places[bisect_left(places, place) - 1]
        moved.append((index, place))
    moved.reverse()
    return moved


def _unread(strand: Strand, marker: int) -> Iterator[int]:
    """Indices of a block whose job can no longer be read.

    Up to the next meta, user or system message; where it begins with a token meta, up to the next user,
    system or `job=` message.
    """
    flags = strand.facts.flags
    if marker + 1 >= len(flags):
        return
    ends = TURN | MARKER | LEFT_OUT if flags[marker + 1] & META else TURN | MARKER | LEFT_OUT | META
    for index in range(marker + 1, len(flags)):
        if flags[index] & ends:
            return
        yield index
