"""The graph behind the tools: opened when it is first asked, and anew when the local server went away."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from indexer.api import Index
from indexer.store.connection import Store, open_store
from indexer.store.errors import StoreUnreachable
from indexer.store.local.target import LocalTarget

T = TypeVar("T")


class Graph:
    """One store for all tools. `address` is what `--store` takes."""

    def __init__(self, address: str | None) -> None:
        self._address = address
        self._store: Store | None = None
        self._lock = Lock()

    def ask(self, question: Callable[[Index], T]) -> T:
        """The answer to a question. Raises StoreError, AnswerError."""
        return self.read(lambda store: question(Index(store)))

    def read(self, question: Callable[[Store], T]) -> T:
        """The same for what needs the store itself. A local server that has stopped is started again."""
        store = self._opened()
        try:
            return question(store)
        except StoreUnreachable:
            if not isinstance(store.target, LocalTarget):
                raise
            self._forget(store)
            return question(self._opened())

    def close(self) -> None:
        """Close the store."""
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None

    def _opened(self) -> Store:
        with self._lock:
            if self._store is None:
                self._store = open_store(self._address)
            return self._store

    def _forget(self, store: Store) -> None:
        with self._lock:
            if self._store is store:
                self._store = None
                store.close()
