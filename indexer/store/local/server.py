"""One local server per data folder: found or started, shared by all processes, stopped.

Whatever starts, stops or changes a server holds the folder's lock, so two commands that start at once start
one server. A command that finds a live, ready server takes no lock at all.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from filelock import FileLock, Timeout

from indexer.store.errors import LocalServerError
from indexer.store.local import java, launch, process, state, watchdog
from indexer.store.local.install import install, jar_folder
from indexer.store.local.jars import locked
from indexer.store.local.layout import Layout
from indexer.store.local.progress import Report, silent
from indexer.store.local.state import ServerState
from indexer.store.local.target import LocalTarget

log = logging.getLogger(__name__)

LOCK_SECONDS = 600.0
# A first stop also writes the class archive, which takes some seconds on a slow machine.
STOP_SECONDS = 60.0
PORT_TRIES = 4
USER = "neo4j"

SignIn = Callable[[str, str], bool]
"""(uri, password) -> whether a driver could sign in; False also while the server is not ready yet."""


@dataclass(frozen=True)
class Running:
    """A server that is ready, and how to sign in to it."""

    state: ServerState
    password: str = field(repr=False)


class LocalServer:
    """The server of one data folder."""

    def __init__(self, target: LocalTarget, sign_in: SignIn) -> None:
        self.target = target
        self.layout = Layout(target.folder)
        self.jars = jar_folder(target.lib)
        self._sign_in = sign_in

    def ensure(self, report: Report = silent) -> Running:
        """The running server, started (and installed) if there is none. Raises LocalServerError."""
        if (found := self.running()) is not None:
            self.layout.touch()
            watchdog.ensure(self.target)
            return found
        with self.locked():
            live = state.find_live(self.layout, locked().neo4j_version)
            if live is not None:
                self.layout.touch()
                watchdog.ensure(self.target)
                with contextlib.suppress(launch.ServerEnded):  # it was being stopped, or could not start
                    return Running(launch.wait_ready(self.layout, live, self._signs_in), self._password())
            return self.start_locked(report)

    def running(self) -> Running | None:
        """The server that is ready now, without waiting or starting; None where there is none."""
        found = state.read_live(self.layout)
        password = self.layout.read_password()
        if found is None or not found.ready or password is None:
            return None
        return Running(found, password)

    def stop(self) -> bool:
        """Stop the server if it runs; True when it did."""
        if not self.layout.folder.is_dir():
            return False
        with self.locked():
            return self.stop_locked()

    def stop_locked(self) -> bool:
        """`stop` for a caller that holds the lock."""
        live = state.find_live(self.layout, locked().neo4j_version)
        stopped = False
        if live is not None:
            state.write(self.layout, live.marked(ready=False))
            end = time.monotonic() + STOP_SECONDS
            stopped = process.terminate(live.identity, state.marks(self.layout.folder), STOP_SECONDS)
            if stopped and time.monotonic() < end:
                java.publish_server_archive(self.jars)
        state.clear(self.layout)
        return stopped

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder's lock; says so on stderr where another command has it for more than a moment."""
        self.layout.prepare(locked().neo4j_version)
        lock = FileLock(self.layout.lock, mode=0o600)
        try:
            try:
                lock.acquire(timeout=2)
            except Timeout:
                log.warning("waiting for another command that starts or stops the local server")
                lock.acquire(timeout=LOCK_SECONDS)
        except Timeout:
            raise LocalServerError(
                f"another command has held the local server's lock for {LOCK_SECONDS:.0f} seconds",
                f"end it, then try again ({self.layout.lock})",
            ) from None
        try:
            self.layout.recover()
            yield
        finally:
            lock.release()

    def start_locked(self, report: Report = silent) -> Running:
        """Start a server where none runs, for a caller that holds the lock."""
        last = state.read(self.layout)
        state.clear(self.layout)
        install(self.target.lib, report)
        java.make_base_archive(self.jars)
        fresh = not self.layout.has_data()
        if not fresh and self.layout.read_password() is None:
            self.layout.forget_sign_in()
            fresh = True
        password = self.layout.ensure_password()
        if fresh:
            launch.set_password(self.layout, self.jars, password)
        preferred = (last.bolt_port, last.http_port) if last else state.ports_in_conf(self.layout)
        for attempt in range(1, PORT_TRIES + 1):
            ports = launch.free_ports(preferred if attempt == 1 else None)
            self.layout.touch()
            self.layout.write_stamp(locked().neo4j_version)
            started = launch.spawn(self.layout, self.jars, self.target.heap, locked().neo4j_version, ports)
            watchdog.ensure(self.target)
            try:
                return Running(launch.wait_ready(self.layout, started, self._signs_in), password)
            except launch.PortTaken:
                if attempt == PORT_TRIES:
                    raise
        raise AssertionError("unreachable")

    def _signs_in(self, server: ServerState) -> bool:
        return self._sign_in(server.uri, self._password())

    def _password(self) -> str:
        if (password := self.layout.read_password()) is None:
            raise LocalServerError(
                f"the password of the running local server is gone from {self.layout.folder}",
                "run `indexer neo4j stop`; the next start makes a new one",
            )
        return password
