"""The lock file: every jar of the server by coordinates, size and SHA-256.

`neo4j.lock.toml` is in the package and is written by `python -m indexer.store.local.resolve` only. Nothing
that is not in it, byte for byte, is ever put on the server's class path.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

#: What comes of reading a file that somebody made up.
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, EOFError, RecursionError, NotImplementedError)
LOCK_NAME = "neo4j.lock.toml"


@dataclass(frozen=True)
class Jar:
    """One file of the server: Maven coordinates, bytes, SHA-256 in hex."""

    group: str
    artifact: str
    version: str
    classifier: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """The file's name, as in a Maven repository."""
        return f"{self.artifact}-{self.version}{'-' + self.classifier if self.classifier else ''}.jar"


@dataclass(frozen=True)
class Lock:
    """All jars of one server version. `digest` tells two locks apart."""

    neo4j_version: str
    jars: tuple[Jar, ...]
    digest: str

    @property
    def folder_name(self) -> str:
        """The name of the folder that holds exactly these jars."""
        return f"neo4j-{self.neo4j_version}-{self.digest[:8]}"

    @property
    def size(self) -> int:
        """Bytes of all jars."""
        return sum(jar.size for jar in self.jars)


@cache
def locked() -> Lock:
    """The lock file of this program."""
    return parse(files("indexer.store.local").joinpath(LOCK_NAME).read_bytes())


def parse(text: bytes) -> Lock:
    """Read a lock file's bytes. Raises one of `UNREADABLE` where it is none."""
    table = tomllib.loads(text.decode("utf-8"))
    jars = tuple(
        Jar(
            group=entry["groupId"],
            artifact=entry["artifactId"],
            version=entry["version"],
            classifier=entry.get("classifier", ""),
            size=entry["size"],
            sha256=entry["sha256"],
        )
        for entry in table["dependencies"]
    )
    digest = hashlib.sha256(
        "".join(sorted(f"{jar.name} {jar.sha256}\n" for jar in jars)).encode()
    ).hexdigest()
    return Lock(table["environment"]["neo4j_version"], jars, digest)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_good(path: Path, jar: Jar) -> bool:
    """Whether the file is that jar, byte for byte."""
    try:
        return path.stat().st_size == jar.size and sha256_of(path) == jar.sha256
    except FileNotFoundError:
        return False


def missing(folder: Path, jars: Iterable[Jar]) -> list[Jar]:
    """The jars that a folder does not hold at their size (contents were checked when installed)."""

    def size(jar: Jar) -> int:
        try:
            return (folder / jar.name).stat().st_size
        except OSError:
            return -1

    return [jar for jar in jars if size(jar) != jar.size]
