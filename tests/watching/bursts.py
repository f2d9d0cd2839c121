"""Many changes at once, from several writers, and figures of what became of them.

`python -m tests.watching.bursts --store bolt://127.0.0.1:7687 --files 5000 --trees 3000` runs the full size
against a store that it empties.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import tempfile
import threading
import time
from pathlib import Path

from indexer.discovery.environment import Environment
from indexer.ingest.digest import graph_digest
from indexer.ingest.forget import forget, missing
from indexer.ingest.scan import Scanner
from indexer.store.connection import open_store
from indexer.store.store import Store
from indexer.watching.events import Watchdog
from indexer.watching.hints import Hints
from indexer.watching.options import WatchOptions
from indexer.watching.watcher import Watcher
from tests.conftest import empty
from tests.support import touch
from tests.support_snapshot import difference, snapshot
from tests.watching.conftest import Running

CHAT = "\nuser:\n\nhello\n\nassistant:\n\nhi\n"


def write_chats(folder: Path, count: int, seed: int) -> None:
    """One writer: new chats, appends, saves by rename, and a few that go again."""
    chance = random.Random(seed)
    made: list[Path] = []
    for number in range(count):
        path = folder / f"s{number % 17}" / f"{seed}-{number}.chat"
        path.parent.mkdir(parents=True, exist_ok=True)
        what = chance.random()
        if what < 0.15 and made:
            with chance.choice(made).open("a") as file:
                file.write(f"\nuser:\n\nand {number}\n")
        elif what < 0.3:
            beside = path.with_name(f".{path.name}.tmp")
            beside.write_text(CHAT)
            beside.rename(path)
            made.append(path)
        elif what < 0.35 and made:
            made.pop(chance.randrange(len(made))).unlink()
        else:
            path.write_text(f"{CHAT}\nuser:\n\n{seed} {number}\n")
            made.append(path)


def new_trees(root: Path, count: int, seed: int) -> None:
    """A workflow that makes a job tree after the other, logs and all."""
    for number in range(count):
        name = f"Flow{seed}/task{number % 5}/Job{number}.chat"
        job = root / "var/jobs" / name
        (Path(f"{job}.files") / "log/society/Agent").mkdir(parents=True)
        told = {"status": "done", "type": "chat", "workflow": f"Flow{seed}", "task_name": f"task{number % 5}"}
        Path(f"{job}.info").write_text(json.dumps(told))
        (Path(f"{job}.files") / "log/agent.chat").write_text(f"{CHAT}\nuser:\n\n{number}\n")
        (Path(f"{job}.files") / "log/society/Agent/one.chat").write_text(CHAT)
        job.write_text(f"\nmeta: job={name}\n\nassistant:\n\nhi {number}\n")


def at_once(*work: threading.Thread) -> None:
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()


def equals_a_clean_scan(store: Store, root: Path, show: bool = True) -> int:
    """Compare what is there with a clean scan; how many chats that are. What vanished is left out."""
    forget(store, missing(store), Environment.of_process())
    found = graph_digest(store)
    held = snapshot(store) if show else {}
    empty(store)
    report = Scanner(store).scan([str(root)])
    assert found == graph_digest(store), difference(held, snapshot(store)) if show else "the graphs differ"
    return report.chats


def burst(
    running: Running, store: Store, root: Path, files: int, trees: int, show: bool = True
) -> dict[str, float]:
    """Four writers and four workflows at once, watched; figures of it."""
    running.caught_up()
    began = time.monotonic()
    writers = [threading.Thread(target=write_chats, args=(root / f"w{n}", files, n)) for n in range(4)]
    flows = [threading.Thread(target=new_trees, args=(root, trees // 4, n)) for n in range(4)]
    at_once(*writers, *flows)
    written = time.monotonic() - began
    running.caught_up(quiet=2.0, seconds=3600)
    done = time.monotonic() - began - 2.0
    known = running.watcher.condition()
    running.stop()
    on_disk = sum(1 for _ in root.rglob("*.chat"))
    indexed = store.read("MATCH (c:Chat {missing: false}) RETURN count(c) AS n")[0]["n"]
    chats = equals_a_clean_scan(store, root, show)
    return {
        "written_in": round(written, 1),
        "done_in": round(done, 1),
        "on_disk": on_disk,
        "in_clean_scan": chats,
        "lost": on_disk - indexed,
        "events": known.events,
        "rounds": known.rounds,
        "reconciles": known.reconciles,
        "most_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", required=True, help="a Neo4j that may be emptied")
    parser.add_argument("--files", type=int, default=5000, help="by each of four writers")
    parser.add_argument("--trees", type=int, default=3000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_store(given.store) as store:
        empty(store)
        root = Path(os.path.realpath(folder)) / "root"
        touch(root / "keep.txt")
        sources: list[Watchdog] = []

        def source(hints: Hints) -> Watchdog:
            sources.append(Watchdog(hints))
            return sources[0]

        watcher = Watcher(lambda: open_store(given.store), [str(root)], source, WatchOptions(reconcile=3600))
        running = Running(watcher, sources[0])
        print(json.dumps(burst(running, store, root, given.files, given.trees, show=False), indent=1))


if __name__ == "__main__":
    main()
