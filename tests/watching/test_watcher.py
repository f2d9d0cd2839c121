"""What the watcher does with what it hears: with a source that says only what the test says."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import zlib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indexer.ingest import lease
from indexer.ingest.lease import LeaseLost, writing
from indexer.ingest.scan import Scanner, ScanOptions
from indexer.redaction import redactor_for
from indexer.store.connection import open_store
from indexer.store.errors import StoreUnreachable
from indexer.store.store import Store
from indexer.watching import watcher as module
from indexer.watching.heartbeat import Heartbeat, watchers
from tests.conftest import empty
from tests.support import touch
from tests.support_snapshot import difference, snapshot
from tests.watching.conftest import QUICK, Begin, FakeSource

CHAT = "\nuser:\n\nhello\n\nassistant:\n\nhi\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "root"
    touch(folder / "keep.txt")
    return folder


def chats(store: Store) -> dict[str, int]:
    """Name of each chat that is there -> number of its messages."""
    rows = store.read("MATCH (c:Chat {missing: false}) RETURN c.name AS name, c.messages AS n")
    return {row["name"]: row["n"] for row in rows}


def problems(store: Store) -> list[str]:
    return sorted(row["kind"] for row in store.read("MATCH (p:Problem) RETURN p.kind AS kind"))


def equals_a_clean_scan(store: Store, *roots: Path) -> None:
    found = snapshot(store)
    empty(store)
    Scanner(store).scan([str(root) for root in roots])
    assert not difference(found, snapshot(store))


def test_only_what_is_heard_of_is_looked_at_until_everything_is(
    begin: Begin, store: Store, root: Path
) -> None:
    touch(root / "a.chat", CHAT)
    running = begin(root)
    running.caught_up()
    assert chats(store) == {"a.chat": 3}
    touch(root / "heard.chat", CHAT)
    touch(root / "unheard.chat", CHAT)
    running.hints.name(str(root / "heard.chat"))
    running.caught_up(more=1)
    assert chats(store) == {"a.chat": 3, "heard.chat": 3}
    assert isinstance(running.source, FakeSource)
    running.source.doubts.append("events were lost")
    running.until(lambda: len(chats(store)) == 3)
    (root / "a.chat").rename(root / "b.chat")
    running.hints.name(str(root / "a.chat"))
    running.hints.name(str(root / "b.chat"))
    running.until(lambda: set(chats(store)) == {"b.chat", "heard.chat", "unheard.chat"})
    row = store.read("MATCH (c:Chat {name: 'a.chat'}) RETURN c.missing AS gone, c.missing_since AS since")[0]
    assert row["gone"]
    assert row["since"] is not None
    assert len(store.read("MATCH (:Chat {name: 'a.chat'})-[:HAS_MESSAGE]->(m) RETURN m")) == 3


def test_everything_is_looked_at_from_time_to_time(begin: Begin, store: Store, root: Path) -> None:
    running = begin(root, options=replace(QUICK, reconcile=0.3))
    running.caught_up()
    touch(root / "unheard.chat", CHAT)
    running.until(lambda: "unheard.chat" in chats(store))


def test_places_without_events_are_looked_through_again(begin: Begin, store: Store, root: Path) -> None:
    running = begin(root, options=replace(QUICK, poll=0.2))
    assert isinstance(running.source, FakeSource)
    running.source.polled = (str(root),)
    running.caught_up()
    touch(root / "sub/unheard.chat", CHAT)
    running.until(lambda: "unheard.chat" in chats(store))
    assert running.watcher.condition().reconciles == 1


def test_a_growing_chat_keeps_what_it_said(begin: Begin, store: Store, root: Path) -> None:
    path = touch(root / "a.chat", CHAT)
    running = begin(root)
    running.caught_up()
    ids = "MATCH (m:Message) RETURN m.index AS i, elementId(m) AS id ORDER BY i"
    before = [row["id"] for row in store.read(ids)]
    for text in (
        "\nuser:\n\nmore",
        " of it\n",
        '\nfunction_call: {"name":"t","id":"c1",',
        '"arguments":{}}\n',
    ):
        with path.open("a") as file:
            file.write(text)
        running.hints.name(str(path))
        running.caught_up(more=1)
    assert [row["id"] for row in store.read(ids)][:3] == before
    assert problems(store) == []
    held = store.read("MATCH (f:File) RETURN f.changed_at AS changed, f.previous_fingerprint AS before")[0]
    assert held["changed"] is None, "growing is no rewriting"
    path.write_text(CHAT.replace("hello", "another"))
    running.hints.name(str(path))
    running.caught_up(more=1)
    held = store.read("MATCH (f:File) RETURN f.changed_at AS changed, f.previous_fingerprint AS before")[0]
    assert held["changed"] is not None
    assert held["before"] is not None


def test_a_half_written_file_is_a_problem_only_if_it_stays_so(begin: Begin, store: Store, root: Path) -> None:
    call = touch(root / "call.chat", CHAT)
    job = touch(root / "var/jobs/Flow/ask/One.info", '{"status":"done","workflow":"Flow"}')
    running = begin(root, options=replace(QUICK, settle=0.6))
    running.caught_up()
    query = "MATCH (j:Job) RETURN j.status AS status"
    with call.open("a") as file:
        file.write('\nfunction_call: {"name":"t","id":"c1","argum')
    job.write_text('{"status":"error","workfl')
    running.hints.name(str(call))
    running.hints.name(str(job))
    running.caught_up(more=1)
    assert chats(store) == {"call.chat": 4}
    assert problems(store) == []
    assert [row["status"] for row in store.read(query)] == ["done"]
    running.until(lambda: problems(store) == ["unreadable_call", "unreadable_info"])
    assert [row["status"] for row in store.read(query)] == ["noinfo"]
    with call.open("a") as file:
        file.write('ents":{}}\n')
    job.write_text('{"status":"error","workflow":"Flow"}')
    running.hints.name(str(call))
    running.hints.name(str(job))
    running.until(lambda: problems(store) == [])
    assert [row["status"] for row in store.read(query)] == ["error"]
    running.caught_up()
    equals_a_clean_scan(store, root)


def test_a_chat_that_is_written_anew_is_never_empty(begin: Begin, store: Store, root: Path) -> None:
    path = touch(root / "a.chat", CHAT)
    running = begin(root)
    running.caught_up()
    path.write_text("")
    running.hints.name(str(path))
    running.caught_up(more=1)
    assert chats(store) == {"a.chat": 3}
    running.until(lambda: chats(store) == {"a.chat": 0})


def test_dead_jobs_are_told_from_running_ones(begin: Begin, store: Store, root: Path) -> None:
    host = socket.gethostname()
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    now = time.strftime("%Y-%m-%d %H:%M:%S +0000", time.gmtime())
    try:

        def job(name: str, **told: Any) -> Path:
            given = {"status": "start", "workflow": "Flow", "issued": now, "pid_hostname": host} | told
            return touch(root / f"var/jobs/Flow/ask/{name}.info", json.dumps(given))

        job("alive", pid=sleeper.pid)
        job("killed", pid=ended.pid, status="streaming")
        job("done", pid=ended.pid, status="done")
        job("elsewhere", pid=ended.pid, pid_hostname="another-host")
        job("reused", pid=sleeper.pid, issued="2020-01-01 10:00:00 +0000")
        job("unknown")
        running = begin(root, options=replace(QUICK, crashed=0.2))
        running.caught_up()
        query = "MATCH (j:Job) WHERE j.crashed_since IS NOT NULL RETURN j.name AS name ORDER BY name"

        def crashed() -> list[str]:
            return [row["name"] for row in store.read(query)]

        running.until(lambda: crashed() == ["killed", "reused"])
        assert store.read("MATCH (j:Job {name: 'killed'}) RETURN j.status AS s")[0]["s"] == "streaming"
        sleeper.kill()
        sleeper.wait()
        running.until(lambda: crashed() == ["alive", "killed", "reused"])
        running.hints.name(str(job("alive", pid=sleeper.pid, status="done")))
        running.until(lambda: crashed() == ["killed", "reused"])
        running.caught_up()
        equals_a_clean_scan(store, root)
    finally:
        sleeper.kill()
        sleeper.wait()


def test_nothing_is_skipped_while_the_store_is_away(
    begin: Begin, store: Store, store_address: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = begin(root)
    running.caught_up()
    away = True
    real = Store.write

    def write(self: Store, *args: Any, **kwargs: Any) -> Any:
        if away:
            raise StoreUnreachable("no Neo4j answers", "start it")
        return real(self, *args, **kwargs)

    monkeypatch.setattr(Store, "write", write)
    for i in range(3):
        running.hints.name(str(touch(root / f"{i}.chat", CHAT)))
        time.sleep(0.3)
    running.until(lambda: not running.watcher.condition().store_up)
    assert "no Neo4j answers" in (running.watcher.condition().problem or "")
    assert running.watcher.store is None
    away = False
    running.until(lambda: len(chats(store)) == 3)
    running.caught_up()
    assert running.watcher.condition().problem is None
    assert running.watcher.condition().store_errors >= 1


def test_a_round_that_fails_is_tried_again(
    begin: Begin, store: Store, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = begin(root)
    running.caught_up()
    fails = 2
    real = Scanner.look_again

    def look_again(self: Scanner, *args: Any, **kwargs: Any) -> Any:
        nonlocal fails
        fails -= 1
        if fails >= 0:
            raise ZeroDivisionError("a bug")
        return real(self, *args, **kwargs)

    monkeypatch.setattr(Scanner, "look_again", look_again)
    running.hints.name(str(touch(root / "a.chat", CHAT)))
    running.until(lambda: "a bug" in (running.watcher.condition().problem or ""))
    running.until(lambda: chats(store) == {"a.chat": 3})
    running.caught_up()
    assert running.watcher.condition().problem is None


def test_two_watchers_on_one_tree(begin: Begin, store: Store, root: Path) -> None:
    both = [begin(root), begin(root)]
    for number in range(12):
        path = touch(root / f"s{number % 3}/{number}.chat", CHAT + f"\nuser:\n\n{number}\n")
        for running in both:
            running.hints.name(str(path))
        time.sleep(0.05)
    for running in both:
        running.caught_up(quiet=0.3)
    assert len(chats(store)) == 12
    equals_a_clean_scan(store, root)


def test_a_scan_takes_its_turn(begin: Begin, store: Store, store_address: str, root: Path) -> None:
    running = begin(root)
    running.caught_up()
    with open_store(store_address) as other:
        for number in range(5):
            path = touch(root / f"{number}.chat", CHAT)
            running.hints.name(str(path))
            Scanner(other).scan([str(root)])
    running.caught_up()
    equals_a_clean_scan(store, root)


def test_reload_takes_up_new_rules(begin: Begin, store: Store, root: Path) -> None:
    touch(root / "a.chat", CHAT)
    touch(root / "hidden/b.chat", CHAT)
    rules = touch(root / ".indexerignore", "hidden/\n")
    running = begin(root)
    running.caught_up()
    assert set(chats(store)) == {"a.chat"}
    rules.unlink()
    running.watcher.reload()
    running.until(lambda: set(chats(store)) == {"a.chat", "b.chat"})


def test_once_ends_by_itself(begin: Begin, store: Store, root: Path) -> None:
    touch(root / "a.chat", CHAT + "\nuser:\n\n```\nnot closed yet\n")
    running = begin(root, options=replace(QUICK, once=True, settle=0.5))
    running._thread.join(60)
    assert running.error is None
    assert chats(store) == {"a.chat": 4}
    assert problems(store) == ["unclosed_region"]


def test_secrets_stay_out_of_the_store(begin: Begin, store: Store, root: Path) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "Zz09"
    path = touch(root / "a.chat", CHAT)
    running = begin(root, scan=ScanOptions(redact=redactor_for("default")))
    running.caught_up()
    with path.open("a") as file:
        file.write(f"\nuser:\n\nthe token is {secret}, keep it\n\noption: key {secret}\n")
    running.hints.name(str(path))
    for half in (f'{{"status":"error","messages":["denied: {secret}', '"],"workflow":"Flow"}'):
        with (root / "x.chat.info").open("a") as file:
            file.write(half)
        running.hints.name(str(root / "x.chat.info"))
        running.caught_up(more=1)
    assert chats(store)["a.chat"] == 5
    assert secret.encode() not in everything_stored(store)


def everything_stored(store: Store) -> bytes:
    """All property values of all nodes and relationships, packed ones unpacked."""
    found = [b""]
    for query in ("MATCH (n) RETURN properties(n) AS p", "MATCH ()-[r]->() RETURN properties(r) AS p"):
        for row in store.read(query):
            for value in row["p"].values():
                raw = bytes(value) if isinstance(value, bytes | bytearray) else str(value).encode()
                found.append(raw)
                with suppress(zlib.error):
                    found.append(zlib.decompress(raw))
    return b"\n".join(found)


def test_the_heartbeat_shows_how_it_is(begin: Begin, store: Store, root: Path) -> None:
    touch(root / "a.chat", CHAT)
    running = begin(root)
    running.caught_up()
    beat = Heartbeat(lambda: store, running.watcher.condition)
    beat.beat()
    seen = watchers(store)
    assert [(one.id, one.alive, one.state, one.files, one.problem) for one in seen] == [
        (beat.id, True, "watching", 1, None)
    ]
    assert seen[0].paths == (str(root),)
    assert seen[0].reconciled_at is not None
    store.write("MATCH (w:Watcher) SET w.beat_at = datetime() - duration({minutes: 5})")
    assert [one.alive for one in watchers(store)] == [False]
    beat.start()
    beat.stop(10)
    assert watchers(store) == []


def test_a_full_limit_is_said_with_its_remedy(
    begin: Begin, store: Store, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.limits, "is_full", lambda folder: True)
    running = begin(root)
    running.until(lambda: running.watcher.condition().problem is not None)
    assert "sudo sysctl fs.inotify.max_user_watches=524288" in (running.watcher.condition().problem or "")


def test_who_stood_still_for_too_long_changes_nothing(
    store: Store, store_address: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that was stopped (a laptop's lid) while another took over."""
    Scanner(store).scan([str(root)])
    monkeypatch.setattr(lease, "SECONDS", 0.3)
    monkeypatch.setattr(lease, "RENEW_EVERY", 3600.0)

    def stand_still() -> None:
        with writing(store, "first") as first:
            time.sleep(0.5)
            lease._held.discard(first.token)
            with open_store(store_address) as other, writing(other, "second") as second:
                assert second.undone
                second.write("CREATE (:Chat {id: 'second', missing: false})")
            first.write("CREATE (:Chat {id: 'first', missing: false})")

    with pytest.raises(LeaseLost):
        stand_still()
    ids = {row["id"] for row in store.read("MATCH (c:Chat) RETURN c.id AS id")}
    assert ids == {"second"}
