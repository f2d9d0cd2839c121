"""What the graph remembers of files: stamps to compare with, versions to plan against, absences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, LiteralString

from indexer.discovery.found import Stamp
from indexer.ingest.planning import Held
from indexer.store.connection import Store

# One list of texts travels far faster than one record per file.
STAMPS: LiteralString = """
MATCH (f:File) WHERE f.path STARTS WITH $prefix
RETURN collect(f.path) AS paths, collect(f.stamp) AS stamps,
       collect(CASE WHEN f.missing_since IS NULL THEN null ELSE f.path END) AS missing
"""
HELD: LiteralString = """
UNWIND $paths AS path
MATCH (f:File {path: path})
OPTIONAL MATCH (c:Chat {id: path})
RETURN path, f.kind AS kind, f.digest AS digest, f.marks AS marks, f.missing_since IS NOT NULL AS missing,
       c.fingerprint AS fingerprint
"""
NAMES: LiteralString = """
MATCH (f:File) WHERE f.names IS NOT NULL AND f.path STARTS WITH $prefix RETURN f.path AS path, f.names AS names
"""
SET_NAMES: LiteralString = """
UNWIND $rows AS row
MATCH (f:File {path: row.path})
SET f.names = row.names, f.pending = true
"""
MARK_MISSING: LiteralString = """
UNWIND $paths AS path
MATCH (f:File {path: path})
SET f.missing_since = coalesce(f.missing_since, $now)
WITH path
OPTIONAL MATCH (c:Chat {id: path})
SET c.missing = true, c.missing_since = coalesce(c.missing_since, $now)
"""
MARK_JOBS_MISSING: LiteralString = """
UNWIND $ids AS id
MATCH (j:Job {id: id})
SET j.missing = true, j.missing_since = coalesce(j.missing_since, $now)
"""
MARK_PRESENT: LiteralString = """
UNWIND $paths AS path
MATCH (f:File {path: path})
REMOVE f.missing_since
WITH path
OPTIONAL MATCH (c:Chat {id: path})
SET c.missing = false
REMOVE c.missing_since
"""
MARK_JOBS_PRESENT: LiteralString = """
UNWIND $ids AS id
MATCH (j:Job {id: id})
SET j.missing = false
REMOVE j.missing_since
"""
_BATCH = 5_000


class Checkpoints:
    """Stamps of all known files below some roots. `missing` are those whose absence is noted."""

    def __init__(self, store: Store, roots: Iterable[str]) -> None:
        self._store = store
        self.stamps: dict[str, str] = {}
        self.missing: set[str] = set()
        for root in roots:
            row = store.read(STAMPS, {"prefix": root})[0]
            self.stamps.update(zip(row["paths"], row["stamps"], strict=True))
            self.missing.update(row["missing"])

    def unchanged(self, path: str, stamp: Stamp) -> bool:
        """True when the file is as it was when it was read."""
        return self.stamps.get(path) == f"{stamp[0]}:{stamp[1]}:{stamp[2]}"

    def held(self, paths: Sequence[str]) -> dict[str, tuple[str, Held]]:
        """Kind and version that the graph holds of files."""
        found = {}
        for batch in batches(paths):
            for row in self._store.read(HELD, {"paths": batch}):
                version = Held(row["digest"], row["marks"], row["fingerprint"], row["missing"])
                found[row["path"]] = (row["kind"], version)
        return found


def set_names(store: Store, roots: Iterable[str], names: dict[str, list[str]]) -> int:
    """Note the further names that links give to files; those that changed are pending. Number of changes."""
    held: dict[str, list[str]] = {}
    for root in roots:
        held.update({row["path"]: row["names"] for row in store.read(NAMES, {"prefix": root})})
    rows: list[dict[str, Any]] = [
        {"path": path, "names": names.get(path)}
        for path in sorted(held.keys() | names.keys())
        if names.get(path) != held.get(path)
    ]
    for batch in batches(rows):
        store.write(SET_NAMES, {"rows": batch})
    return len(rows)


def mark_missing(store: Store, files: Sequence[str], jobs: Sequence[str]) -> None:
    """Note that files are gone, and the jobs of which nothing is left. Their nodes stay."""
    now = datetime.now(UTC)
    for batch in batches(files):
        store.write(MARK_MISSING, {"paths": batch, "now": now})
    for batch in batches(jobs):
        store.write(MARK_JOBS_MISSING, {"ids": batch, "now": now})


def mark_present(store: Store, files: Sequence[str], jobs: Sequence[str]) -> None:
    """Note that files are there again, as they were."""
    for batch in batches(files):
        store.write(MARK_PRESENT, {"paths": batch})
    for batch in batches(jobs):
        store.write(MARK_JOBS_PRESENT, {"ids": batch})


def batches(items: Sequence[Any]) -> Iterator[list[Any]]:
    """Items in runs of a size that a transaction takes easily."""
    for start in range(0, len(items), _BATCH):
        yield list(items[start : start + _BATCH])
