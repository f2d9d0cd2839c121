"""Rounds of kill -9, of the indexer and of its server, at random moments: in the end the graph is a clean
scan's.

    python -m tests.faults.rounds --indexer 50 --server 10 --seed 1

starts two local servers of its own in a temporary folder (one to be mistreated, one for clean scans) and
prints figures. `--store` and `--clean` name servers to use instead; both are emptied, and then no server is
killed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs
import psutil

from indexer.discovery.environment import Environment
from indexer.ingest import writer
from indexer.ingest.digest import graph_digest
from indexer.ingest.forget import forget, missing
from indexer.ingest.scan import Scanner
from indexer.store.connection import open_store
from indexer.store.local import state
from indexer.store.local.layout import Layout
from indexer.store.local.target import LocalTarget
from indexer.store.settings import Target, resolve_target
from indexer.store.store import Store
from indexer.watching.events import Watchdog
from indexer.watching.options import WatchOptions
from indexer.watching.watcher import Watcher
from tests.conftest import empty
from tests.support_snapshot import difference, snapshot
from tests.watching.world import CHATS, FOLDERS, JOBS, LINKS, World, info, text

DUPLICATES = """
MATCH (a)-[r]->(b)
WITH a, b, type(r) AS type, coalesce(r.relation, '') AS relation, count(*) AS n WHERE n > 1
RETURN count(*) AS n
"""


@dataclass
class Figures:
    """What the rounds came to."""

    rounds: int = 0
    killed: int = 0
    unequal: int = 0
    duplicates: int = 0
    differences: list[str] = field(default_factory=list)
    seconds: float = 0.0


def change(world: World, chance: random.Random, times: int) -> None:
    """Do something to some files."""
    logs = [f"var/jobs/{job}.files/log/agent.chat" for job in JOBS]
    files = [*CHATS, *logs, *(f"var/jobs/{job}" for job in JOBS)]
    anything = [*files, *FOLDERS, *LINKS, *(f"var/jobs/{job}.info" for job in JOBS)]
    for _ in range(times):
        kinds = [chance.randrange(60) for _ in range(chance.choice((1, 3, 40, 400)))]
        do: Callable[[], None] = chance.choice(
            (
                lambda kinds=kinds: world.write(chance.choice(files), text(kinds), chance.random() < 0.5),
                lambda kinds=kinds: world.append(chance.choice(files), text(kinds)),
                lambda: world.write(f"var/jobs/{chance.choice(JOBS)}.info", info(chance.randrange(60))),
                lambda: world.move(chance.choice(anything), chance.choice(anything)),
                lambda: world.link(chance.choice(LINKS), chance.choice(anything)),
                lambda: world.remove(chance.choice(anything)),
            )
        )
        do()


def in_child(work: Callable[[], None]) -> int:
    """Run something in a process of its own; its pid."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:
            print(f"child: {error!r}", flush=True)
        finally:
            os._exit(code)
    return pid


def ended(pid: int) -> bool:
    return os.waitpid(pid, os.WNOHANG)[0] != 0


def scan(target: Target, root: Path) -> None:
    """One scan in many small transactions, so that there are many moments to be killed at."""
    writer.MAX_ROWS = 150
    with open_store(target) as store:
        Scanner(store).scan([str(root)])


def equal(store: Store, clean: Store, root: Path, figures: Figures) -> None:
    """Bring both graphs up to date and compare them.

    Without dangling links: what they lead to is kept as if its mount were away.
    """
    for name in LINKS:
        if not (root / name).exists():
            (root / name).unlink(missing_ok=True)
    Scanner(store).scan([str(root)])
    forget(store, missing(store), Environment.of_process())
    Scanner(store).scan([str(root)])
    empty(clean)
    Scanner(clean).scan([str(root)])
    figures.duplicates += store.read(DUPLICATES)[0]["n"]
    if graph_digest(store) != graph_digest(clean):
        figures.unequal += 1
        figures.differences.append(difference(snapshot(store), snapshot(clean), 6))


def kill_indexer(target: Target, clean_target: Target, root: Path, rounds: int, seed: int) -> Figures:
    """Kill a scan at a random moment, often again at its next try; compare after every round."""
    figures, chance = Figures(), random.Random(seed)
    world = World(root)
    began = time.monotonic()
    length = 1.0
    with open_store(target) as store, open_store(clean_target) as clean:
        empty(store)
        for _ in range(rounds):
            figures.rounds += 1
            change(world, chance, 8)
            for _ in range(chance.choice((1, 1, 2, 3))):
                start = time.monotonic()
                pid = in_child(lambda: scan(target, root))
                until = start + chance.random() * length
                while time.monotonic() < until and not ended_quietly(pid):
                    time.sleep(0.002)
                with suppress(ProcessLookupError, ChildProcessError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                    figures.killed += 1
            start = time.monotonic()
            equal(store, clean, root, figures)
            length = max(0.3, (time.monotonic() - start) / 2)
    figures.seconds = round(time.monotonic() - began, 1)
    return figures


def ended_quietly(pid: int) -> bool:
    try:
        return ended(pid)
    except ChildProcessError:
        return True


def kill_server(target: LocalTarget, clean_target: Target, root: Path, rounds: int, seed: int) -> Figures:
    """Kill the server under a watcher at work; the watcher starts it again and loses nothing."""
    figures, chance = Figures(), random.Random(seed)
    world = World(root)
    began = time.monotonic()
    options = WatchOptions(quiet=0.1, most=0.3, reconcile=600, settle=1)

    def watch() -> None:
        writer.MAX_ROWS = 150
        Watcher(lambda: open_store(target), [str(root)], Watchdog, options).run()

    with open_store(target) as store:
        empty(store)
    pid = in_child(watch)
    try:
        for _ in range(rounds):
            figures.rounds += 1
            change(world, chance, 8)
            time.sleep(0.2 + chance.random() * 2.5)
            live = state.read_live(Layout(target.folder))
            if live is not None:
                with suppress(psutil.NoSuchProcess):
                    psutil.Process(live.pid).kill()
                    figures.killed += 1
            change(world, chance, 4)
            time.sleep(chance.random() * 6)
            assert not ended_quietly(pid), "the watcher died with its server"
        time.sleep(15)
    finally:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    with open_store(target) as store, open_store(clean_target) as clean:
        equal(store, clean, root, figures)
    figures.seconds = round(time.monotonic() - began, 1)
    return figures


@contextmanager
def local_servers(folder: Path) -> Iterator[tuple[LocalTarget, LocalTarget]]:
    """Two local servers, stopped in the end."""
    from indexer.store.connection import local_server

    lib = os.environ.get("INDEXER_TEST_LIB") or platformdirs.user_cache_path("provenance-indexer") / "lib"
    targets = tuple(LocalTarget(folder / name, Path(lib), heap="512m") for name in ("mistreated", "clean"))
    try:
        yield targets[0], targets[1]
    finally:
        for target in targets:
            local_server(target).stop()


def main() -> None:
    """Read the options and print figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--indexer", type=int, default=50, help="rounds in which scans are killed")
    parser.add_argument("--server", type=int, default=10, help="rounds in which the server is killed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store")
    parser.add_argument("--clean")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        home = Path(os.path.realpath(name))
        os.environ["HOME"] = name
        os.chdir(home)
        for root in ("one", "two"):
            (home / root).mkdir()
        found: dict[str, object] = {}
        if given.store and given.clean:
            targets = resolve_target(given.store), resolve_target(given.clean)
            found["indexer"] = kill_indexer(*targets, home / "one", given.indexer, given.seed)
        else:
            with local_servers(home) as (target, clean):
                found["indexer"] = kill_indexer(target, clean, home / "one", given.indexer, given.seed)
                found["server"] = kill_server(target, clean, home / "two", given.server, given.seed)
        print(json.dumps(found, default=vars, indent=1))


if __name__ == "__main__":
    main()
