"""Start the server's process and wait until it answers."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

from indexer.store.errors import LocalServerError
from indexer.store.local import conf, java, process, state
from indexer.store.local.layout import Layout, write_private
from indexer.store.local.state import HOST, ServerState

READY_SECONDS = 180.0
POLL_SECONDS = 0.05
# Bolt's magic number and four version ranges: 5.8 down to 5.0, 4.4, none, none.
HANDSHAKE = bytes.fromhex("6060b017 00080805 00000404 00000000 00000000")
# How lines of Java's stack traces begin that say why.
CAUSES = ("Caused by: ", "Exception in thread ")
PORT_TAKEN = ("Address already in use", "java.net.BindException", "PortBindException")


class ServerEnded(LocalServerError):
    """The server's process ended before it was ready."""


class PortTaken(ServerEnded):
    """Another program took the chosen port before the server could."""


def free_ports(preferred: tuple[int, int] | None) -> tuple[int, int]:
    """A Bolt and an HTTP port that are free now: the ones used last time, else ones the system picks."""
    if preferred and all(_is_free(port) for port in preferred):
        return preferred
    with socket.socket() as first, socket.socket() as second:
        first.bind((HOST, 0))
        second.bind((HOST, 0))
        return first.getsockname()[1], second.getsockname()[1]


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name == "posix":  # as the server does, so that its own closing connections do not count
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def set_password(layout: Layout, jars: Path, password: str) -> None:
    """Set the first password; only possible before the first start. It is never on a command line."""
    argument_file = layout.folder / ".initial-password"
    write_private(argument_file, password)
    try:
        code, output = java.run_tool(
            jars,
            ["org.neo4j.cli.AdminTool", "dbms", "set-initial-password", f"@{argument_file}"],
            tool_environment(layout),
            folder=layout.folder,
            timeout=120,
        )
    finally:
        argument_file.unlink(missing_ok=True)
    if code != 0:
        detail = output.replace(password, "***").strip().splitlines()
        raise LocalServerError(
            f"the server's first password cannot be set ({detail[-1] if detail else code})"
        )


def tool_environment(layout: Layout) -> dict[str, str]:
    """Environment of the server and its tools."""
    return {"NEO4J_HOME": str(layout.folder), "NEO4J_CONF": str(layout.conf)}


def spawn(layout: Layout, jars: Path, heap: str, version: str, ports: tuple[int, int]) -> ServerState:
    """Start the process, apart from this one and its terminal, and write the state file."""
    conf.write(layout, *ports)
    write_private(layout.class_path, java.class_path_arguments(jars))
    command = [
        str(java.executable()),
        *java.server_flags(heap, jars),
        f"@{layout.class_path}",
        state.MAIN_CLASS,
        f"--home-dir={layout.folder}",
        f"--config-dir={layout.conf}",
    ]
    environment = {**os.environ, **tool_environment(layout)}
    pid = process.start_detached(command, environment, layout.folder, layout.console)
    identity = process.identify(pid)
    if identity is None:
        raise ServerEnded("the server ended at once", see_log(layout))
    started = ServerState(pid, identity.started, *ports, folder=str(layout.folder), version=version)
    state.write(layout, started)
    return started


def wait_ready(layout: Layout, server: ServerState, signs_in: Callable[[ServerState], bool]) -> ServerState:
    """Wait until the server answers and accepts the sign-in.

    Raises ServerEnded (PortTaken where its port was the reason), or LocalServerError when it takes too long.
    """
    end = time.monotonic() + READY_SECONDS
    marks = state.marks(layout.folder)
    while time.monotonic() < end:
        if not process.is_running(server.identity, marks):
            raise _ended(layout)
        # The password goes only to a port on which our own process listens, never to a stranger's.
        if (
            _shakes_hands(server.bolt_port)
            and process.listens(server.pid, server.bolt_port)
            and signs_in(server)
        ):
            ready = server.marked(ready=True)
            state.write(layout, ready)
            return ready
        time.sleep(POLL_SECONDS)
    raise LocalServerError(f"the server was not ready within {READY_SECONDS:.0f} seconds", see_log(layout))


def _shakes_hands(port: int) -> bool:
    try:
        with socket.create_connection((HOST, port), 0.5) as connection:
            connection.settimeout(2)
            connection.sendall(HANDSHAKE)
            return len(connection.recv(4)) == 4
    except OSError:
        return False


def _ended(layout: Layout) -> ServerEnded:
    state.clear(layout)
    text = _read(layout.user_log).rpartition("INFO  Starting...")[2] + _read(layout.console)
    if any(sign in text for sign in PORT_TAKEN):
        return PortTaken("another program took the server's port", "try again")
    if "FileLockException" in text:
        return ServerEnded(
            f"another Neo4j has the data in {layout.folder} open",
            "stop it, or name another folder after local:",
        )
    causes = [line.partition(": ")[2] for line in text.splitlines() if line.startswith(CAUSES)]
    detail = f" ({causes[-1]})" if causes else ""
    return ServerEnded(f"the server ended while it was starting{detail}", see_log(layout))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def see_log(layout: Layout) -> str:
    """The remedy that points at the server's logs."""
    return f"see {layout.user_log.parent}"
