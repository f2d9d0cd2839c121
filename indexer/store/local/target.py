"""Which local store: the folders and the few choices that a user has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

IDLE_MINUTES = 30.0
HEAP = "1g"


@dataclass(frozen=True)
class LocalTarget:
    """The program's own server.

    `folder` holds its data, `lib` the server's jars (shared by all data folders). It is stopped after
    `idle_minutes` without use (0: never). `heap` is the most memory that Java's heap may take.
    """

    folder: Path
    lib: Path
    idle_minutes: float = IDLE_MINUTES
    heap: str = HEAP

    @property
    def where(self) -> str:
        """The store's name in messages."""
        return f"the local server in {self.folder}"
