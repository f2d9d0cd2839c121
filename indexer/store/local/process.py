"""Processes by identity. A pid alone proves nothing: it may have been given to another process meanwhile."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

Marks = frozenset[str]
"""Arguments that a process of ours has on its command line."""

KILL_SECONDS = 10.0
POLL_SECONDS = 0.02
TICKS_FILE = "/proc/{pid}/stat"

_children: list[subprocess.Popen[bytes]] = []  # kept, since Python warns of children that it forgets


@dataclass(frozen=True)
class Identity:
    """A pid with the time the process started (opaque text that no later process of that pid can have)."""

    pid: int
    started: str


def identify(pid: int) -> Identity | None:
    """The identity of a live process; None where there is none or it has already ended (a zombie)."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return Identity(pid, _start_ticks(pid) or f"{process.create_time():.1f}")
    except (psutil.Error, OSError, ValueError, OverflowError):
        return None


def _start_ticks(pid: int) -> str | None:
    # On Linux the kernel's own tick count: psutil's seconds move when the machine's clock is set.
    try:
        text = Path(TICKS_FILE.format(pid=pid)).read_text(encoding="utf-8", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return None
    return f"{boot[:8]}:{text.rpartition(')')[2].split()[19]}"


def is_running(identity: Identity | None, marks: Marks) -> bool:
    """Whether that very process lives and has all of `marks` among its arguments."""
    return (
        identity is not None and identify(identity.pid) == identity and marks <= set(arguments(identity.pid))
    )


def arguments(pid: int) -> list[str]:
    """The command line of a process, empty where it cannot be read."""
    try:
        return psutil.Process(pid).cmdline()
    except (psutil.Error, OSError, ValueError, OverflowError):
        return []


def find(marks: Marks) -> Identity | None:
    """A live process with all of `marks` among its arguments, however it was started."""
    for process in psutil.process_iter():
        if marks <= set(arguments(process.pid)) and (identity := identify(process.pid)):
            return identity
    return None


def listens(pid: int, port: int) -> bool:
    """Whether the process itself listens on the TCP port (True where the system does not tell)."""
    try:
        connections = psutil.Process(pid).net_connections(kind="tcp")
    except psutil.AccessDenied:
        return True
    except (psutil.Error, OSError):
        return False
    return any(c.status == psutil.CONN_LISTEN and c.laddr and c.laddr.port == port for c in connections)


def connected(pid: int, ports: frozenset[int]) -> int:
    """How many open connections the process serves on its ports (0 where the system does not tell)."""
    try:
        connections = psutil.Process(pid).net_connections(kind="tcp")
    except (psutil.Error, OSError):
        return 0
    return sum(c.status == psutil.CONN_ESTABLISHED and c.laddr.port in ports for c in connections)


def start_detached(command: list[str], environment: Mapping[str, str], folder: Path, output: Path) -> int:
    """Start a process that stays when this one, its terminal or its session ends, and return its pid.

    What it prints goes to the file `output`, which is replaced.
    """
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS
    else:
        flags = 0
    with output.open("wb") as file:
        child = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=sys.platform != "win32",
            creationflags=flags,
        )
    _children.append(child)
    return child.pid


def resident_bytes(pid: int) -> int:
    """Resident memory of a process, 0 where it cannot be read."""
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except (psutil.Error, OSError):
        return 0


def terminate(identity: Identity, marks: Marks, patience: float) -> bool:
    """Ask that very process to end, and end it after `patience` seconds. False where it was not there.

    The identity is checked right before each signal, so a process that took over the pid is never touched.
    """
    if not is_running(identity, marks):
        return False
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(identity.pid)
        process.terminate()
        if not _wait_gone(identity, patience) and is_running(identity, marks):
            process.kill()
            _wait_gone(identity, KILL_SECONDS)
    return True


def _wait_gone(identity: Identity, patience: float) -> bool:
    # Not psutil's wait: that also waits until the parent, which may be a lazy init, has taken notice.
    end = time.monotonic() + patience
    while identify(identity.pid) == identity:
        if time.monotonic() > end:
            return False
        time.sleep(POLL_SECONDS)
    for child in _children:
        child.poll()
    return True
