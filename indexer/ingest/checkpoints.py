"""What the graph remembers of files: stamps to compare with, versions to plan against, absences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, LiteralString

from neo4j import ManagedTransaction

from indexer.discovery.found import Found
from indexer.discovery.kinds import Kind
from indexer.ingest.planning import Held
from indexer.ingest.plans import stamp_text
from indexer.ingest.rows import message_id
from indexer.store.store import Store

# One list of texts travels far faster than one record per file.
BELOW: LiteralString = """
UNWIND $places AS prefix
MATCH (f:File) WHERE f.path STARTS WITH prefix
RETURN collect(f.path) AS paths, collect(coalesce(f.stamp, '')) AS stamps, collect(f.kind) AS kinds,
       collect(CASE WHEN f.missing_since IS NULL THEN null ELSE f.path END) AS missing
"""
IN_FOLDERS: LiteralString = """
UNWIND $places AS folder
MATCH (f:File {folder: folder})
RETURN collect(f.path) AS paths, collect(coalesce(f.stamp, '')) AS stamps, collect(f.kind) AS kinds,
       collect(CASE WHEN f.missing_since IS NULL THEN null ELSE f.path END) AS missing
"""
AT_PATHS: LiteralString = """
UNWIND $places AS path
MATCH (f:File {path: path})
RETURN collect(f.path) AS paths, collect(coalesce(f.stamp, '')) AS stamps, collect(f.kind) AS kinds,
       collect(CASE WHEN f.missing_since IS NULL THEN null ELSE f.path END) AS missing
"""
HELD: LiteralString = """
UNWIND $paths AS path
MATCH (f:File {path: path})
OPTIONAL MATCH (c:Chat {id: path})
RETURN path, f.kind AS kind, f.digest AS digest, f.marks AS marks, f.missing_since IS NOT NULL AS missing,
       f.stamp AS stamp, c.fingerprint AS fingerprint
"""
MESSAGE: LiteralString = """
MATCH (m:Message {id: $id})-[:HAS_CONTENT]->(t:Content) RETURN m.role AS role, t.text AS text
"""
MARK_MISSING: LiteralString = """
UNWIND $paths AS path
MATCH (f:File {path: path})
SET f.missing_since = coalesce(f.missing_since, $now)
WITH path
MATCH (c:Chat {id: path})
SET c.missing = true, c.missing_since = coalesce(c.missing_since, $now)
"""
MARK_JOBS_MISSING: LiteralString = """
UNWIND $ids AS id
MATCH (j:Job {id: id}) WHERE j.missing = false
SET j.missing = true, j.missing_since = coalesce(j.missing_since, $now)
"""
MARK_PRESENT: LiteralString = """
UNWIND $paths AS path
MATCH (f:File {path: path})
REMOVE f.missing_since
WITH path
MATCH (c:Chat {id: path})
SET c.missing = false
REMOVE c.missing_since
"""
MARK_JOBS_PRESENT: LiteralString = """
UNWIND $ids AS id
MATCH (j:Job {id: id}) WHERE j.missing = true
SET j.missing = false
REMOVE j.missing_since
"""
_BATCH = 5_000
_TOLD = {Kind.CHAT: "chat", Kind.INFO: "info", Kind.RESULT: "result"}


class Checkpoints:
    """Stamps of the known files at some places. `missing` are those whose absence is noted."""

    def __init__(self, store: Store, version: str) -> None:
        """`version` is that of the reading, by which unchanged files were read, too."""
        self._store = store
        self._version = version
        self.stamps: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self.missing: set[str] = set()

    def load(self, paths: Iterable[str], folders: Iterable[str], trees: Iterable[str]) -> None:
        """Load besides: these files, those directly in these folders, those below these folders."""
        self._load(AT_PATHS, (*paths, *trees))
        self._load(IN_FOLDERS, folders)
        self._load(BELOW, (f"{tree.rstrip('/')}/" for tree in trees))

    def _load(self, statement: LiteralString, places: Iterable[str]) -> None:
        for batch in batches(list(places)):
            row = self._store.read(statement, {"places": batch})[0]
            self.stamps.update(zip(row["paths"], row["stamps"], strict=True))
            self._kinds.update(zip(row["paths"], row["kinds"], strict=True))
            self.missing.update(row["missing"])

    def unchanged(self, file: Found) -> bool:
        """True when the file is as it was when it was read, and would be read the same way."""
        if self.stamps.get(file.path) != stamp_text(file.stamp, self._version):
            return False
        # What a name cannot tell, its text did; but a link's name may have made a chat of it, and be gone.
        told = _TOLD.get(file.kind)
        return told is None or self._kinds.get(file.path) == told

    def held(self, paths: Sequence[str]) -> dict[str, tuple[str, Held]]:
        """Kind and version that the graph holds of files."""
        found = {}
        for batch in batches(paths):
            for row in self._store.read(HELD, {"paths": batch}):
                version = Held(
                    row["digest"],
                    row["marks"],
                    row["fingerprint"],
                    row["missing"],
                    row["stamp"] or "",
                    partial(self._message, row["path"]),
                )
                found[row["path"]] = (row["kind"], version)
        return found

    def _message(self, chat: str, index: int) -> tuple[str, str] | None:
        for row in self._store.read(MESSAGE, {"id": message_id(chat, index)}):
            return row["role"], row["text"]
        return None


def mark_missing(store: Store, files: Sequence[str], jobs: Sequence[str]) -> None:
    """Note that files are gone, and the jobs of which nothing is left. Their nodes stay."""
    now = datetime.now(UTC)

    # A file is noted after its job: it is by the file that a later scan sees what is done.
    def work(tx: ManagedTransaction) -> None:
        for batch in batches(jobs):
            tx.run(MARK_JOBS_MISSING, ids=batch, now=now).consume()
        for batch in batches(files):
            tx.run(MARK_MISSING, paths=batch, now=now).consume()

    if files or jobs:
        store.write(work)


def mark_present(store: Store, files: Sequence[str], jobs: Collection[str]) -> None:
    """Note that files are there again, as they were."""

    def work(tx: ManagedTransaction) -> None:
        for batch in batches(sorted(jobs)):
            tx.run(MARK_JOBS_PRESENT, ids=batch).consume()
        for batch in batches(files):
            tx.run(MARK_PRESENT, paths=batch).consume()

    if files or jobs:
        store.write(work)


def batches(items: Sequence[Any]) -> Iterator[list[Any]]:
    """Items in runs of a size that a transaction takes easily."""
    for start in range(0, len(items), _BATCH):
        yield list(items[start : start + _BATCH])
