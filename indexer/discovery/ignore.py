"""What a walk leaves out, and why: built-in rules, and `.indexerignore` files in the syntax of .gitignore.

A person's rules come before the built-in ones, so `!node_modules/` brings a folder back. Hidden *folders* are
walked unless they are well-known tool folders, because job roots live in hidden ones (`~/.scout/var/jobs`,
`~/.rbbt/var/jobs`); hidden *files* are the temporaries that producers write beside the real name (FORMAT.md
3.2).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable

import pathspec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

IGNORE_FILE = ".indexerignore"
_MOST_BYTES = 1_000_000

_TOOL_FOLDERS = """
    node_modules bower_components __pycache__ site-packages .venv .tox .nox .eggs .mypy_cache .pytest_cache
    .ruff_cache .hypothesis .ipynb_checkpoints .direnv .cache .npm .yarn .pnpm-store .cargo .rustup .gem
    .bundle .m2 .gradle .ivy2 .sbt .conda .pyenv .rbenv .rvm .nvm .jgo .terraform .vscode .vscode-server .idea
    """.split()  # noqa: SIM905

#: Folder name -> reason; never entered.
_FOLDERS = {
    **dict.fromkeys((".git", ".hg", ".svn", ".bzr", ".jj", "CVS"), "version control"),
    **dict.fromkeys(_TOOL_FOLDERS, "tool folder"),
    **dict.fromkeys((".Trash", ".Trash-1000", "lost+found"), "trash"),
    **dict.fromkeys((".ssh", ".gnupg", ".password-store", ".aws", ".kube", ".docker"), "credentials"),
    "persist_locks": "locks",
    "sensible_write": "temporary",
}
#: What is no folder of a person, straight below the top of the file system.
_SYSTEM = frozenset({"/proc", "/sys", "/dev", "/run"})

#: A file of this name makes its folder one to leave, whatever the folder's name.
MARKERS = {
    "pyvenv.cfg": "virtual environment",
    "CACHEDIR.TAG": "cache",
    "neostore": "database of a Neo4j server",
    "server_id": "database of a Neo4j server",
}


def folder_reason(folder: str, name: str, in_files: bool) -> str | None:
    """Why the folder `folder/name` is left out by the built-in rules; None when it is walked.

    `resets/` holds copies of earlier states below a `.files` (FORMAT.md 4); elsewhere it is a folder like any
    other.
    """
    reason = _FOLDERS.get(name)
    if reason is not None:
        return reason
    if name == "resets" and in_files:
        return "resets"
    if name.endswith((".inbox", ".inbox_removed")):
        return "inbox"
    if folder == "/" and f"/{name}" in _SYSTEM:
        return "system"
    return None


#: File suffix -> reason.
_FILES = {".lock": "lock", ".jobs": "job list"}
LEFT_SUFFIXES = tuple(_FILES)


def file_reason(name: str) -> str | None:
    """Why a regular file is left out by the built-in rules; None when it may be something."""
    if name.startswith("."):
        return "hidden or temporary"
    if name.endswith(LEFT_SUFFIXES):
        return _FILES[name[-5:]]
    return None


class IgnoreRules:
    """The `.indexerignore` files that hold in one folder: its own and those above it, up to the root.

    Immutable: `below` gives the rules of a subfolder. The deepest file that says something decides, in it the
    last matching line (as git does); what stands in a folder left out is never looked at, so it cannot be
    brought back alone.
    """

    __slots__ = ("_layers",)

    def __init__(self, layers: tuple[tuple[int, pathspec.GitIgnoreSpec], ...] = ()) -> None:
        self._layers = layers  # deepest first: (length of "folder/", patterns)

    def __bool__(self) -> bool:
        return bool(self._layers)

    def below(self, folder: str, lines: Iterable[str]) -> tuple[IgnoreRules, list[str]]:
        """Rules of `folder` with the lines of its own ignore file, and the lines that are no patterns."""
        patterns: list[GitIgnoreSpecPattern] = []
        bad: list[str] = []
        for line in lines:
            try:
                patterns.extend(pathspec.GitIgnoreSpec.from_lines([line]).patterns)
            except Exception:  # a pattern that the library or the regex engine refuses: data, not an error
                bad.append(line)
        if not patterns:
            return self, bad
        prefix = len(folder) + (0 if folder.endswith("/") else 1)
        return IgnoreRules(((prefix, pathspec.GitIgnoreSpec(patterns)), *self._layers)), bad

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True: left out. False: kept although a built-in rule would leave it out. None: nothing is said."""
        for prefix, spec in self._layers:
            said = spec.check_file(path[prefix:] + ("/" if is_folder else "")).include
            if said is not None:
                return bool(said)
        return None


def read_ignore_file(folder: str) -> list[str]:
    """Lines of the folder's ignore file (at most 1 MB); [] without one.

    OSError when it is unreadable or no regular file: a link may lead to a device, and a fifo would block.
    """
    place = os.path.join(folder, IGNORE_FILE)
    flags = (
        os.O_RDONLY
        | getattr(os, "O_NONBLOCK", 0)
        | getattr(os, "O_CLOEXEC", 0)
        | getattr(os, "O_NOFOLLOW", 0)
    )
    try:
        if not stat.S_ISREG(os.lstat(place).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        descriptor = os.open(place, flags)
    except FileNotFoundError:
        return []
    with open(descriptor, "rb") as file:
        text = file.read(_MOST_BYTES)
    return [line.rstrip("\r") for line in text.decode("utf-8", "surrogateescape").split("\n")]
