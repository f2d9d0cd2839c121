"""Weeks in minutes: everything that may happen to files, again and again; what the watcher holds must stay flat.

    python -m tests.faults.soak --minutes 12

Prints the watcher's memory, descriptors, threads and cache every half minute, and at the end the middle of
the first half after warming up against the last quarter.
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
from statistics import median

from tests.faults.lag import put, talk
from tests.faults.stage import Stage, Watch, stage

EVERY = 15.0


def live(root: Path, seed: int, minutes: float) -> None:
    """Create, append, rewrite, rename, remove; the tree stays of one size."""
    chance = random.Random(seed)
    until = time.monotonic() + minutes * 60
    number = seed * 1_000_000
    while time.monotonic() < until:
        number += 1
        folder = root / f"s{seed}/d{chance.randrange(30)}"
        path = folder / f"{chance.randrange(40)}.chat"
        job = root / f"var/jobs/Flow{seed}/ask/J{chance.randrange(60)}.chat"
        what = chance.randrange(100)
        with suppress(OSError):
            if what < 35:
                put(path, talk(number), "a" if path.exists() and path.stat().st_size < 20_000 else "w")
            elif what < 55:
                put(folder / ".new", talk(number) * chance.randrange(1, 5))
                (folder / ".new").rename(path)
            elif what < 70:
                told = {"status": chance.choice(("done", "error")), "type": "chat", "workflow": f"Flow{seed}"}
                put(Path(f"{job}.info"), json.dumps(told))
                put(job, f"\nmeta: job={job}\n\nassistant:\n\nanswer {number}\n")
                put(Path(f"{job}.files/log/agent.chat"), talk(number))
            elif what < 85:
                path.unlink()
            elif what < 90:
                folder.rename(root / f"s{seed}/d{chance.randrange(30)}")
            else:
                path.rename(folder / f"{chance.randrange(40)}.chat")
        time.sleep(0.02)


def sample(watch: Watch) -> dict[str, float]:
    process = watch.process
    told = watch.figures()
    return {
        "resident_mb": round(process.memory_info().rss / 1e6, 1),
        "descriptors": process.num_fds(),
        "threads": process.num_threads(),
        "rounds": told.get("rounds_total", 0),
        "files": told.get("files_total", 0),
        "lag": round(told.get("lag_seconds", 0), 1),
    }


def run(stage: Stage, minutes: float) -> dict[str, object]:
    watch = Watch(stage, "--reconcile", "30", "--settle", "1")
    watch.ready()
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=live, args=(stage.root, seed, minutes)) for seed in (1, 2)]
    for writer in writers:
        writer.start()
    samples: list[dict[str, float]] = []
    while any(writer.is_alive() for writer in writers):
        time.sleep(EVERY)
        samples.append(sample(watch))
        print(json.dumps(samples[-1]), flush=True)
        if len(samples) % 4 == 0:
            stage.command("prune", "--yes")
    watch.caught_up()
    samples.append(sample(watch))
    code = watch.stop()
    warm = samples[len(samples) // 4 :]
    first, last = warm[: len(warm) // 3], warm[-(len(warm) // 3) :]
    kept = ("resident_mb", "descriptors", "threads")
    return {
        "load": [round(value, 1) for value in os.getloadavg()],
        "minutes": minutes,
        "files": samples[-1]["files"],
        "rounds": samples[-1]["rounds"],
        "after_warming_up": {name: median(sample[name] for sample in first) for name in kept},
        "at_the_end": {name: median(sample[name] for sample in last) for name in kept},
        "exit_code": code,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=12)
    given = parser.parse_args()
    with stage() as found:
        print(json.dumps(run(found, given.minutes), indent=1))


if __name__ == "__main__":
    main()
