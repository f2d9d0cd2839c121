"""Everything at once under `indexer watch`: four writers, and workflows that make job trees. Nothing may be lost.

    python -m tests.faults.burst --files 5000 --trees 3000

Each writer is a process: new chats, appends, atomic saves, removals; folders are renamed meanwhile. Then the
watched graph, less what vanished, is compared with a clean scan in another store by `indexer status --digest`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import time
from contextlib import suppress
from pathlib import Path

from indexer.store.local.target import LocalTarget
from tests.faults.stage import Stage, Watch, stage
from tests.watching.bursts import new_trees, write_chats

CHATS_ON_DISK = "MATCH (c:Chat {missing: false}) RETURN count(c) AS n"


def rename_folders(root: Path, until: float, seed: int) -> None:
    """Rename folders of the writers, to and fro and into one another."""
    chance = random.Random(seed)
    while time.monotonic() < until:
        folders = [entry for entry in root.iterdir() if entry.is_dir() and entry.name != "var"]
        if folders:
            folder = chance.choice(folders)
            inner = [entry for entry in folder.iterdir() if entry.is_dir()] if chance.random() < 0.7 else []
            with suppress(OSError):
                (chance.choice(inner) if inner else folder).rename(root / f"moved{chance.randrange(40)}")
        time.sleep(0.2)


def writers(stage: Stage, files: int, trees: int) -> list[multiprocessing.process.BaseProcess]:
    """The processes; not started."""
    spawn = multiprocessing.get_context("spawn")
    return [
        *(spawn.Process(target=write_all, args=(stage.root / f"w{n}", files, n)) for n in range(4)),
        *(spawn.Process(target=new_trees, args=(stage.root, trees // 4, n)) for n in range(4)),
    ]


def write_all(folder: Path, count: int, seed: int) -> None:
    """Write in hundreds: a folder that was renamed away meanwhile is made anew."""
    for part in range(count // 100):
        done = False
        while not done:
            with suppress(OSError):
                write_chats(folder / f"p{part % 7}", 100, seed * 1000 + part)
                done = True


def run(stage: Stage, files: int, trees: int, renames: bool) -> dict[str, object]:
    watch = Watch(stage)
    watch.ready()
    began = time.monotonic()
    at_work = writers(stage, files, trees)
    for process in at_work:
        process.start()
    while any(process.is_alive() for process in at_work):
        if renames:
            rename_folders(stage.root, time.monotonic() + 1, int(time.monotonic()))
        else:
            time.sleep(0.2)
    assert not any(process.exitcode for process in at_work)
    written = time.monotonic() - began
    settled = watch.caught_up(quiet=7.0) - began
    told = watch.figures()
    on_disk = sum(1 for _ in stage.root.rglob("*.chat"))
    with stage.open() as store:
        seen = store.read(CHATS_ON_DISK)[0]["n"]
    code = watch.stop()
    stage.command("prune", "--yes")
    clean = f"local:{stage.folder / 'clean'}"
    try:
        stage.command("scan", str(stage.root), store=clean)
        equal = stage.digest() == stage.digest(clean)
    finally:
        stage.stop(LocalTarget(stage.folder / "clean", stage.target.lib))
    return {
        "load": [round(value, 1) for value in os.getloadavg()],
        "chats_on_disk": on_disk,
        "files_lost": on_disk - seen,
        "equal_to_a_clean_scan": equal,
        "written_in": round(written, 1),
        "settled_in": round(settled, 1),
        "files_a_second": round(told["files_total"] / settled, 1),
        "events": told["events_total"],
        "rounds": told["rounds_total"],
        "looks_at_everything": told["reconciles_total"],
        "resident_mb": round(told["resident_bytes"] / 1e6),
        "exit_code": code,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=5000, help="by each of four writers")
    parser.add_argument("--trees", type=int, default=3000)
    parser.add_argument("--no-renames", action="store_true")
    given = parser.parse_args()
    with stage() as found:
        print(json.dumps(run(found, given.files, given.trees, not given.no_renames), indent=1))


if __name__ == "__main__":
    main()
