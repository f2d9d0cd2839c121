"""What walks found, sorted by what is to be done about it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from indexer.discovery.found import Found
from indexer.discovery.kinds import Kind
from indexer.discovery.layout import INFO
from indexer.discovery.paths import native
from indexer.discovery.vanished import vanished
from indexer.discovery.walk import Walk
from indexer.ingest.checkpoints import Checkpoints, mark_missing, mark_present
from indexer.store.store import Store


@dataclass(slots=True)
class Looked:
    """The outcome of walks. `changed` is to be read; `back` are files noted as gone that are there."""

    changed: list[Found] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    back: list[str] = field(default_factory=list)
    jobs_back: set[str] = field(default_factory=set)
    unchanged: int = 0


def sort_out(files: Iterable[Found], known: Checkpoints) -> Looked:
    """Compare what was found with what the graph remembers.

    A result is never read. Without an info it is all there is of its job; a job whose info was read once and
    is gone stays what it was.
    """
    found = Looked()
    latest: dict[str, Found] = {}  # a path may come twice: the last one counts
    for file in files:
        latest[file.path] = file
    found.seen = set(latest)
    infos = {path for path, file in latest.items() if file.kind in (Kind.INFO, Kind.MAYBE_INFO)}
    changed: dict[str, Found] = {}
    results: list[Found] = []
    for path, file in latest.items():
        if path in known.missing:
            found.back.append(path)
        if file.kind is Kind.RESULT:
            results.append(file)
        elif known.unchanged(file):
            found.unchanged += 1
        else:
            changed[path] = file
    for file in results:
        info = file.path + INFO
        if info in infos:
            found.unchanged += info not in changed
        elif info in known.stamps:
            found.jobs_back.add(file.path)
            found.unchanged += 1
        elif known.unchanged(file):
            found.unchanged += 1
        else:
            changed[file.path] = file
    found.changed = list(changed.values())
    found.jobs_back |= _jobs_of(found.back)
    return found


def note_absences(store: Store, walks: Sequence[Walk], known: Checkpoints, found: Looked) -> int:
    """Note which known files are gone, and which are there again; how many are gone."""
    gone: set[str] = set()
    for walk in walks:
        gone.update(vanished(known.stamps, found.seen, walk))
    new = sorted(gone - known.missing)
    mark_missing(store, new, sorted(job for job in _jobs_of(gone) if not _is_there(job)))
    mark_present(store, found.back, found.jobs_back)
    return len(gone)


def _jobs_of(paths: Iterable[str]) -> set[str]:
    return {path[: -len(INFO)] if path.endswith(INFO) else path for path in paths}


def _is_there(job: str) -> bool:
    return os.path.lexists(native(job)) or os.path.lexists(native(job) + INFO)
