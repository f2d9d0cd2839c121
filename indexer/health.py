"""Checks of everything the program depends on, each with what to do about it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from indexer import migrations
from indexer.ingest.standing import standing
from indexer.store.connection import Store, open_store
from indexer.store.errors import StoreError
from indexer.store.local.target import LocalTarget
from indexer.store.settings import resolve_target
from indexer.watching.crashed import look_for_crashes
from indexer.watching.heartbeat import watchers

_WATCHES = Path("/proc/sys/fs/inotify/max_user_watches")
#: Below this, a tree of a few hundred thousand folders cannot be watched.
_ENOUGH_WATCHES = 524_288


@dataclass(frozen=True, slots=True)
class Check:
    """One check: `state` is ok, warn or fail; `remedy` is empty when there is nothing to do."""

    name: str
    state: str
    detail: str
    remedy: str = ""

    def as_dict(self) -> dict[str, str]:
        """The check as JSON."""
        return asdict(self)


def checks(address: str | None) -> Iterator[Check]:
    """All checks, those of the store last. Never raises StoreError."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check("python", "ok", version)
    yield from _watches()
    try:
        target = resolve_target(address)
    except StoreError as error:
        yield Check("store", "fail", error.message, error.remedy)
        return
    if isinstance(target, LocalTarget):
        yield from _folder(target)
    try:
        store = open_store(target)
    except StoreError as error:
        yield Check("store", "fail", error.message, error.remedy)
        return
    with store:
        yield from _store(store)


def _watching(store: Store) -> Iterator[Check]:
    """Watchers that work into the store, and jobs whose processes died."""
    for watcher in watchers(store):
        paths = ", ".join(watcher.paths)
        if not watcher.alive:
            silent = f"{paths}: no sign of life for {watcher.silent_seconds} s"
            yield Check("watcher", "warn", silent, "start `indexer watch` again, or wait a day")
        elif watcher.problem:
            yield Check("watcher", "warn", f"{paths}: {watcher.state}", watcher.problem)
        else:
            lag = f"{watcher.lag_seconds:.1f} s behind, {watcher.queue} places waiting"
            yield Check("watcher", "ok", f"{paths}: {watcher.state}, {lag}")
    crashes = look_for_crashes(store)
    if crashes.dead:
        detail = f"{crashes.dead} are dead though their infos say they run; {crashes.running} run"
        yield Check("jobs", "warn", detail, "indexer query stale_jobs")


def _watches() -> Iterator[Check]:
    try:
        limit = int(_WATCHES.read_text())
    except (OSError, ValueError):
        return
    if limit < _ENOUGH_WATCHES:
        remedy = f"for large trees: sudo sysctl fs.inotify.max_user_watches={_ENOUGH_WATCHES}"
        yield Check("watch limit", "warn", f"{limit} folders", remedy)
    else:
        yield Check("watch limit", "ok", f"{limit} folders")


def _folder(target: LocalTarget) -> Iterator[Check]:
    if not target.folder.exists():
        yield Check("local server", "ok", f"not used yet; its data will be in {target.folder}")
        return
    mode = target.folder.stat().st_mode & 0o777
    if mode & 0o077:
        yield Check(
            "local server", "warn", f"{target.folder} can be read by others", f"chmod 700 {target.folder}"
        )
    else:
        yield Check("local server", "ok", str(target.folder))
    free = os.statvfs(target.folder)
    gigabytes = free.f_bavail * free.f_frsize / 1e9
    state = "ok" if gigabytes > 2 else "warn"
    yield Check("disk", state, f"{gigabytes:.1f} GB free", "" if state == "ok" else "make room for the graph")


def checks_of_store(store: Store) -> Iterator[Check]:
    """The checks of a store that is open, and of what this machine lets a watcher watch. For the dashboard."""
    yield from _watches()
    yield from _store(store)


def _store(store: Store) -> Iterator[Check]:
    try:
        state = migrations.inspect(store.driver, store.database)
        found = standing(store)
    except StoreError as error:
        yield Check("store", "fail", error.message, error.remedy)
        return
    yield Check("store", "ok", f"{found.server} at {store.where}")
    if state.unknown:
        yield Check(
            "schema", "fail", f"made by a newer program (version {max(state.unknown)})", "update the program"
        )
    elif state.current:
        yield Check("schema", "ok", f"version {found.schema_version}")
    elif not state.applied:
        yield Check("schema", "ok", "nothing indexed yet")
    else:
        yield Check("schema", "fail", "constraints or indexes are missing", "indexer schema apply")
    nodes = found.nodes
    yield Check("graph", "ok", f"{nodes.get('Chat', 0):,} chats, {nodes.get('Job', 0):,} jobs")
    if found.pending:
        yield Check("linking", "warn", f"{found.pending:,} files are not linked", "run the scan again")
    if found.missing_files:
        yield Check(
            "files", "warn", f"{found.missing_files:,} indexed files are gone", "keep, or: indexer prune"
        )
    yield from _watching(store)
    total = sum(found.problems.values())
    if total:
        kinds = ", ".join(f"{kind} {number}" for kind, number in list(found.problems.items())[:4])
        yield Check("problems", "warn", f"{total:,}: {kinds}", "indexer problems")
    else:
        yield Check("problems", "ok", "none")
