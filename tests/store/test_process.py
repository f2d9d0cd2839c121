"""Processes by identity, the state file, and the files of a store's folder."""

from __future__ import annotations

import dataclasses
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from indexer.store.errors import LocalServerError
from indexer.store.local import conf, launch, process, state
from indexer.store.local.layout import Layout, is_newer
from indexer.store.local.process import Identity
from indexer.store.local.state import ServerState

VERSION = "5.26.30"


@pytest.fixture
def sleeper():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "--mark=a"])
    yield child
    child.kill()
    child.wait()


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path / "store")
    made.prepare(VERSION)
    return made


def a_state(layout: Layout, identity: Identity) -> ServerState:
    return ServerState(identity.pid, identity.started, 1111, 2222, str(layout.folder), VERSION, ready=True)


def test_identity_holds_for_one_process_only(sleeper):
    identity = process.identify(sleeper.pid)
    assert identity is not None
    assert identity == process.identify(sleeper.pid)
    assert process.is_running(identity, frozenset({"--mark=a"}))
    assert not process.is_running(identity, frozenset({"--mark=b"}))
    assert not process.is_running(Identity(sleeper.pid, "another start"), frozenset({"--mark=a"}))
    assert process.identify(2**31 - 1) is None


def test_an_ended_process_that_nobody_waited_for_is_not_running(sleeper):
    identity = process.identify(sleeper.pid)
    os.kill(sleeper.pid, 9)
    time.sleep(0.2)
    assert process.identify(sleeper.pid) is None
    assert not process.is_running(identity, frozenset())


@pytest.mark.parametrize("marks", [frozenset({"--mark=b"}), frozenset({"--mark=a", "--home-dir=/x"})])
def test_terminate_leaves_a_process_without_our_marks_alone(sleeper, marks):
    identity = process.identify(sleeper.pid)
    assert identity is not None
    assert not process.terminate(identity, marks, 1)
    assert sleeper.poll() is None


def test_terminate_leaves_a_process_with_another_start_alone(sleeper):
    assert not process.terminate(Identity(sleeper.pid, "0"), frozenset({"--mark=a"}), 1)
    assert sleeper.poll() is None


def test_terminate_and_find(sleeper):
    identity = process.find(frozenset({"--mark=a"}))
    assert identity is not None
    assert identity.pid == sleeper.pid
    assert process.terminate(identity, frozenset({"--mark=a"}), 5)
    assert sleeper.wait(5) == -15
    assert process.find(frozenset({"--mark=a"})) is None


def test_terminate_kills_what_does_not_listen():
    ignore = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    code = f"import signal, time; {ignore}; print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, "--mark=c"], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        identity = process.identify(child.pid)
        assert identity is not None
        assert process.terminate(identity, frozenset({"--mark=c"}), 0.3)
        assert child.wait(5) == -9


def test_state_file_round_trip_and_privacy(layout, sleeper):
    identity = process.identify(sleeper.pid)
    assert identity is not None
    written = a_state(layout, identity)
    state.write(layout, written)
    assert state.read(layout) == written
    assert stat.S_IMODE(layout.state.stat().st_mode) == 0o600
    assert written.uri == "bolt://127.0.0.1:1111"
    # It is a live process, and not a server of this folder.
    assert state.read_live(layout) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"pid": 1}',
        "\x00\x01",
        '{"pid": "1", "started": "", "bolt_port": 1, "http_port": 2, "folder": "", "version": ""}',
    ],
)
def test_broken_state_files_count_as_absent(layout, text):
    layout.state.write_text(text)
    assert state.read(layout) is None
    assert state.read_live(layout) is None
    assert state.find_live(layout, VERSION) is None


def test_a_state_file_copied_from_another_store_counts_as_absent(layout, sleeper):
    identity = process.identify(sleeper.pid)
    assert identity is not None
    state.write(layout, dataclasses.replace(a_state(layout, identity), folder="/elsewhere"))
    assert state.read_live(layout) is None


def test_ports_come_from_the_settings_when_the_state_is_lost(layout):
    assert state.ports_in_conf(layout) is None
    conf.write(layout, 4321, 8765)
    assert state.ports_in_conf(layout) == (4321, 8765)
    lines = (layout.conf / "neo4j.conf").read_text().splitlines()
    keys = [line.split("=")[0] for line in lines]
    assert len(keys) == len(set(keys))  # the server refuses a setting given twice
    assert not any("0.0.0.0" in line for line in lines)


def test_folders_and_password_are_private(layout):
    first = layout.ensure_password()
    assert len(first) >= 32
    assert first.isalnum()
    assert layout.ensure_password() == first
    assert stat.S_IMODE(layout.password.stat().st_mode) == 0o600
    assert stat.S_IMODE(layout.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(layout.data.stat().st_mode) == 0o700


def test_a_folder_with_other_files_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    tmp_path.chmod(0o755)
    with pytest.raises(LocalServerError, match="not a store") as caught:
        Layout(tmp_path).prepare(VERSION)
    assert caught.value.exit_code == 3
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_data_of_a_newer_server_are_refused(layout):
    layout.stamp.write_text(json.dumps({"neo4j": "2026.08.1"}))
    with pytest.raises(LocalServerError, match=r"2026\.08\.1, newer than this program's 5\.26\.30"):
        layout.prepare(VERSION)


def test_order_of_versions():
    assert is_newer("5.26.31", "5.26.30")
    assert is_newer("2026.08.1", "5.26.30")
    assert not is_newer("5.26.30", "5.26.30")
    assert not is_newer("5.26.9", "5.26.30")


def test_a_replacing_of_data_that_was_cut_short_is_undone_or_finished(layout):
    (layout.data / "old").touch()
    os.replace(layout.data, layout.folder / "data.previous")  # cut between the two renames
    (layout.folder / ".work-x").mkdir()
    layout.recover()
    assert (layout.data / "old").exists()
    assert not (layout.folder / ".work-x").exists()

    os.replace(layout.data, layout.folder / "data.previous")  # cut after them
    layout.data.mkdir()
    layout.recover()
    assert not (layout.folder / "data.previous").exists()
    assert list(layout.data.iterdir()) == []


def test_taken_ports_are_not_chosen():
    import socket

    bolt, http = launch.free_ports(None)
    assert bolt != http
    assert launch.free_ports((bolt, http)) == (bolt, http)
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", http))
        stranger.listen()
        assert http not in launch.free_ports((bolt, http))
