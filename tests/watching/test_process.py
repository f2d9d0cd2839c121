"""`indexer watch` as a process: signals, figures, status, `--once`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from indexer.store.store import Store
from tests.support import touch

CHAT = "\nuser:\n\nhello\n\nassistant:\n\nhi\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "root"
    touch(folder / "a.chat", CHAT)
    return folder


def indexer(*arguments: str, home: Path, **options: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "indexer.cli", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, cwd=home, **{**pipes, **options})  # type: ignore[call-overload]


def run(*arguments: str, home: Path) -> dict[str, object]:
    done = indexer(*arguments, home=home)
    out, err = done.communicate(timeout=120)
    assert done.returncode == 0, err
    return json.loads(out)


def chats(store: Store) -> set[str]:
    return {row["n"] for row in store.read("MATCH (c:Chat {missing: false}) RETURN c.name AS n")}


def wait_for(said: object, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not said():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def watch(store_address: str, root: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    process = indexer(
        "watch", str(root), "--store", store_address, "--metrics-port", "0", "-v", "--json", home=tmp_path
    )
    yield process
    process.kill()
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def test_a_life(
    watch: subprocess.Popen[str], store: Store, store_address: str, root: Path, tmp_path: Path
) -> None:
    wait_for(lambda: chats(store) == {"a.chat"})
    wait_for(lambda: store.read("MATCH (w:Watcher {state: 'watching'}) RETURN w"))
    status = run("status", "--store", store_address, "--json", home=tmp_path)
    (shown,) = status["watchers"]  # type: ignore[misc]
    assert shown["alive"]
    assert shown["paths"] == [str(root)]
    assert shown["queue"] == 0
    touch(root / "b.chat", CHAT)
    wait_for(lambda: "b.chat" in chats(store))
    watch.send_signal(signal.SIGHUP)
    touch(root / "c.chat", CHAT)
    wait_for(lambda: "c.chat" in chats(store))
    watch.send_signal(signal.SIGTERM)
    out, err = watch.communicate(timeout=30)
    assert watch.returncode == 0, err
    assert json.loads(out)["files"] >= 2  # the last may have been broken off before it was counted
    wait_for(lambda: not store.read("MATCH (w:Watcher) RETURN w"))
    assert not store.read("MATCH (l:Lease) WHERE l.token IS NOT NULL RETURN l")


def test_it_ends_in_time_while_the_store_is_away(root: Path, tmp_path: Path) -> None:
    process = indexer("watch", str(root), "--store", "bolt://127.0.0.1:9", home=tmp_path)
    time.sleep(3)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "no Neo4j answers at bolt://127.0.0.1:9" in " ".join(err.split())


def test_once(store: Store, store_address: str, root: Path, tmp_path: Path) -> None:
    told = run("watch", str(root), "--once", "--store", store_address, "--json", home=tmp_path)
    assert told["files"] == 1
    assert chats(store) == {"a.chat"}
    away = indexer("watch", str(root), "--once", "--store", "bolt://127.0.0.1:9", home=tmp_path)
    _, err = away.communicate(timeout=120)
    assert away.returncode == 3, err
    absent = indexer("watch", str(root / "absent"), "--store", store_address, home=tmp_path)
    _, err = absent.communicate(timeout=120)
    assert absent.returncode == 2
    assert "there is no such file or folder" in err


def test_a_port_that_is_taken_is_said(
    watch: subprocess.Popen[str], store: Store, store_address: str, root: Path, tmp_path: Path
) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        other = indexer(
            "watch", str(root), "--store", store_address, "--metrics-port", str(port), home=tmp_path
        )
        _, err = other.communicate(timeout=60)
    assert other.returncode == 2
    assert f"port {port}" in err


def test_figures_are_served(store: Store, store_address: str, root: Path, tmp_path: Path) -> None:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = indexer(
        "watch", str(root), "--store", store_address, "--metrics-port", str(port), home=tmp_path
    )
    try:
        wait_for(lambda: chats(store) == {"a.chat"})
        with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            assert b"indexer_watch_store_up 1" in answer.read()
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert process.returncode == 0
