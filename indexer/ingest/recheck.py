"""What the graph says of files that no scan reads: jobs and chats that are only named.

Whether they are there is looked up when the chats that name them are linked. A file may come or go later without any
change to those chats; a look at everything asks again, so that the graph does not depend on when it was made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import LiteralString

from indexer.discovery.environment import Environment, Files
from indexer.discovery.layout import INFO
from indexer.discovery.references import Resolver
from indexer.ingest.checkpoints import batches
from indexer.store.store import Store

NAMED_JOBS: LiteralString = """
MATCH (j:Job)<-[r:JOB|AGENT_JOB|CONTEXT]-(c:Chat) WHERE j.known <> 'read'
RETURN j.id AS id, j.missing AS missing, c.id AS referring, r.refs AS refs
UNION
MATCH (j:Job)<-[:DEPENDENCY]-(d:Job) WHERE j.known <> 'read'
RETURN j.id AS id, j.missing AS missing, d.id AS referring, [] AS refs
UNION
MATCH (j:Job)<-[:RECEIPT_OF]-(r:Receipt)<-[:HAS_RECEIPT]-()<-[:HAS_MESSAGE]-(c:Chat) WHERE j.known <> 'read'
RETURN j.id AS id, j.missing AS missing, c.id AS referring, collect(DISTINCT r.job_ref) AS refs
"""
NAMED_CHATS: LiteralString = """
MATCH (c:Chat)<-[r:IMPORTS|CONTINUES|LAST]-(d:Chat) WHERE NOT EXISTS { (:File {path: c.id, kind: 'chat'}) }
RETURN c.id AS id, c.missing AS missing, d.id AS referring, r.refs AS refs
"""
UNLINK: LiteralString = """
UNWIND $ids AS id
UNWIND [id, id + '.info'] AS path
MATCH (f:File {path: path})
SET f.pending = true
REMOVE f.links
"""


def recheck(store: Store, environment: Environment) -> int:
    """Mark as pending what names something that came or went unread; how many chats and jobs that are."""
    stale = sorted({*_jobs(store, environment), *_chats(store, environment)})
    for batch in batches(stale):
        store.write(UNLINK, {"ids": batch})
    return len(stale)


def _jobs(store: Store, environment: Environment) -> Iterator[str]:
    files, resolver = environment.files, Resolver(environment)
    for row in store.read(NAMED_JOBS):
        if _is_there(row["id"], files) == row["missing"]:
            yield row["referring"]
            continue
        for reference in row["refs"]:
            found = resolver.job(reference, row["referring"])
            if not found.missing and found.path != row["id"]:
                yield row["referring"]
                break


def _chats(store: Store, environment: Environment) -> Iterator[str]:
    files, resolver = environment.files, Resolver(environment)
    for row in store.read(NAMED_CHATS):
        found = [resolver.chat(reference, row["referring"]) for reference in row["refs"]]
        moved = any(chat is not None and not chat.missing and chat.path != row["id"] for chat in found)
        if moved or files.is_file(row["id"]) == row["missing"]:
            yield row["referring"]


def _is_there(job: str, files: Files) -> bool:
    return files.is_file(job) or files.is_file(job + INFO)
