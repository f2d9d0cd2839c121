"""The idle stop: a tiny process beside the server that stops it when nobody has used it for a while.

"Used" is the later of two things: a command touched the stamp file (each one does, and again while it works),
or a connection to Bolt or HTTP was open (Neo4j Browser, other drivers). It ends itself with the server it
watches.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path

from filelock import FileLock, Timeout

from indexer.store.local import process, state
from indexer.store.local.layout import Layout, read_json, write_private
from indexer.store.local.process import Identity, Marks
from indexer.store.local.target import LocalTarget

MODULE = "indexer.store.local.watchdog"
STEP_SECONDS = 1.0
LOOK_SECONDS = 30.0
GONE_SECONDS = 3.0


def marks(folder: Path) -> Marks:
    """What the command line of the watchdog of this folder holds."""
    return frozenset({MODULE, f"--watch={folder}"})


def ensure(target: LocalTarget) -> None:
    """Start a watchdog for the store's server, unless one is there or idle stops are off (0 minutes)."""
    layout = Layout(target.folder)
    if target.idle_minutes <= 0 or process.is_running(recorded(layout), marks(target.folder)):
        return
    package_root = str(Path(__file__).parents[3])  # where the program runs from a checkout
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), package_root]))
    folders = (f"--watch={target.folder}", f"--lib={target.lib}")
    command = [sys.executable, "-P", "-m", MODULE, *folders, f"--idle-minutes={target.idle_minutes}"]
    log = layout.console.with_name("watchdog.log")
    process.start_detached(command, {**os.environ, "PYTHONPATH": path}, target.folder, log)


def recorded(layout: Layout) -> Identity | None:
    """The process that watches, as it noted itself; it may have ended."""
    found = read_json(layout.folder / "watchdog.json") or {}
    try:
        return Identity(int(found["pid"]), str(found["started"]))
    except (KeyError, TypeError, ValueError):
        return None


def watch(target: LocalTarget) -> None:
    """Watch until the server is gone. A second watchdog of the same folder ends at once."""
    layout = Layout(target.folder)
    try:
        with FileLock(layout.folder / "watchdog.lock", timeout=0, mode=0o600):
            if own := process.identify(os.getpid()):
                write_private(layout.folder / "watchdog.json", json.dumps(asdict(own)))
            _watch(target, layout)
    except Timeout:
        return


def _watch(target: LocalTarget, layout: Layout) -> None:
    idle_seconds = target.idle_minutes * 60
    look_seconds = min(LOOK_SECONDS, idle_seconds / 4)
    step_seconds = min(STEP_SECONDS, look_seconds)
    next_look = time.monotonic()
    last_seen = time.monotonic()
    while time.monotonic() - last_seen < GONE_SECONDS:
        time.sleep(step_seconds)
        if layout.state.exists():
            last_seen = time.monotonic()
        if time.monotonic() < next_look:
            continue
        next_look = time.monotonic() + look_seconds
        if layout.state.exists() and (live := state.read_live(layout)) is None:
            return  # it died; the next command that needs it starts it, and another watchdog
        if live and live.ready and _is_idle(layout, live, idle_seconds):
            _stop_if_idle(target, layout, idle_seconds)


def _is_idle(layout: Layout, live: state.ServerState, idle_seconds: float) -> bool:
    if process.connected(live.pid, frozenset({live.bolt_port, live.http_port})):
        layout.touch()
    return time.time() - layout.last_use() > idle_seconds


def _stop_if_idle(target: LocalTarget, layout: Layout, idle_seconds: float) -> None:
    from indexer.store.connection import local_server

    server = local_server(target)
    with server.locked():  # a command that came in meanwhile has touched the stamp, or holds the lock
        live = state.read_live(layout)
        if live is not None and _is_idle(layout, live, idle_seconds):
            server.stop_locked()


def main(arguments: list[str]) -> None:
    """`--watch=FOLDER --lib=FOLDER --idle-minutes=N`."""
    given = dict(argument.split("=", 1) for argument in arguments)
    watch(
        LocalTarget(
            folder=Path(given["--watch"]),
            lib=Path(given["--lib"]),
            idle_minutes=float(given["--idle-minutes"]),
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])
