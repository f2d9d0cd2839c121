"""Walking roots with `os.scandir`: each real folder once, nothing opened but ignore files.

Links are never walked through. A link whose target stands inside the roots only gives its file a further name
(`Report.links`), since the target is walked where it is; so loops cannot happen and the result does not
depend on the order. Targets outside the roots are walked on their own, and only with `follow_links`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from .found import Found, Options, Report, Stamp
from .gate import Gate
from .ignore import IGNORE_FILE, LEFT_SUFFIXES, IgnoreRules, file_reason
from .kinds import CHAT_FOLDERS, Kind, Place, kind_by_name, place_of
from .layout import FILES, INFO, job_of_companion
from .linktable import LinkTable
from .paths import below, native, outermost, storable, within

_RANK = list(Kind)  # what tells more comes first


def walk(paths: Iterable[str], options: Options | None = None) -> Walk:
    """Files below `paths` that may matter, as an iterator; see `Walk` for what it knows afterwards.

    A path may be a folder, a file, or a job named by its result, `.info` or `.files`: its companions come
    along.
    """
    return Walk(paths, options or Options())


class Walk:
    """One walk; iterate it once.

    A path comes twice only when a link's name tells more of it than its own name does: the last one counts.
    `report` is complete afterwards; `starts` are the real paths that were walked.
    """

    def __init__(self, paths: Iterable[str], options: Options) -> None:
        self.options = options
        self.report = Report()
        named = sorted(os.path.abspath(native(path)) for path in paths)
        named.sort(key=lambda path: os.path.basename(path) in CHAT_FOLDERS)  # the last name of a root tells
        self._named = {os.path.realpath(path): path for path in named}
        self.starts = set(self._named)
        self.roots = {os.path.realpath(native(path)) for path in options.roots} or set(self.starts)
        exclude = {os.path.realpath(native(path)) for path in options.exclude}
        self._gate = Gate(self.roots, exclude, self.report)
        self._jobs_roots = tuple(os.path.realpath(native(root)) for root in options.jobs_roots)
        self._outside: dict[str, bool] = {}  # link target outside the roots -> walked as a chat folder
        self._chat_folders: set[str] = set()  # inside the roots, chat folders by the name of a link only
        self._by_link: dict[str, Kind] = {}  # file -> what the name of a link takes it for
        self._shown: set[str] | None = None  # `starts` as storable paths, once the walk is over

    def __iter__(self) -> Iterator[Found]:
        for real, path in self._named.items():
            yield from self._start(real, path)
        yield from self._linked()

    @property
    def chat_roots(self) -> frozenset[str]:
        """Real paths that were walked as folders of chats by the name they were given, or a link's."""
        named = {real for real, path in self._named.items() if os.path.basename(path) in CHAT_FOLDERS}
        return frozenset(named | {target for target, chats in self._outside.items() if chats})

    @property
    def looked_at(self) -> tuple[list[str], list[str], list[str]]:
        """Storable paths of names, folders and trees that a finished walk looked at."""
        starts = sorted(storable(start) for start in self.starts)
        return ([], [], starts) if self.options.recursive else ([], starts, [])

    def reaches(self, path: str) -> bool:
        """True for paths (storable) that a finished walk looked for or, but for some obstacle, would have."""
        if self._shown is None:
            self._shown = {storable(start) for start in self.starts}
        folder = os.path.dirname(path)
        if not self.options.recursive:
            return folder in self._shown
        return path in self._shown or below(folder, self._shown)

    def covers(self, path: str) -> bool:
        """True when a known file (storable) that a finished walk did not see was looked for by it."""
        unread = self.report.unread
        return self.reaches(path) and path not in unread and not below(os.path.dirname(path), unread)

    def links_looked_for(self, table: LinkTable) -> set[str]:
        """Links of a table that this finished walk would have seen if they still led there."""
        return {link for link, _ in table.links.items() if self.covers(link)} | self._turned(table)

    def _turned(self, table: LinkTable) -> set[str]:
        """Links that lead to nothing, and not to where they led: what is there has lost that name."""
        return {
            link
            for link, target in self.report.dangling.items()
            if table.links.target(link) not in (None, target)
        }

    def _linked(self) -> Iterator[Found]:
        """What links lead to, after all else."""
        walked: set[str] = set()
        while targets := outermost(self._outside.keys() - walked):
            walked |= self._outside.keys()
            self.starts |= targets
            self.roots |= targets
            for target in sorted(targets):
                yield from self._descend(target, IgnoreRules(), self._outside[target])
        for folder in sorted(outermost(self._chat_folders)):
            rules = self._gate.above(folder)
            if rules is not None:
                for found in self._descend(folder, rules, True):
                    if found.kind is Kind.CANDIDATE:
                        yield found
        for path, kind in sorted(self._by_link.items()):
            if kind is not Kind.IGNORED:
                yield from self._file(path, kind)

    def _start(self, real: str, path: str) -> Iterator[Found]:
        if os.path.isdir(real):
            rules = self._gate.above(real)
            if rules is not None:
                yield from self._descend(real, rules, os.path.basename(path) in CHAT_FOLDERS)
            if not os.path.isfile(real + INFO):
                return
        job = job_of_companion(real)
        info, files = job + INFO, os.path.realpath(job + FILES)
        place = place_of(os.path.dirname(job), self._jobs_roots)
        self.starts |= {job, info, files}
        present = [os.path.isfile(job), os.path.isfile(info), os.path.isdir(files)]
        if present[0]:
            kind = kind_by_name(os.path.basename(job), place)
            yield from self._file(job, Kind.CANDIDATE if kind is Kind.IGNORED else kind)
        if present[1]:
            yield from self._file(os.path.realpath(info), kind_by_name(os.path.basename(info), place))
        if present[2] and self.options.recursive:
            yield from self._descend(files, self._gate.above(files) or IgnoreRules(), False)
        if not any(present):
            self._absent(path, real)

    def _absent(self, path: str, real: str) -> None:
        """A start that is not there: a folder that a watcher saw go, or a root: then nothing is known."""
        if real in self.roots:
            problem = "dangling_link" if os.path.islink(path) else "root_not_found"
            self.report.problem(path, problem, f"nothing is at {storable(real)}")
            self.report.unread |= {storable(path), storable(real)}
        for root in self.roots:
            try:
                bare = within(real, root) and not os.listdir(root)
            except OSError:
                bare = True
            if bare:
                self.report.unread.add(storable(root))

    def _file(self, path: str, kind: Kind) -> Iterator[Found]:
        try:
            stat = os.stat(path)
        except OSError:
            return  # gone meanwhile
        yield Found(storable(path), kind, Stamp(stat.st_size, stat.st_mtime_ns, stat.st_ino), stat.st_dev)

    def _descend(self, start: str, above: IgnoreRules, chats: bool) -> Iterator[Found]:
        stack = [(start, above)]
        unread = self.report.unread
        while stack:
            folder, rules = stack.pop()
            try:
                with os.scandir(folder) as listing:
                    entries = list(listing)
            except OSError as error:
                if not isinstance(error, FileNotFoundError) or folder in self.roots:
                    detail = f"{error.strerror}; nothing below it was looked at"
                    self.report.problem(folder, "unreadable_folder", detail)
                    unread.add(storable(folder))
                continue
            if not entries and folder in self.roots:
                unread.add(storable(folder))  # a mount that is not there looks like this
            inside = self._gate.inside(folder, entries, rules)
            if inside is not None:
                self.report.folders += 1
                place = place_of(folder, self._jobs_roots, chats)
                yield from self._entries(folder, entries, inside, place, stack)

    def _entries(
        self,
        folder: str,
        entries: list[os.DirEntry[str]],
        rules: IgnoreRules,
        place: Place,
        stack: list[tuple[str, IgnoreRules]],
    ) -> Iterator[Found]:
        # One turn for each file of every rescan: what can be looked up once for a folder is.
        prefix = folder if folder.endswith("/") else f"{folder}/"
        shown = storable(prefix)
        ignored, no_kind = self.report.ignored, Kind.IGNORED
        recursive, ruled = self.options.recursive, bool(rules)
        for entry in entries:
            name = entry.name
            if entry.is_symlink():
                self._link(prefix + name, name, rules, place)
            elif entry.is_file(follow_symlinks=False):
                if ruled or name[0] == "." or name.endswith(LEFT_SUFFIXES):
                    said = rules.verdict(prefix + name, False)
                    reason = IGNORE_FILE if said else file_reason(name) if said is None else None
                    if reason is not None:
                        ignored[reason] += 1
                        continue
                kind = kind_by_name(name, place)
                if kind is no_kind:
                    ignored["no chat or job by its name"] += 1
                    continue
                try:
                    stat = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue  # gone meanwhile
                except OSError as error:
                    self.report.problem(prefix + name, "unreadable_file", error.strerror or "")
                    self.report.unread.add(storable(prefix + name))
                    continue
                spelled = name if name.isascii() and "%" not in name else storable(name)
                stamp = Stamp(stat.st_size, stat.st_mtime_ns, stat.st_ino)
                yield Found(shown + spelled, kind, stamp, stat.st_dev)
            elif entry.is_dir(follow_symlinks=False):
                path = prefix + name
                if path in self.starts or not recursive:
                    continue  # walked on its own
                if not self._gate.leaves_out(folder, name, path, rules, place.in_files):
                    stack.append((path, IgnoreRules() if path in self.roots else rules))
            else:
                ignored["fifo, socket or device"] += 1

    def _link(self, path: str, name: str, rules: IgnoreRules, place: Place) -> None:
        report = self.report
        if name.startswith(".#"):  # an editor's lock: a link that dangles by design
            report.ignored["lock"] += 1
            return
        if rules and (rules.verdict(path, False) or rules.verdict(path, True)):
            report.ignored[IGNORE_FILE] += 1
            return
        kind = kind_by_name(name, place)
        try:
            target = os.path.realpath(path, strict=True)
        except OSError as error:
            target = os.path.realpath(path)
            report.unread.add(storable(path))
            if not self._is_removed(target):
                report.unread.add(storable(target))
            report.dangling[storable(path)] = storable(target)
            if kind is not Kind.IGNORED or "." not in name[1:] or name.endswith(FILES):
                reason = error.strerror or "dangling"
                report.problem(
                    path, "dangling_link", f"{reason}: {storable(target)}; what was indexed by it stays"
                )
            return
        inside = any(within(target, root) for root in self.roots)
        if not inside and not self.options.follow_links:
            report.ignored["link out of the roots"] += 1
            return
        report.links.add(storable(path), storable(target))
        chats = name in CHAT_FOLDERS
        if os.path.isdir(target):
            if not inside:
                self._outside[target] = self._outside.get(target, False) or chats
            elif chats and not place_of(target, self._jobs_roots).chats:
                self._chat_folders.add(target)
        elif os.path.isfile(target):
            self._named_by_link(target, kind, inside)

    def _is_removed(self, target: str) -> bool:
        """True for a place inside the roots that is not there, though its folder is and holds something else.

        A folder that is gone or empty, too, looks like a mount that is not there.
        """
        folder = os.path.dirname(target)
        if not any(within(folder, root) for root in self.roots):
            return False
        try:
            with os.scandir(folder) as entries:
                return next(entries, None) is not None
        except OSError:
            return False

    def _named_by_link(self, target: str, kind: Kind, inside: bool) -> None:
        own = kind_by_name(os.path.basename(target), place_of(os.path.dirname(target), self._jobs_roots))
        if own in (Kind.INFO, Kind.MAYBE_INFO) and kind is not Kind.INFO:
            kind = own  # whatever leads to it, a job's info is no chat
        best = min(kind, own, self._by_link.get(target, Kind.IGNORED), key=_RANK.index)
        if not inside or (best is not own and best in (Kind.CHAT, Kind.INFO)):
            self._by_link[target] = best
