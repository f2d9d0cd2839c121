"""What linking gave, as rows of the graph: units of writing, what they name, their relationships. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import LiteralString

import orjson
from neo4j import Record

from indexer.discovery.environment import Environment
from indexer.discovery.layout import short_reference, split_job
from indexer.discovery.paths import last_components
from indexer.formats.records import TOKEN_KEYS
from indexer.ingest import statements as cypher
from indexer.ingest.loadset import LoadSet
from indexer.ingest.rows import Row, message_id, problem_row
from indexer.linking.records import (
    ORIGINS,
    OWN,
    ChatLinks,
    Evidence,
    Links,
    Reference,
    receipt_address,
)

Step = tuple[LiteralString, list[Row]]
"""A statement, and the rows that it runs over."""


@dataclass(slots=True)
class Unit:
    """Everything that one file's links write."""

    path: str
    digest: str
    chat: ChatLinks | None = None
    job: str | None = None
    evidence: list[tuple[int, str, Evidence]] = field(default_factory=list)
    problems: list[Row] = field(default_factory=list)
    fresh: bool = False

    @property
    def weight(self) -> int:
        """About how many rows it writes."""
        if self.chat is None:
            return 2
        return (
            4 + len(self.chat.copies) + len(self.evidence) + 2 * len(self.chat.receipts) + len(self.problems)
        )


class Outcome:
    """The outcome of one linking: its units, and the rows that they write."""

    def __init__(
        self, loaded: LoadSet, links: Links, environment: Environment, fresh: frozenset[str] = frozenset()
    ) -> None:
        self._loaded = loaded
        self._links = links
        self._env = environment
        self._fresh = fresh
        self._evidence: dict[str, list[tuple[int, str, Evidence]]] = defaultdict(list)
        for inference in links.inferences.values():
            for rank, evidence in enumerate(inference.evidence):
                self._evidence[evidence.chat].append((rank, inference.id, evidence))
        self._problems: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for problem in links.problems:
            path = problem.id if problem.kind == "chat" else loaded.job_files.get(problem.id, problem.id)
            self._problems[problem.kind, problem.id].append(
                problem_row("link", path, problem.problem, {problem.kind: problem.id})
            )

    def units(self) -> Iterator[Unit]:
        """A unit for each chat and for each job with a file of its own."""
        for id, chat in self._links.chats.items():
            evidence = self._evidence.get(id, [])
            requests = sorted({inference for _, inference, _ in evidence})
            problems = self._problems.get(("chat", id), [])
            told = [
                chat.digest(),
                self._loaded.chats[id].kind,
                *(self._links.inferences[request].digest() for request in requests),
                *(row["props"]["id"] for row in problems),
                *(str(pair) for pair in self.incoming(id)),
            ]
            yield Unit(id, _digest(told), chat, None, evidence, problems, id in self._fresh)
        for id, path in self._loaded.job_files.items():
            job = self._links.jobs.get(id)
            problems = self._problems.get(("job", id), [])
            told = [str(job.dependencies if job else ()), *(row["props"]["id"] for row in problems)]
            yield Unit(path, _digest(told), None, id, [], problems, False)

    def receipts(self, chat: str) -> list[str]:
        """Addresses of the chat's receipt entries that name a job or a paid request."""
        return [
            receipt_address(chat, receipt.output, receipt.key, receipt.position)
            for receipt in self._loaded.chats[chat].receipts
        ]

    def incoming(self, chat: str) -> list[tuple[str, str]]:
        """(type, job) of the relationships that make a chat a job's log or result."""
        facts = self._loaded.chats[chat]
        found = [("LOG", owner.id) for owner in facts.owners if owner.is_job]
        own = self._links.jobs.get(chat)
        if own is not None and own.result == chat:
            found.append(("RESULT", chat))
        return found

    def named_jobs(self, batch: Iterable[Unit]) -> set[str]:
        """Jobs that the units lead to and that have no facts of their own."""
        named: set[str] = set()
        for unit in batch:
            if unit.chat is not None:
                named |= {reference.job for reference in unit.chat.references}
                named |= set(unit.chat.receipts.values())
                named |= {job for _, job in self.incoming(unit.path)}
            elif unit.job is not None and unit.job in self._links.jobs:
                named |= {job for job, _ in self._links.jobs[unit.job].dependencies}
        return named - self._loaded.jobs.keys()

    def job_row(self, job: str) -> Row:
        """A job that has no file of its own in the graph: named only, or known by its logs and result."""
        parts = split_job(job)
        linked = self._links.jobs.get(job)
        props: Row = {
            "id": job,
            "ref": short_reference(job),
            "name": last_components(job, 1),
            "workflow": parts.workflow if parts else None,
            "task": parts.task if parts else None,
        }
        if linked is not None and (linked.logs or linked.result):
            return {"id": job, "props": props | {"known": "read", "status": "noinfo", "missing": False}}
        files = self._env.files
        there = files.is_file(job) or files.is_file(f"{job}.info")
        known = "named" if there or job in self._env.index.named else "guessed"
        return {"id": job, "props": props | {"known": known, "missing": not there}}

    def named_chats(self, chats: Iterable[Unit]) -> list[Row]:
        """Chats that are imported but have no file in the graph."""
        ids = {composed.chat for unit in chats if unit.chat for composed in unit.chat.composed}
        rows = []
        for id in sorted(ids - self._loaded.chats.keys()):
            there = self._env.files.is_file(id)
            rows.append(
                {"id": id, "props": {"name": id.rpartition("/")[2], "kind": "root", "missing": not there}}
            )
        return rows

    def chat_row(self, unit: Unit) -> Row:
        """What a chat turned out to be."""
        chat = unit.chat
        assert chat is not None
        props = {
            "kind": self._loaded.chats[unit.path].kind,
            "agent": chat.agent,
            "conversation": chat.conversation,
            "handed_last": chat.handed_last,
        }
        return {"id": unit.path, "props": props}

    def relationships(self, chats: list[Unit], jobs: list[Unit]) -> list[Step]:
        """Relationships between chats and jobs."""
        to_jobs, to_chats, incoming, dependencies, receipts = [], [], [], [], []
        for unit in chats:
            assert unit.chat is not None
            to_jobs += [_reference(unit.path, reference) for reference in unit.chat.references]
            to_chats += [
                {
                    "from": unit.path,
                    "to": composed.chat,
                    "type": composed.type,
                    "props": {"indexes": list(composed.indexes), "refs": list(composed.refs)},
                }
                for composed in unit.chat.composed
            ]
            to_chats += [
                {"from": unit.path, "to": sidecar, "type": "LOG", "props": {}}
                for sidecar in unit.chat.sidecars
            ]
            incoming += [
                {"from": job, "to": unit.path, "type": kind} for kind, job in self.incoming(unit.path)
            ]
            receipts += [{"receipt": address, "job": job} for address, job in unit.chat.receipts.items()]
        for unit in jobs:
            linked = self._links.jobs.get(unit.job or "")
            dependencies += [
                {"from": unit.job, "to": job, "position": position}
                for job, position in (linked.dependencies if linked else ())
            ]
        return [
            (cypher.CREATE_CHAT_TO_JOB, to_jobs),
            (cypher.CREATE_CHAT_TO_CHAT, to_chats),
            (cypher.CREATE_JOB_CHATS, incoming),
            (cypher.CREATE_DEPENDENCIES, dependencies),
            (cypher.CREATE_RECEIPT_OF, receipts),
        ]

    def requests(self, chats: list[Unit]) -> list[Step]:
        """Paid requests and their evidence."""
        ids = sorted({inference for unit in chats for _, inference, _ in unit.evidence})
        rows = [_evidence(*entry) for unit in chats for entry in unit.evidence]
        steps: list[Step] = [(cypher.WRITE_INFERENCES, [self._inference(id) for id in ids])]
        for statement, source in (
            (cypher.CREATE_MESSAGE_EVIDENCE, "chat_meta"),
            (cypher.CREATE_RECEIPT_EVIDENCE, "receipt"),
        ):
            steps.append((statement, [row for row in rows if row["props"]["source"] == source]))
        return steps

    def _inference(self, id: str) -> Row:
        inference = self._links.inferences[id]
        props = {
            "id": id,
            "identity": inference.identity,
            "conflict": inference.conflict,
            "incomplete_evidence": inference.incomplete,
            "payer": inference.payer,
            **dict(zip(TOKEN_KEYS, inference.tokens, strict=True)),
        }
        return {"id": id, "props": props}


def messages(chats: Iterable[Unit], state: Iterable[Record]) -> list[Step]:
    """Origins, blocks and copies of chats, against what their messages say now (`MESSAGE_STATE`)."""
    held: dict[str, dict[int, Record]] = defaultdict(dict)
    for row in state:
        held[row["chat"]][row["index"]] = row
    sets: list[Row] = []
    drop: list[Row] = []
    create: list[Row] = []
    for unit in chats:
        _compare(unit, held.get(unit.path, {}), sets, drop, create)
    return [
        (cypher.SET_MESSAGES, sets),
        (cypher.DELETE_COPIES, drop),
        (cypher.CREATE_COPIES, create),
    ]


def _compare(
    unit: Unit, held: Mapping[int, Record], sets: list[Row], drop: list[Row], create: list[Row]
) -> None:
    chat = unit.chat
    assert chat is not None
    wanted = _wanted(chat)
    plain = {"origin": ORIGINS[OWN], "block_last": None, "block_bytes": None, "original": None}
    for index in sorted(wanted.keys() | held.keys()):
        old, new = held.get(index, plain), wanted.get(index, plain)
        address = message_id(unit.path, index)
        changes = {
            name: new[name] for name in ("origin", "block_last", "block_bytes") if new[name] != old[name]
        }
        if changes:
            sets.append({"id": address, "props": changes})
        if new["original"] != old["original"]:
            if old["original"] is not None:
                drop.append({"id": address})
            if new["original"] is not None:
                create.append({"copy": address, "original": new["original"]})


def _wanted(chat: ChatLinks) -> dict[int, Row]:
    """Messages that are anything but plain own ones."""
    blocks = {block.marker: block for block in chat.blocks}
    wanted: dict[int, Row] = {}
    for index, code in enumerate(chat.origins):
        block = blocks.get(index)
        original = chat.copies.get(index)
        if code != OWN or block is not None or original is not None:
            wanted[index] = {
                "origin": ORIGINS[code],
                "block_last": block.last if block else None,
                "block_bytes": block.bytes if block else None,
                "original": original,
            }
    return wanted


def _reference(chat: str, reference: Reference) -> Row:
    kind = {"job": "JOB", "agent_job": "AGENT_JOB"}[reference.relation] if reference.own else "CONTEXT"
    props: Row = {
        "basis": reference.basis,
        "addresses": list(reference.addresses),
        "refs": list(reference.refs),
    }
    if reference.relation == "agent_job":
        # Lists in the graph hold no nulls.
        props["call_ids"] = [call or "" for call in reference.call_ids]
        props["tools"] = [tool or "" for tool in reference.tools]
    if kind == "CONTEXT":
        props["relation"] = reference.relation
    return {"from": chat, "to": reference.job, "type": kind, "props": props}


def _evidence(rank: int, inference: str, evidence: Evidence) -> Row:
    props: Row = {
        "rank": rank,
        "source": evidence.source,
        "chat": evidence.chat,
        "handed": evidence.handed,
        "paid": evidence.paid,
        "provider_response_id": evidence.provider,
        **dict(zip(TOKEN_KEYS, evidence.tokens, strict=True)),
    }
    return {"address": evidence.address, "inference": inference, "props": props}


def instructions(unit: Unit) -> Iterator[Row]:
    """The instructions that a chat ran with, if it says."""
    found = unit.chat.instructions if unit.chat else None
    if found is not None:
        props = {
            "digest": found.digest,
            "agent": found.agent,
            "text_key": found.text_key,
            "preview": found.preview,
            "bytes": found.bytes,
        }
        yield {"chat": unit.path, "props": props}


def _digest(told: Iterable[str]) -> str:
    return blake2b(orjson.dumps(list(told)), digest_size=16).hexdigest()
