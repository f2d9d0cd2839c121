"""Bringing the graph to what linking gave: only chats and jobs whose outcome changed are touched.

Each chat and each job is a unit with a digest of all that linking said of it; equal digests need no writing.
A unit's relationships are replaced in one transaction together with the digest, so an interruption leaves
some units done and the others pending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, LiteralString

from neo4j import ManagedTransaction, Record

from indexer.discovery.references import Resolver
from indexer.ingest import statements as cypher
from indexer.ingest.aggregates import SUMMARISE_CHATS
from indexer.ingest.linkstate import CHAT_GROUPS, HeldLinks
from indexer.ingest.loadset import LoadSet
from indexer.ingest.outcome import Outcome, Step, Unit, instructions, messages
from indexer.ingest.rows import Row
from indexer.ingest.writer import write_rows
from indexer.linking.records import Links
from indexer.store.errors import TransactionTooLarge
from indexer.store.store import Store

#: Rows of one transaction, about; a chat with more than `LONG` is written in several.
MAX_ROWS = 12_000
LONG = 60_000

Read = Callable[[LiteralString, Mapping[str, Any]], list[Record]]


@dataclass(slots=True)
class SyncReport:
    """Number of units whose links changed."""

    changed: int = 0


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
        self._outcome = Outcome(loaded, links, resolver.environment, fresh)

    def run(self) -> SyncReport:
        """Write what changed, then take the pending mark off the rest."""
        report = SyncReport()
        unchanged: list[Row] = []
        changed: list[Unit] = []
        for unit in self._outcome.units():
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
        held = self._held(lambda statement, params: list(tx.run(statement, dict(params))), batch)
        steps = self._steps(chats, jobs, held)
        elements, freed = held.left()
        if elements:
            _run(tx, cypher.DELETE_LINKS, elements=elements)
        named = self._outcome.named_jobs(batch)
        self._name(tx, named, chats)
        _run_all(tx, steps)
        stale = [unit.path for unit in chats if not unit.fresh]
        state = list(tx.run(cypher.MESSAGE_STATE, chats=stale)) if stale else []
        _run_all(tx, messages(chats, state))
        self._close(tx, batch, freed - named)

    def _held(self, read: Read, batch: list[Unit]) -> HeldLinks:
        """What the graph holds of the batch's links. Of what is new to the graph that is nothing."""
        held = HeldLinks()
        chats = [unit.path for unit in batch if unit.chat is not None and not unit.fresh]
        jobs = [unit.job for unit in batch if unit.job is not None]
        if chats:
            for group, statement in CHAT_GROUPS.items():
                held.add(group, read(statement, {"chats": chats}))
            receipts = [address for chat in chats for address in self._outcome.receipts(chat)]
            if receipts:
                held.add("receipts", read(cypher.HELD_RECEIPTS, {"receipts": receipts}))
        if jobs:
            held.add("dependencies", read(cypher.HELD_DEPENDENCIES, {"jobs": jobs}))
        return held

    def _steps(self, chats: list[Unit], jobs: list[Unit], held: HeldLinks) -> list[Step]:
        """What brings the relationships to what linking gave; what goes is left in `held`."""
        steps = [
            (statement, held.missing(statement, rows))
            for statement, rows in self._outcome.relationships(chats, jobs)
        ]
        for statement, rows in self._outcome.requests(chats):
            new = statement == cypher.WRITE_INFERENCES
            steps.append((statement, held.changed_inferences(rows) if new else held.missing(statement, rows)))
        for unit in chats:
            for row in instructions(unit):
                held.ran_with(unit.path, row["props"]["digest"])
        return steps

    def _write_long(self, unit: Unit) -> None:
        """Write a chat whose links are too many for one transaction; it stays pending until all are there."""
        store = self._store
        store.write(cypher.UNLINK_FILES, {"chats": [unit.path]})
        held = self._held(store.read, [unit])
        steps = self._steps([unit], [], held)
        elements, freed = held.left()
        for start in range(0, len(elements), MAX_ROWS):
            store.write(cypher.DELETE_LINKS, {"elements": elements[start : start + MAX_ROWS]})
        named = self._outcome.named_jobs([unit])
        store.write(lambda tx: self._name(tx, named, [unit]))
        state = store.read(cypher.MESSAGE_STATE, {"chats": [unit.path]})
        for statement, rows in (*steps, *messages([unit], state)):
            write_rows(store, statement, rows)
        store.write(lambda tx: self._close(tx, [unit], freed - named))

    def _name(self, tx: ManagedTransaction, named: set[str], chats: list[Unit]) -> None:
        """The nodes that relationships will lead to, and what a chat turned out to be."""
        _rows(tx, cypher.NAME_JOBS, [self._outcome.job_row(job) for job in sorted(named)])
        _rows(tx, cypher.NAME_CHATS, self._outcome.named_chats(chats))
        _rows(tx, cypher.SET_CHAT_LINKS, [self._outcome.chat_row(unit) for unit in chats])

    def _close(self, tx: ManagedTransaction, batch: list[Unit], unused: set[str]) -> None:
        """What follows from all the rest, and the mark that it is done."""
        chats = [unit for unit in batch if unit.chat is not None]
        _run(tx, SUMMARISE_CHATS, chats=[unit.path for unit in chats])
        known = [unit.path for unit in batch if not unit.fresh]
        if known:
            _run(tx, cypher.DELETE_PROBLEMS, paths=known, stage="link")
        _rows(tx, cypher.WRITE_INSTRUCTIONS, [row for unit in chats for row in instructions(unit)])
        _rows(tx, cypher.WRITE_PROBLEMS, [row for unit in batch for row in unit.problems])
        if unused:
            _run(tx, cypher.DELETE_UNUSED, ids=sorted(unused))
        _rows(tx, cypher.MARK_LINKED, [{"path": unit.path, "links": unit.digest} for unit in batch])


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


def _run(tx: ManagedTransaction, statement: LiteralString, **parameters: Any) -> None:
    tx.run(statement, parameters).consume()


def _run_all(tx: ManagedTransaction, steps: Iterable[Step]) -> None:
    for statement, rows in steps:
        _rows(tx, statement, rows)


def _rows(tx: ManagedTransaction, statement: LiteralString, rows: list[Row]) -> None:
    if rows:
        tx.run(statement, rows=rows).consume()
