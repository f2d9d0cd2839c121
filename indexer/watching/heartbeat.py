"""How a watcher is doing, for others to see: a node beside the graph, written every few seconds."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, LiteralString

from indexer.store.errors import StoreError
from indexer.store.local.process import identify
from indexer.store.store import Store

BEAT_SECONDS = 5.0
#: Without a beat for so long, a watcher counts as gone.
GONE_SECONDS = 60

BEAT: LiteralString = """
MERGE (w:Watcher {id: $id})
SET w += $props, w.beat_at = datetime.realtime(), w.started_at = coalesce(w.started_at, datetime.realtime())
FOREACH (_ IN CASE WHEN $reconciled_ago IS NULL THEN [] ELSE [1] END |
  SET w.reconciled_at = datetime.realtime() - duration({milliseconds: $reconciled_ago}))
"""
END: LiteralString = """
MATCH (w:Watcher)
WHERE w.id = $id OR w.beat_at < datetime.realtime() - duration({days: 1})
DELETE w
"""
WATCHERS: LiteralString = """
MATCH (w:Watcher)
WITH w, duration.inSeconds(w.beat_at, datetime.realtime()).seconds AS silent
RETURN w.id AS id, w.host AS host, w.pid AS pid, w.state AS state, w.paths AS paths, w.polled AS polled,
       toString(w.started_at) AS started_at, toString(w.reconciled_at) AS reconciled_at,
       w.reconcile_seconds AS reconcile_seconds, w.lag_seconds AS lag_seconds, w.queue AS queue,
       w.rounds AS rounds, w.files AS files, w.problem AS problem, silent
ORDER BY id
"""


@dataclass(slots=True)
class Condition:
    """What a watcher knows of itself. Times are monotonic."""

    paths: tuple[str, ...] = ()
    polled: tuple[str, ...] = ()
    state: str = "reconciling"
    rounds: int = 0
    files: int = 0
    messages: int = 0
    events: int = 0
    queue: int = 0
    lag_seconds: float = 0.0
    round_seconds: float = 0.0
    reconciles: int = 0
    reconciled: float | None = None
    reconcile_seconds: float = 0.0
    store_errors: int = 0
    problem: str | None = None
    store_up: bool = True
    running_jobs: int = 0
    crashed_jobs: int = 0
    began: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class KnownWatcher:
    """A watcher as the store knows it. `alive` is False where it has been silent for too long."""

    id: str
    alive: bool
    silent_seconds: int
    state: str
    paths: tuple[str, ...]
    polled: tuple[str, ...]
    started_at: str
    reconciled_at: str | None
    reconcile_seconds: float | None
    lag_seconds: float
    queue: int
    rounds: int
    files: int
    problem: str | None


def watchers(store: Store) -> list[KnownWatcher]:
    """All watchers that work into the store, or did within a day and came to no proper end."""
    return [
        KnownWatcher(
            row["id"],
            row["silent"] <= GONE_SECONDS,
            row["silent"],
            row["state"],
            tuple(row["paths"] or ()),
            tuple(row["polled"] or ()),
            row["started_at"],
            row["reconciled_at"],
            row["reconcile_seconds"],
            row["lag_seconds"] or 0.0,
            row["queue"] or 0,
            row["rounds"] or 0,
            row["files"] or 0,
            row["problem"],
        )
        for row in store.read(WATCHERS)
    ]


class Heartbeat:
    """Writes the watcher's node, in a thread of its own: a long round must not look like a death."""

    def __init__(self, store: Callable[[], Store | None], condition: Callable[[], Condition]) -> None:
        """`store` gives the store while it can be used."""
        own = identify(os.getpid())
        self.id = f"{socket.gethostname()}:{os.getpid()}:{own.started if own else ''}"
        self._store = store
        self._condition = condition
        self._end = threading.Event()
        self._now = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=self._beat_on, name="heartbeat", daemon=True)
        self._thread.start()

    def now(self) -> None:
        """Write at once."""
        self._now.set()

    def stop(self, patience: float) -> None:
        """Take the node away, as far as that can be done in so many seconds."""
        self._end.set()
        self._now.set()
        if self._thread is not None:
            self._thread.join(patience)

    def _beat_on(self) -> None:
        while not self._end.is_set():
            self.beat()
            self._now.wait(BEAT_SECONDS)
            self._now.clear()
        store = self._store()
        if store is not None:
            try:
                store.write(END, {"id": self.id}, timeout=1.0)
            except StoreError:
                return

    def beat(self) -> None:
        """Write the node once; what keeps it from being written shows elsewhere."""
        store = self._store()
        if store is None:
            return
        try:
            store.touch()
            store.write(BEAT, self._parameters(), timeout=10.0)
        except StoreError:
            return

    def _parameters(self) -> dict[str, Any]:
        known = self._condition()
        ago = None if known.reconciled is None else int((time.monotonic() - known.reconciled) * 1000)
        props = {
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "state": known.state,
            "paths": list(known.paths),
            "polled": list(known.polled),
            "lag_seconds": round(known.lag_seconds, 3),
            "queue": known.queue,
            "rounds": known.rounds,
            "files": known.files,
            "reconcile_seconds": round(known.reconcile_seconds, 3),
            "problem": known.problem,
        }
        return {"id": self.id, "props": props, "reconciled_ago": ago}
