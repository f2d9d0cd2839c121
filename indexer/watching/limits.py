"""How many folders can be watched, how many are, and the line that raises the limit."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

_LIMITS = Path("/proc/sys/fs/inotify")
_OWN = Path("/proc/self/fdinfo")
_ENOUGH = 524_288
_IN_DELETE_SELF = 0x400


def watch_limit() -> int | None:
    """Folders that one user may watch; None where the system has no such limit."""
    return _number("max_user_watches")


def queue_limit() -> int:
    """Events that the kernel keeps for one watcher; what comes on top is lost."""
    return _number("max_queued_events") or 16_384


def _number(name: str) -> int | None:
    try:
        return int((_LIMITS / name).read_text())
    except (OSError, ValueError):
        return None


def watches_held() -> int | None:
    """Folders that this process watches now, as the kernel counts them; None where it cannot be told."""
    try:
        files = os.listdir(_OWN)
    except OSError:
        return None
    total = 0
    for name in files:
        try:
            with open(_OWN / name, "rb") as file:
                head = file.read(4096)
                if b"inotify wd:" not in head:
                    continue
                total += (head + file.read()).count(b"inotify wd:")
        except OSError:
            continue
    return total


def raise_watches(folders: int) -> str:
    """The line that lets so many folders be watched, and as many again."""
    wanted = _ENOUGH
    while wanted < 2 * folders:
        wanted *= 2
    return f"sudo sysctl fs.inotify.max_user_watches={wanted}"


def remedy(error: OSError, folders: int = 0) -> str:
    """What to do about an error of the kernel's watches; empty where nothing is known."""
    if error.errno == errno.ENOSPC:
        return raise_watches(max(folders, watch_limit() or 0))
    if error.errno == errno.EMFILE:
        return f"sudo sysctl fs.inotify.max_user_instances={2 * (_number('max_user_instances') or 128)}"
    return ""


def is_full(folder: str) -> bool:
    """True when not one more folder can be watched: tried, since all of a user's programs share the limit."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "inotify_init1") or not hasattr(libc, "inotify_add_watch"):
        return False
    instance = libc.inotify_init1(os.O_CLOEXEC)
    if instance < 0:
        return False
    try:
        added = libc.inotify_add_watch(instance, os.fsencode(folder), ctypes.c_uint32(_IN_DELETE_SELF))
        return added < 0 and ctypes.get_errno() == errno.ENOSPC
    finally:
        os.close(instance)
