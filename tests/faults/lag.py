"""How long a change takes from the disk to the graph, while files keep changing.

    python -m tests.faults.lag --rate 200 --seconds 60
    python -m tests.faults.lag --rate 5 --grow 20          appends to one chat of 20 MB
    python -m tests.faults.lag --existing 5000             with so many chats in the graph already

A process writes files at the rate (new chats, appends to growing ones, jobs with info, result and logs); an
`indexer watch` follows; the time of each write is kept, and the graph is asked every tenth of a second which
of them can be seen: read as far as they were written, and linked.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import random
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import psutil

from indexer.store.store import Store
from tests.conftest import empty
from tests.faults.stage import Stage, Watch, spread, stage
from tests.watching.world import LONG

SEEN = """
UNWIND $rows AS row
MATCH (f:File {path: row.path})
WHERE f.size >= row.size AND f.pending IS NULL AND f.stamp IS NOT NULL
RETURN row.path AS path, row.size AS size
"""
META = "meta: pt=10 ct=5 tt=15 inference_id=i{number} timestamp=2026-09-01T10:00:00.000Z"
Write = tuple[str, int]


def talk(number: int, lines: int = 1) -> str:
    """One question and its answer of so many lines."""
    more = "\n".join(f"{LONG} {number}.{line}" for line in range(lines))
    return (
        f"\nuser:\n\nquestion {number}: {LONG}\n\n{META.format(number=number)}\n\nassistant:\n\n"
        f"answer {number}: {more}\n"
    )


def put(path: Path, text: str, mode: str = "w") -> Write:
    """Write or append; the path with its size now."""
    try:
        file = path.open(mode)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open(mode)
    with file:
        file.write(text)
        file.flush()
        return str(path), os.fstat(file.fileno()).st_size


def new(root: Path, seed: int) -> Iterator[Write]:
    """New chats only: endless."""
    for number in itertools.count(seed * 1_000_000):
        yield put(root / f"chats/d{number % 50}/{number}.chat", talk(number))


def mixed(root: Path, seed: int) -> Iterator[Write]:
    """New chats, growing chats, and jobs that the growing chats ask for: endless."""
    chance = random.Random(seed)
    growing = [root / f"talks/{number}.chat" for number in range(40)]
    number = seed * 1_000_000
    while True:
        number += 1
        what = chance.random()
        if what < 0.5:
            yield put(root / f"chats/d{number % 50}/{number}.chat", talk(number))
        elif what < 0.85:
            yield put(chance.choice(growing), talk(number), "a")
        else:
            job = root / f"var/jobs/Flow/ask{number % 20}/J{number}.chat"
            told = {
                "status": "done",
                "type": "chat",
                "workflow": "Flow",
                "issued": "2026-09-01 10:00:00 +0000",
            }
            yield put(Path(f"{job}.info"), json.dumps(told | {"end": "2026-09-01 10:05:00 +0000"}))
            yield put(Path(f"{job}.files/log/agent.chat"), talk(number))
            yield put(job, f"\n{META.format(number=number)}\n\nassistant:\n\nanswer {number}. {LONG}\n")
            called = f"\nmeta: job={job}\n\nassistant:\n\nanswer {number}. {LONG}\n"
            yield put(growing[number % 40], called, "a")


def grown(root: Path, seed: int) -> Iterator[Write]:
    """One chat that grows by a question and an answer."""
    number = seed
    while True:
        number += 1
        yield put(root / "talks/large.chat", talk(number), "a")


KINDS = {"mixed": mixed, "new": new, "grown": grown}


def write(
    root: Path, kind: str, rate: float, seconds: float, say: Connection | None = None, seed: int = 1
) -> None:
    """Write at the rate; tells (path, size, when) of each."""
    source = KINDS[kind](root, seed)
    began = time.monotonic()
    for number, (path, size) in enumerate(source, 1):
        if say is not None:
            say.send((path, size, time.monotonic()))
        ahead = began + number / rate - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        if time.monotonic() - began > seconds:
            break
    if say is not None:
        say.send(None)


def follow(store: Store, told: Connection, patience: float) -> tuple[list[float], int, float]:
    """Seconds from write to sight, writes never seen, seconds of writing."""
    waiting: dict[tuple[str, int], float] = {}
    lags: list[float] = []
    began, ended, last = time.monotonic(), None, 0.0
    while ended is None or (waiting and time.monotonic() - ended < patience):
        while ended is None and told.poll():
            found = told.recv()
            if found is None:
                ended = time.monotonic()
                break
            path, size, when = found
            waiting[path, size] = when
        rows = [{"path": path, "size": size} for path, size in waiting]
        if rows:
            seen = {(row["path"], row["size"]) for row in store.read(SEEN, {"rows": rows})}
            now = time.monotonic()
            for key in seen:
                lags.append(now - waiting.pop(key))
        if time.monotonic() - last > 10:
            last = time.monotonic()
            oldest = last - min(waiting.values(), default=last)
            print(
                f"{last - began:6.1f} s: {len(lags)} seen, {len(waiting)} not yet, for {oldest:.1f} s",
                flush=True,
            )
        time.sleep(0.1)
    return lags, len(waiting), ended - began


def existing(root: Path, count: int) -> None:
    """Chats and jobs that are there from the start."""
    files = mixed(root, 999)
    for _ in range(count):
        next(files)


def _cpu(process: psutil.Process | None) -> float:
    if process is None:
        return 0.0
    times = process.cpu_times()
    return float(times.user + times.system)


def run(
    stage: Stage, kind: str, rate: float, seconds: float, count: int, grow: float, warm: float
) -> dict[str, object]:
    """Watch, write, measure."""
    existing(stage.root, count)
    if grow:
        text = "".join(talk(number, 24) for number in range(int(grow * 1e6 / len(talk(0, 24)))))
        put(stage.root / "talks/large.chat", text)
    kind = "grown" if grow else kind
    with stage.open():
        began = time.monotonic()
        watch = Watch(stage)
        watch.ready()
        watch.caught_up()
        start = time.monotonic() - began
        if warm:
            write(stage.root, kind, rate / 4, warm, seed=2)
            watch.caught_up()
        told, say = multiprocessing.Pipe(duplex=False)
        writer = multiprocessing.get_context("spawn").Process(
            target=write, args=(stage.root, kind, rate, seconds, say)
        )
        writer.start()
        say.close()
        before = watch.figures()
        cpu = [_cpu(watch.process), _cpu(stage.server)]
        with stage.open() as store:
            lags, lost, took = follow(store, told, 120)
        writer.join()
        after = watch.figures()
        figures: dict[str, object] = {
            "load": [round(value, 1) for value in os.getloadavg()],
            "start_seconds": round(start, 1),
            "writes": len(lags) + lost,
            "rate": round((len(lags) + lost) / took, 1),
            "lag": spread(lags),
            "never_seen": lost,
            "own_lag_last_round": after["lag_seconds"],
            "rounds": after["rounds_total"] - before["rounds_total"],
            "files_read": after["files_total"] - before["files_total"],
            "messages_read": after["messages_total"] - before["messages_total"],
            "resident_mb": round(after["resident_bytes"] / 1e6),
            "cpu_seconds": {
                "watch": round(_cpu(watch.process) - cpu[0], 1),
                "server": round(_cpu(stage.server) - cpu[1], 1),
            },
        }
        if os.environ.get("STAGE_LOG"):
            print((stage.folder / "watch.log").read_text()[-6000:])
        watch.stop()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rate", type=float, default=200, help="writes in a second")
    parser.add_argument("--kind", choices=("mixed", "new"), default="mixed", help="what is written")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--existing", type=int, default=0, help="files that are there from the start")
    parser.add_argument("--grow", type=float, default=0, help="append to one chat that has so many MB")
    parser.add_argument(
        "--warm",
        type=float,
        default=10,
        help="seconds of writing before, at a quarter of the rate, not counted",
    )
    parser.add_argument("--store", help="a Neo4j to use instead of a local server; it is emptied")
    given = parser.parse_args()
    with stage(given=given.store) as found:
        if given.store:
            with found.open() as store:
                empty(store)
        print(
            json.dumps(
                run(found, given.kind, given.rate, given.seconds, given.existing, given.grow, given.warm),
                indent=1,
            )
        )


if __name__ == "__main__":
    main()
