"""A scan: walk, compare with the checkpoints, read what changed, write it, link it.

Idempotent and restartable at any point: a file's rows and its checkpoint commit together, what was read and not yet
linked is marked pending in the graph, and linking is a pure function of what the graph then holds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import LiteralString

from indexer import migrations
from indexer.discovery.environment import Environment
from indexer.discovery.found import Found, Options, PathProblem
from indexer.discovery.kinds import Kind, looks_like_chat, looks_like_info
from indexer.discovery.layout import INFO, job_of_companion
from indexer.discovery.paths import native, storable
from indexer.discovery.vanished import vanished
from indexer.discovery.walk import Walk, walk
from indexer.formats.records import Problem
from indexer.ingest.checkpoints import Checkpoints, mark_missing, mark_present, set_names
from indexer.ingest.planning import Held, plan_chat, plan_info, plan_other, plan_result, plan_unreadable
from indexer.ingest.plans import FilePlan
from indexer.ingest.problems import write_path_problems
from indexer.ingest.reading import Redact, read_chat, read_head, read_job
from indexer.ingest.relink import relink
from indexer.ingest.writer import Writer
from indexer.store.connection import Store

UNREAD_JOBS: LiteralString = """
MATCH (j:Job) WHERE j.known = 'named' AND j.missing = false RETURN j.id AS id
"""


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """How to scan. `exclude` are folders never entered; `redact` takes secrets out of texts."""

    jobs_roots: tuple[str, ...] = ()
    follow_jobs: bool = False
    follow_links: bool = False
    dry_run: bool = False
    exclude: tuple[str, ...] = ()
    redact: Redact | None = None
    boundary: str | None = None


@dataclass(slots=True)
class ScanReport:
    """What a scan saw and did (DESIGN 6). `files` were found, `unchanged` of them not read; the other counts are of what
    was read; `missing` are files whose absence is noted below the scanned paths."""

    files: int = 0
    chats: int = 0
    messages: int = 0
    jobs: int = 0
    tool_calls: int = 0
    receipts: int = 0
    inferences: int = 0
    problems: int = 0
    unchanged: int = 0
    missing: int = 0
    seconds: float = 0.0
    redactions: int = 0


@dataclass(slots=True)
class Progress:
    """How far a scan is: files and bytes to read and read, for a progress bar."""

    stage: str = "looking"
    files: int = 0
    files_done: int = 0
    bytes: int = 0
    bytes_done: int = 0


Tell = Callable[[Progress], None]


@dataclass(slots=True)
class _Found:
    """The outcome of a walk, sorted by what to do."""

    changed: list[Found] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    infos: set[str] = field(default_factory=set)
    back: list[str] = field(default_factory=list)


class Scanner:
    """Scans paths into a store."""

    def __init__(self, store: Store, options: ScanOptions | None = None, tell: Tell | None = None) -> None:
        self._store = store
        self._options = options or ScanOptions()
        self._tell = tell or (lambda progress: None)
        self._report = ScanReport()
        self._progress = Progress()
        self._fresh: set[str] = set()
        self._unreadable: list[PathProblem] = []

    def scan(self, paths: Iterable[str]) -> ScanReport:
        """Index everything below the paths. Raises StoreError and SchemaError."""
        began = time.monotonic()
        if not self._options.dry_run:
            migrations.apply(self._store.driver, self._store.database)
        self._scan_once(tuple(paths))
        if self._options.follow_jobs and not self._options.dry_run:
            self._follow_jobs()
        self._report.seconds = round(time.monotonic() - began, 3)
        return self._report

    def _scan_once(self, paths: tuple[str, ...]) -> None:
        options = Options(
            follow_links=self._options.follow_links,
            exclude=self._options.exclude,
            jobs_roots=self._options.jobs_roots,
        )
        looking = walk(paths, options)
        files = list(
            looking
        )  # the walk knows its roots when it is over: a job's companions and links add some
        roots = [storable(root) for root in sorted(looking.starts)]
        known = Checkpoints(self._store, roots)
        found = self._look(files, known)
        self._read(found, known)
        if not self._options.dry_run:
            self._absences(looking, known, found)
            self._links(looking, found, roots)
            problems = [*looking.report.problems.values(), *self._unreadable]
            self._report.problems += write_path_problems(self._store, roots, problems)
            self._progress.stage = "linking"
            self._tell(self._progress)
            environment = Environment.of_process(self._options.jobs_roots)
            linked = relink(self._store, environment, frozenset(self._fresh), self._options.boundary)
            self._report.inferences += linked.inferences
        self._progress.stage = "done"
        self._tell(self._progress)

    def _look(self, files: Iterable[Found], known: Checkpoints) -> _Found:
        found = _Found()
        changed: dict[str, Found] = {}
        results: list[Found] = []
        for file in files:
            path = file.path
            found.seen.add(path)
            if path in known.missing:
                found.back.append(path)
            if file.kind is Kind.INFO or file.kind is Kind.MAYBE_INFO:
                found.infos.add(path)
            if file.kind is Kind.RESULT:
                results.append(file)
            elif known.unchanged(path, file.stamp):
                self._report.unchanged += 1
            else:
                changed[path] = file
        for file in results:
            # A result is never read; without an info it is all there is of its job.
            info = file.path + INFO
            if info in found.infos:
                self._report.unchanged += info not in changed
            elif known.unchanged(file.path, file.stamp):
                self._report.unchanged += 1
            else:
                changed[file.path] = file
        found.changed = list(changed.values())
        self._report.files += len(found.seen)
        self._progress.stage = "reading"
        self._progress.files = len(changed)
        self._progress.bytes = sum(file.stamp.size for file in changed.values())
        self._tell(self._progress)
        return found

    def _read(self, found: _Found, known: Checkpoints) -> None:
        held = known.held([file.path for file in found.changed])
        writer = Writer(self._store)
        for file in found.changed:
            kind, version = held.get(file.path, ("", None))
            for plan in self._plan(file, kind, version):
                self._count(plan)
                if not self._options.dry_run:
                    writer.add(plan)
            self._progress.files_done += 1
            self._progress.bytes_done += file.stamp.size
            self._tell(self._progress)
        if not self._options.dry_run:
            writer.flush()

    def _plan(self, file: Found, held_kind: str, held: Held | None) -> Iterator[FilePlan]:
        kind = file.kind
        if kind is Kind.RESULT:
            yield plan_result(file.path, file.stamp, held)
            return
        if kind is Kind.CANDIDATE or kind is Kind.MAYBE_INFO:
            head = read_head(file.path)
            if head.value is None:
                yield from self._unread(head.problem, held_kind or "other", held)
                return
            is_kind = looks_like_chat(head.value) if kind is Kind.CANDIDATE else looks_like_info(head.value)
            if not is_kind and held_kind not in ("chat", "info"):
                yield plan_other(file.path, head, held)
                return
        try:
            yield self._plan_file(file.path, kind, held)
        except _Unreadable as unreadable:
            yield from self._unread(unreadable.problem, held_kind or "other", held)

    def _plan_file(self, path: str, kind: Kind, held: Held | None) -> FilePlan:
        if kind is Kind.INFO or kind is Kind.MAYBE_INFO:
            info = read_job(path)
            if info.value is None:
                raise _Unreadable(info.problem)
            return plan_info(path, info, held)
        chat = read_chat(path, self._options.redact)
        if chat.value is None:
            raise _Unreadable(chat.problem)
        self._report.redactions += chat.value.redactions
        plan = plan_chat(path, chat, held)
        if held is None:
            self._fresh.add(path)
        return plan

    def _unread(self, problem: PathProblem | None, kind: str, held: Held | None) -> Iterator[FilePlan]:
        """A file that cannot be read: its problem is noted, what the graph holds of it stays."""
        if problem is None:
            return
        self._unreadable.append(problem)
        if held is not None:
            about = {"chat": problem.path, "job": job_of_companion(problem.path)}
            yield plan_unreadable(problem.path, kind, Problem(problem.kind, problem.detail), held, about)

    def _count(self, plan: FilePlan) -> None:
        report = self._report
        report.problems += len(plan.problems)
        if plan.chat is not None:
            report.chats += 1
            report.messages += plan.chat.props["messages"]
            report.tool_calls += plan.chat.props["tool_calls"]
            report.receipts += len(plan.chat.receipts)
        if plan.job is not None:
            report.jobs += 1

    def _absences(self, looking: Walk, known: Checkpoints, found: _Found) -> None:
        gone = vanished(known.stamps, found.seen, looking)
        self._report.missing += len(gone)
        new = [path for path in gone if path not in known.missing]
        if new:
            mark_missing(self._store, new, [job for job in _jobs_of(new) if not _is_there(job)])
        if found.back:
            mark_present(self._store, found.back, _jobs_of(found.back))

    def _links(self, looking: Walk, found: _Found, roots: list[str]) -> None:
        names: dict[str, list[str]] = {}
        links = looking.report.links
        if len(links):
            for path in found.seen:
                spellings = links.spellings(path)[1:]
                if spellings:
                    names[path] = list(spellings)
        set_names(self._store, roots, names)

    def _follow_jobs(self) -> None:
        """Scan jobs that were named, are there, and were not read, until there are no more."""
        tried: set[str] = set()
        while True:
            jobs = {row["id"] for row in self._store.read(UNREAD_JOBS)} - tried
            if not jobs:
                return
            tried |= jobs
            self._scan_once(tuple(sorted(native(job) for job in jobs)))


class _Unreadable(Exception):
    """A file that could not be opened."""

    def __init__(self, problem: PathProblem | None) -> None:
        super().__init__(problem)
        self.problem = problem


def _jobs_of(paths: Iterable[str]) -> list[str]:
    return sorted({path[: -len(INFO)] if path.endswith(INFO) else path for path in paths})


def _is_there(job: str) -> bool:
    return os.path.lexists(native(job)) or os.path.lexists(native(job) + INFO)
