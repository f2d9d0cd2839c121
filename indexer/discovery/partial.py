"""Looking again at some names, folders and trees only, by the same rules as a walk of all.

What is looked at comes out as a walk of the roots would give it; what is not, is not judged. A watcher's
events name the places; that they name all of them is not relied upon (see `indexer.watching`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from .found import Found, Options
from .ignore import IGNORE_FILE, MARKERS, IgnoreRules
from .kinds import place_of
from .layout import INFO
from .linktable import LinkTable
from .paths import below, native, outermost, storable, within
from .walk import Walk

#: Files that change what the folder they stand in holds.
RULES = frozenset({*MARKERS, IGNORE_FILE})


@dataclass(frozen=True, slots=True)
class Places:
    """Where to look; native real paths of folders, and names in them.

    names    folder -> names of files, links or what was there before
    folders  all entries of these
    trees    these and all below; also files and what is gone
    """

    names: Mapping[str, Set[str]] = field(default_factory=dict)
    folders: Set[str] = frozenset()
    trees: Set[str] = frozenset()

    def __len__(self) -> int:
        return len(self.names) + len(self.folders) + len(self.trees)


class _Entry:
    """One name of a folder, with the part of `os.DirEntry` that a walk uses."""

    __slots__ = ("_mode", "_stat", "name")

    def __init__(self, name: str, found: os.stat_result) -> None:
        self.name = name
        self._stat = found
        self._mode = found.st_mode

    def is_symlink(self) -> bool:
        return stat.S_ISLNK(self._mode)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return stat.S_ISREG(self._mode)

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return stat.S_ISDIR(self._mode)

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return self._stat


class PartialWalk(Walk):
    """A walk of `places` below `options.roots`; `table` holds the links that stand elsewhere.

    `chat_roots` are real paths of roots that were named `chats` or `chat` by a link. Places outside the roots
    are passed over.
    """

    def __init__(
        self, places: Places, options: Options, table: LinkTable, chat_roots: Set[str] = frozenset()
    ) -> None:
        super().__init__((), options)
        self._table = table
        self._chat_tops = {native(target) for target in table.chat_folders.values()} | set(chat_roots)
        names, trees = self._sorted_out(places)
        self._trees = outermost(trees)
        self._folders = {path for path in places.folders if self._open(path)}
        self._wanted: dict[str, set[str]] = {}
        for folder, name in names:
            if folder not in self._folders and not below(folder, self._trees):
                self._wanted.setdefault(folder, set()).update(_halves(name))
        self.starts = set(self._trees)
        self._shown_names = {
            storable(folder): {storable(name) for name in found} for folder, found in self._wanted.items()
        }
        self._shown_folders = {storable(folder) for folder in self._folders}
        self._shown_trees = {storable(tree) for tree in self._trees}

    @property
    def looked_at(self) -> tuple[list[str], list[str], list[str]]:
        """See `Walk.looked_at`."""
        names = [f"{folder}/{name}" for folder, found in self._shown_names.items() for name in found]
        return names, sorted(self._shown_folders), sorted(self._shown_trees)

    def _sorted_out(self, places: Places) -> tuple[set[tuple[str, str]], set[str]]:
        """Names that are something now, and trees: a name that is gone may have been a folder."""
        names: set[tuple[str, str]] = set()
        trees: set[str] = set()
        given = [os.path.join(folder, name) for folder, found in places.names.items() for name in found]
        for path in (*given, *places.trees):
            if not any(within(path, root) for root in self.roots):
                continue
            try:
                mode = os.lstat(path).st_mode
            except (OSError, ValueError):
                mode = 0
            if os.path.basename(path) in RULES:
                trees.add(os.path.dirname(path))
            if mode == 0 or stat.S_ISDIR(mode):
                trees.add(path)
            if not stat.S_ISDIR(mode):
                names.add(os.path.split(path))
        return names, trees

    def _open(self, folder: str) -> bool:
        return any(within(folder, root) for root in self.roots) and not below(folder, self._trees)

    def __iter__(self) -> Iterator[Found]:
        self._note_bare_roots()
        self._know_links()
        for folder, names in self._wanted.items():
            yield from self._some(folder, names)
        for folder in self._folders:
            yield from self._all(folder)
        for tree in sorted(self._trees):
            yield from self._tree(tree)
        yield from self._linked()

    def reaches(self, path: str) -> bool:
        """See `Walk.reaches`."""
        folder, _, name = path.rpartition("/")
        return (
            name in self._shown_names.get(folder, ())
            or folder in self._shown_folders
            or path in self._shown_trees
            or below(folder or "/", self._shown_trees)
        )

    def links_looked_for(self, table: LinkTable) -> set[str]:
        """See `Walk.links_looked_for`."""
        found: set[str] = set()
        for folder, names in self._shown_names.items():
            found |= {link for link in table.directly_in(folder) if link.rpartition("/")[2] in names}
        for folder in self._shown_folders:
            found |= table.directly_in(folder)
        if self._shown_trees:
            found |= table.all_below(self._shown_trees)
            found |= {tree for tree in self._shown_trees if table.links.target(tree) is not None}
        return {link for link in found if self.covers(link)} | self._turned(table)

    def _note_bare_roots(self) -> None:
        """A root that is gone or empty looks like a mount that is not there: nothing below it is gone."""
        for root in self.roots:
            try:
                with os.scandir(root) as entries:
                    bare = next(entries, None) is None
            except NotADirectoryError:
                bare = False
            except OSError:
                bare = True
            if bare:
                self.report.unread.add(storable(root))

    def _know_links(self) -> None:
        """Take up what links elsewhere say of the places."""
        for link, target in self._table.chat_folders.items():
            path = native(target)
            if within(path, native(link)) or not os.path.isdir(path):
                continue
            if any(within(path, tree) for tree in self._trees):
                self._chat_folders.add(path)
        for link, kind in self._table.telling.items():
            named = self._table.links.target(link)
            if named is not None and self.covers(named) and os.path.isfile(native(named)):
                inside = any(within(native(named), root) for root in self.roots)
                self._named_by_link(native(named), kind, inside)

    def _of_chats(self, folder: str) -> bool:
        return below(folder, self._chat_tops)

    def _some(self, folder: str, names: set[str]) -> Iterator[Found]:
        entries = []
        for name in sorted(names | RULES):
            try:
                entries.append(_Entry(name, os.lstat(os.path.join(folder, name))))
            except (FileNotFoundError, NotADirectoryError, ValueError):
                continue
            except OSError as error:
                path = os.path.join(folder, name)
                self.report.problem(path, "unreadable_file", error.strerror or "")
                self.report.unread.add(storable(path))
        yield from self._looked_at(folder, entries, names)

    def _all(self, folder: str) -> Iterator[Found]:
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
        except OSError as error:
            if not isinstance(error, FileNotFoundError | NotADirectoryError) or folder in self.roots:
                detail = f"{error.strerror}; nothing below it was looked at"
                self.report.problem(folder, "unreadable_folder", detail)
                self.report.unread.add(storable(folder))
            return
        yield from self._looked_at(folder, entries, None)

    def _looked_at(
        self, folder: str, entries: list[_Entry] | list[os.DirEntry[str]], names: set[str] | None
    ) -> Iterator[Found]:
        rules = self._gate.above(folder)
        if rules is None:
            return
        listed: list[os.DirEntry[str]] = entries  # type: ignore[assignment]
        inside = self._gate.inside(folder, listed, rules)
        if inside is None:
            return
        chats = self._of_chats(folder)
        wanted = [entry for entry in listed if names is None or entry.name in names]
        stack: list[tuple[str, IgnoreRules]] = []
        place = place_of(folder, self._jobs_roots, chats)
        yield from self._entries(folder, wanted, inside, place, stack)
        if names is not None:
            # A name that is a folder now: what stands in it is as new as the folder.
            for path, below_it in stack:
                yield from self._descend(path, below_it, chats)

    def _tree(self, tree: str) -> Iterator[Found]:
        if not os.path.isdir(tree):
            return  # gone; what took its place, and a job's other half, is among the names
        rules = self._gate.above(tree)
        if rules is not None:
            yield from self._descend(tree, rules, self._of_chats(tree))


def _halves(name: str) -> set[str]:
    """A name with its job's other half: a result's `.info`, an info's result."""
    halves = {name, name + INFO}
    if name.endswith(INFO) and name != INFO:
        halves.add(name[: -len(INFO)])
    return halves
