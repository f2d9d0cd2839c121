"""Where an export goes: written beside its place first and put there when it is whole; `-` is stdout.

Chats are nobody else's: files and folders are for their owner alone (0600, 0700), whatever the umask.

The work runs inside one read transaction, so it sees one state of the graph; the driver may run it again
after a passing error, so every run starts with an empty file.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, TypeVar

from neo4j import ManagedTransaction

from indexer.exports.errors import ExportError
from indexer.store.connection import Store

T = TypeVar("T")
STDOUT = "-"


def to_file(store: Store, output: str, work: Callable[[ManagedTransaction, IO[bytes]], T]) -> T:
    """Run `work` in a read transaction with the file to fill. Raises ExportError for a bad place."""
    folder = None if output == STDOUT else os.path.dirname(os.path.abspath(output))
    try:
        made = tempfile.NamedTemporaryFile(dir=folder, prefix=".export-", delete=False)  # noqa: SIM115
    except OSError as error:
        raise ExportError(f"{output} cannot be written: {error.strerror}") from error
    place = Path(made.name)
    try:
        with made:

            def fresh(tx: ManagedTransaction) -> T:
                made.seek(0)
                made.truncate()
                return work(tx, made)

            told = store.read(fresh)
        if output == STDOUT:
            with place.open("rb") as whole:
                shutil.copyfileobj(whole, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        else:
            os.replace(place, output)
        return told
    except OSError as error:
        raise ExportError(f"{output} cannot be written: {error.strerror}") from error
    finally:
        place.unlink(missing_ok=True)


def to_folder(store: Store, output: str, work: Callable[[ManagedTransaction, Path], T]) -> T:
    """Run `work` in a read transaction with a new folder to fill, and put that to its place."""
    if output == STDOUT:
        raise ExportError("this format makes a folder: name it with -o FOLDER")
    target = Path(os.path.abspath(output))
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ExportError(f"{output} exists and is not an empty folder: name another one")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=target.parent, prefix=".export-"))
    except OSError as error:
        raise ExportError(f"{output} cannot be written: {error.strerror}") from error
    try:

        def fresh(tx: ManagedTransaction) -> T:
            inner = scratch / "new"
            shutil.rmtree(inner, ignore_errors=True)
            inner.mkdir(mode=0o700)
            return work(tx, inner)

        told = store.read(fresh)
        for place, folders, files in os.walk(scratch / "new"):
            for name in folders:
                os.chmod(os.path.join(place, name), 0o700)
            for name in files:
                os.chmod(os.path.join(place, name), 0o600)
        if target.exists():
            target.rmdir()
        os.replace(scratch / "new", target)
        return told
    except OSError as error:
        raise ExportError(f"{output} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
