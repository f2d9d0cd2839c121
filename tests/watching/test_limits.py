"""The kernel's limits, and what to do about them."""

import errno
from pathlib import Path

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

from indexer.watching import limits


def test_the_remedy_is_the_exact_line(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    assert limits.raise_watches(10) == "sudo sysctl fs.inotify.max_user_watches=524288"
    assert limits.raise_watches(600_000) == "sudo sysctl fs.inotify.max_user_watches=2097152"
    monkeypatch.setattr(limits, "_number", lambda name: 128)
    assert limits.remedy(OSError(errno.EMFILE, "x")) == "sudo sysctl fs.inotify.max_user_instances=256"
    assert limits.remedy(OSError(errno.ENOSPC, "x")).startswith("sudo sysctl fs.inotify.max_user_watches=")
    assert limits.remedy(OSError(errno.EACCES, "x")) == ""


def test_watches_are_counted(tmp_path: Path) -> None:
    for i in range(7):
        (tmp_path / str(i)).mkdir()
    before = limits.watches_held()
    assert before is not None
    observer = Observer()
    observer.schedule(FileSystemEventHandler(), str(tmp_path), recursive=True)
    observer.start()
    try:
        assert limits.watches_held() == before + 8
        assert not limits.is_full(str(tmp_path))
    finally:
        observer.stop()
        observer.join()
