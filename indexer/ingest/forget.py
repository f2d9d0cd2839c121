"""Taking files out of the graph: what they said goes, what others say of them stays.

A forgotten chat or job that others name comes back as a node without files, as if it had never been scanned.
`forget` and `prune` are the only ways by which the graph ever loses something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import LiteralString

from indexer.discovery.environment import Environment
from indexer.discovery.layout import INFO
from indexer.discovery.vanished import is_there
from indexer.ingest import statements as cypher
from indexer.ingest.checkpoints import batches
from indexer.ingest.lease import Holder, writing
from indexer.ingest.relink import relink
from indexer.ingest.sweep import sweep
from indexer.ingest.writer import delete_messages_for_good
from indexer.store.store import Store

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
  MATCH (n)-[:HAS_MESSAGE]->(:Message)-[:EVIDENCE]->(i)
  MATCH (i)<-[e:EVIDENCE]-()
  UNWIND [i.id, e.chat] AS id RETURN id
  UNION
  MATCH (n)-[:HAS_MESSAGE]->(:Message)-[:HAS_RECEIPT]->(r)
  MATCH (r)-[:EVIDENCE|RECEIPT_OF]->(m) RETURN m.id AS id
  UNION
  MATCH (n)-[:HAS_MESSAGE]->(:Message)-[:HAS_RECEIPT]->(:Receipt)-[:EVIDENCE]->(i)
  MATCH (i)<-[e:EVIDENCE]-() RETURN e.chat AS id
  UNION
  MATCH (n)<-[:RECEIPT_OF]-(:Receipt)<-[:HAS_RECEIPT]-(:Message)<-[:HAS_MESSAGE]-(m:Chat)
  RETURN m.id AS id
}
RETURN collect(DISTINCT id) AS ids
"""
#: Who names a job of the same short reference as one that may go: the reference may lead elsewhere from now on.
REFERRING: LiteralString = """
UNWIND $ids AS job
MATCH (j:Job {id: job})
MATCH (k:Job {ref: j.ref})
CALL (k) {
  MATCH (k)<-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY]-(m) RETURN m.id AS id
  UNION
  MATCH (k)-[:LOG|RESULT]->(m) RETURN m.id AS id
  UNION
  MATCH (k)<-[:RECEIPT_OF]-(:Receipt)<-[:HAS_RECEIPT]-(:Message)<-[:HAS_MESSAGE]-(m:Chat) RETURN m.id AS id
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
#: From here on a scan would read the files anew: nothing counts as known of what is half removed.
VOID: LiteralString = """
UNWIND $paths AS path
MATCH (f:File {path: path})
SET f.digest = '', f.pending = true
REMOVE f.stamp, f.facts, f.marks, f.links
"""
DELETE_CHATS: LiteralString = "UNWIND $ids AS id MATCH (c:Chat {id: id}) DETACH DELETE c"
DELETE_JOBS: LiteralString = "UNWIND $ids AS id MATCH (j:Job {id: id}) DETACH DELETE j"
DELETE_FILES: LiteralString = """
UNWIND $paths AS path
OPTIONAL MATCH (f:File {path: path})
OPTIONAL MATCH (p:Problem {path: path})
DETACH DELETE f, p
"""
OTHER_HALVES: LiteralString = """
UNWIND $ids AS id
UNWIND [id, id + '.info'] AS path
MATCH (f:File {path: path}) WHERE NOT path IN $gone AND f.kind IN ['info', 'result']
RETURN id, path, f.kind AS kind
"""


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
    return [file for file in found if not is_there(file.path)]


def forget(
    store: Store,
    files: Sequence[KnownFile],
    environment: Environment,
    waiting: Callable[[Holder], None] | None = None,
) -> None:
    """Remove what files said, then relink what they touched. May be run again after an interruption."""
    with writing(store, "forget", waiting, sweep) as held:
        _forget(held, files, environment)


def _forget(store: Store, files: Sequence[KnownFile], environment: Environment) -> None:
    paths = [file.path for file in files]
    gone = sorted(set(paths))
    ids = sorted({_id(path) for path in paths})
    chats = sorted({file.path for file in files if file.kind == "chat"})
    jobs = {_id(file.path) for file in files if file.kind in ("info", "result")}
    touched: set[str] = set()
    for batch in batches(ids):
        for row in store.read(TOUCHED, {"ids": batch}):
            touched |= set(row["ids"])
    for batch in batches(sorted(touched | set(ids))):
        for row in store.read(REFERRING, {"ids": batch}):
            touched |= set(row["ids"])
    for batch in batches(sorted(touched)):
        store.write(MARK, {"ids": batch, "gone": gone})
    void = set(paths)
    for batch in batches(sorted(jobs)):
        for row in store.read(OTHER_HALVES, {"ids": batch, "gone": gone}):
            if row["kind"] == "info":
                jobs.discard(row["id"])  # only its result is forgotten: the info says all there is to say
            else:
                void.add(row["path"])
    for batch in batches(sorted(void)):
        store.write(VOID, {"paths": batch})
    for chat in chats:
        _delete_messages(store, chat)
    _delete(store, DELETE_CHATS, "ids", chats)
    _delete(store, DELETE_JOBS, "ids", sorted(jobs))
    _delete(store, DELETE_FILES, "paths", paths)
    relink(store, environment)
    _delete(store, cypher.DELETE_UNUSED, "ids", sorted(touched | set(ids)))


def _delete(store: Store, statement: LiteralString, name: str, items: Sequence[str]) -> None:
    for batch in batches(items):
        store.write(statement, {name: batch})


def _delete_messages(store: Store, chat: str) -> None:
    while store.write(lambda tx: delete_messages_for_good(tx, chat, 0)):
        pass


def _id(path: str) -> str:
    return path[: -len(INFO)] if path.endswith(INFO) else path


def _known(row: object) -> KnownFile:
    since = row["missing_since"]  # type: ignore[index]
    return KnownFile(row["path"], row["kind"], since.iso_format() if since is not None else None)  # type: ignore[index]
