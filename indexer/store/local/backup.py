"""Backups of a local store: one file with the server's own dump of the graph, its SHA-256 and its version.

The dump inside (`neo4j.dump`) is what `neo4j-admin database load` takes, so a backup can also be put into any
other Neo4j. A restore first loads it beside the present data and checks it there; only then do the two change
places.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from indexer.store.errors import LocalServerError
from indexer.store.local import conf, java
from indexer.store.local.install import install
from indexer.store.local.jars import UNREADABLE, locked, sha256_of
from indexer.store.local.launch import tool_environment
from indexer.store.local.layout import WORK_PREFIX, Layout, is_newer
from indexer.store.local.server import LocalServer

DATABASE = "neo4j"
DUMP_NAME = f"{DATABASE}.dump"
HEADER_NAME = "backup.json"
TOOL = "org.neo4j.cli.AdminTool"
TOOL_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class BackupHeader:
    """What a backup says of itself: server version, when it was made, SHA-256 and bytes of the dump."""

    neo4j: str
    created_at: str
    sha256: str
    bytes: int


def back_up(server: LocalServer, backup: Path, *, force: bool = False) -> BackupHeader:
    """Write a backup. The server is stopped for it, and started again if it ran. Raises LocalServerError."""
    if backup.exists() and not force:
        raise LocalServerError(f"{backup} exists", "name another file, or add --force")
    with server.locked(), _scratch(server.layout) as scratch:
        if not server.layout.has_data():
            raise LocalServerError(f"{server.layout.folder} holds no graph yet", "run `indexer scan` first")
        install(server.target.lib)
        with _stopped(server):
            _tool(server.layout, server.jars, "dump", f"--to-path={scratch}")
        dump = scratch / DUMP_NAME
        header = BackupHeader(
            neo4j=locked().neo4j_version,
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            sha256=sha256_of(dump),
            bytes=dump.stat().st_size,
        )
        _write(backup, header, dump)
    return header


def restore(server: LocalServer, backup: Path, *, force: bool = False) -> BackupHeader:
    """Replace the store's graph by a backup's. The server is stopped for it, and started again if it ran.

    Present data are only given up with `force`, and only once the backup was loaded and checked beside them.
    Raises LocalServerError.
    """
    with server.locked():
        layout = server.layout
        if layout.has_data() and not force:
            raise LocalServerError(
                f"{layout.folder} already holds a graph", "add --force to replace it, or name another folder"
            )
        with _scratch(layout) as scratch:
            header = _extract(backup, scratch)
            install(server.target.lib)
            fresh = Layout(scratch / "home")
            fresh.prepare(locked().neo4j_version)
            conf.write(fresh, 0, 0)
            _tool(fresh, server.jars, "load", f"--from-path={scratch}")
            _tool(fresh, server.jars, "check")
            with _stopped(server):
                layout.replace_data(fresh.data)
    return header


@contextmanager
def _stopped(server: LocalServer) -> Iterator[None]:
    """Stop the server for the block, and start it again after it (whatever happened in it) if it ran."""
    ran = server.stop_locked()
    try:
        yield
    finally:
        if ran:
            server.start_locked()


def _tool(layout: Layout, jars: Path, verb: str, *options: str) -> None:
    arguments = [TOOL, "database", verb, *options, DATABASE]
    code, output = java.run_tool(jars, arguments, tool_environment(layout), layout.folder, TOOL_SECONDS)
    if code != 0:
        noise = ("\tat ", "Files:")
        lines = [line for line in output.splitlines() if line.strip() and not line.startswith(noise)]
        detail = lines[-1] if lines else f"exit code {code}"
        raise LocalServerError(f"the server's tool could not {verb} the graph ({detail})")


def _write(backup: Path, header: BackupHeader, dump: Path) -> None:
    part = backup.with_name(f".{backup.name}.{os.getpid()}.part")
    try:
        os.close(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        )  # the graph is private, and so is this
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(HEADER_NAME, json.dumps(asdict(header)))
            archive.write(dump, DUMP_NAME)
        os.replace(part, backup)
    except OSError as error:
        raise LocalServerError(f"{backup} cannot be written ({error.strerror or error})") from error
    finally:
        part.unlink(missing_ok=True)


def _extract(backup: Path, folder: Path) -> BackupHeader:
    try:
        with zipfile.ZipFile(backup) as archive:
            header = BackupHeader(**json.loads(archive.read(HEADER_NAME)))
            if is_newer(header.neo4j, locked().neo4j_version):
                raise LocalServerError(
                    f"{backup} is of Neo4j {header.neo4j}, and this program has {locked().neo4j_version}",
                    "upgrade provenance-indexer",
                )
            digest = hashlib.sha256()
            with archive.open(DUMP_NAME) as member, (folder / DUMP_NAME).open("wb") as file:
                while chunk := member.read(1 << 20):
                    digest.update(chunk)
                    file.write(chunk)
    except FileNotFoundError:
        raise LocalServerError(f"{backup} does not exist") from None
    except (*UNREADABLE, zipfile.BadZipFile, OSError) as error:
        raise LocalServerError(f"{backup} is no backup, or is damaged") from error
    if digest.hexdigest() != header.sha256:
        raise LocalServerError(f"{backup} is damaged (its SHA-256 differs)")
    return header


@contextmanager
def _scratch(layout: Layout) -> Iterator[Path]:
    """A folder on the store's own disk, so that data can change places with a rename; removed afterwards."""
    path = Path(tempfile.mkdtemp(prefix=WORK_PREFIX, dir=layout.folder))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
