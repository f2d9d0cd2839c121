"""Where something changed, collected by one thread and taken by another. Bounded whatever happens on disk."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from indexer.discovery.partial import Places

#: A folder with more changed names than this is looked through as a whole; more places than this: everything
#: is.
MOST_NAMES = 2_000
MOST_PLACES = 40_000


@dataclass(slots=True)
class Batch:
    """What changed since the last batch.

    everything  why everything is to be looked at; None where the places below will do
    places      names, folders and trees
    starts      paths of the user's that are to be scanned as such: files, and folders without events
    oldest      when the first change was heard of (monotonic)
    """

    everything: str | None = None
    places: Places = field(default_factory=Places)
    starts: frozenset[str] = frozenset()
    oldest: float | None = None

    def __len__(self) -> int:
        names = sum(len(found) for found in self.places.names.values())
        others = len(self.places.folders) + len(self.places.trees) + len(self.starts)
        return names + others + (self.everything is not None)


class Hints:
    """Places that changed. All methods may be called by any thread; paths are native and absolute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._called = threading.Event()
        self._clear()
        self.events = 0

    def _clear(self) -> None:
        self._names: dict[str, set[str]] = {}
        self._folders: set[str] = set()
        self._trees: set[str] = set()
        self._starts: set[str] = set()
        self._everything: str | None = None
        self._count = 0
        self._oldest: float | None = None
        self._latest = 0.0

    def name(self, path: str) -> None:
        """A file or link was made, changed, moved or removed."""
        folder, name = os.path.split(path)
        with self._lock:
            self._heard()
            if self._everything is not None or folder in self._folders:
                return
            names = self._names.setdefault(folder, set())
            before = len(names)
            names.add(name)
            self._count += len(names) - before
            if len(names) > MOST_NAMES:
                self._folder(folder)
            self._bound()

    def folder(self, path: str) -> None:
        """All entries of a folder are to be looked at."""
        with self._lock:
            self._heard()
            if self._everything is None:
                self._folder(path)
                self._bound()

    def tree(self, path: str) -> None:
        """A folder came, went or changed its name: all below it is to be looked at."""
        with self._lock:
            self._heard()
            if self._everything is None and path not in self._trees:
                self._trees.add(path)
                self._count += 1
                self._bound()

    def start(self, path: str) -> None:
        """One of the user's paths is to be scanned."""
        with self._lock:
            self._heard()
            self._starts.add(path)

    def all(self, reason: str) -> None:
        """Everything is to be looked at."""
        with self._lock:
            self._heard()
            self._forget(reason)

    def wake(self) -> None:
        """Let `wait` return."""
        self._called.set()

    def wait(self, seconds: float) -> None:
        """Wait until something is heard, at most so long."""
        self._called.wait(max(0.0, seconds))
        self._called.clear()

    def _heard(self) -> None:
        now = self._clock()
        self.events += 1
        if self._oldest is None:
            self._oldest = now
            self._called.set()
        self._latest = now

    def _folder(self, folder: str) -> None:
        self._count -= len(self._names.pop(folder, ()))
        if folder not in self._folders:
            self._folders.add(folder)
            self._count += 1

    def _bound(self) -> None:
        if self._count > MOST_PLACES:
            self._forget("too many changes at once")

    def _forget(self, reason: str) -> None:
        oldest, latest = self._oldest, self._latest
        starts = self._starts
        self._clear()
        self._oldest, self._latest, self._everything, self._starts = oldest, latest, reason, starts

    def __len__(self) -> int:
        return self._count + len(self._starts) + (self._everything is not None)

    def due_in(self, quiet: float, most: float) -> float | None:
        """Seconds until what was heard should be looked at; None where nothing was heard.

        That is `quiet` seconds after the last change, but no later than `most` after the first.
        """
        with self._lock:
            if self._oldest is None:
                return None
            now = self._clock()
            return max(0.0, min(self._latest + quiet, self._oldest + most) - now)

    def waiting_for(self) -> float:
        """Seconds since the first change that was not looked at yet; 0 without any."""
        oldest = self._oldest
        return 0.0 if oldest is None else max(0.0, self._clock() - oldest)

    def take(self) -> Batch:
        """What was heard so far; from now on it is the taker's."""
        with self._lock:
            places = Places(self._names, self._folders, self._trees)
            batch = Batch(self._everything, places, frozenset(self._starts), self._oldest)
            self._clear()
            return batch

    def give_back(self, batch: Batch) -> None:
        """Put back what could not be looked at."""
        for folder, names in batch.places.names.items():
            for name in names:
                self.name(os.path.join(folder, name))
        for folder in batch.places.folders:
            self.folder(folder)
        for tree in batch.places.trees:
            self.tree(tree)
        for start in batch.starts:
            self.start(start)
        if batch.everything:
            self.all(batch.everything)
        with self._lock:
            if batch.oldest is not None and self._oldest is not None:
                self._oldest = min(self._oldest, batch.oldest)
