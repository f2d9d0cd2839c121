"""What must be linked together: the changed files, everything related to them, and the facts of all of it.

Linking is a pure function of whole components, so that its outcome never depends on the order of scans. This
module finds the components that a change touches: by the relationships that the graph holds, by the
references that the changed files make now, by jobs that share a short reference (a reference may move to the
better one), and by paid requests written down in several components (their canonical evidence is one).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import LiteralString

from neo4j import Record

from indexer.discovery.environment import Environment
from indexer.discovery.layout import INFO, job_of_companion, owners, short_reference
from indexer.discovery.references import Resolver
from indexer.ingest.memory import FactsCache
from indexer.linking.facts import ChatFacts, FactsError, JobFacts
from indexer.store.store import Store

Node = tuple[str, str]  # ("Chat" or "Job", id)

PENDING: LiteralString = "MATCH (f:File {pending: true}) RETURN f.path AS path, f.kind AS kind"
VANISHED_CHATS: LiteralString = (
    "MATCH (f:File) WHERE f.missing_since IS NOT NULL AND f.kind = 'chat' RETURN f.path AS path"
)
FACTS: LiteralString = """
UNWIND $rows AS row
MATCH (f:File {path: row.path}) WHERE f.facts IS NOT NULL
RETURN f.path AS path, f.kind AS kind, f.digest AS digest, f.links AS links, f.names AS names,
       CASE WHEN f.digest = row.digest THEN null ELSE f.facts END AS facts
"""
CHAT_NEIGHBOURS: LiteralString = """
UNWIND $ids AS id
MATCH (:Chat {id: id})-[:JOB|AGENT_JOB|CONTEXT|LOG|RESULT|IMPORTS|CONTINUES|LAST]-(n)
RETURN DISTINCT CASE WHEN n:Job THEN 'Job' ELSE 'Chat' END AS label, n.id AS id
"""
JOB_NEIGHBOURS: LiteralString = """
UNWIND $ids AS id
MATCH (:Job {id: id})-[:JOB|AGENT_JOB|CONTEXT|LOG|RESULT|DEPENDENCY]-(n)
RETURN DISTINCT CASE WHEN n:Job THEN 'Job' ELSE 'Chat' END AS label, n.id AS id
"""
RECEIPT_NEIGHBOURS: LiteralString = """
UNWIND $ids AS id
MATCH (:Job {id: id})<-[:RECEIPT_OF]-(:Receipt)<-[:HAS_RECEIPT]-(:Message)<-[:HAS_MESSAGE]-(c:Chat)
RETURN DISTINCT c.id AS id
"""
SAME_REFERENCE: LiteralString = """
UNWIND $refs AS ref
MATCH (j:Job {ref: ref})
RETURN j.id AS id,
       EXISTS { (f:File {path: j.id}) WHERE f.kind IN ['info', 'result'] }
       OR EXISTS { (:File {path: j.id + '.info', kind: 'info'}) } OR EXISTS { (j)-[:LOG|RESULT]->() } AS evident
"""
SHARED_REQUESTS: LiteralString = """
UNWIND $ids AS id
MATCH (:Inference {id: id})<-[e:EVIDENCE]-()
RETURN DISTINCT e.chat AS id
"""
INSIDE_FILES: LiteralString = """
UNWIND $prefixes AS prefix
MATCH (f:File) WHERE f.path STARTS WITH prefix AND f.kind = 'chat'
RETURN f.path AS path
"""
_BATCH = 5_000


@dataclass(slots=True)
class LoadSet:
    """Facts of everything to be linked together.

    chats, jobs  facts by id; `links` the digest of what linking gave last, by path of the file
    pending      paths of files that were read but not linked
    names        chat -> its further names by links
    job_files    job -> the file that its facts are of
    unreadable   files whose stored facts this program cannot read: they must be read anew
    """

    chats: dict[str, ChatFacts] = field(default_factory=dict)
    jobs: dict[str, JobFacts] = field(default_factory=dict)
    links: dict[str, str | None] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    pending: set[str] = field(default_factory=set)
    job_files: dict[str, str] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)


class Loader:
    """Grows a `LoadSet` from the pending files until nothing more is touched."""

    def __init__(self, store: Store, environment: Environment, facts: FactsCache | None = None) -> None:
        """`facts` are those at hand from before; what is loaded is added to them."""
        self._store = store
        self._cache = facts if facts is not None else FactsCache()
        self._env = environment
        self.set = LoadSet()
        self._seen: set[Node] = set()
        self._refs: set[str] = set()
        #: Jobs that are nodes, of all references asked for so far.
        self._jobs: set[str] = set()
        self._requests: set[str] = set()

    def load(self) -> LoadSet:
        """The load set of all pending files; empty when nothing is pending."""
        for row in self._store.read(PENDING):
            self.set.pending.add(row["path"])
        if not self.set.pending:
            return self.set
        for row in self._store.read(VANISHED_CHATS):
            self._env.index.add_chat(row["path"])
        frontier = [_node(path) for path in self.set.pending]
        frontier += [("Chat", path) for path in self._chats_inside(frontier)]
        while frontier:
            frontier = self._grow(frontier)
        return self.set

    def _grow(self, frontier: Iterable[Node]) -> list[Node]:
        new = [node for node in dict.fromkeys(frontier) if node not in self._seen]
        if not new:
            return []
        self._seen.update(new)
        found = self._same_references({short_reference(id) for label, id in new if label == "Job"})
        # A job without a node has neither files of its own nor neighbours, but its result may be a chat here.
        new = [
            (label, id)
            for label, id in new
            if label == "Chat" or id in self._jobs or ("Chat", id) not in self._seen
        ]
        loaded = self._facts(new)
        found |= self._neighbours(new)
        found |= self._same_references(
            {short_reference(job_of_companion(ref)) for facts in loaded for ref in references(facts)}
        )
        found |= self._named(loaded)
        found |= self._shared_requests(loaded)
        return [node for node in found if node not in self._seen]

    def _facts(self, nodes: Iterable[Node]) -> list[ChatFacts | JobFacts]:
        """Load the facts of nodes: a chat's file is its id; a job's is its info, else its result."""
        paths = [path for node in nodes for path in self._files(node)]
        loaded: list[ChatFacts | JobFacts] = []
        for batch in _batches(list(dict.fromkeys(paths))):
            asked = [{"path": path, "digest": self._cache.digest(path)} for path in batch]
            for row in self._store.read(FACTS, {"rows": asked}):
                path = row["path"]
                try:
                    facts = self._facts_of(row)
                    if isinstance(facts, ChatFacts):
                        if path in self.set.chats:
                            continue
                        chat = self.set.chats[path] = facts
                        self.set.names[path] = tuple(row["names"] or ())
                        self._env.index.add_chat(path)
                        loaded.append(chat)
                    else:
                        job = facts
                        if job.id in self.set.jobs and row["kind"] != "info":
                            continue
                        self.set.jobs[job.id] = job
                        self.set.job_files[job.id] = path
                        self._env.index.add_job(job.id)
                        loaded.append(job)
                except FactsError:
                    self.set.unreadable.append(path)
                    continue
                self.set.links[path] = row["links"]
        return loaded

    def _files(self, node: Node) -> tuple[str, ...]:
        label, id = node
        return (id + INFO, id) if label == "Job" and id in self._jobs else (id,)

    def _facts_of(self, row: Record) -> ChatFacts | JobFacts:
        """The facts at hand, where they are of the version that the graph holds, else the graph's own."""
        path, data = row["path"], row["facts"]
        if data is None:
            return self._cache.get(path)
        facts: ChatFacts | JobFacts
        facts = ChatFacts.from_bytes(data) if row["kind"] == "chat" else JobFacts.from_bytes(data)
        self._cache.put(path, row["digest"], facts)
        return facts

    def _neighbours(self, nodes: Iterable[Node]) -> set[Node]:
        found: set[Node] = set()
        chats = [id for label, id in nodes if label == "Chat"]
        jobs = [id for label, id in nodes if label == "Job" and id in self._jobs]
        for ids, statement in ((chats, CHAT_NEIGHBOURS), (jobs, JOB_NEIGHBOURS)):
            for batch in _batches(ids):
                found |= {(row["label"], row["id"]) for row in self._store.read(statement, {"ids": batch})}
        for batch in _batches(jobs):
            found |= {("Chat", row["id"]) for row in self._store.read(RECEIPT_NEIGHBOURS, {"ids": batch})}
        return found

    def _same_references(self, refs: set[str]) -> set[Node]:
        """Jobs with one of these short references: a reference may move to the better one."""
        refs -= self._refs
        self._refs |= refs
        found: set[Node] = set()
        for batch in _batches(sorted(refs)):
            for row in self._store.read(SAME_REFERENCE, {"refs": batch}):
                self._jobs.add(row["id"])
                found.add(("Job", row["id"]))
                if row["evident"]:
                    self._env.index.add_job(row["id"])
        return found

    def _named(self, loaded: Iterable[ChatFacts | JobFacts]) -> set[Node]:
        """What the facts name, as far as it resolves by now, and the jobs or chats they belong to."""
        resolver = Resolver(self._env)
        found: set[Node] = set()
        for facts in loaded:
            path = facts.path if isinstance(facts, ChatFacts) else facts.id
            for ref in references(facts):
                resolution = resolver.job(ref, path)
                if resolution.path:
                    found.add(("Job", resolution.path))
            if isinstance(facts, ChatFacts):
                for composition in facts.compositions:
                    chat = resolver.chat(composition.ref, path)
                    if chat is not None:
                        found.add(("Chat", chat.path))
                found |= {("Chat", path), ("Job", path), *_owners(path, self.set.names.get(path, ()))}
            else:
                found.add(("Chat", path))
        return found

    def _shared_requests(self, loaded: Iterable[ChatFacts | JobFacts]) -> set[Node]:
        ids: set[str] = set()
        for facts in loaded:
            if isinstance(facts, ChatFacts):
                ids |= {event.identity for event in facts.events}
                ids |= {receipt.identity for receipt in facts.receipts if receipt.identity}
        ids -= self._requests
        self._requests |= ids
        found: set[Node] = set()
        for batch in _batches(sorted(ids)):
            found |= {("Chat", row["id"]) for row in self._store.read(SHARED_REQUESTS, {"ids": batch})}
        return found

    def _chats_inside(self, nodes: Iterable[Node]) -> list[str]:
        """Chats below the `.files` of what is new: their kind may change with it."""
        prefixes = [f"{id}.files/" for _, id in nodes if self._env.files.is_folder(f"{id}.files")]
        found: list[str] = []
        for batch in _batches(prefixes):
            found += [row["path"] for row in self._store.read(INSIDE_FILES, {"prefixes": batch})]
        return found


def _owners(path: str, names: Iterable[str]) -> Iterator[Node]:
    for spelling in (path, *names):
        for owner in owners(spelling):
            yield ("Job", owner.path)
            yield ("Chat", owner.path)


def _node(path: str) -> Node:
    return ("Job", path[: -len(INFO)]) if path.endswith(INFO) else ("Chat", path)


def references(facts: ChatFacts | JobFacts) -> Iterator[str]:
    """The job references that a chat or job makes, as written."""
    if isinstance(facts, JobFacts):
        yield from facts.dependencies
        return
    yield from (marker.ref for marker in facts.markers)
    yield from (receipt.ref for receipt in facts.receipts if receipt.ref is not None)


def _batches(items: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
