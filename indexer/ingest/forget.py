"""Taking files out of the graph: what they said goes, what others say of them stays.

A forgotten chat or job that others name comes back as a node without files, as if it had never been scanned.
`forget` and `prune` are the only ways by which the graph ever loses something.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from indexer.discovery.environment import Environment
from indexer.discovery.layout import INFO
from indexer.discovery.paths import native
from indexer.ingest import statements as cypher
from indexer.ingest.checkpoints import batches
from indexer.ingest.relink import relink
from indexer.store.connection import Store

BELOW: LiteralString = """
MATCH (f:File)
WHERE f.path IN $paths OR any(prefix IN $prefixes WHERE f.path STARTS WITH prefix)
RETURN f.path AS path, f.kind AS kind, f.missing_since AS missing_since
ORDER BY path
"""
MISSING: LiteralString = """
MATCH (f:File) WHERE f.missing_since IS NOT NULL
RETURN f.path AS path, f.kind AS kind, f.missing_since AS missing_since
ORDER BY path
"""
#: Files whose links say something of the files that go, and what only those may have used.
TOUCHED: LiteralString = """
UNWIND $ids AS id
OPTIONAL MATCH (c:Chat {id: id})
OPTIONAL MATCH (j:Job {id: id})
WITH [n IN [c, j] WHERE n IS NOT NULL] AS gone
UNWIND gone AS n
CALL (n) {
  MATCH (n)-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY|LOG|RESULT|IMPORTS|CONTINUES|LAST|COPIES_FROM]-(m)
  RETURN m.id AS id
  UNION
  MATCH (n)-[:RAN_WITH]->(m) RETURN m.digest AS id
  UNION
  MATCH (n)-[:HAS_MESSAGE]->(:Message)-[:EVIDENCE]->(i)<-[e:EVIDENCE]-()
  UNWIND [i.id, e.chat] AS id RETURN id
  UNION
  MATCH (n)-[:HAS_MESSAGE]->(:Message)-[:HAS_RECEIPT]->(r)
  MATCH (r)-[:EVIDENCE|RECEIPT_OF]->(m) RETURN m.id AS id
  UNION
  MATCH (n)<-[:RECEIPT_OF]-(:Receipt)<-[:HAS_RECEIPT]-(:Message)<-[:HAS_MESSAGE]-(m:Chat)
  RETURN m.id AS id
}
RETURN collect(DISTINCT id) AS ids
"""
MARK: LiteralString = """
UNWIND $ids AS id
UNWIND [id, id + '.info'] AS path
MATCH (f:File {path: path}) WHERE NOT path IN $gone
SET f.pending = true
REMOVE f.links
"""
DELETE_NODES: LiteralString = """
UNWIND $ids AS id
OPTIONAL MATCH (c:Chat {id: id})
OPTIONAL MATCH (j:Job {id: id})
DETACH DELETE c, j
"""
DELETE_FILES: LiteralString = """
UNWIND $paths AS path
OPTIONAL MATCH (f:File {path: path})
OPTIONAL MATCH (p:Problem {path: path})
DETACH DELETE f, p
"""
_STEP = 5_000


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file that the graph knows, and since when it is gone (ISO time), if it is."""

    path: str
    kind: str
    missing_since: str | None


def below(store: Store, path: str) -> list[KnownFile]:
    """Known files at a real path or below it; the companions of a job come along."""
    job = path[: -len(INFO)] if path.endswith(INFO) else path
    paths = [path, job, job + INFO]
    prefixes = [f"{path.rstrip('/')}/", f"{job}.files/"]
    return [_known(row) for row in store.read(BELOW, {"paths": paths, "prefixes": prefixes})]


def missing(store: Store) -> list[KnownFile]:
    """Known files whose absence is noted and that are still not there."""
    found = [_known(row) for row in store.read(MISSING)]
    return [file for file in found if not os.path.lexists(native(file.path))]


def forget(store: Store, files: Sequence[KnownFile], environment: Environment) -> None:
    """Remove what files said, then relink what they touched. May be run again after an interruption."""
    paths = [file.path for file in files]
    gone = set(paths)
    ids = sorted({_id(path) for path in paths})
    touched: set[str] = set()
    for batch in batches(ids):
        for row in store.read(TOUCHED, {"ids": batch}):
            touched |= set(row["ids"])
    for batch in batches(sorted(touched)):
        store.write(MARK, {"ids": batch, "gone": sorted(gone)})
    for file in files:
        if file.kind == "chat":
            _delete_messages(store, file.path)
    for batch in batches(ids):
        store.write(DELETE_NODES, {"ids": batch})
    for batch in batches(paths):
        store.write(DELETE_FILES, {"paths": batch})
    relink(store, environment)
    for batch in batches(sorted(touched | set(ids))):
        store.write(cypher.DELETE_UNUSED, {"ids": batch})


def _delete_messages(store: Store, chat: str) -> None:
    while True:
        row = store.write(cypher.DELETE_TAIL, {"chat": chat, "keep": 0, "limit": _STEP})[0]
        if row["copying"]:
            store.write(cypher.UNLINK_FILES, {"chats": [other for other in row["copying"] if other != chat]})
        if not row["contents"]:
            return
        store.write(cypher.DELETE_UNUSED_CONTENTS, {"keys": row["contents"]})


def _id(path: str) -> str:
    return path[: -len(INFO)] if path.endswith(INFO) else path


def _known(row: object) -> KnownFile:
    since = row["missing_since"]  # type: ignore[index]
    return KnownFile(row["path"], row["kind"], since.iso_format() if since is not None else None)  # type: ignore[index]
