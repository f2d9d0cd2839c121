"""Own or context: whether a reference of a chat to a job is the chat's own work (DESIGN: Own or context)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

from indexer.linking.facts import JobFacts
from indexer.linking.records import Reference
from indexer.linking.strand import Strand
from indexer.linking.topology import Naming, Topology

Verdict = tuple[bool, str]

BOUNDARIES = (None, "first_user")


class Verdicts:
    """Decides for each reference by the first rule that can tell; its name is the basis.

    `spoken` is the conversation that a chat's own meta lines name, by chat.
    """

    def __init__(
        self,
        topology: Topology,
        strands: Mapping[str, Strand],
        spoken: Mapping[str, str],
        boundary: str | None,
    ) -> None:
        if boundary not in BOUNDARIES:
            raise ValueError(f"boundary {boundary!r}: first_user or none")
        self._topology = topology
        self._strands = strands
        self._spoken = spoken
        rules: list[Callable[[Strand, Naming], Verdict | None]] = [
            *(self._conversation, self._self, self._dependency, self._inherited, self._called, self._block),
            self._interval,
        ]
        if boundary == "first_user":
            rules.append(self._first_user)
        self._rules = rules
        self._marked: dict[tuple[str, int], Verdict] = {}

    def references(self, strand: Strand) -> tuple[Reference, ...]:
        """The references of a chat, one per relation and job, in file order of the first."""
        groups: dict[tuple[str, str], list[tuple[Naming, Verdict]]] = defaultdict(list)
        for naming in self._topology.namings[strand.path]:
            if naming.edge:
                groups[naming.relation, naming.job].append((naming, self._decide(strand, naming)))
        return tuple(_reference(relation, job, told) for (relation, job), told in groups.items())

    def _decide(self, strand: Strand, naming: Naming) -> Verdict:
        if naming.relation == "job" and (strand.path, naming.at) in self._marked:
            return self._marked[strand.path, naming.at]
        verdict = next((told for rule in self._rules if (told := rule(strand, naming))), (True, "default"))
        if naming.relation == "job":
            self._marked[strand.path, naming.at] = verdict
        return verdict

    def _conversation(self, strand: Strand, naming: Naming) -> Verdict | None:
        """Rule 1: both sides say their conversation.

        The job's side is said by the reference or by the job's chats.
        """
        here = self._spoken.get(strand.path)
        if here is None:
            return None
        there = naming.conversation
        if there is None:
            topology, job = self._topology, naming.job
            chats = [topology.results[job]] if job in topology.results else []
            said = {
                self._spoken[chat] for chat in (*chats, *topology.logs.get(job, ())) if chat in self._spoken
            }
            there = said.pop() if len(said) == 1 else None
        return None if there is None else (here == there, "conversation")

    def _self(self, strand: Strand, naming: Naming) -> Verdict | None:
        """Rule 2: the job's own result or log."""
        return (True, "self") if strand.path in self._topology.owned.get(naming.job, ()) else None

    def _dependency(self, strand: Strand, naming: Naming) -> Verdict | None:
        """Rule 3: the chat is a result or log of a job that lists the referenced one in its dependencies."""
        listed = self._topology.dependencies.get(strand.job or "", {})
        return (True, "dependency") if naming.job in listed else None

    def _inherited(self, strand: Strand, naming: Naming) -> Verdict | None:
        """Rule 4: the reference stands in the handed history of a job's log."""
        return (False, "inherited") if naming.at <= strand.handed_last else None

    def _called(self, strand: Strand, naming: Naming) -> Verdict | None:
        """Rule 5: a receipt of a call made here.

        In no block, with a time not before the chat's job was asked for.
        """
        if (
            naming.relation != "agent_job"
            or self._marker_of(strand, naming) is not None
            or naming.time is None
        ):
            return None
        if strand.job is None:
            return True, "called"
        issued = strand.issued
        return (True, "called") if issued is not None and naming.time >= issued else None

    def _block(self, strand: Strand, naming: Naming) -> Verdict | None:
        """Rule 6: a receipt in a block has the verdict of the block's marker."""
        marker = self._marker_of(strand, naming) if naming.relation == "agent_job" else None
        if marker is None:
            return None
        job = strand.markers[marker]
        own, _ = self._decide(strand, Naming("job", job, marker, "", "", self._said_at(strand, marker)))
        return own, "block"

    def _interval(self, strand: Strand, naming: Naming) -> Verdict | None:
        """Rule 7: a job that ended before this one was asked for, or was asked for meanwhile."""
        mine, other = strand.info, self._topology.jobs.get(naming.job)
        if mine is None or other is None or mine.issued is None:
            return None
        if other.end is not None and other.end <= mine.issued:
            return False, "interval"
        if other.issued is None or other.issued < mine.issued:
            return None
        return (True, "interval") if _open_at(mine, other.issued) else None

    def _first_user(self, strand: Strand, naming: Naming) -> Verdict | None:
        """Rule 8, where asked for: the job's log and the chat begin with different user messages."""
        here = strand.facts.first_user
        logs = (self._strands[log].facts.first_user for log in self._topology.logs.get(naming.job, ()))
        begun = {first for first in logs if first is not None}
        return (False, "first_user") if here is not None and begun and here not in begun else None

    def _marker_of(self, strand: Strand, naming: Naming) -> int | None:
        """Index of the marker of the block that holds the reference, if one does.

        Of another job's block, else of the chat's own answer.
        """
        block = strand.block_of.get(naming.at)
        if block is not None:
            return block.marker
        own = strand.own_marker
        return own if own is not None and naming.at > own else None

    def _said_at(self, strand: Strand, marker: int) -> str | None:
        return next((fact.conversation for fact in strand.facts.markers if fact.at == marker), None)


def _open_at(job: JobFacts, time: str) -> bool:
    """True when the job had not ended at `time`, as far as its info tells."""
    return time <= job.end if job.end is not None else job.unfinished


def _reference(relation: str, job: str, told: list[tuple[Naming, Verdict]]) -> Reference:
    own = any(verdict[0] for _, verdict in told)
    basis = next(verdict[1] for _, verdict in told if verdict[0] == own)
    namings = [naming for naming, _ in told]
    by_receipt = relation == "agent_job"
    return Reference(
        relation=relation,
        job=job,
        own=own,
        basis=basis,
        addresses=tuple(naming.address for naming in namings),
        refs=tuple(naming.ref for naming in namings),
        call_ids=tuple(naming.call_id for naming in namings) if by_receipt else (),
        tools=tuple(naming.tool for naming in namings) if by_receipt else (),
    )
