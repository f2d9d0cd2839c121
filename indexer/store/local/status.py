"""What there is to tell about a local store and its server."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from indexer.store.local import process
from indexer.store.local.install import is_installed
from indexer.store.local.jars import locked
from indexer.store.local.server import LocalServer


@dataclass(frozen=True)
class LocalStatus:
    """A local store as it is now. Sizes are bytes; what is unknown or not running is None."""

    running: bool
    folder: str
    neo4j: str
    installed: bool
    lib: str
    pid: int | None
    uri: str | None
    browser: str | None
    memory_bytes: int | None
    data_bytes: int
    last_used: str | None
    idle_minutes: float


def status_of(server: LocalServer) -> LocalStatus:
    """Look at a store; nothing is started, made or changed."""
    running = server.running()
    state = running.state if running else None
    used = server.layout.last_use()
    return LocalStatus(
        running=running is not None,
        folder=str(server.layout.folder),
        neo4j=server.layout.version() or locked().neo4j_version,
        installed=is_installed(server.target.lib),
        lib=str(server.jars),
        pid=state.pid if state else None,
        uri=state.uri if state else None,
        browser=state.browser_url if state else None,
        memory_bytes=process.resident_bytes(state.pid) if state else None,
        data_bytes=_bytes_in(server.layout.data),
        last_used=datetime.fromtimestamp(used, UTC).isoformat(timespec="seconds") if used else None,
        idle_minutes=server.target.idle_minutes,
    )


def _bytes_in(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except OSError:  # a file that the server removed meanwhile
                continue
    return total
