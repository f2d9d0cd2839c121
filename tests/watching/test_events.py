"""Real events: what four writers do, nothing is lost of it, whatever watchdog makes of it."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.store.store import Store
from indexer.watching import events
from indexer.watching.events import Watchdog
from indexer.watching.hints import Hints
from tests.support import touch
from tests.watching.bursts import CHAT, burst, equals_a_clean_scan
from tests.watching.conftest import Begin


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "root"
    touch(folder / "keep.txt")
    return folder


def test_a_burst_of_writers_and_new_trees(begin: Begin, store: Store, root: Path) -> None:
    figures = burst(begin(root, source=Watchdog), store, root, files=120, trees=40)
    assert figures["lost"] == 0


def test_folders_that_are_renamed_moved_in_and_removed(
    begin: Begin, store: Store, root: Path, tmp_path: Path
) -> None:
    for name in ("one/a.chat", "one/deep/b.chat", "two/c.chat"):
        touch(root / name, CHAT)
    running = begin(root, source=Watchdog)
    running.caught_up()
    (root / "one").rename(root / "uno")
    touch(root / "uno/deep/later.chat", CHAT)
    outside = tmp_path / "outside"
    touch(outside / "x/d.chat", CHAT)
    outside.rename(root / "inside")
    touch(root / "inside/x/e.chat", CHAT)
    shutil.rmtree(root / "two")
    (root / "uno/a.chat").unlink()
    (root / "uno/a.chat").mkdir()
    touch(root / "uno/a.chat/f.chat", CHAT)
    expected = {
        "uno/deep/b.chat",
        "uno/deep/later.chat",
        "inside/x/d.chat",
        "inside/x/e.chat",
        "uno/a.chat/f.chat",
    }

    def present() -> set[str]:
        rows = store.read("MATCH (c:Chat {missing: false}) RETURN c.id AS id")
        return {os.path.relpath(row["id"], root) for row in rows}

    running.until(lambda: present() == expected)
    running.caught_up(quiet=1.0)
    assert present() == expected
    equals_a_clean_scan(store, root)


@pytest.fixture
def heard(tmp_path: Path) -> Iterator[tuple[Watchdog, Hints, Path]]:
    folder = Path(os.path.realpath(tmp_path)) / "watched"
    folder.mkdir()
    hints = Hints()
    source = Watchdog(hints, exclude=[str(folder / "server")])
    source.start([str(folder)])
    yield source, hints, folder
    source.stop()


def wait_for(said: object, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not said():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)


def test_what_is_heard_is_only_noted(heard: tuple[Watchdog, Hints, Path]) -> None:
    _, hints, folder = heard
    touch(folder / "a.chat")
    touch(folder / ".a.chat.swp")
    touch(folder / ".indexerignore")
    touch(folder / "server/data/x.chat")
    touch(folder / "new/deep/b.chat")
    wait_for(lambda: len(hints) >= 5)
    time.sleep(0.3)
    places = hints.take().places
    assert places.names[str(folder)] == {"a.chat", ".indexerignore"}
    assert str(folder / "new") in places.trees
    assert not any("server/" in folder for folder in places.names)


def test_reading_makes_no_hints(heard: tuple[Watchdog, Hints, Path]) -> None:
    _, hints, folder = heard
    path = touch(folder / "a.chat")
    wait_for(lambda: len(hints))
    time.sleep(0.3)
    hints.take()
    for _ in range(5):
        path.read_text()
        list(folder.iterdir())
    time.sleep(0.5)
    assert not hints.take()


def test_a_dead_thread_and_a_replaced_root_are_noticed(heard: tuple[Watchdog, Hints, Path]) -> None:
    source, hints, folder = heard
    assert source.doubt() is None
    assert source._observer is not None
    next(iter(source._observer.emitters)).stop()
    wait_for(lambda: source.doubt() == "a watching thread died")
    touch(folder / "a.chat")
    wait_for(lambda: len(hints))
    hints.take()
    folder.rename(folder.with_name("elsewhere"))
    folder.mkdir()
    wait_for(lambda: (source.doubt() or "").endswith("is another folder now, or gone"))
    touch(folder / "b.chat")
    wait_for(lambda: len(hints))
    assert hints.take().places.names == {str(folder): {"b.chat"}}


def test_lost_events_are_noticed(
    heard: tuple[Watchdog, Hints, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, hints, folder = heard
    monkeypatch.setattr(events, "queue_limit", lambda: 40)
    for number in range(60):
        touch(folder / f"{number}.chat")
    wait_for(lambda: source.doubt() == "more changes than the kernel keeps")
    events.logging.getLogger("watchdog.observers.inotify_c").warning(
        "Inotify queue overflowed; events were lost"
    )
    wait_for(lambda: source.doubt() == "events were lost")
    assert hints.take()


def test_where_nothing_can_be_watched_all_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    folder = Path(os.path.realpath(tmp_path))
    source = Watchdog(Hints())
    monkeypatch.setattr(events.Observer, "start", refuse)
    source.start([str(folder)])
    assert source.polled == (str(folder),)
    assert "sudo sysctl fs.inotify.max_user_watches=524288" in (source.problem or "")
    monkeypatch.undo()
    source.start([str(folder / "absent"), str(folder)])
    assert source.polled == (str(folder / "absent"),)
    assert source.problem is None
    source.stop()


def test_a_single_file_is_watched_with_its_companions(tmp_path: Path) -> None:
    path = touch(Path(os.path.realpath(tmp_path)) / "jobs/One.chat", CHAT)
    touch(Path(f"{path}.files") / "log/agent.chat")
    hints = Hints()
    source = Watchdog(hints)
    source.start([str(path)])
    try:
        touch(path.with_name("other.chat"))
        time.sleep(0.5)
        assert not hints.take()
        for change in (path, Path(f"{path}.info"), Path(f"{path}.files") / "log/agent.chat"):
            touch(change, "new")
            wait_for(lambda: len(hints))
            time.sleep(0.1)
            assert hints.take().starts == {str(path)}
    finally:
        source.stop()
