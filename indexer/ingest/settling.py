"""Files that may be caught in the middle of being written: what is odd about them is no problem yet.

A producer appends to its chat or writes an info in pieces. What a reader sees then is taken as it is, or left
as it was, and a problem is noted only if the file stays so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from indexer.discovery.found import Stamp
from indexer.formats.records import JobInfo, Problem

#: Seconds without a change after which a file counts as written.
PATIENCE = 5.0


class Settling:
    """Files last seen in an unfinished state, with when that state was first seen.

    Whether a file changed is told by this process's own clock, since a file's times may lie in the future or
    past.
    """

    def __init__(self, patience: float = PATIENCE, clock: Callable[[], float] = time.monotonic) -> None:
        self.patience = patience
        self._clock = clock
        self._since: dict[str, tuple[Stamp, float]] = {}

    def __len__(self) -> int:
        return len(self._since)

    def still(self, path: str, stamp: Stamp | None) -> bool:
        """True when the file, odd as it is, may still be in writing: to be looked at again (`due`)."""
        if stamp is None:
            return False
        now = self._clock()
        seen = self._since.get(path)
        if seen is None:
            age = time.time() - stamp.mtime_ns / 1e9
            if age > self.patience:
                return False  # it has been so for long
            seen = (stamp, now)
        elif seen[0] != stamp:
            seen = (stamp, now)
        if now - seen[1] >= self.patience:
            self._since.pop(path, None)
            return False
        self._since[path] = seen
        return True

    def settled(self, path: str) -> None:
        """The file is as it should be, or gone."""
        self._since.pop(path, None)

    def due(self) -> list[str]:
        """Files to look at again now."""
        now = self._clock()
        return [path for path, (_, since) in self._since.items() if now - since >= self.patience]

    def next_due(self) -> float | None:
        """Seconds until a file is due; None without any."""
        if not self._since:
            return None
        first = min(since for _, since in self._since.values())
        return max(0.0, first + self.patience - self._clock())


def odd_tail(problems: Sequence[Problem], messages: int, last_line: int) -> list[Problem]:
    """Problems that may come from a chat's last message not being all there.

    `messages` is the number of messages, `last_line` the line where the last one begins.
    """
    return [
        problem
        for problem in problems
        if (problem.index is not None and problem.index >= messages - 1)
        or (problem.line is not None and problem.line >= last_line)
        or problem.kind in ("broken_archive", "changed_while_read")
    ]


def is_unfinished(info: JobInfo, size: int) -> bool:
    """True for an info that is cut short or not written yet."""
    return size == 0 or info.format == "unreadable"
