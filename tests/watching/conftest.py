"""A watcher that runs in a thread of the test, and its end whatever the test comes to."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from indexer.ingest import growing
from indexer.ingest.scan import ScanOptions
from indexer.store.connection import open_store
from indexer.store.store import Store
from indexer.watching.events import Source
from indexer.watching.hints import Hints
from indexer.watching.options import WatchOptions
from indexer.watching.watcher import Watcher

QUICK = WatchOptions(quiet=0.05, most=0.2, reconcile=3600, poll=3600, settle=1.0, crashed=3600)


@dataclass
class FakeSource:
    """Hears of nothing by itself: the test says what it hears."""

    hints: Hints
    polled: tuple[str, ...] = ()
    problem: str | None = None
    doubts: list[str] = field(default_factory=list)
    started: list[tuple[str, ...]] = field(default_factory=list)
    stopped: bool = False

    def start(self, roots: Sequence[str]) -> None:
        self.started.append(tuple(roots))

    def stop(self) -> None:
        self.stopped = True

    def doubt(self) -> str | None:
        return self.doubts.pop(0) if self.doubts else None

    def held(self) -> int | None:
        return None

    def give_up(self, problem: str) -> None:
        self.problem = problem


class Running:
    """A watcher at work."""

    def __init__(self, watcher: Watcher, source: Source) -> None:
        self.watcher = watcher
        self.source = source
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.watcher.run()
        except BaseException as error:  # shown by the test
            self.error = error

    @property
    def hints(self) -> Hints:
        return self.watcher.hints

    def until(self, said: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait until something is so."""
        end = time.monotonic() + seconds
        while not said():
            assert self._thread.is_alive() or said(), f"the watcher ended: {self.error!r}"
            assert time.monotonic() < end, f"waited in vain; {self.watcher.condition()}"
            time.sleep(0.02)

    def caught_up(self, more: int = 0, quiet: float = 0.0, seconds: float = 120.0) -> None:
        """Wait until all that was heard is done, `more` rounds at least, and it has been quiet for so long."""
        rounds = self.watcher.condition().rounds + more
        since: float | None = None

        def done() -> bool:
            nonlocal since
            known = self.watcher.condition()
            if known.queue or known.state != "watching" or not known.reconciles or known.rounds < rounds:
                since = None
            elif since is None:
                since = time.monotonic()
            return since is not None and time.monotonic() - since >= quiet

        self.until(done, seconds)

    def stop(self) -> None:
        self.watcher.stop()
        self._thread.join(30)
        assert not self._thread.is_alive()
        self.watcher.close()


Begin = Callable[..., Running]


@pytest.fixture(autouse=True)
def _small_chats_grow_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done with large chats is done with the small ones of tests."""
    monkeypatch.setattr(growing, "LEAST", 0)


@pytest.fixture
def begin(store_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Begin to watch paths: `begin(path, ..., source=..., options=..., scan=..., open_store=...)`."""
    monkeypatch.setenv("HOME", str(tmp_path))
    running: list[Running] = []

    def start(
        *paths: Path,
        source: Callable[[Hints], Source] = FakeSource,
        options: WatchOptions = QUICK,
        scan: ScanOptions | None = None,
        open_: Callable[[], Store] | None = None,
    ) -> Running:
        made: list[Source] = []

        def keep(hints: Hints) -> Source:
            made.append(source(hints))
            return made[0]

        opening = open_ or (lambda: open_store(store_address))
        watcher = Watcher(opening, [os.fspath(path) for path in paths], keep, options, scan)
        running.append(Running(watcher, made[0]))
        return running[-1]

    yield start
    for one in running:
        one.stop()
