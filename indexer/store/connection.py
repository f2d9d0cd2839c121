"""The one place where a driver is made, and where stores are opened.

Works with driver 5.26 to 6, with or without its Rust extension.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import neo4j
from neo4j import Driver, GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from indexer.store.driver_errors import CHECK_ADDRESS, driver_errors, from_driver
from indexer.store.errors import LocalServerError, SignInRefused, StoreUnreachable
from indexer.store.local.progress import Report, silent
from indexer.store.local.server import USER, LocalServer, Running
from indexer.store.local.target import LocalTarget
from indexer.store.settings import APP, ServerTarget, Target, resolve_target
from indexer.store.store import Store, Work

__all__ = ["Store", "Work", "local_server", "make_driver", "open_store"]

# A dead server must show within seconds; the second limit is for one that takes connections and says nothing.
CONNECT_SECONDS = 5.0
ACQUIRE_SECONDS = 10.0
RETRY_SECONDS = 30.0
LOCAL_DATABASE = "neo4j"


def make_driver(uri: str, auth: tuple[str, str] | None, retry_seconds: float = RETRY_SECONDS) -> Driver:
    """A driver with the program's settings. Connects to nothing yet.

    Transactions that fail for a passing reason are tried again for `retry_seconds`.
    """
    return GraphDatabase.driver(
        uri,
        auth=auth,
        user_agent=user_agent(),
        connection_timeout=CONNECT_SECONDS,
        connection_acquisition_timeout=ACQUIRE_SECONDS,
        max_transaction_retry_time=retry_seconds,
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


def open_store(
    target: Target | Driver | str | None = None,
    *,
    report: Report = silent,
    retry_seconds: float = RETRY_SECONDS,
) -> Store:
    """Open the store that `target` names and make sure that it answers.

    `target` is what `--store` takes (None: the environment decides), a resolved target, or a ready driver,
    which stays the caller's to close. The local server is installed and started if need be; `report` is told
    bytes done and bytes in all of the download. Raises StoreError; of a server that goes away later after
    `retry_seconds`.
    """
    if isinstance(target, Driver):
        store = Store(target, owns_driver=False)
        with driver_errors(store.where):
            target.verify_connectivity()
        return store
    if target is None or isinstance(target, str):
        target = resolve_target(target)
    if isinstance(target, LocalTarget):
        return _open_local(target, report, retry_seconds)
    return _open_server(target, retry_seconds)


def _open_server(target: ServerTarget, retry_seconds: float) -> Store:
    auth = None
    if target.username:
        auth = (target.username, target.password.get_secret_value() if target.password else "")
    try:
        with driver_errors(target.where):
            driver = make_driver(target.uri, auth, retry_seconds)
            _check(driver, target.database)
    except ValueError as error:  # what driver 5 says of a host name that does not exist
        raise StoreUnreachable(f"{target.where} cannot be used ({error})", CHECK_ADDRESS) from error
    return Store(driver, target.database, where=target.where, target=target)


def _open_local(target: LocalTarget, report: Report, retry_seconds: float) -> Store:
    server = local_server(target)
    for last_try in (False, True):
        running = server.ensure(report)
        try:
            with driver_errors(target.where):
                driver = make_driver(running.state.uri, (USER, running.password), retry_seconds)
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
