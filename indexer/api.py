"""`Index`: every answer as a typed method, named as the command that prints it.

    from indexer import Index
    with Index() as index:
        own = index.scope("chats/plan.chat", job_refs="own")
        print(own.totals.unique_tool_calls, own.totals.tokens.tt)

Methods about a root take `job_refs` ("all" or "own"), `follow` (relations; None for all) and `root_only`;
those with lists take `page`, `per_page` and `summary` (totals and the first few entries, under 4,000
characters of JSON).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from neo4j import Driver

from indexer.answers.of_graph import OfGraph
from indexer.answers.of_parts import OfParts
from indexer.answers.of_roots import OfRoots
from indexer.answers.runner import Py2neoRunner, Rows, StoreRunner
from indexer.store.connection import Store, open_store


class Index(OfRoots, OfParts, OfGraph):
    """The answers of one graph.

    `store` is what `--store` takes (None: the environment decides), an open `Store`, a `neo4j.Driver`, or a
    `py2neo.Graph`; the last three stay the caller's to close. Use it as a context manager, or `close()` it.
    Raises StoreError where the store cannot be used, AnswerError where a question cannot be answered.
    """

    def __init__(self, store: Any = None) -> None:
        self._owned: Store | None = None
        if type(store).__module__.partition(".")[0] == "py2neo":
            self.runner = Py2neoRunner(store)
        elif isinstance(store, Store):
            self.runner = StoreRunner(store)
        elif store is None or isinstance(store, str | Driver):
            self._owned = open_store(store)
            self.runner = StoreRunner(self._owned)
        else:
            raise TypeError(
                f"a store address, Store, neo4j.Driver or py2neo.Graph, not {type(store).__name__}"
            )

    def close(self) -> None:
        """Close what was opened here."""
        if self._owned is not None:
            self._owned.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def query(self, name: str, params: Mapping[str, Any] | None = None) -> Rows:
        """Rows of the query file of that name."""
        return self.runner.run(name, params or {})
