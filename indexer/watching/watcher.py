"""The watcher: rounds of looking again where something changed, and at everything from time to time.

A round takes the hints, looks there, writes and links what is new. What it could not finish it gives back, so
nothing heard of is skipped; what was not heard of is found by the next look at everything: at the start,
every few minutes, after any doubt about the events, and when the store was away.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from indexer.discovery.paths import native, storable
from indexer.ingest.lease import Holder, LeaseLost
from indexer.ingest.memory import Memory
from indexer.ingest.scan import Interrupted, Progress, Scanner, ScanOptions, ScanReport
from indexer.ingest.settling import Settling
from indexer.migrations import SchemaError
from indexer.store.errors import StoreError
from indexer.store.store import Store
from indexer.watching import limits
from indexer.watching.crashed import note_crashes
from indexer.watching.events import Source
from indexer.watching.heartbeat import Condition
from indexer.watching.hints import Batch, Hints
from indexer.watching.options import WatchOptions

log = logging.getLogger(__name__)

_LONGEST_WAIT = 1.0
_LONGEST_BACKOFF = 30.0
_ALIVE_SECONDS = 10.0
#: A look at everything may take this part of the time at most, whatever asks for it.
_SHARE = 0.25

Open = Callable[[], Store]


class Watcher:
    """Follows paths until told to stop: `run` is its life, all else may be called by any thread."""

    def __init__(
        self,
        open_store: Open,
        paths: Sequence[str],
        source: Callable[[Hints], Source],
        options: WatchOptions | None = None,
        scan: ScanOptions | None = None,
    ) -> None:
        """`open_store` opens the store anew whenever it was lost; `paths` are native."""
        self._open = open_store
        self._paths = tuple(dict.fromkeys(os.path.abspath(path) for path in paths))
        self._options = options or WatchOptions()
        self._scan = scan or ScanOptions()
        self.hints = Hints()
        self._source = source(self.hints)
        self._memory = Memory(settling=Settling(self._options.settle))
        self._store: Store | None = None
        self._known = Condition(paths=tuple(storable(path) for path in self._paths))
        self._stopping = threading.Event()
        self._reloading = threading.Event()
        self._next: dict[str, float] = {}
        self._backoff = 0.0
        self._last_restart = float("-inf")
        self._watched: tuple[str, ...] = ()
        self._reason = "time"
        self._at_work: Batch | None = None
        self.told: Callable[[], None] = lambda: None
        """Called after every round."""
        self.alive: Callable[[], None] = lambda: None
        """Called every few seconds by the thread that works."""

    # ------------------------------------------------------------------ from outside

    @property
    def store(self) -> Store | None:
        """The store, while it can be used."""
        return self._store if self._known.store_up else None

    def condition(self) -> Condition:
        """How it is doing."""
        at_work = self._at_work
        waiting = self.hints.waiting_for()
        if at_work is not None and at_work.oldest is not None:
            waiting = max(waiting, time.monotonic() - at_work.oldest)
        return replace(
            self._known,
            queue=len(self.hints) + (len(at_work) if at_work is not None else 0),
            events=self.hints.events,
            lag_seconds=max(self._known.lag_seconds, waiting),
        )

    def stop(self) -> None:
        """End as soon as the transaction at hand is done."""
        self._stopping.set()
        self.hints.wake()

    def reload(self) -> None:
        """Take everything anew: roots, links, ignore files, and look at all of it."""
        self._reloading.set()
        self.hints.wake()

    # ------------------------------------------------------------------ life

    def run(self) -> None:
        """Watch until `stop`, or with `once` until all is done. SchemaError passes through."""
        self._watched = self._roots()
        self._source.start(self._watched)
        self.hints.all("the start")
        self._later("crashed", self._options.quiet)
        try:
            while not self._stopping.is_set():
                self._look_after()
                if self._backoff_left() > 0:
                    self.hints.wait(min(self._backoff_left(), _LONGEST_WAIT))
                    continue
                if self._is_due("crashed"):
                    self._note_crashes()
                due = self.hints.due_in(self._options.quiet, self._options.most)
                if due is None and self._options.once and not len(self._memory.settling or ()):
                    return
                if due is None or due > 0:
                    self._pause(due)
                    continue
                self._at_work = self.hints.take()
                self._round(self._at_work)
                self._at_work = None
        except Interrupted:
            return
        finally:
            self._source.stop()

    def close(self) -> None:
        """Close the store."""
        store, self._store = self._store, None
        if store is not None:
            store.close()

    def _pause(self, due: float | None) -> None:
        timers = [at - time.monotonic() for at in self._next.values()]
        settling = self._memory.settling.next_due() if self._memory.settling else None
        waits = [_LONGEST_WAIT, *timers, *(wait for wait in (due, settling) if wait is not None)]
        self.hints.wait(max(0.01, min(waits)))

    def _roots(self) -> tuple[str, ...]:
        real = {os.path.realpath(path) for path in self._paths}
        return tuple(sorted(real | set(self._memory.roots)))

    def _look_after(self) -> None:
        """Timers, doubts, signals."""
        self._live()
        if self._reloading.is_set():
            self._reloading.clear()
            log.info("taking everything anew")
            self._memory = Memory(settling=self._memory.settling)
            self._watched = self._roots()
            self._source.start(self._watched)
            self.hints.all("asked to")
        doubt = self._source.doubt()
        if doubt is not None:
            self._reconcile_soon(doubt)
        if self._is_due("reconcile"):
            self._next.pop("reconcile")
            self.hints.all(self._reason)
        if self._is_due("poll"):
            self._later("poll", max(self._options.poll, self._known.round_seconds / _SHARE))
            for place in self._source.polled:
                if os.path.isdir(place):
                    self.hints.tree(place)
                else:
                    self.hints.start(place)
        settling = self._memory.settling
        for path in settling.due() if settling is not None else ():
            self.hints.name(native(path))
        self._known.polled = tuple(storable(place) for place in self._source.polled)

    def _reconcile_soon(self, reason: str) -> None:
        """Look at everything, soon, but not so often that nothing else gets done."""
        earliest = 0.0
        if self._known.reconciled is not None:
            earliest = self._known.reconciled + self._known.reconcile_seconds / _SHARE
        at = max(earliest, time.monotonic())
        if at < self._next.get("reconcile", float("inf")):
            self._next["reconcile"] = at
            self._reason = reason
            log.info("everything will be looked at: %s", reason)

    def _is_due(self, timer: str) -> bool:
        return time.monotonic() >= self._next.get(timer, float("inf"))

    def _later(self, timer: str, seconds: float) -> None:
        self._next[timer] = time.monotonic() + seconds

    # ------------------------------------------------------------------ rounds

    def _round(self, batch: Batch) -> None:
        began = time.monotonic()
        try:
            store = self._opened()
            report = self._look(store, batch)
        except StoreError as error:
            self.hints.give_back(batch)
            if self._options.once:
                raise
            self._store_is_away(error)
            return
        except (Interrupted, SchemaError):
            raise
        except Exception as error:
            # A round must not end the watching: it is tried again, later and later, and the trouble is shown.
            log.exception("a round failed")
            self.hints.give_back(batch)
            self._known.problem = f"a round failed ({type(error).__name__}: {error}); it is tried again"
            self._back_off()
            return
        now = time.monotonic()
        known = self._known
        self._backoff = 0.0
        self._next.pop("again", None)
        known.rounds += 1
        known.files += report.chats + report.jobs
        known.messages += report.messages
        known.round_seconds = now - began
        known.lag_seconds = now - batch.oldest if batch.oldest is not None else 0.0
        known.problem = self._source.problem
        known.state = "watching"
        if batch.everything:
            known.reconciles += 1
            known.reconciled, known.reconcile_seconds = now, now - began
            self._later("reconcile", max(self._options.reconcile, (now - began) / _SHARE))
            self._reason = "time"
            if "poll" not in self._next:
                self._later("poll", self._options.poll)
            self._check_watches()
        log.info(
            "round %d: %s; read %d chats and %d jobs in %.2f s, %.2f s after the first change",
            known.rounds,
            batch.everything or f"{len(batch.places)} places",
            report.chats,
            report.jobs,
            known.round_seconds,
            known.lag_seconds,
        )
        self.told()

    def _look(self, store: Store, batch: Batch) -> ScanReport:
        scanner = Scanner(store, self._scan, self._tell, self._memory, self._waiting)
        due = self._memory.settling.due() if self._memory.settling else []
        if batch.everything or not self._memory.roots:
            self._known.state = "reconciling"
            before = self._memory.roots
            report = scanner.scan(storable(path) for path in self._paths)
            if self._memory.roots != before and self._roots() != self._watched:
                self._watched = self._roots()
                self._source.start(self._watched)  # links lead out to places not watched until now
                self.hints.all("more is to be watched")
        else:
            self._known.state = "catching up"
            report = scanner.look_again(batch.places, [storable(path) for path in sorted(batch.starts)])
        for path in due:
            if self._memory.settling is not None:
                self._memory.settling.settled(path)
        return report

    def _live(self) -> None:
        if time.monotonic() >= self._next.get("alive", 0.0):
            self._later("alive", _ALIVE_SECONDS)
            self.alive()

    def _tell(self, progress: Progress) -> None:
        self._live()
        if self._stopping.is_set():
            raise Interrupted

    def _waiting(self, holder: Holder) -> None:
        if self._stopping.is_set():
            raise Interrupted
        self._live()
        self._known.state = f"waiting for {holder.words} ({holder.host}, process {holder.pid})"

    def _opened(self) -> Store:
        if self._store is None:
            self._store = self._open()
        if not self._known.store_up:
            self._known.store_up = True
            self._known.problem = None
            log.warning("the store can be used again")
            self.told()
        return self._store

    def _store_is_away(self, error: StoreError) -> None:
        if self._known.store_up or not isinstance(error, LeaseLost):
            log.warning("%s; waiting for the store", error)
        self._known.store_errors += 1
        self._known.problem = str(error)
        if not isinstance(error, LeaseLost):
            self._known.store_up = False
            store, self._store = self._store, None
            if store is not None:
                store.close()  # the server may come back elsewhere: the local one on other ports
            # It may come back older than it was (a backup put back): all that it holds is compared again.
            self._memory = Memory(settling=self._memory.settling, roots=(), migrated=False)
            self.hints.all("the store was away")
        self._back_off()

    def _back_off(self) -> None:
        self._backoff = min(_LONGEST_BACKOFF, self._backoff * 2 or 0.5)
        self._later("again", self._backoff)
        self.told()

    def _backoff_left(self) -> float:
        return self._next.get("again", 0.0) - time.monotonic()

    def _note_crashes(self) -> None:
        self._later("crashed", self._options.crashed)
        if self.store is None or not self._memory.migrated:
            return
        try:
            found = note_crashes(self.store, self._waiting)
        except StoreError as error:
            self._store_is_away(error)
            return
        self._known.running_jobs = found.running
        self._known.crashed_jobs += len(found.crashed)
        for path in found.changed:
            self.hints.name(native(path))

    def _check_watches(self) -> None:
        """Folders that are not watched though they should be: said, and looked through instead."""
        folders = self._memory.folders
        if set(self._source.polled) >= set(self._roots()):
            return
        held = self._source.held()
        full = next((root for root in self._roots() if os.path.isdir(root) and limits.is_full(root)), None)
        if full is not None:
            self._source.give_up(
                f"not all of {folders} folders can be watched, so they are looked through again and again: "
                f"{limits.raise_watches(folders)}"
            )
            self._known.problem = self._source.problem
        elif held is not None and held < folders and time.monotonic() - self._last_restart > 600:
            self._last_restart = time.monotonic()
            log.info("%d of %d folders are watched: beginning anew", held, folders)
            self._source.start(self._roots())
            self.hints.all("folders were not watched")
