"""The further names that symbolic links give to files, kept in the graph with the links themselves.

Ownership may hang on a name (`discovery.links`). The links are kept so that a scan of a part knows those that
stand elsewhere: names do not depend on what was scanned first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, LiteralString

from indexer.discovery.linktable import LinkTable
from indexer.discovery.walk import Walk
from indexer.ingest.checkpoints import batches
from indexer.store.store import Store

LINKS: LiteralString = "MATCH (l:Link) RETURN l.path AS path, l.target AS target"
SET_LINKS: LiteralString = """
UNWIND $rows AS row
MERGE (l:Link {path: row.path})
SET l.target = row.target
"""
DELETE_LINKS: LiteralString = "UNWIND $paths AS path MATCH (l:Link {path: path}) DELETE l"
NAMES: LiteralString = """
UNWIND $paths AS path
MATCH (f:File {path: path}) WHERE f.names IS NOT NULL
RETURN path, f.names AS names
"""
ALL_NAMES: LiteralString = "MATCH (f:File) WHERE f.names IS NOT NULL RETURN f.path AS path, f.names AS names"
PRESENT_BELOW: LiteralString = """
UNWIND $targets AS target
MATCH (f:File) WHERE (f.path = target OR f.path STARTS WITH target + '/') AND f.missing_since IS NULL
RETURN DISTINCT f.path AS path
"""
SET_NAMES: LiteralString = """
UNWIND $rows AS row
MATCH (f:File {path: row.path})
SET f.names = row.names, f.pending = true
"""
#: From this many files on, all names are read at once.
_MANY = 20_000


def stored_links(store: Store, jobs_roots: tuple[str, ...]) -> LinkTable:
    """The links that scans found."""
    return LinkTable(((row["path"], row["target"]) for row in store.read(LINKS)), jobs_roots)


def note_links(store: Store, walks: Sequence[Walk], table: LinkTable, seen: Iterable[str]) -> int:
    """Bring the links, and the names of the files seen and of those that changed links lead to, up to date.

    Files whose names changed are pending. What was not seen keeps its names: a file that is gone stays what
    it was. Gives the number of files whose names changed.
    """
    looked_for: set[str] = set()
    found: dict[str, str] = {}
    for walk in walks:
        looked_for |= walk.links_looked_for(table)
        found.update(walk.report.links.items())
    changes = table.update(looked_for, found)
    concerned = set(seen)
    targets = sorted({target for pair in changes.values() for target in pair if target is not None})
    for batch in batches(targets):
        concerned |= {row["path"] for row in store.read(PRESENT_BELOW, {"targets": batch})}
    held = _held(store, concerned)
    rows: list[dict[str, Any]] = []
    for path in sorted(concerned):
        names = list(table.links.spellings(path)[1:]) or None
        if names != held.get(path):
            rows.append({"path": path, "names": names})
    for batch in batches(rows):
        store.write(SET_NAMES, {"rows": batch})
    _note(store, changes)
    return len(rows)


def _held(store: Store, paths: set[str]) -> dict[str, list[str]]:
    if len(paths) > _MANY:
        return {row["path"]: row["names"] for row in store.read(ALL_NAMES) if row["path"] in paths}
    found: dict[str, list[str]] = {}
    for batch in batches(sorted(paths)):
        found.update({row["path"]: row["names"] for row in store.read(NAMES, {"paths": batch})})
    return found


def _note(store: Store, changes: Mapping[str, tuple[str | None, str | None]]) -> None:
    # Last: by what is kept of the links, a scan after an interruption sees that names are still to be set.
    new = [{"path": link, "target": now} for link, (_, now) in changes.items() if now is not None]
    for batch in batches(new):
        store.write(SET_LINKS, {"rows": batch})
    for batch in batches([link for link, (_, now) in changes.items() if now is None]):
        store.write(DELETE_LINKS, {"paths": batch})
