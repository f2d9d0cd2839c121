"""The chats, jobs and edges of one scope, as the exports of a scope take them.

Only chats and jobs are held; messages, calls and requests are read row by row (`requests`, `calls`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from neo4j import ManagedTransaction

from indexer.answers.closure import Closure
from indexer.answers.roots import Root
from indexer.exports import statements

#: A node: its kind (chat or job) and id. A chat and a job of one path are two nodes.
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Node:
    """A chat or job: its properties as in the graph, with Python's datetimes; instructions of a chat."""

    key: Key
    properties: Mapping[str, Any]
    instructions: tuple[Mapping[str, Any], ...] = ()

    @property
    def id(self) -> str:
        """Its path."""
        return self.key[1]

    def get(self, name: str) -> Any:
        """A property; None without it."""
        return self.properties.get(name)

    @property
    def label(self) -> str:
        """A short name for people."""
        return str(self.get("ref") or self.get("name") or self.id)

    @property
    def span(self) -> tuple[datetime | None, datetime | None]:
        """When it began and ended, as far as that is known."""
        if self.key[0] == "job":
            return self.get("start") or self.get("issued"), self.get("end")
        return self.get("started_at"), self.get("ended_at")


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship between two nodes. `followed` is False where the scope leaves it out."""

    relation: str
    source: Key
    target: Key
    basis: str | None = None
    context_relation: str | None = None
    addresses: tuple[str, ...] = ()
    followed: bool = True


@dataclass
class ScopeGraph:
    """A scope in memory: chats and jobs, edges between them and edges that leave it."""

    root: Key
    nodes: dict[Key, Node] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)

    @property
    def chats(self) -> list[Node]:
        """Chats, sorted."""
        return [node for node in self.nodes.values() if node.key[0] == "chat"]

    @property
    def jobs(self) -> list[Node]:
        """Jobs, sorted."""
        return [node for node in self.nodes.values() if node.key[0] == "job"]

    @cached_property
    def results(self) -> dict[Key, Key]:
        """Job to its result chat, where that is in the scope."""
        return {edge.source: edge.target for edge in self.inside("result")}

    @cached_property
    def _out(self) -> dict[Key, list[Edge]]:
        found: dict[Key, list[Edge]] = {}
        for edge in self.inside():
            found.setdefault(edge.source, []).append(edge)
        return found

    def leaving(self, key: Key, relation: str) -> list[Edge]:
        """Followed edges of one relation from a node."""
        return [edge for edge in self._out.get(key, ()) if edge.relation == relation]

    def dependencies(self, job: Key) -> list[Key]:
        """The jobs that a job depends on."""
        return [edge.target for edge in self.leaving(job, "dependency")]

    @cached_property
    def parents(self) -> dict[Key, Key]:
        """Job to the job in whose log it was called, by an own reference; the first by path of several.

        A dependency that a log names was not called there.
        """
        logs = {edge.target: edge.source for edge in self.inside("log") if edge.source[0] == "job"}
        found: dict[Key, Key] = {}
        for edge in self.inside("job", "agent_job"):
            caller = None if edge.basis in ("dependency", "self") else logs.get(edge.source)
            if caller is not None and edge.target not in found and not _is_above(found, edge.target, caller):
                found[edge.target] = caller
        return found

    @cached_property
    def tree(self) -> dict[Key, Key]:
        """Every node but the root to the node it is first reached from; breadth first, own work first."""
        found: dict[Key, Key] = {}
        queue = deque([self.root])
        while queue:
            key = queue.popleft()
            for edge in sorted(self._out.get(key, ()), key=lambda edge: edge.relation == "context"):
                if edge.target != self.root and edge.target not in found:
                    found[edge.target] = key
                    queue.append(edge.target)
        return found

    def inside(self, *relations: str) -> Iterator[Edge]:
        """Followed edges of these relations (of all without any) between nodes of the scope."""
        for edge in self.edges:
            if edge.followed and (not relations or edge.relation in relations):
                yield edge


def read_scope(tx: ManagedTransaction, root: Root, closure: Closure) -> ScopeGraph:
    """The chats and jobs of a closure and what joins them."""
    params = closure.params(root.id)
    found = ScopeGraph((root.kind, root.id))
    for row in tx.run(statements.SCOPE_NODES, params):
        node = Node(
            (row["kind"], row["properties"]["id"]), _plain(row["properties"]), tuple(row["instructions"])
        )
        found.nodes[node.key] = node
    if found.root not in found.nodes and found.nodes:  # one path, two nodes: the closure starts at the other
        found.root = next(key for key in found.nodes if key[1] == root.id)
    follow = {*closure.follow, "imports", "continues", "last"}
    for row in tx.run(statements.SCOPE_EDGES, params):
        target = (row["to_kind"], row["to"])
        relation = row["context_relation"] or row["relation"]
        kept = relation in follow and (row["relation"] != "context" or closure.job_refs == "all")
        found.edges.append(
            Edge(
                row["relation"],
                (row["from_kind"], row["from"]),
                target,
                row["basis"],
                row["context_relation"],
                tuple(row["addresses"] or ()),
                kept and target in found.nodes,
            )
        )
    return found


def requests(tx: ManagedTransaction, root: Root, closure: Closure) -> Iterator[dict[str, Any]]:
    """Paid requests of a scope with their tokens, chat and time, read row by row."""
    for row in tx.run(statements.SCOPE_REQUESTS, closure.params(root.id)):
        yield _plain(row.data())


def calls(tx: ManagedTransaction, root: Root, closure: Closure) -> Iterator[dict[str, Any]]:
    """Tool calls that were really made in a scope, read row by row."""
    for row in tx.run(statements.SCOPE_CALLS, closure.params(root.id)):
        yield _plain(row.data())


def _is_above(parents: Mapping[Key, Key], key: Key, other: Key) -> bool:
    """Whether `key` is `other` or one of those above it."""
    step: Key | None = other
    while step is not None and step != key:
        step = parents.get(step)
    return step is not None


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _moment(value) for name, value in values.items()}


def _moment(value: Any) -> Any:
    return value.to_native().astimezone(UTC) if hasattr(value, "to_native") else value
