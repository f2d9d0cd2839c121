"""The state file: which process is this store's server, and where it listens."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from indexer.store.local import process
from indexer.store.local.layout import Layout, read_json, write_private
from indexer.store.local.process import Identity, Marks

MAIN_CLASS = "org.neo4j.server.CommunityEntryPoint"
HOST = "127.0.0.1"


@dataclass(frozen=True)
class ServerState:
    """One server of ours. `ready` is False before it has accepted a sign-in and while it is being stopped."""

    pid: int
    started: str
    bolt_port: int
    http_port: int
    folder: str
    version: str
    ready: bool = False

    @property
    def identity(self) -> Identity:
        """Which process it is."""
        return Identity(self.pid, self.started)

    @property
    def uri(self) -> str:
        """Where drivers connect."""
        return f"bolt://{HOST}:{self.bolt_port}"

    @property
    def browser_url(self) -> str:
        """Where Neo4j Browser is served."""
        return f"http://{HOST}:{self.http_port}/browser/"

    def marked(self, *, ready: bool) -> ServerState:
        """The same with another readiness."""
        return replace(self, ready=ready)


def marks(folder: Path) -> Marks:
    """What the command line of the server of this folder holds."""
    return frozenset({MAIN_CLASS, f"--home-dir={folder}"})


def write(layout: Layout, state: ServerState) -> None:
    """Write the state file (readable by its owner only)."""
    write_private(layout.state, json.dumps(asdict(state)))


def clear(layout: Layout) -> None:
    """Forget the server."""
    layout.state.unlink(missing_ok=True)


def read(layout: Layout) -> ServerState | None:
    """The state file as it stands, whether or not that server lives; None where it is absent or broken."""
    found = read_json(layout.state)
    if found is None:
        return None
    try:
        state = ServerState(**found)
        numbers = (state.pid, state.bolt_port, state.http_port)
        return state if all(type(number) is int and number > 0 for number in numbers) else None
    except TypeError:
        return None


def read_live(layout: Layout) -> ServerState | None:
    """The server of this store that runs right now, as the state file tells it.

    None where the file names no process, a process that ended, or one that is not this store's server.
    """
    state = read(layout)
    if state is None or state.folder != str(layout.folder):
        return None
    return state if process.is_running(state.identity, marks(layout.folder)) else None


def find_live(layout: Layout, version: str) -> ServerState | None:
    """The running server of this store, also where the state file was lost (see its settings)."""
    if (state := read_live(layout)) is not None:
        return state
    identity = process.find(marks(layout.folder))
    ports = ports_in_conf(layout)
    if identity is None or ports is None:
        return None
    return ServerState(identity.pid, identity.started, *ports, folder=str(layout.folder), version=version)


def ports_in_conf(layout: Layout) -> tuple[int, int] | None:
    """Bolt and HTTP port that the settings file names; None where it does not."""
    try:
        lines = (layout.conf / "neo4j.conf").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    settings = dict(line.split("=", 1) for line in lines if "=" in line)
    try:
        bolt, http = (
            settings[f"server.{kind}.listen_address"].rpartition(":")[2] for kind in ("bolt", "http")
        )
        return int(bolt), int(http)
    except (KeyError, ValueError):
        return None
