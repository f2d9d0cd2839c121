"""Reading a file whole and unchanged: the stamp of what was read, its digest, and what to do when it moves.

Only regular files are opened, without following a link at the last step and without waiting (a fifo would
block).
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Generic, TypeVar, cast

from .found import PathProblem, Stamp
from .paths import native

T = TypeVar("T")

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY
_BUFFER = 1 << 18
#: File systems count time in ticks of up to 10 ms: a second change within the tick of the first leaves the
#: stamp as it was. A file that changed just now is left to settle first, so that a later change shows.
_TICK_NS = 15_000_000


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What came of reading a file.

    value    what the reader gave; None when the file could not be opened
    stamp    of the file before it was read: a change while or after it was read shows at the next look; None
             as above
    digest   32 hex characters over the bytes read (BLAKE2b); "" as above
    problem  unreadable_file, not_a_regular_file, or changed_while_read (the value is of the last attempt)
    settled  False where the file must be read again although it may look the same by then
    """

    value: T | None
    stamp: Stamp | None = None
    digest: str = ""
    problem: PathProblem | None = None
    settled: bool = True


class _Hashing(io.RawIOBase):
    """Raw bytes of a descriptor that are digested as they pass."""

    def __init__(self, descriptor: int, name: str) -> None:
        self._descriptor = descriptor
        self.name = name
        self.digest = hashlib.blake2b(digest_size=16)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:
        view = memoryview(cast(bytearray, buffer))
        count = os.readv(self._descriptor, [view])
        self.digest.update(view[:count])
        return count


def stamp_of(path: str) -> Stamp | None:
    """Stamp of a regular file by its storable path; None when there is none."""
    try:
        found = os.lstat(native(path))
    except (OSError, ValueError):
        return None
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def read_stable(path: str, reader: Callable[[BinaryIO], T], attempts: int = 3) -> Reading[T]:
    """Read the file at a storable real path with `reader`, again when it changed meanwhile.

    The reader gets a buffered binary file with the path as its `name`; what it leaves unread is digested all
    the same. A file that keeps changing (a chat being written) is accepted as last read, with a problem.
    Errors that the reader raises pass through, unless they are the operating system's.
    """
    if "\0" in path:
        return Reading(None, problem=PathProblem(path, "unreadable_file", "no file can have this name"))
    for attempt in range(1, attempts + 1):
        try:
            value, before, digest, changed = _read(path, reader)
        except OSError as error:
            return Reading(None, problem=_refusal(path, error))
        if not changed:
            return Reading(value, before, digest)
        if attempt < attempts:
            time.sleep(0.01 * attempt)
    detail = f"it changed {attempts} times while it was read; it will be read again at the next scan"
    return Reading(value, before, digest, PathProblem(path, "changed_while_read", detail))


def _read(path: str, reader: Callable[[BinaryIO], T]) -> tuple[T, Stamp, str, bool]:
    descriptor = os.open(native(path), _FLAGS)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        age = time.time_ns() - found.st_mtime_ns
        if 0 <= age < _TICK_NS:
            time.sleep((_TICK_NS - age) / 1e9)
            found = os.fstat(descriptor)
        before = Stamp(found.st_size, found.st_mtime_ns, found.st_ino)
        raw = _Hashing(descriptor, path)
        with io.BufferedReader(raw, _BUFFER) as file:
            value = reader(cast(BinaryIO, file))
            while file.read(_BUFFER):
                pass
        changed = stamp_of(path) != before
    finally:
        os.close(descriptor)
    return value, before, raw.digest.hexdigest(), changed


def _refusal(path: str, error: OSError) -> PathProblem:
    if error.errno in (errno.EINVAL, errno.ENXIO, errno.ELOOP, errno.EISDIR):
        return PathProblem(path, "not_a_regular_file", f"{error.strerror}; it was not opened")
    return PathProblem(path, "unreadable_file", error.strerror or str(error))
