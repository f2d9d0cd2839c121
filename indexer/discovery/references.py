"""Resolving what a chat or an info names: jobs, and chats that it imports, continues or takes the last of.

DESIGN 4 "Identity", FORMAT.md 3.3 (jobs) and 1.6 (chats), better where FORMAT.md tells of defects. Two rules
keep the graph independent of the order of reading: what resolves depends on files and on `Index` alone, and
the id of a job that resolves to nothing depends on the reference alone, not on who refers to it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from .environment import Environment, job_identity
from .layout import FILES, INFO, has_chat_suffix, job_of_companion, jobs_root_of, split_job, split_var_jobs
from .paths import absolute, common_components, expand, last_components, parent, storable

#: (folder of the referring file, jobs root that holds it); empty strings where there is none.
_Place = tuple[str, str]

_URL = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+://")


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a reference leads to.

    path        id: a real path, or where the file would be
    how         `literal` (the path as given), `root` (below a jobs or chats folder), `suffix` (`.chat` was
                left out), `indexed` (by its last three components), `guess` (nothing found: below the primary
                jobs root) or `empty` (the reference names nothing; `path` is then "")
    missing     no file there, and none was ever seen
    candidates  all indexed jobs that would do, when there were several; `path` is the nearest of them
    """

    path: str
    how: str
    missing: bool = False
    candidates: tuple[str, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """True when several indexed jobs would do."""
        return len(self.candidates) > 1


class Resolver:
    """Resolves references in one environment; remembers the answers until the index changes."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self._version = -1
        self._jobs: dict[tuple[str, _Place], Resolution] = {}
        self._chats: dict[tuple[str, _Place], Resolution | None] = {}
        self._places: dict[str | None, _Place] = {None: ("", "")}
        self._roots: dict[_Place, tuple[str, ...]] = {}
        self._primary = ""

    def forget(self) -> None:
        """Drop what was remembered; for files that changed, `FileSystem.forget` comes first."""
        self._jobs.clear()
        self._chats.clear()
        self._places = {None: ("", "")}
        self._roots.clear()
        self._primary = self.environment.primary_root()
        self._version = self.environment.index.version

    def job(self, reference: str, referring: str | None = None) -> Resolution:
        """Job that `reference` names in the file `referring`. Total: any text gives a `Resolution`."""
        if self._version != self.environment.index.version:
            self.forget()
        place = self._place(referring)
        known = self._jobs.get((reference, place))
        if known is None:
            known = self._jobs[reference, place] = self._job(storable(reference), place)
        return known

    def chat(self, reference: str, referring: str | None = None) -> Resolution | None:
        """Chat that an import, continue or last line names; None for a URL, which no file answers."""
        if self._version != self.environment.index.version:
            self.forget()
        place = self._place(referring)
        if (reference, place) not in self._chats:
            self._chats[reference, place] = self._chat(storable(reference), place[0])
        return self._chats[reference, place]

    def _place(self, referring: str | None) -> _Place:
        """Folder and jobs root of the referring file; all files with one place get one answer."""
        place = self._places.get(referring)
        if place is None and referring is not None:
            root = jobs_root_of(referring)
            if root is None:  # a result or info in a tree that no `var/jobs` marks
                job = job_of_companion(referring)
                parts = split_job(job) if self.environment.files.is_file(job + INFO) else None
                root = parts.jobs_root if parts is not None else ""
            place = self._places[referring] = (parent(referring), root)
        return place or ("", "")

    def _job(self, reference: str, place: _Place) -> Resolution:
        env = self.environment
        text = reference.strip()
        if not os.path.normpath(text).strip("/.~"):
            return Resolution("", "empty", missing=True)
        whole = absolute(text.rstrip("/"), env.cwd, env.home)
        for path in _spellings(whole):
            if (found := self._present(path)) is not None:
                return Resolution(found, "literal")
        is_absolute = text.startswith(("/", "~/"))
        tails = _tails(text, is_absolute)
        for root in self._roots_for(place):
            for tail in tails:
                if (found := self._present(f"{root}/{tail}")) is not None:
                    return Resolution(found, "root")
        return self._without_files(_spellings(whole)[0], tails[-1], is_absolute, place[0])

    def _without_files(self, whole: str, tail: str, is_absolute: bool, folder: str) -> Resolution:
        """Answer for a reference that no file answers where files are looked for."""
        env = self.environment
        split = split_var_jobs(whole)
        root = split[0] if split is not None else parent(whole, 3)
        anchored = is_absolute and root != "/" and split_job(whole) is not None and env.files.is_folder(root)
        here = os.path.normpath(job_identity(whole, env.files)) if anchored else ""
        short = last_components(here or tail)
        full = short.count("/") == 2
        # An absolute path into a jobs root of this machine is exact: only where a digest tells of equal
        # inputs is a namesake elsewhere the same job.
        job = split_job(f"/{short}") if full else None
        exact = anchored and (job is None or job.digest is None)
        known = env.index.by_short(short, named=not anchored) if full and not exact else []
        if known:
            nearest = min(known, key=lambda path: (-common_components(path, folder), path))
            missing = nearest not in env.index.jobs
            return Resolution(nearest, "indexed", missing, tuple(known) if len(known) > 1 else ())
        if anchored:
            return Resolution(here, "literal", missing=True)
        return Resolution(f"{self._primary.rstrip('/')}/{short}", "guess", missing=True)

    def _present(self, path: str) -> str | None:
        """Id of the job at `path` when its result or info is there, or was when it was indexed."""
        files = self.environment.files
        if files.is_file(path) or files.is_file(path + INFO):
            return job_identity(path, files)
        here = files.real(path)
        return here if here in self.environment.index.jobs else None

    def _roots_for(self, place: _Place) -> tuple[str, ...]:
        """Jobs roots to look in, in order: given, the referring file's, standard, above that file."""
        known = self._roots.get(place)
        if known is None:
            env = self.environment
            at, own = place
            roots = [*env.jobs_roots, own, *env.standard_roots()]
            while at not in ("", "/"):
                roots += (f"{at}/var/jobs", f"{at}/.scout/var/jobs", f"{at}/.rbbt/var/jobs")
                at = parent(at)
            known = tuple(root for root in dict.fromkeys(roots) if root and env.files.is_folder(root))
            self._roots[place] = known
        return known

    def _chat(self, reference: str, folder: str) -> Resolution | None:
        env = self.environment
        text = reference.strip()
        if _URL.match(text):
            return None
        if not text.strip("/.~"):
            return Resolution("", "empty", missing=True)
        given = expand(text, env.home)
        if given.startswith("/"):
            places = [(given, "literal")]
        else:
            places = [(f"{folder}/{given}", "literal")] if folder else []
            places.append((f"{env.cwd}/{given}", "literal"))
            places += [(f"{env.cwd}/chats/{given}", "root"), (f"{env.home}/.scout/chats/{given}", "root")]
        for path, how in places:
            if (found := self._chat_present(path)) is not None:
                return Resolution(found, how)
        if not has_chat_suffix(given):
            for path, _ in places:
                if (found := self._chat_present(f"{path}.chat")) is not None:
                    return Resolution(found, "suffix")
        return Resolution(os.path.normpath(env.files.real(places[0][0])), "literal", missing=True)

    def _chat_present(self, path: str) -> str | None:
        """Id of the chat at `path`; a folder is none (the reference takes one for a chat)."""
        files = self.environment.files
        here = files.real(path)
        return here if files.is_file(path) or here in self.environment.index.chats else None


def _spellings(path: str) -> tuple[str, ...]:
    """The job first where its `.info` or `.files` was named, then the path as it is."""
    for suffix in (INFO, FILES):
        if path.endswith(suffix) and path.rpartition("/")[2] != suffix:
            return (path[: -len(suffix)], path)
    return (path,)


def _tails(text: str, is_absolute: bool) -> tuple[str, ...]:
    """What may stand below a jobs root, most telling first; the last one names the job when nothing is found.

    A relative reference as it is, what follows the last `var/jobs/`, the last three components (FORMAT.md
    3.3).
    """
    text = _spellings(os.path.normpath(text))[0]
    tails = [] if is_absolute or text.startswith("..") else [text]
    split = split_var_jobs(text)
    if split is not None:
        tails.append(split[1])
    tails.append(last_components(text.removeprefix("~").replace("../", "")))
    return tuple(dict.fromkeys(tails))


def resolve_job(reference: str, referring: str | None, environment: Environment) -> Resolution:
    """One job reference; for many, keep a `Resolver`."""
    return Resolver(environment).job(reference, referring)


def resolve_chat(reference: str, referring: str | None, environment: Environment) -> Resolution | None:
    """One import, continue or last reference; for many, keep a `Resolver`."""
    return Resolver(environment).chat(reference, referring)
