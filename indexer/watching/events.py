"""Hearing of changes through watchdog. Nothing here is relied upon: every doubt ends in a look at everything.

Known of watchdog (6 and 7), and met here: events are lost when the kernel's queue overflows; a folder that
cannot be watched for want of watches is passed over in silence; threads die of unexpected errors without a
word; a root that is removed and made again is watched no more.
"""

from __future__ import annotations

import logging
import os
import stat
import time
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from watchdog import events as wd
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from indexer.discovery.layout import FILES, INFO, job_of_companion
from indexer.discovery.partial import RULES
from indexer.discovery.paths import below, within
from indexer.watching.hints import Hints
from indexer.watching.limits import queue_limit, remedy, watches_held
from indexer.watching.mounts import mounts, without_events

log = logging.getLogger(__name__)

#: What is heard; reading and closing unread are not, since a look at files makes these itself.
_HEARD = [
    getattr(wd, name)
    for name in (
        *("FileCreatedEvent", "FileModifiedEvent", "FileClosedEvent", "FileDeletedEvent", "FileMovedEvent"),
        *("DirCreatedEvent", "DirModifiedEvent", "DirDeletedEvent", "DirMovedEvent", "DirAttribEvent"),
    )
    if hasattr(wd, name)
]
_STOP_SECONDS = 0.5


def _quiet_watchdog() -> None:
    """Keep watchdog from describing all its watches in a warning for every new folder: 7.1 does, unseen.

    That text grows with the tree: 3,000 new folders took minutes of the thread that must empty the kernel's
    queue.
    """
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
    with suppress(ImportError, AttributeError):
        from watchdog.observers import inotify

        group = inotify.InotifyWatchGroup
        group.__repr__ = object.__repr__  # type: ignore[method-assign]


class Source(Protocol):
    """Where hints come from."""

    def start(self, roots: Sequence[str]) -> None:
        """Begin to hear of changes below these real paths; again with other roots at any time."""

    def stop(self) -> None:
        """Hear no more."""

    def doubt(self) -> str | None:
        """Why events may have been missed since the last call; None while all is well."""

    def held(self) -> int | None:
        """How many folders are watched; None where that says nothing."""

    def give_up(self, problem: str) -> None:
        """Not everything can be heard of: all roots are polled from now on."""

    @property
    def polled(self) -> tuple[str, ...]:
        """Places from which no events come: they must be looked through again and again."""

    @property
    def problem(self) -> str | None:
        """What should be done about the watching, with the command that does it; None when all is well."""


class _Handler(FileSystemEventHandler):
    """Notes where something changed, and nothing else: while it works, the queue fills."""

    def __init__(
        self, hints: Hints, folders: set[str], files: dict[str, str], exclude: Iterable[str]
    ) -> None:
        self._hints = hints
        self._folders = folders
        self._files = files
        self._exclude = tuple(f"{path.rstrip('/')}/" for path in exclude)
        self.renamed = False

    def dispatch(self, event: FileSystemEvent) -> None:
        folder = event.is_directory
        if folder and event.event_type == wd.EVENT_TYPE_MODIFIED and not isinstance(event, _ATTRIB):
            return  # its entries have events of their own
        for path in (event.src_path, event.dest_path):
            if path:
                self._note(os.fsdecode(path), folder)
        if folder and event.event_type == wd.EVENT_TYPE_MOVED:
            self.renamed = True

    def _note(self, path: str, folder: bool) -> None:
        if path.startswith(self._exclude):
            return
        job = job_of_companion(path)
        for root, named in self._files.items():
            if job == job_of_companion(root) or within(path, job_of_companion(root) + FILES):
                self._hints.start(named)
        if not below(os.path.dirname(path), self._folders) and path not in self._folders:
            return
        if folder:
            self._hints.tree(path)
            return
        name = os.path.basename(path)
        if name[:1] != "." or name in RULES:
            self._hints.name(path)


_ATTRIB = tuple(getattr(wd, name) for name in ("DirAttribEvent",) if hasattr(wd, name))


class _Overflows(logging.Handler):
    """Hears watchdog say that the kernel's queue overflowed (7 does, 6 does not)."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.happened = False

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in record.getMessage() or record.levelno >= logging.ERROR:
            self.happened = True


class Watchdog:
    """Hints from watchdog's observer for local file systems; see `Source`."""

    def __init__(self, hints: Hints, exclude: Iterable[str] = ()) -> None:
        self._hints = hints
        self._exclude = tuple(exclude)
        self._observer: BaseObserver | None = None
        self._handler: _Handler | None = None
        self._expected = 0
        self._identities: dict[str, tuple[int, int] | None] = {}
        self._roots: tuple[str, ...] = ()
        self._overflows = _Overflows()
        self._counted = (0, 0.0)
        self._files = False
        self.polled: tuple[str, ...] = ()
        self.problem: str | None = None

    def start(self, roots: Sequence[str]) -> None:
        """See `Source`."""
        self.stop()
        self._roots = tuple(roots)
        self._identities = {root: _identity(root) for root in roots}
        network = without_events(roots, mounts())
        absent = [root for root, identity in self._identities.items() if identity is None]
        self.polled = tuple(sorted({*network, *absent}))
        self.problem = None
        folders = {root for root in roots if os.path.isdir(root)}
        files = {root: root for root in roots if root not in folders}
        self._files = bool(files)
        self._handler = _Handler(self._hints, folders, files, self._exclude)
        logging.getLogger("watchdog").addHandler(self._overflows)
        self._overflows.happened = False
        _quiet_watchdog()
        observer = Observer()
        self._expected = 0
        try:
            for folder in sorted(folders):
                if not below(os.path.dirname(folder), folders - {folder}):
                    self._schedule(observer, folder, recursive=True)
            for folder in sorted(
                {os.path.dirname(path) for path in files if os.path.isdir(os.path.dirname(path))}
            ):
                if not below(folder, folders):
                    self._schedule(observer, folder, recursive=False)
            for file in sorted(files):
                beside = job_of_companion(file) + FILES
                if os.path.isdir(beside) and not below(beside, folders):
                    self._schedule(observer, beside, recursive=True)
            observer.start()
            self._observer = observer
        except Exception as error:  # watchdog raises what the system says, and more
            self._cannot(observer, error)

    def _schedule(self, observer: BaseObserver, folder: str, recursive: bool) -> None:
        assert self._handler is not None
        observer.schedule(self._handler, folder, recursive=recursive, event_filter=_HEARD)
        self._expected += 1

    def _cannot(self, observer: BaseObserver, error: Exception) -> None:
        help_ = remedy(error) if isinstance(error, OSError) else ""
        said = f"changes cannot be watched ({error}); looking again and again instead"
        self._end(observer)
        self.give_up(f"{said}: {help_}" if help_ else said)

    def held(self) -> int | None:
        """See `Source`."""
        return watches_held() if self._observer is not None and not self._files else None

    def give_up(self, problem: str) -> None:
        """See `Source`."""
        log.warning("%s", problem)
        self.problem = problem
        self.polled = self._roots

    def stop(self) -> None:
        """See `Source`."""
        logging.getLogger("watchdog").removeHandler(self._overflows)
        observer, self._observer = self._observer, None
        if observer is not None:
            self._end(observer)

    @staticmethod
    def _end(observer: BaseObserver) -> None:
        with suppress(Exception):
            observer.stop()
        with suppress(Exception):  # one that never started cannot be joined
            observer.join(_STOP_SECONDS)

    def doubt(self) -> str | None:
        """See `Source`. Starts anew where that is what it takes."""
        reason = self._broken()
        if reason is not None:
            log.warning("watching again from the start: %s", reason)
            self.start(self._roots)
            return reason
        if self._overflows.happened:
            self._overflows.happened = False
            return "events were lost"
        if self._flooded():
            return "more changes than the kernel keeps"
        if self._handler is not None and self._handler.renamed:
            self._handler.renamed = False
            return "a folder was renamed"
        return None

    def _broken(self) -> str | None:
        for root, identity in self._identities.items():
            if _identity(root) != identity:
                return f"{root} is another folder now, or gone"
        observer = self._observer
        if observer is None:
            return None
        reader = getattr(observer, "_inotify_fd", None)
        if not observer.is_alive() or (reader is not None and not reader.is_alive()):
            return "the watching thread died"
        emitters = list(observer.emitters)
        if len(emitters) < self._expected or not all(emitter.is_alive() for emitter in emitters):
            return "a watching thread died"
        return None

    def _flooded(self) -> bool:
        """True when about as many events came at once as the kernel keeps: some may have been dropped."""
        count, since = self._counted
        now, heard = time.monotonic(), self._hints.events
        flooded = heard - count > queue_limit() // 2
        if flooded or now - since > 1.0:
            self._counted = (heard, now)
        return flooded


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino if stat.S_ISDIR(found.st_mode) else 0


__all__ = ["INFO", "Source", "Watchdog"]
