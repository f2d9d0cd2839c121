"""The records that discovery gives."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from .kinds import Kind
from .links import Links
from .paths import storable


class Stamp(NamedTuple):
    """What tells a changed file from an unchanged one without reading it."""

    size: int
    mtime_ns: int
    inode: int


class Found(NamedTuple):
    """One regular file, by its real path in the storable spelling (`paths`); `dev` is the device it is on."""

    path: str
    kind: Kind
    stamp: Stamp
    dev: int


class PathProblem(NamedTuple):
    """What could not be walked or read, as data; `kind` is a stable name.

    dangling_link, unreadable_folder, unreadable_file, root_not_found, bad_ignore_line,
    unreadable_ignore_file, changed_while_read, not_a_regular_file
    """

    path: str
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class Options:
    """How to walk. Paths are storable and absolute, or relative to the working directory.

    roots         the scanned roots that govern ignore files and links; by default the paths walked. A watcher
                  that walks one folder again names the roots here, so that the same rules hold as in a scan
                  of everything
    follow_links  also walk and read what links inside the roots lead to outside them
    exclude       folders never entered: the data of the local server
    jobs_roots    folders that hold `<Workflow>/<task>/<job>` besides every `var/jobs`
    recursive     False looks at the folders themselves only
    """

    roots: tuple[str, ...] = ()
    follow_links: bool = False
    exclude: tuple[str, ...] = ()
    jobs_roots: tuple[str, ...] = ()
    recursive: bool = True


@dataclass(slots=True)
class Report:
    """What a walk knows besides the files it found; complete when the walk is.

    problems   what could not be read, by (path, kind)
    links      links found, with the real paths they lead to
    unread     folders, roots and links whose content could not be seen; nothing below them is known to be
               gone
    ignored    reason -> number of files, folders and links left out
    left_out   folder -> reason
    folders    number of folders walked
    dangling   link that leads to nothing -> where that would be
    """

    problems: dict[tuple[str, str], PathProblem] = field(default_factory=dict)
    links: Links = field(default_factory=Links)
    unread: set[str] = field(default_factory=set)
    ignored: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, str] = field(default_factory=dict)
    folders: int = 0
    dangling: dict[str, str] = field(default_factory=dict)

    def problem(self, path: str, kind: str, detail: str) -> None:
        """Note a problem of a path (in the operating system's spelling)."""
        path = storable(path)
        self.problems[path, kind] = PathProblem(path, kind, detail)
