"""An open store: what everything else reads and writes through.

Statements run in managed transactions (`execute_read`, `execute_write`), so transient errors and deadlocks
are retried: every write must be idempotent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self, TypeVar, overload

import neo4j
from neo4j import Driver, ManagedTransaction, Query, Record, Transaction
from neo4j.exceptions import TransientError

from indexer.store.driver_errors import MEMORY_LIMIT_CODES, driver_errors, from_driver
from indexer.store.local.layout import Layout
from indexer.store.local.target import LocalTarget
from indexer.store.settings import Target

T = TypeVar("T")
Work = Callable[[ManagedTransaction], T]

TOUCH_EVERY_SECONDS = 10.0
#: Rows of a typed statement that are held here while they are looked at: one may be large.
_ROWS_AT_ONCE = 100


class Store:
    """An open store: a driver, a database, and statements run in managed transactions.

    Use it as a context manager, or `close()` it. All errors are `StoreError`.
    """

    def __init__(
        self,
        driver: Driver,
        database: str | None = None,
        *,
        where: str = "the given driver",
        target: Target | None = None,
        owns_driver: bool = True,
    ) -> None:
        self.driver = driver
        self.database = database
        self.where = where
        self.target = target
        self._owns_driver = owns_driver
        self._stamp = Layout(target.folder) if isinstance(target, LocalTarget) else None
        self._touched = time.monotonic()

    @overload
    def read(
        self, work: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> list[Record]: ...
    @overload
    def read(self, work: Work[T], params: None = None, *, timeout: float | None = None) -> T: ...
    def read(
        self, work: str | Work[T], params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> list[Record] | T:
        """Run one statement, or a function of a transaction, that only reads.

        A statement gives its records; a function gives what it returns and may run more than once. `timeout`,
        in seconds, is enforced by the server (`QueryTimedOut`).
        """
        with self._session() as session:
            if isinstance(work, str):
                return session.execute_read(self._work(_statement(work, params), timeout))
            return session.execute_read(self._work(work, timeout))

    @overload
    def write(
        self, work: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> list[Record]: ...
    @overload
    def write(self, work: Work[T], params: None = None, *, timeout: float | None = None) -> T: ...
    def write(
        self, work: str | Work[T], params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> list[Record] | T:
        """Run one statement, or a function of a transaction, that writes; otherwise as `read`.

        The work may be run again even after it was committed, so it must be idempotent.
        """
        with self._session() as session:
            if isinstance(work, str):
                return session.execute_write(self._work(_statement(work, params), timeout))
            return session.execute_write(self._work(work, timeout))

    def read_once(self, work: Callable[[Transaction], T], *, timeout: float | None = None) -> T:
        """Run a function of a transaction that only reads, and never again where it fails.

        For statements that someone typed: one that brings the server down would bring it down again.
        """
        with (
            self._session(default_access_mode=neo4j.READ_ACCESS, fetch_size=_ROWS_AT_ONCE) as session,
            session.begin_transaction(timeout=timeout) as transaction,
        ):
            return work(transaction)

    def implicit(self, query: str, params: Mapping[str, Any] | None = None) -> list[Record]:
        """Run a statement that manages its own transactions (`CALL {} IN TRANSACTIONS`), without retries."""
        with self._session() as session:
            return list(session.run(Query(query), dict(params or {})))

    def touch(self) -> None:
        """Keep the local server from its idle stop; each read and write does it. Nothing for other stores."""
        if self._stamp is not None:
            self._stamp.touch()

    def close(self) -> None:
        """Close the driver if the store made it."""
        if self._owns_driver:
            self.driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Store({self.where!r}, database={self.database!r})"

    @contextmanager
    def _session(self, **settings: Any) -> Iterator[neo4j.Session]:
        now = time.monotonic()
        if now - self._touched > TOUCH_EVERY_SECONDS:
            self._touched = now
            self.touch()
        with driver_errors(self.where), self.driver.session(database=self.database, **settings) as session:
            yield session

    def _work(self, work: Work[T], timeout: float | None) -> Work[T]:
        """The work with its time limit; a transaction that is too large fails at once.

        The driver would retry what the memory limit refused for half a minute, and in vain.
        """

        @neo4j.unit_of_work(timeout=timeout)
        def bounded(tx: ManagedTransaction) -> T:
            try:
                return work(tx)
            except TransientError as error:
                if error.code in MEMORY_LIMIT_CODES:
                    raise from_driver(error, self.where) from error
                raise

        return bounded


def _statement(query: str, params: Mapping[str, Any] | None) -> Work[list[Record]]:
    given = dict(params or {})
    return lambda tx: list(tx.run(query, given))  # type: ignore[arg-type, unused-ignore]
