"""Telling jobs that run from jobs whose process was killed: their infos say the same (FORMAT.md 3.2).

The status stays as written, so that the graph follows from the files alone; `crashed_since` says when the
process was found dead. It goes away when the info changes. Only processes of this machine can be looked for.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, LiteralString

import psutil

from indexer.discovery.layout import INFO
from indexer.discovery.stamps import stamp_of
from indexer.ingest.lease import Holder, writing
from indexer.ingest.plans import stamp_text
from indexer.ingest.sweep import sweep
from indexer.store.store import Store

#: Seconds by which a process may seem to begin after its job: infos count whole seconds, clocks are set.
TOLERANCE = 5.0

RUNNING: LiteralString = """
MATCH (j:Job)
WHERE j.status IN ['setup', 'start', 'streaming', 'waiting', 'queue'] AND j.pid IS NOT NULL
  AND j.host IN $hosts AND j.missing = false
MATCH (f:File {path: j.id + '.info'})
RETURN j.id AS id, j.pid AS pid, coalesce(j.start, j.issued) AS began, j.crashed_since AS crashed,
       f.stamp AS stamp
"""
SET_CRASHED: LiteralString = """
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
WHERE j.pid = row.pid AND j.status IN ['setup', 'start', 'streaming', 'waiting', 'queue']
SET j.crashed_since = coalesce(j.crashed_since, datetime())
"""
SET_ALIVE: LiteralString = """
UNWIND $rows AS row
MATCH (j:Job {id: row.id})
REMOVE j.crashed_since
"""


@dataclass(frozen=True, slots=True)
class Crashes:
    """What a look gave: how many jobs run, which were newly found dead, which infos changed meanwhile.

    `dead` counts all that are dead, those noted before too.
    """

    running: int = 0
    crashed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    dead: int = 0


def note_crashes(store: Store, waiting: Callable[[Holder], None] | None = None) -> Crashes:
    """Look for the processes of jobs that say they run, and note the dead ones."""
    found, dead, alive = _look(store)
    if dead or alive:
        with writing(store, "watch", waiting, sweep) as held:
            held.write(SET_CRASHED, {"rows": dead})
            held.write(SET_ALIVE, {"rows": alive})
    return found


def look_for_crashes(store: Store) -> Crashes:
    """The same without noting anything: what a watcher would note now."""
    return _look(store)[0]


def _look(store: Store) -> tuple[Crashes, list[dict[str, Any]], list[dict[str, Any]]]:
    rows = store.read(RUNNING, {"hosts": sorted(own_names())})
    dead, alive, changed = [], [], []
    for row in rows:
        began = row["began"].to_native().timestamp() if row["began"] is not None else None
        if is_alive(row["pid"], began):
            if row["crashed"] is not None:
                alive.append({"id": row["id"]})
        elif row["crashed"] is None:
            # A process writes its last status before it ends: whoever looks in this order cannot mistake an
            # end for a crash.
            stamp = stamp_of(row["id"] + INFO)
            if stamp is not None and (row["stamp"] or "").startswith(stamp_text(stamp, "")):
                dead.append({"id": row["id"], "pid": row["pid"]})
            else:
                changed.append(row["id"] + INFO)
    known = sum(row["crashed"] is not None for row in rows) - len(alive)
    crashes = Crashes(
        len(rows) - len(dead) - known, tuple(row["id"] for row in dead), tuple(changed), known + len(dead)
    )
    return crashes, dead, alive


def is_alive(pid: int, began: float | None) -> bool:
    """True when the process lives and is not a later one with the same number. `began` is in seconds."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return began is None or process.create_time() <= began + TOLERANCE
    except (psutil.NoSuchProcess, ValueError, OverflowError):
        return False
    except (psutil.Error, OSError):
        return True  # there, but not to be asked


def own_names() -> Iterable[str]:
    """Names by which infos may call this machine."""
    name = socket.gethostname()
    return {name, name.partition(".")[0], socket.getfqdn()} if "." in name else {name}
