"""Linking a set of chats and jobs: references, copies, paid requests, instructions, conversations."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager

from indexer.linking.blocks import Sources, Spliced, find_blocks
from indexer.linking.copies import Copies
from indexer.linking.facts import LEFT_OUT, SYNTHETIC, ChatFacts, JobFacts
from indexer.linking.handed import Handed
from indexer.linking.inferences import find_inferences
from indexer.linking.ownership import agents, conversations, instructions, own_word
from indexer.linking.records import (
    INHERITED,
    INLINED,
    PROJECTION,
    ChatLinks,
    Composed,
    JobLinks,
    Links,
)
from indexer.linking.strand import Strand
from indexer.linking.topology import ResolveChat, ResolveJob, Topology
from indexer.linking.verdicts import Verdicts


def link(
    chats: Mapping[str, ChatFacts],
    jobs: Mapping[str, JobFacts],
    resolve_job: ResolveJob,
    resolve_chat: ResolveChat,
    boundary: str | None = None,
    found: Callable[[str], bool] | None = None,
) -> Links:
    """Link whole components: chats and jobs with all that they are related to.

    All chats that share a paid request with them belong to it, too (`inferences.identities`).

    `resolve_job(reference, path of the referring chat or job)` gives a job's id, also for one of which
    nothing was found, "" where the reference names nothing; `resolve_chat` gives a chat's id or None.
    `found` tells of a job without facts whether a file of it is there all the same. `boundary` is None or
    first_user. What comes out for one component depends neither on the order of the mappings nor on what
    else is passed.
    """
    with _collector_paused():
        topology = Topology(chats, jobs, resolve_job, resolve_chat, found)
        strands = _strands(topology)
        ranks = _ranks(topology, strands)
        copies = Copies(list(strands.values()))
        repeats: dict[str, set[int]] = {}
        for related in _related(topology, strands):
            spliced = _splice(topology, related)
            finder = Handed(related, topology)
            handed = [pair for strand in related.values() if strand.is_log for pair in finder.find(strand)]
            copies.relate(related.values(), spliced, handed)
            repeats |= spliced.repeats
        originals = copies.originals(ranks)
        spoken = {
            path: said for path, strand in strands.items() if (said := own_word(strand, "conversation"))
        }
        verdicts = Verdicts(topology, strands, spoken, boundary)
        voices = agents(strands.values(), topology)
        links = Links(inferences=find_inferences(list(strands.values()), ranks), problems=topology.problems)
        for path, strand in strands.items():
            voice = voices.get(path)
            links.chats[path] = ChatLinks(
                id=path,
                references=verdicts.references(strand),
                composed=_composed(topology, path),
                sidecars=tuple(topology.sidecars.get(path, ())),
                handed_last=strand.handed_last,
                blocks=tuple(strand.blocks),
                origins=_origins(strand, repeats.get(path, frozenset())),
                copies=originals[path],
                originals=sum(not flag & SYNTHETIC for flag in strand.facts.flags) - len(originals[path]),
                instructions=instructions(strand, voice),
                agent=voice,
                started=strand.facts.started,
                ended=strand.facts.ended,
                receipts={
                    naming.address: naming.job
                    for naming in topology.namings[path]
                    if naming.relation == "agent_job"
                },
            )
        for path, conversation in conversations(topology, links.chats, spoken).items():
            links.chats[path].conversation = conversation
        for job in sorted(topology.all_jobs):
            links.jobs[job] = JobLinks(
                id=job,
                dependencies=tuple(topology.dependencies.get(job, {}).items()),
                logs=tuple(topology.logs.get(job, ())),
                result=topology.results.get(job),
                missing=not topology.is_known(job),
            )
        return links


def _strands(topology: Topology) -> dict[str, Strand]:
    """The chats in order of their ids, their messages numbered through."""
    strands: dict[str, Strand] = {}
    offset = 0
    for path in sorted(topology.chats):
        facts, job = topology.chats[path], topology.owner.get(path)
        info = topology.jobs.get(job) if job is not None else None
        strands[path] = Strand(facts, offset, topology.markers[path], job, info)
        offset += len(facts)
    return strands


def _related(topology: Topology, strands: Mapping[str, Strand]) -> Iterator[dict[str, Strand]]:
    """The related chats, one component after the other, each in order of their ids."""
    components = topology.components()
    groups: dict[tuple[str, str], dict[str, Strand]] = defaultdict(dict)
    for path, strand in strands.items():
        groups[components.find(("chat", path))][path] = strand
    yield from groups.values()


def _ranks(topology: Topology, strands: Mapping[str, Strand]) -> dict[str, tuple[int, int, int, int]]:
    """The order of originals, as numbers that a message's index is added to (DESIGN: Copies, "Original").

    Not inherited before inherited, outside a block before inside, log before result, then earliest start,
    id, index.
    """

    def order(strand: Strand) -> tuple[bool, bool, str, str]:
        # A chat of its own has no job to say when it began; it began before its jobs did.
        started = strand.issued if strand.job is not None else strand.facts.started
        return strand.is_result, strand.job is not None and started is None, started or "", strand.path

    ordered = sorted(strands.values(), key=order)
    span = max(map(len, strands.values()), default=0) + 1
    step = len(ordered) * span
    return {
        strand.path: (at * span, at * span + step, at * span + 2 * step, at * span + 3 * step)
        for at, strand in enumerate(ordered)
    }


def _splice(topology: Topology, related: Mapping[str, Strand]) -> Spliced:
    """The blocks of related chats."""
    results = {path: related[path] for path in related if related[path].is_result}
    jobs = {strand.job for strand in related.values() if strand.job is not None}
    logs = {job: [related[log] for log in topology.logs.get(job, ())] for job in jobs}
    sources, spliced = Sources(results, logs, topology.jobs), Spliced()
    for strand in related.values():
        find_blocks(strand, sources, spliced)
    return spliced


def _composed(topology: Topology, path: str) -> tuple[Composed, ...]:
    groups: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for composing in topology.compositions[path]:
        groups[composing.type, composing.chat].append((composing.at, composing.ref))
    return tuple(
        Composed(type_, chat, tuple(index for index, _ in said), tuple(ref for _, ref in said))
        for (type_, chat), said in groups.items()
    )


def _origins(strand: Strand, repeats: Set[int]) -> bytes:
    """Per message the code of its origin.

    Inherited in handed history, else inlined in a block of another job, else a projection where a result
    repeats its own log, else own.
    """
    codes = bytearray(len(strand))
    for index in repeats:
        codes[index] = PROJECTION
    for index in strand.block_of:
        codes[index] = INLINED
    flags = strand.facts.flags
    for index in range(strand.handed_last + 1):
        if not flags[index] & LEFT_OUT:
            codes[index] = INHERITED
    return bytes(codes)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keeps the garbage collector from looking.

    Nothing here makes cycles; walking the millions of small objects for some would cost more than the work.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
