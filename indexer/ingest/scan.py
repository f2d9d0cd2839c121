"""A scan: walk, compare with the checkpoints, read what changed, write it, link it.

Idempotent and restartable at any point: a file's rows and its checkpoint commit together, what was read and
not yet linked is marked pending in the graph, and linking is a pure function of what the graph then holds.
One scan at a time works on a graph (`lease`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import LiteralString

from indexer import migrations
from indexer.discovery.environment import Environment
from indexer.discovery.found import Found, Options, PathProblem
from indexer.discovery.linktable import LinkTable
from indexer.discovery.partial import PartialWalk, Places
from indexer.discovery.paths import native, storable
from indexer.discovery.walk import Walk, walk
from indexer.ingest.checkpoints import Checkpoints
from indexer.ingest.forget import KnownFile, forget
from indexer.ingest.lease import Holder, writing
from indexer.ingest.linknames import note_links, stored_links
from indexer.ingest.looking import Looked, note_absences, sort_out
from indexer.ingest.memory import Memory
from indexer.ingest.planning import Held
from indexer.ingest.plans import ChangedMeanwhile, FilePlan
from indexer.ingest.problems import problems_below, write_path_problems
from indexer.ingest.reader import Reader
from indexer.ingest.reading import version_of
from indexer.ingest.recheck import recheck
from indexer.ingest.relink import relink
from indexer.ingest.sweep import sweep
from indexer.ingest.writer import Writer
from indexer.redaction import Redactor
from indexer.store.store import Store

FOLLOWED_JOBS: LiteralString = """
MATCH (j:Job) WHERE j.known <> 'guessed' AND j.missing = false
  AND EXISTS { (j)<-[:JOB|AGENT_JOB|CONTEXT|DEPENDENCY]-() }
RETURN j.id AS id
"""


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """How to scan. `exclude` are folders never entered; `redact` takes secrets out of texts."""

    jobs_roots: tuple[str, ...] = ()
    follow_jobs: bool = False
    follow_links: bool = False
    dry_run: bool = False
    exclude: tuple[str, ...] = ()
    redact: Redactor | None = None
    boundary: str | None = None


@dataclass(slots=True)
class ScanReport:
    """What a scan saw and did (DESIGN 6).

    `files` were found, `unchanged` of them not read; `missing` are files whose absence is noted below the
    scanned paths, `problems` all that the graph then holds there; the other counts are of what was read.
    """

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


class Interrupted(Exception):
    """Raised by those who are told of progress, to end a scan early. What was read until then is written."""


Tell = Callable[[Progress], None]
Wait = Callable[[Holder], None]


class Scanner:
    """Scans paths into a store. `memory` is what its process keeps between scans."""

    def __init__(
        self,
        store: Store,
        options: ScanOptions | None = None,
        tell: Tell | None = None,
        memory: Memory | None = None,
        waiting: Wait | None = None,
    ) -> None:
        self._store = store
        self._options = options or ScanOptions()
        self._tell = tell or (lambda progress: None)
        self._memory = memory or Memory()
        self._waiting = waiting
        self._report = ScanReport()
        self._progress = Progress()
        self._walked: list[Walk] = []

    def scan(self, paths: Iterable[str]) -> ScanReport:
        """Index everything below the paths. Raises StoreError and SchemaError."""
        began = time.monotonic()
        with self._at_work("scan"):
            if not self._options.dry_run:
                recheck(self._store, Environment.of_process(self._options.jobs_roots))
            looking = walk(tuple(paths), self._walk_options())
            self._pass([looking])
            self._memory.roots = tuple(sorted(looking.roots))
            self._memory.chat_roots = looking.chat_roots
            self._memory.folders = looking.report.folders
            if self._options.follow_jobs and not self._options.dry_run:
                self._follow_jobs()
            if not self._options.dry_run:
                roots = [storable(root) for root in sorted(looking.starts)]
                self._report.problems = problems_below(self._store, roots)
        self._report.seconds = round(time.monotonic() - began, 3)
        return self._report

    def look_again(self, places: Places, paths: Iterable[str] = ()) -> ScanReport:
        """Index what changed at these places of what was scanned before, and below these paths.

        Gives the graph that a scan of everything would, as far as these places go. Needs the memory of such a
        scan.
        """
        began = time.monotonic()
        with self._at_work("watch"):
            options = self._walk_options(self._memory.roots)
            walks: list[Walk] = [
                PartialWalk(places, options, self._links(), self._memory.chat_roots),
                *(walk((path,), self._walk_options()) for path in paths),
            ]
            self._pass(walks)
        self._report.seconds = round(time.monotonic() - began, 3)
        return self._report

    @contextmanager
    def _at_work(self, words: str) -> Iterator[None]:
        """The schema in place and the lease held, unless nothing is written."""
        if self._options.dry_run:
            yield
            return
        if not self._memory.migrated:
            migrations.apply(self._store.driver, self._store.database)
            self._memory.migrated = True
        given = self._store
        with writing(given, words, self._waiting, sweep) as held:
            self._store = held
            try:
                yield
            finally:
                self._store = given

    def _walk_options(self, roots: tuple[str, ...] = ()) -> Options:
        return Options(
            roots=tuple(storable(root) for root in roots),
            follow_links=self._options.follow_links,
            exclude=self._options.exclude,
            jobs_roots=self._options.jobs_roots,
        )

    def _links(self) -> LinkTable:
        if self._memory.links is None:
            self._memory.links = stored_links(self._store, self._options.jobs_roots)
        return self._memory.links

    def _pass(self, walks: Sequence[Walk]) -> None:
        """Look, read, write, link."""
        # A walk knows its roots when it is over: a job's companions and links add some.
        files = [file for looking in walks for file in looking]
        self._walked += walks
        known = Checkpoints(self._store, version_of(self._options.redact))
        prefixes: list[str] = []
        for looking in walks:
            names, folders, trees = looking.looked_at
            known.load(names, folders, trees)
            prefixes += [*names, *trees, *(f"{folder}/" for folder in folders)]
        found = sort_out(files, known)
        self._report.files += len(found.seen)
        self._report.unchanged += found.unchanged
        fresh, unreadable = self._read(found, known)
        if not self._options.dry_run:
            self._report.missing += note_absences(self._store, walks, known, found)
            if len(self._links()) or any(len(looking.report.links) for looking in walks):
                note_links(self._store, walks, self._links(), found.seen)
            problems = [problem for looking in walks for problem in looking.report.problems.values()]
            self._report.problems += write_path_problems(
                self._store,
                prefixes,
                lambda path: any(looking.reaches(path) for looking in walks),
                [*problems, *unreadable],
            )
            self._progress.stage = "linking"
            self._tell(self._progress)
            environment = Environment.of_process(self._options.jobs_roots)
            linked = relink(self._store, environment, fresh, self._options.boundary, self._memory.facts)
            self._report.inferences += linked.inferences
        self._progress.stage = "done"
        self._tell(self._progress)

    def _read(self, found: Looked, known: Checkpoints) -> tuple[frozenset[str], list[PathProblem]]:
        """Read and write what changed: chats that are new to the graph, and files that could not be read."""
        self._progress.stage = "reading"
        self._progress.files = len(found.changed)
        self._progress.bytes = sum(file.stamp.size for file in found.changed)
        self._progress.files_done = self._progress.bytes_done = 0
        self._tell(self._progress)
        held = known.held([file.path for file in found.changed])
        reader = Reader(self._options.redact, self._memory)
        writer = Writer(self._store)
        fresh: set[str] = set()
        try:
            self._read_each(found, held, reader, writer, fresh)
        except Interrupted:
            writer.flush()
            raise
        if not self._options.dry_run:
            writer.flush()
        self._report.redactions += reader.redactions
        return frozenset(fresh), reader.unreadable

    def _read_each(
        self,
        found: Looked,
        held: Mapping[str, tuple[str, Held]],
        reader: Reader,
        writer: Writer,
        fresh: set[str],
    ) -> None:
        for file in found.changed:
            kind, version = held.get(file.path, ("", None))
            for plan in self._plans(reader, writer, file, kind, version):
                if plan.chat is not None and plan.chat.fresh:
                    fresh.add(plan.path)
                try:
                    if not self._options.dry_run:
                        writer.add(plan)
                except ChangedMeanwhile as changed:
                    detail = "it changed while it was read; it will be read again at the next scan"
                    reader.unreadable.append(PathProblem(changed.path, "changed_while_read", detail))
                self._count(plan)
            self._progress.files_done += 1
            self._progress.bytes_done += file.stamp.size
            self._tell(self._progress)

    def _plans(
        self, reader: Reader, writer: Writer, file: Found, kind: str, version: Held | None
    ) -> Iterator[FilePlan]:
        """The plan of a file; what it said as a file of another kind is forgotten first.

        A link's name can make a chat of any file, and goes again.
        """
        for plan in reader.plans(file, kind, version):
            if kind not in ("chat", "info", "result") or plan.kind == kind or self._options.dry_run:
                yield plan
                continue
            writer.flush()
            known = [KnownFile(file.path, kind, None)]
            forget(self._store, known, Environment.of_process(self._options.jobs_roots))
            yield from reader.plans(file, "", None)
            return

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

    def _follow_jobs(self) -> None:
        """Scan the jobs that are named, wherever they stand, until there are no more."""
        tried: set[str] = set()
        while True:
            named = {row["id"] for row in self._store.read(FOLLOWED_JOBS)} - tried
            jobs = sorted(job for job in named if not any(seen.reaches(job) for seen in self._walked))
            if not jobs:
                return
            tried.update(jobs)
            self._pass([walk(tuple(native(job) for job in jobs), self._walk_options())])
