"""Where references are looked up: working directory, home, jobs roots, the file system and what is indexed.

All paths in and out are storable (`paths`). `FileSystem` remembers its answers: a scan asks about the same
few folders thousands of times. Call `forget` before a new round.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from .layout import INFO
from .paths import last_components, native, storable


class Files(Protocol):
    """What resolution asks of a file system. Total: a path that cannot exist is just absent."""

    def is_file(self, path: str) -> bool:
        """True for a regular file, links followed."""

    def is_folder(self, path: str) -> bool:
        """True for a folder, links followed."""

    def real(self, path: str) -> str:
        """Real path; what is not there keeps its spelling below the deepest folder that is."""

    def is_link(self, path: str) -> bool:
        """True when the last component itself is a symbolic link."""


class FileSystem:
    """The file system of this machine, with its answers kept until `forget`."""

    def __init__(self) -> None:
        self._modes: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def forget(self) -> None:
        """Drop what was remembered."""
        self._modes.clear()
        self._folders.clear()

    def _mode(self, path: str) -> str:
        mode = self._modes.get(path)
        if mode is None:
            try:
                bits = os.stat(native(path)).st_mode
                mode = "file" if stat.S_ISREG(bits) else "folder" if stat.S_ISDIR(bits) else ""
            except (OSError, ValueError):  # ValueError: a NUL in a reference
                mode = ""
            self._modes[path] = mode
        return mode

    def is_file(self, path: str) -> bool:
        """See `Files`."""
        return self._mode(path) == "file"

    def is_folder(self, path: str) -> bool:
        """See `Files`."""
        return self._mode(path) == "folder"

    def is_link(self, path: str) -> bool:
        """See `Files`."""
        try:
            return os.path.islink(native(path))
        except ValueError:
            return False

    def real(self, path: str) -> str:
        """See `Files`. Folders are remembered, so one more file in a known folder costs one `lstat`."""
        if "\0" in path:
            return os.path.normpath(path)
        folder, name = os.path.split(path)
        if name in ("", ".", "..") or self.is_link(path):
            return storable(os.path.realpath(native(path)))
        known = self._folders.get(folder)
        if known is None:
            known = storable(os.path.realpath(native(folder)))
            self._folders[folder] = known
        return f"{known}/{name}" if known != "/" else f"/{name}"


class Index:
    """Ids of what is indexed, found by what references can name them with.

    *Evidence* jobs had a file of their own once (result, info, log), also when it is gone by now. *Named*
    jobs are only known because an absolute path below an existing jobs root names them. Jobs that are neither
    (the guess made for an unresolved short reference) must not be added, or the order of reading would show
    in the graph.
    """

    def __init__(
        self, jobs: Iterable[str] = (), chats: Iterable[str] = (), named: Iterable[str] = ()
    ) -> None:
        self.jobs: set[str] = set()
        self.chats: set[str] = set(chats)
        self.named: set[str] = set()
        self._short: dict[str, set[str]] = {}
        self.version = 0  # counts changes: answers that were given before one may be stale
        for path in jobs:
            self.add_job(path)
        for path in named:
            self.add_named(path)

    def add_job(self, path: str) -> None:
        """A job with evidence."""
        self._add(self.jobs, path)

    def add_named(self, path: str) -> None:
        """A job that only an absolute path names (`Resolution.how` is `literal` and `missing`)."""
        self._add(self.named, path)

    def add_chat(self, path: str) -> None:
        """A chat that was read once."""
        if path not in self.chats:
            self.chats.add(path)
            self.version += 1

    def discard(self, path: str) -> None:
        """Forget an id of any kind."""
        for group in (self.jobs, self.named, self.chats):
            group.discard(path)
        self._short.get(last_components(path), set()).discard(path)
        self.version += 1

    def _add(self, group: set[str], path: str) -> None:
        if path not in group:
            group.add(path)
            self._short.setdefault(last_components(path), set()).add(path)
            self.version += 1

    def by_short(self, short: str, named: bool = True) -> list[str]:
        """Jobs whose last three components are `short`, sorted: those with evidence, or else those named."""
        known = self._short.get(short, ())
        evident = sorted(path for path in known if path in self.jobs)
        return evident or (sorted(known) if named else [])


@dataclass(slots=True)
class Environment:
    """Where a reference is resolved. `jobs_roots` are those the user gave, absolute, in order."""

    cwd: str
    home: str
    jobs_roots: tuple[str, ...] = ()
    files: Files = field(default_factory=FileSystem)
    index: Index = field(default_factory=Index)

    @classmethod
    def of_process(cls, jobs_roots: Iterable[str] = (), index: Index | None = None) -> Environment:
        """The environment of this process: its working directory and home."""
        cwd, home = storable(os.getcwd()), storable(os.path.expanduser("~"))
        roots = tuple(storable(os.path.abspath(native(root))) for root in jobs_roots)
        return cls(cwd, home, roots, FileSystem(), index if index is not None else Index())

    def standard_roots(self) -> tuple[str, ...]:
        """Jobs roots tried without being told (DESIGN 4, Identity), in order, existing or not."""
        return (f"{self.cwd}/var/jobs", f"{self.home}/.scout/var/jobs", f"{self.home}/.rbbt/var/jobs")

    def primary_root(self) -> str:
        """Jobs root where jobs without files are thought to stand: the first that exists, else of the cwd."""
        for root in (*self.jobs_roots, *self.standard_roots()):
            if self.files.is_folder(root):
                return self.files.real(root)
        return self.files.real(f"{self.cwd}/var/jobs")


def job_identity(path: str, files: Files) -> str:
    """Id of the job whose result is `path`: its real path.

    One exception: a result that is a link but has an `.info` of its own beside the link is an alias task, a
    step like any other (FORMAT.md 3.2: the alias is a hard link *or* a link; either must give the same
    graph).
    """
    if files.is_link(path) and files.is_file(path + INFO) and not files.is_link(path + INFO):
        folder, _, name = path.rpartition("/")
        return f"{files.real(folder + '/.').rstrip('/')}/{name}"
    return files.real(path)
