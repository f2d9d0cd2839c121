"""How a query file is run. Answers know this protocol only, never a driver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from indexer.answers.catalogue import load
from indexer.store.connection import Store

Rows = list[dict[str, Any]]


class Runner(Protocol):
    """Runs query files by name."""

    def run(self, name: str, params: Mapping[str, Any]) -> Rows:
        """The rows of `queries/<name>.cypher`: column to value, plain JSON values only."""


class StoreRunner:
    """Through the official driver, in managed read transactions."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def run(self, name: str, params: Mapping[str, Any]) -> Rows:
        """See `Runner`. Raises StoreError."""
        return [record.data() for record in self.store.read(load(name).text, sendable(params))]


class Py2neoRunner:
    """Through a ready `py2neo.Graph`. Queries only: py2neo's own schema calls fail on Neo4j 5."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph

    def run(self, name: str, params: Mapping[str, Any]) -> Rows:
        """See `Runner`. Errors are py2neo's own."""
        cursor = self.graph.run(load(name).text, sendable(params))
        return [_plain(row) for row in cursor.data()]


def sendable(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters whose texts the protocol can carry: bytes of an argument that are no UTF-8 match nothing."""
    return {name: _utf8(value) for name, value in params.items()}


def _utf8(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list | tuple):
        return [_utf8(item) for item in value]
    return value


def _plain(value: Any) -> Any:
    # py2neo gives its own list and map types inside rows.
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
