"""What the long runs share: local servers of their own, `indexer watch` as a process, writers as processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import psutil

from indexer.store.connection import local_server, open_store
from indexer.store.local import state
from indexer.store.local.layout import Layout
from indexer.store.local.target import LocalTarget
from indexer.store.store import Store

RUN = (sys.executable, "-m", "indexer.cli")


@dataclass(frozen=True)
class Stage:
    """A folder with a tree to be watched and a store beside it, and the environment of its commands."""

    folder: Path
    target: LocalTarget
    env: Mapping[str, str]
    given: str | None = None

    @property
    def root(self) -> Path:
        """The tree."""
        return self.folder / "root"

    @property
    def address(self) -> str:
        """The store, for `--store`: the one given, else a local one of its own."""
        return self.given or f"local:{self.target.folder}"

    def open(self) -> Store:
        return open_store(self.given or self.target)

    @staticmethod
    def stop(target: LocalTarget) -> None:
        """Stop a local server, if there is one."""
        with suppress(Exception):
            local_server(target).stop()

    @property
    def server(self) -> psutil.Process | None:
        """The server's process, as far as it is known: NEO4J_PID where the store was given."""
        if self.given:
            pid = os.environ.get("NEO4J_PID")
            return psutil.Process(int(pid)) if pid else None
        live = state.read_live(Layout(self.target.folder))
        return psutil.Process(live.pid) if live is not None else None

    def command(self, *words: str, store: str | None = None) -> str:
        """Run an `indexer` command; its stdout. CalledProcessError where it fails."""
        full = [*RUN, *words, "--store", store or self.address]
        done = subprocess.run(full, env=dict(self.env), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(full)}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def digest(self, store: str | None = None) -> str:
        """`indexer status --digest`."""
        return str(json.loads(self.command("status", "--digest", "--json", store=store))["digest"])


@contextmanager
def stage(name: str = "main", heap: str = "1g", given: str | None = None) -> Iterator[Stage]:
    """A stage in a temporary folder. HOME leads there, so no job of this machine's user is looked at."""
    lib = os.environ.get("INDEXER_TEST_LIB") or platformdirs.user_cache_path("provenance-indexer") / "lib"
    with tempfile.TemporaryDirectory(prefix="stage-") as temporary:
        folder = Path(os.path.realpath(temporary))
        (folder / "root").mkdir()
        (folder / "root/keep.txt").write_text("a root that is never empty")
        os.environ.update(
            HOME=str(folder),
            INDEXER_LOCAL_LIB=str(lib),
            INDEXER_LOCAL_HEAP=heap,
            INDEXER_HOME=str(folder / "home"),
        )
        before = os.getcwd()
        project = Path(__file__).parents[2]
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(
                (str(project), *os.environ.get("PYTHONPATH", "").split(os.pathsep))
            ),
            "PYTHONUNBUFFERED": "1",
        }
        target = LocalTarget(folder / name, Path(lib), heap=heap, idle_minutes=120)
        try:
            os.chdir(folder)
            yield Stage(folder, target, env, given)
        finally:
            os.chdir(before)
            Stage.stop(target)


class Watch:
    """`indexer watch` as a process of its own."""

    def __init__(self, stage: Stage, *words: str, log: str = "watch.log") -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._log = (stage.folder / log).open("ab")
        full = [*RUN, "watch", str(stage.root), "--store", stage.address, "--metrics-port", str(self.port)]
        self._process = subprocess.Popen(
            [*full, "-v", *words], env=dict(stage.env), stdout=self._log, stderr=self._log
        )
        self.process = psutil.Process(self._process.pid)

    def figures(self) -> dict[str, float]:
        """The watcher's own figures, by name without `indexer_watch_`; empty while it does not answer."""
        with (
            suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=5) as said,
        ):
            lines = (line.split() for line in said.read().decode().splitlines() if not line.startswith("#"))
            return {name.removeprefix("indexer_watch_"): float(value) for name, value in lines}
        return {}

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ready(self, seconds: float = 600) -> None:
        """Wait until everything was looked at once."""
        self._until(lambda told: told.get("reconciles_total", 0) > 0, seconds)

    def caught_up(self, quiet: float = 2.0, seconds: float = 3600) -> float:
        """Wait until nothing has been waiting for so long; when that began (monotonic)."""
        since = [time.monotonic()]
        events = [-1.0]

        def settled(told: dict[str, float]) -> bool:
            busy = not told or told["queue_places"] > 0 or told["events_total"] != events[0]
            if busy:
                since[0] = time.monotonic()
                events[0] = told.get("events_total", -1.0)
            return not busy and time.monotonic() - since[0] >= quiet

        self._until(settled, seconds)
        return since[0]

    def _until(self, done: object, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.alive:
                raise RuntimeError(f"the watcher ended: {self._process.returncode}\n{self._said()}")
            if done(self.figures()):  # type: ignore[operator]
                return
            time.sleep(0.1)
        raise TimeoutError("the watcher did not catch up")

    def _said(self) -> str:
        return Path(self._log.name).read_text(errors="replace")[-3000:]

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def stop(self) -> int:
        """SIGTERM; its exit code."""
        if self.alive:
            self.signal(signal.SIGTERM)
        code = self._process.wait(30)
        self._log.close()
        return code

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait(30)
        self._log.close()


def spread(values: list[float]) -> dict[str, float]:
    """Median, 95th percentile and most of some values."""
    ranked = sorted(values) or [0.0]
    return {
        "median": round(ranked[len(ranked) // 2], 2),
        "p95": round(ranked[int(len(ranked) * 0.95)], 2),
        "max": round(ranked[-1], 2),
    }
