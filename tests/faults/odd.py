"""Files and moments as bad as they come, under `indexer watch`; afterwards the graph is a clean scan's.

    python -m tests.faults.odd

Names of any bytes, fifos, sockets, devices, folders and dangling links with names of chats, files that cannot
be read, gzip bombs, times in the future and in 1970, a store that is away, two watchers and a scan at once, a
root that is moved away and back.
"""

from __future__ import annotations

import gzip
import json
import os
import signal
import socket
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from indexer.store.local.target import LocalTarget
from tests.faults.stage import Stage, Watch, stage
from tests.watching.bursts import CHAT

MISSING = "MATCH (f:File) WHERE f.missing_since IS NOT NULL RETURN count(f) AS n"
NAMES = (
    b"plain.chat",
    b"\xff\xfe latin \xe9.chat",
    b"new\nline.chat",
    b"quote'\"`${x}\\.chat",
    b"\x01\x02\x7f.chat",
    "\u202e\u0635\U0001f600.chat".encode(),
    b"--store.chat",
    b"%00%2f.chat",
    b"a" * 250 + b".chat",
    b" .chat",
    b"*?[].chat",
)


def names(root: Path) -> None:
    for folder in (b"names", b"na\xffmes/\n/d\xe9ep"):
        place = os.path.join(os.fsencode(root), folder)
        os.makedirs(place, exist_ok=True)
        for name in NAMES:
            with open(os.path.join(place, name), "w") as file:
                file.write(CHAT)


def no_files(root: Path) -> None:
    os.mkfifo(root / "fifo.chat")
    os.mkfifo(root / "fifo.info")
    with socket.socket(socket.AF_UNIX) as line:
        os.chdir(root)
        line.bind("socket.chat")
    with suppress(OSError):  # only root may
        os.mknod(root / "device.chat", 0o666 | stat.S_IFCHR, os.makedev(1, 5))
        os.mknod(root / "disk.chat", 0o666 | stat.S_IFBLK, os.makedev(7, 99))
    (root / "folder.chat").mkdir()
    (root / "gone.chat").symlink_to("/nowhere/at/all.chat")
    (root / "loop.chat").symlink_to("loop.chat")
    (root / "up").symlink_to("..")
    (root / "zero.chat").symlink_to("/dev/zero")


def unreadable(root: Path) -> None:
    (root / "closed").mkdir()
    (root / "closed/inside.chat").write_text(CHAT)
    (root / "closed.chat").write_text(CHAT)
    os.chmod(root / "closed.chat", 0)
    os.chmod(root / "closed", 0)


def bombs(root: Path) -> None:
    with gzip.open(root / "bomb.chat.gz", "wb") as file:
        for _ in range(1000):
            file.write(bytes(1 << 20))
    (root / "cut.chat.gz").write_bytes(gzip.compress(CHAT.encode() * 1000)[:50])
    (root / "none.chat.gz").write_bytes(b"no gzip at all")


def times(root: Path) -> None:
    for name, when in (("old", 0), ("future", 4_000_000_000), ("before", -1000)):
        path = root / f"{name}.chat"
        path.write_text(CHAT)
        os.utime(path, (when, when))
        with path.open("a") as file:
            file.write("\nuser:\n\nmore\n")
        os.utime(path, (when, when))


def settled(watch: Watch) -> None:
    watch.caught_up(quiet=8)


def run(stage: Stage) -> dict[str, object]:
    root = stage.root
    found: dict[str, object] = {}
    watch = Watch(stage)
    watch.ready()

    def equal(what: str) -> None:
        settled(watch)
        clean = f"local:{stage.folder / 'clean'}"
        stage.command("prune", "--yes")
        stage.command("forget", "--yes", str(root), store=clean) if "first" in found else None
        stage.command("scan", str(root), store=clean)
        found[what] = stage.digest() == stage.digest(clean)
        found["first"] = True
        print(what, found[what], flush=True)

    steps: tuple[Callable[[Path], None], ...] = (names, no_files, unreadable, bombs, times)
    for step in steps:
        step(root)
        equal(step.__name__)
    found["resident_mb_after_bombs"] = round(watch.figures()["resident_bytes"] / 1e6)

    server = stage.server
    assert server is not None
    server.suspend()  # it hangs: worse than being away
    for number in range(2000):
        (root / f"away{number}.chat").write_text(f"{CHAT}\nuser:\n\n{number}\n")
    time.sleep(20)
    server.resume()
    equal("store_hangs_20_s")
    server.kill()
    for number in range(2000):
        with (root / f"away{number}.chat").open("a") as file:
            file.write(f"\nuser:\n\nagain {number}\n")
    began = time.monotonic()
    settled(watch)
    found["seconds_after_store_killed"] = round(time.monotonic() - began, 1)
    equal("store_killed")

    second = Watch(stage, log="second.log")
    second.ready()
    for number in range(500):
        (root / f"two{number}.chat").write_text(f"{CHAT}\nuser:\n\n{number}\n")
    stage.command("scan", str(root))
    settled(second)
    equal("two_watchers_and_a_scan")
    found["second_ended"] = second.stop()

    watch.signal(signal.SIGHUP)
    (root / "hup.chat").write_text(CHAT)
    equal("sighup")
    root.rename(stage.folder / "elsewhere")
    time.sleep(12)
    with stage.open() as store:
        found["missing_while_root_is_away"] = store.read(MISSING)[0]["n"]
    (stage.folder / "elsewhere").rename(root)
    (root / "back.chat").write_text(CHAT)
    equal("root_moved_and_back")
    found["ended"] = watch.stop()
    return found


def main() -> None:
    with stage() as found:
        try:
            print(json.dumps(run(found), indent=1))
        finally:
            os.chmod(found.root, 0o700)
            Stage.stop(LocalTarget(found.folder / "clean", found.target.lib))


if __name__ == "__main__":
    main()
