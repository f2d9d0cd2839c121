"""The files of one local store, and how they are written: privately and all at once."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer.store.errors import LocalServerError

STAMP_NAME = "store.json"
WORK_PREFIX = ".work-"


@dataclass(frozen=True)
class Layout:
    """Paths inside a store's folder. The folder is also the server's home."""

    folder: Path

    @property
    def stamp(self) -> Path:
        """Marks the folder as a store of this program and names the server version that last wrote it."""
        return self.folder / STAMP_NAME

    @property
    def state(self) -> Path:
        """The running server: pid, start time, ports."""
        return self.folder / "server.json"

    @property
    def lock(self) -> Path:
        """Held while the server is started, stopped, backed up or restored."""
        return self.folder / "server.lock"

    @property
    def password(self) -> Path:
        """The password of user `neo4j`."""
        return self.folder / "password"

    @property
    def last_used(self) -> Path:
        """Its modification time is when a command last used the server."""
        return self.folder / "last_used"

    @property
    def conf(self) -> Path:
        """The server's configuration folder."""
        return self.folder / "conf"

    @property
    def data(self) -> Path:
        """Databases and transaction logs."""
        return self.folder / "data"

    @property
    def class_path(self) -> Path:
        """The server's class path, as an argument file of `java`."""
        return self.conf / "class_path.args"

    @property
    def console(self) -> Path:
        """What the server prints: hardly more than what the JVM itself has to say."""
        return self.folder / "logs" / "console.log"

    @property
    def user_log(self) -> Path:
        """What the server logs for its users."""
        return self.folder / "logs" / "neo4j.log"

    def has_data(self) -> bool:
        """Whether a server has been started here before."""
        return (self.data / "databases" / "system").is_dir()

    def version(self) -> str | None:
        """The server version that last wrote the data; None where the folder is no store yet."""
        found = read_json(self.stamp)
        return str(found["neo4j"]) if found and "neo4j" in found else None

    def prepare(self, version: str) -> None:
        """Make the folder a store of this program, or check that it is one that `version` may open.

        Raises LocalServerError for a folder with other contents and for data of a newer server.
        """
        present = self.version()
        if present is None and self.folder.is_dir() and any(self._strangers()):
            raise LocalServerError(
                f"{self.folder} holds other files and is not a store of this program",
                "name an empty or a new folder after local:",
            )
        if present is not None and is_newer(present, version):
            raise LocalServerError(
                f"the data in {self.folder} are of Neo4j {present}, newer than this program's {version}",
                "upgrade provenance-indexer, or name another folder after local:",
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for folder in (self.folder, self.conf, self.data, self.console.parent, self.folder / "import"):
                folder.mkdir(exist_ok=True)
                folder.chmod(0o700)
            if present is None:
                self.write_stamp(version)
        except OSError as error:
            raise LocalServerError(f"{self.folder} cannot be used ({error.strerror})") from error

    def write_stamp(self, version: str) -> None:
        """Note which server version writes the data from now on."""
        write_private(self.stamp, json.dumps({"neo4j": version}))

    def _strangers(self) -> list[Path]:
        # A start that was cut short before the stamp leaves only these behind.
        own = {"server.lock", "conf", "data", "logs", "import"}
        return [
            path for path in self.folder.iterdir() if path.name not in own and not path.name.startswith(".")
        ]

    def replace_data(self, new: Path) -> None:
        """Put a folder of loaded data in place of the present one (same disk; the server must not run).

        The new data hold no users, so the next start sets the password anew. A replacing that is cut short is
        undone or finished by `recover`.
        """
        os.replace(self.data, self._previous)
        os.replace(new, self.data)
        self._finish_replacing()

    def recover(self) -> None:
        """Undo or finish what was cut short. Only for a caller that holds the lock."""
        self._finish_replacing()
        for leftover in self.folder.glob(f"{WORK_PREFIX}*"):
            shutil.rmtree(leftover, ignore_errors=True)

    def _finish_replacing(self) -> None:
        if self._previous.is_dir():
            if not self.data.exists():
                os.replace(self._previous, self.data)
            shutil.rmtree(self._previous, ignore_errors=True)

    @property
    def _previous(self) -> Path:
        return self.folder / "data.previous"

    def forget_sign_in(self) -> None:
        """Forget users and passwords (the server's `system` database); the graph stays.

        With one user, named and given a password by this program, that loses nothing else.
        """
        for name in ("databases/system", "transactions/system", "dbms"):
            shutil.rmtree(self.data / name, ignore_errors=True)
        self.password.unlink(missing_ok=True)

    def ensure_password(self) -> str:
        """The store's password; made at random where there is none yet."""
        if (found := self.read_password()) is None:
            found = secrets.token_hex(16)  # nothing that a command line or an address would take for its own
            write_private(self.password, found)
        return found

    def read_password(self) -> str | None:
        """The store's password, None where there is none."""
        try:
            return self.password.read_text(encoding="ascii").strip() or None
        except (OSError, ValueError):
            return None

    def touch(self) -> None:
        """Note that the server is in use now."""
        with contextlib.suppress(OSError):  # at worst the server is stopped too early
            self.last_used.touch(mode=0o600)

    def last_use(self) -> float:
        """When the server was last used, in seconds of the epoch; 0 for never."""
        try:
            return self.last_used.stat().st_mtime
        except OSError:
            return 0.0


def write_private(path: Path, text: str) -> None:
    """Replace a file's contents at once; only its owner can read it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_json(path: Path) -> dict[str, Any] | None:
    """A JSON object from a file; None where the file is absent or broken."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def is_newer(version: str, than: str) -> bool:
    """Whether one server version is newer than another ("2026.08.1" is newer than "5.26.30")."""
    return _numbers(version) > _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
