"""The local server as a whole: real processes, real data. Each test says how it leaves the module's store."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from indexer.store.connection import local_server, open_store
from indexer.store.errors import LocalServerError
from indexer.store.local import launch, process, state, watchdog
from indexer.store.local.state import ServerState
from indexer.store.local.status import status_of

OPEN_AND_WRITE = """
from indexer.store.connection import open_store
with open_store() as store:
    store.write("CREATE (:Kept)")
    print(store.where)
"""


def servers_of(folder: Path) -> list[int]:
    """Pids of all servers that run in a folder, however they were started."""
    marks = state.marks(folder)
    return [found.pid for found in psutil.process_iter() if marks <= set(process.arguments(found.pid))]


def wait_until(true, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def kept(target) -> int:
    with open_store(target) as store:
        return store.read("MATCH (n:Kept) RETURN count(n) AS n")[0]["n"]


def test_two_commands_at_once_start_one_server(own_target, in_process):
    """Leaves it running, with two Kept nodes."""
    commands = [in_process(OPEN_AND_WRITE) for _ in range(2)]
    for command in commands:
        out, err = command.communicate(timeout=120)
        assert (command.returncode, out) == (0, f"{own_target.where}\n"), err
    assert kept(own_target) == 2
    assert len(servers_of(own_target.folder)) == 1


def test_a_running_server_is_used_as_it_is(own_target, server):
    before = server.running()
    assert before is not None
    assert kept(own_target) == 2
    assert server.ensure().state == before.state
    found = status_of(server)
    assert (found.running, found.pid, found.uri) == (True, before.state.pid, before.state.uri)
    assert found.memory_bytes is not None
    assert found.data_bytes > 100_000
    assert before.password not in repr(found)
    assert before.password not in repr(before)


def test_only_this_machine_can_reach_it(server):
    running = server.running()
    listening = psutil.Process(running.state.pid).net_connections("inet")
    addresses = {found.laddr.ip for found in listening if found.status == psutil.CONN_LISTEN}
    assert {address.removeprefix("::ffff:") for address in addresses} == {"127.0.0.1"}


def test_the_password_is_on_no_command_line(server):
    running = server.running()
    for found in psutil.process_iter():
        assert running.password not in " ".join(process.arguments(found.pid))


def test_a_lost_state_file_costs_nothing(own_target, server):
    pid = server.running().state.pid
    server.layout.state.unlink()
    assert server.running() is None
    assert kept(own_target) == 2
    assert server.running().state.pid == pid
    assert servers_of(own_target.folder) == [pid]


def test_a_lost_watchdog_is_replaced(own_target, server):
    def watcher():
        found = watchdog.recorded(server.layout)
        return found if process.is_running(found, watchdog.marks(own_target.folder)) else None

    wait_until(watcher)
    lost = watcher()
    os.kill(lost.pid, signal.SIGKILL)
    wait_until(lambda: watcher() is None)
    assert kept(own_target) == 2
    wait_until(watcher)
    assert watcher() != lost


def test_a_wrong_password_is_one_line(own_target, server):
    right = server.layout.password.read_text()
    server.layout.password.write_text("wrong")
    try:
        with pytest.raises(LocalServerError) as caught:
            open_store(own_target)
    finally:
        server.layout.password.write_text(right)
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)
    assert "wrong" not in str(caught.value)
    assert kept(own_target) == 2


def test_killed_it_is_started_again_with_its_data(own_target, server):
    """Also: what had been acknowledged before the kill is there."""
    killed = server.running().state
    with open_store(own_target) as store:
        store.write("UNWIND range(3, 1000) AS id CREATE (:Kept {id: id})")
        os.kill(killed.pid, signal.SIGKILL)
    wait_until(lambda: process.identify(killed.pid) is None)
    assert server.running() is None
    assert kept(own_target) == 1000
    assert server.running().state.pid != killed.pid


def test_stop_and_stop_again(own_target, server):
    """Leaves it stopped."""
    pid = server.running().state.pid
    assert server.stop()
    assert servers_of(own_target.folder) == []
    assert process.identify(pid) is None
    assert not server.layout.state.exists()
    assert not server.stop()
    assert not status_of(server).running


def test_a_strangers_process_and_ports_are_left_alone(own_target, server):
    """The state file names a live process that is not ours, and a stranger listens on our last ports."""
    layout = server.layout
    bolt, http = state.ports_in_conf(layout)
    with (
        subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(120)", f"--home-dir={layout.folder}"]
        ) as other,
        socket.socket() as stranger,
    ):
        try:
            stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            stranger.bind(("127.0.0.1", bolt))
            stranger.listen()
            identity = process.identify(other.pid)
            forged = ServerState(other.pid, identity.started, bolt, http, str(layout.folder), "5.26.30", True)
            state.write(layout, forged)
            assert server.running() is None
            assert not server.stop()
            state.write(layout, forged)
            assert kept(own_target) == 1000
            assert server.running().state.bolt_port != bolt
            assert server.stop()
            assert other.poll() is None
        finally:
            other.kill()


def test_a_port_taken_while_it_starts_is_given_up(own_target, server, monkeypatch):
    """Leaves it running."""
    chosen = launch.free_ports
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        taken = stranger.getsockname()[1]
        tries: list[tuple[int, int]] = []

        def too_late(preferred):
            ports = chosen(preferred)
            tries.append((taken, ports[1]) if not tries else ports)
            return tries[-1]

        monkeypatch.setattr(launch, "free_ports", too_late)
        assert kept(own_target) == 1000
        assert len(tries) == 2
        assert server.running().state.bolt_port == tries[1][0]


def test_killed_while_starting_the_next_command_goes_on(own_target, server, in_process):
    """Leaves it running."""
    server.stop()
    command = in_process(OPEN_AND_WRITE)
    wait_until(lambda: (found := state.read(server.layout)) is not None and not found.ready)
    pid = state.read(server.layout).pid
    command.kill()
    command.communicate()
    assert kept(own_target) == 1000
    assert server.running().state.pid == pid
    assert servers_of(own_target.folder) == [pid]


def test_a_lost_password_costs_no_data(own_target, server):
    """Leaves it stopped."""
    server.stop()
    old = server.layout.read_password()
    server.layout.password.unlink()
    assert kept(own_target) == 1000
    assert server.running().password != old
    server.stop()


def test_data_of_a_newer_server_are_not_opened(own_target, server):
    server.layout.write_stamp("2026.08.1")
    try:
        with pytest.raises(LocalServerError, match="newer than this program's") as caught:
            open_store(own_target)
    finally:
        server.layout.write_stamp("5.26.30")
    assert "upgrade" in caught.value.remedy
    assert servers_of(own_target.folder) == []


def test_it_stops_itself_when_nobody_uses_it(new_target):
    target = new_target(idle_minutes=0.05)
    server = local_server(target)
    with open_store(target) as store:
        pid = server.running().state.pid
        wait_until(
            lambda: process.is_running(watchdog.recorded(server.layout), watchdog.marks(target.folder))
        )
        watcher = watchdog.recorded(server.layout)
        time.sleep(5)  # longer than the idle time, and a connection is open
        assert store.read("RETURN 1 AS x")[0]["x"] == 1
        assert server.running().state.pid == pid
    wait_until(lambda: not servers_of(target.folder))
    wait_until(lambda: not process.is_running(watcher, watchdog.marks(target.folder)))
    assert not server.layout.state.exists()
