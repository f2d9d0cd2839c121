"""Bringing the graph to what linking gave: only chats and jobs whose outcome changed are touched.

Each chat and each job is a unit with a digest of all that linking said of it; equal digests need no writing.
A unit's relationships are replaced in one transaction together with the digest, so an interruption leaves
some units done and the others pending.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, LiteralString

import orjson
from neo4j import ManagedTransaction, Record

from indexer.discovery.layout import short_reference, split_job
from indexer.discovery.paths import last_components
from indexer.discovery.references import Resolver
from indexer.formats.records import TOKEN_KEYS
from indexer.ingest import statements as cypher
from indexer.ingest.aggregates import SUMMARISE_CHATS
from indexer.ingest.loadset import LoadSet
from indexer.ingest.rows import Row, message_id, problem_row
from indexer.ingest.writer import write_rows
from indexer.linking.records import INHERITED, ORIGINS, OWN, ChatLinks, Evidence, Links, Reference
from indexer.store.connection import Store
from indexer.store.errors import TransactionTooLarge

#: Rows of one transaction, about; a chat with more than `LONG` is written in several.
MAX_ROWS = 12_000
LONG = 60_000

Step = tuple[LiteralString, list[Row]]
"""A statement, and the rows that it runs over."""


@dataclass(slots=True)
class SyncReport:
    """Number of units whose links changed."""

    changed: int = 0


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


class Sync:
    """One relinking's writes."""

    def __init__(
        self,
        store: Store,
        loaded: LoadSet,
        links: Links,
        resolver: Resolver,
        fresh: frozenset[str] = frozenset(),
    ) -> None:
        self._store = store
        self._loaded = loaded
        self._links = links
        self._env = resolver.environment
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

    def run(self) -> SyncReport:
        """Write what changed, then take the pending mark off the rest."""
        report = SyncReport()
        unchanged: list[Row] = []
        changed: list[Unit] = []
        for unit in self._units():
            if self._loaded.links.get(unit.path) == unit.digest:
                if unit.path in self._loaded.pending:
                    unchanged.append({"path": unit.path, "links": unit.digest})
            else:
                changed.append(unit)
        for batch in _batches(changed):
            self._write(batch)
        report.changed = len(changed)
        done = {row["path"] for row in unchanged} | {unit.path for unit in changed}
        left = [{"path": path, "links": None} for path in sorted(self._loaded.pending - done)]
        for rows in (unchanged, left):
            for start in range(0, len(rows), MAX_ROWS):
                self._store.write(cypher.MARK_LINKED, {"rows": rows[start : start + MAX_ROWS]})
        return report

    # ------------------------------------------------------------------ units

    def _units(self) -> Iterator[Unit]:
        for id, chat in self._links.chats.items():
            evidence = self._evidence.get(id, [])
            requests = sorted({inference for _, inference, _ in evidence})
            problems = self._problems.get(("chat", id), [])
            told = [
                chat.digest(),
                self._loaded.chats[id].kind,
                *(self._links.inferences[request].digest() for request in requests),
                *(row["props"]["id"] for row in problems),
                *(str(pair) for pair in self._incoming(id)),
            ]
            yield Unit(id, _digest(told), chat, None, evidence, problems, id in self._fresh)
        for id, path in self._loaded.job_files.items():
            job = self._links.jobs.get(id)
            problems = self._problems.get(("job", id), [])
            told = [str(job.dependencies if job else ()), *(row["props"]["id"] for row in problems)]
            yield Unit(path, _digest(told), None, id, [], problems, False)

    def _incoming(self, chat: str) -> list[tuple[str, str]]:
        """(type, job) of the relationships that make a chat a job's log or result."""
        facts = self._loaded.chats[chat]
        found = [("LOG", owner.id) for owner in facts.owners if owner.is_job]
        own = self._links.jobs.get(chat)
        if own is not None and own.result == chat:
            found.append(("RESULT", chat))
        return found

    # ------------------------------------------------------------------ writing

    def _write(self, batch: list[Unit]) -> None:
        if len(batch) == 1 and batch[0].weight > LONG:
            self._write_long(batch[0])
            return
        try:
            self._store.write(lambda tx: self._write_batch(tx, batch))
        except TransactionTooLarge:
            if len(batch) == 1:
                if batch[0].chat is None:
                    raise
                self._write_long(batch[0])
                return
            half = len(batch) // 2
            self._write(batch[:half])
            self._write(batch[half:])

    def _write_batch(self, tx: ManagedTransaction, batch: list[Unit]) -> None:
        chats = [unit for unit in batch if unit.chat is not None]
        jobs = [unit for unit in batch if unit.job is not None]
        stale = [unit.path for unit in chats if not unit.fresh]
        freed = _delete(tx, stale, [unit.job for unit in jobs])
        named = self._named_jobs(batch)
        self._name(tx, named, chats)
        _run_all(tx, self._relationships(chats, jobs))
        for unit in chats:
            held = [] if unit.fresh else list(tx.run(cypher.MESSAGE_STATE, chat=unit.path))
            _run_all(tx, self._messages(unit, held))
        _run_all(tx, self._requests(chats))
        self._close(tx, batch, freed - named)

    def _write_long(self, unit: Unit) -> None:
        """Write a chat whose links are too many for one transaction; it stays pending until all are there."""
        store = self._store
        store.write(cypher.UNLINK_FILES, {"chats": [unit.path]})
        freed: set[str] = set()
        while ids := store.write(cypher.DELETE_SOME_EVIDENCE, {"chat": unit.path, "limit": MAX_ROWS})[0][
            "ids"
        ]:
            freed |= set(ids)
        named = self._named_jobs([unit])

        def begin(tx: ManagedTransaction) -> None:
            freed.update(_delete(tx, [unit.path], []))
            self._name(tx, named, [unit])

        store.write(begin)
        held = store.read(cypher.MESSAGE_STATE, {"chat": unit.path})
        steps = [*self._relationships([unit], []), *self._messages(unit, held), *self._requests([unit])]
        for statement, rows in steps:
            write_rows(store, statement, rows)
        store.write(lambda tx: self._close(tx, [unit], freed - named))

    def _name(self, tx: ManagedTransaction, named: set[str], chats: list[Unit]) -> None:
        """The nodes that relationships will lead to, and what a chat turned out to be."""
        _rows(tx, cypher.NAME_JOBS, [self._job_row(job) for job in sorted(named)])
        _rows(tx, cypher.NAME_CHATS, self._named_chats(chats))
        _rows(tx, cypher.SET_CHAT_LINKS, [self._chat_row(unit) for unit in chats])

    def _close(self, tx: ManagedTransaction, batch: list[Unit], unused: set[str]) -> None:
        """What follows from all the rest, and the mark that it is done."""
        chats = [unit for unit in batch if unit.chat is not None]
        _run(tx, SUMMARISE_CHATS, chats=[unit.path for unit in chats])
        _run(tx, cypher.DELETE_PROBLEMS, paths=[unit.path for unit in batch], stage="link")
        _rows(tx, cypher.WRITE_INSTRUCTIONS, [row for unit in chats for row in _instructions(unit)])
        _rows(tx, cypher.WRITE_PROBLEMS, [row for unit in batch for row in unit.problems])
        if unused:
            _run(tx, cypher.DELETE_UNUSED, ids=sorted(unused))
        _rows(tx, cypher.MARK_LINKED, [{"path": unit.path, "links": unit.digest} for unit in batch])

    def _named_jobs(self, batch: Iterable[Unit]) -> set[str]:
        named: set[str] = set()
        for unit in batch:
            if unit.chat is not None:
                named |= {reference.job for reference in unit.chat.references}
                named |= set(unit.chat.receipts.values())
                named |= {job for _, job in self._incoming(unit.path)}
            elif unit.job is not None and unit.job in self._links.jobs:
                named |= {job for job, _ in self._links.jobs[unit.job].dependencies}
        return named - self._loaded.jobs.keys()

    def _job_row(self, job: str) -> Row:
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

    def _named_chats(self, chats: Iterable[Unit]) -> list[Row]:
        """Chats that are imported but have no file in the graph."""
        ids = {composed.chat for unit in chats if unit.chat for composed in unit.chat.composed}
        rows = []
        for id in sorted(ids - self._loaded.chats.keys()):
            there = self._env.files.is_file(id)
            rows.append(
                {"id": id, "props": {"name": id.rpartition("/")[2], "kind": "root", "missing": not there}}
            )
        return rows

    def _chat_row(self, unit: Unit) -> Row:
        chat = unit.chat
        assert chat is not None
        props = {
            "kind": self._loaded.chats[unit.path].kind,
            "agent": chat.agent,
            "conversation": chat.conversation,
            "handed_last": chat.handed_last,
        }
        return {"id": unit.path, "props": props}

    def _relationships(self, chats: list[Unit], jobs: list[Unit]) -> list[Step]:
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
                {"from": job, "to": unit.path, "type": kind} for kind, job in self._incoming(unit.path)
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

    def _messages(self, unit: Unit, state: Iterable[Record]) -> list[Step]:
        """Origins, blocks and copies of one chat, against what its messages say now."""
        chat = unit.chat
        assert chat is not None
        held = {row["index"]: row for row in state}
        wanted = _wanted(chat)
        plain = {"origin": ORIGINS[OWN], "block_last": None, "block_bytes": None, "original": None}
        sets: list[Row] = []
        drop: list[Row] = []
        create: list[Row] = []
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
        return [
            (cypher.SET_MESSAGES, sets),
            (cypher.DELETE_COPIES, drop),
            (cypher.CREATE_COPIES, create),
        ]

    def _requests(self, chats: list[Unit]) -> list[Step]:
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


def _instructions(unit: Unit) -> Iterator[Row]:
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


def _delete(tx: ManagedTransaction, chats: list[str], jobs: list[str | None]) -> set[str]:
    """Take away what units said before; ids of all that may be unused now."""
    freed: set[str] = set()
    if chats:
        for statement in (cypher.DELETE_CHAT_LINKS, cypher.DELETE_CHAT_OWNERS, cypher.DELETE_EVIDENCE):
            freed |= set(tx.run(statement, chats=chats).single(strict=True)["freed"])
    if jobs:
        freed |= set(tx.run(cypher.DELETE_DEPENDENCIES, jobs=jobs).single(strict=True)["freed"])
    return freed


def _batches(units: list[Unit]) -> Iterator[list[Unit]]:
    batch: list[Unit] = []
    weight = 0
    for unit in units:
        if batch and weight + unit.weight > MAX_ROWS:
            yield batch
            batch, weight = [], 0
        batch.append(unit)
        weight += unit.weight
    if batch:
        yield batch


def _digest(told: Iterable[str]) -> str:
    return blake2b(orjson.dumps(list(told)), digest_size=16).hexdigest()


def _run(tx: ManagedTransaction, statement: LiteralString, **parameters: Any) -> None:
    tx.run(statement, parameters).consume()


def _run_all(tx: ManagedTransaction, steps: Iterable[Step]) -> None:
    for statement, rows in steps:
        _rows(tx, statement, rows)


def _rows(tx: ManagedTransaction, statement: LiteralString, rows: list[Row]) -> None:
    if rows:
        tx.run(statement, rows=rows).consume()


__all__ = ["INHERITED", "Sync", "SyncReport"]
