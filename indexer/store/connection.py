"""The one place where a driver is made, and the store that everything else reads and writes through.

Statements run in managed transactions (`execute_read`, `execute_write`), so transient errors and deadlocks
are retried: every write must be idempotent. Works with driver 5.26 to 6, with or without its Rust extension.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType
from typing import Any, Self, TypeVar, overload

import neo4j
from neo4j import Driver, GraphDatabase, ManagedTransaction, Query, Record
from neo4j.exceptions import DriverError, Neo4jError, TransientError

from indexer.store.driver_errors import MEMORY_LIMIT_CODES, driver_errors, from_driver
from indexer.store.errors import LocalServerError, SignInRefused, StoreUnreachable
from indexer.store.local.layout import Layout
from indexer.store.local.progress import Report, silent
from indexer.store.local.server import USER, LocalServer, Running
from indexer.store.local.target import LocalTarget
from indexer.store.settings import APP, ServerTarget, Target, resolve_target

T = TypeVar("T")
Work = Callable[[ManagedTransaction], T]

# A dead server must show within seconds; the second limit is for one that takes connections and says nothing.
CONNECT_SECONDS = 5.0
ACQUIRE_SECONDS = 10.0
RETRY_SECONDS = 30.0
TOUCH_EVERY_SECONDS = 10.0
LOCAL_DATABASE = "neo4j"


def make_driver(uri: str, auth: tuple[str, str] | None) -> Driver:
    """A driver with the program's settings. Connects to nothing yet."""
    return GraphDatabase.driver(
        uri,
        auth=auth,
        user_agent=user_agent(),
        connection_timeout=CONNECT_SECONDS,
        connection_acquisition_timeout=ACQUIRE_SECONDS,
        max_transaction_retry_time=RETRY_SECONDS,
        keep_alive=True,
        notifications_min_severity="OFF",
    )


def user_agent() -> str:
    """How the program names itself to servers."""
    try:
        own = version(APP)
    except PackageNotFoundError:
        own = "0"
    return f"{APP}/{own} neo4j-python/{neo4j.__version__}"


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
    def _session(self) -> Iterator[neo4j.Session]:
        now = time.monotonic()
        if now - self._touched > TOUCH_EVERY_SECONDS:
            self._touched = now
            self.touch()
        with driver_errors(self.where), self.driver.session(database=self.database) as session:
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


def open_store(target: Target | Driver | str | None = None, *, report: Report = silent) -> Store:
    """Open the store that `target` names and make sure that it answers.

    `target` is what `--store` takes (None: the environment decides), a resolved target, or a ready driver,
    which stays the caller's to close. The local server is installed and started if need be; `report` is told
    bytes done and bytes in all of the download. Raises StoreError.
    """
    if isinstance(target, Driver):
        store = Store(target, owns_driver=False)
        with driver_errors(store.where):
            target.verify_connectivity()
        return store
    if target is None or isinstance(target, str):
        target = resolve_target(target)
    return _open_local(target, report) if isinstance(target, LocalTarget) else _open_server(target)


def _open_server(target: ServerTarget) -> Store:
    auth = None
    if target.username:
        auth = (target.username, target.password.get_secret_value() if target.password else "")
    with driver_errors(target.where):
        driver = make_driver(target.uri, auth)
        _check(driver, target.database)
    return Store(driver, target.database, where=target.where, target=target)


def _open_local(target: LocalTarget, report: Report) -> Store:
    server = local_server(target)
    for last_try in (False, True):
        running = server.ensure(report)
        try:
            with driver_errors(target.where):
                driver = make_driver(running.state.uri, (USER, running.password))
                _check(driver, LOCAL_DATABASE)
            return Store(driver, LOCAL_DATABASE, where=target.where, target=target)
        except SignInRefused as error:
            raise LocalServerError(
                f"{target.where} does not accept its password",
                f"put the right one into {server.layout.password}, or stop the server and delete that file",
            ) from error
        except StoreUnreachable:
            # Stopped between being found and being asked, by another command or its idle stop.
            if last_try or _still_there(server, running):
                raise
    raise AssertionError("unreachable")


def local_server(target: LocalTarget) -> LocalServer:
    """The program's own server of that folder (not started by this)."""
    return LocalServer(target, can_sign_in)


def can_sign_in(uri: str, password: str) -> bool:
    """Whether the local server at the address is up and takes the password.

    False while it is not ready; raises SignInRefused when it answers and does not take the password.
    """
    try:
        with make_driver(uri, (USER, password)) as driver:
            _check(driver, LOCAL_DATABASE)
    except (Neo4jError, DriverError) as error:
        reason = from_driver(error, "the local server")
        if isinstance(reason, SignInRefused):
            raise reason from error
        return False
    return True


def _check(driver: Driver, database: str | None) -> None:
    """One round trip without retries: the server answers, takes the sign-in and has the database.

    Closes the driver where that fails.
    """
    try:
        with driver.session(database=database) as session:
            session.run("RETURN 1").consume()
    except BaseException:
        driver.close()
        raise


def _still_there(server: LocalServer, running: Running) -> bool:
    found = server.running()
    return found is not None and found.state.identity == running.state.identity
