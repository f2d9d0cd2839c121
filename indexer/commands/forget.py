"""`indexer forget` and the listing that it shares with `prune`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, fail, note, table
from indexer.discovery.environment import Environment
from indexer.discovery.paths import native, storable
from indexer.ingest.forget import KnownFile, below
from indexer.ingest.forget import forget as forget_files
from indexer.store.connection import Store, open_store

_SHOWN = 20


@click.command()
@click.argument("path")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="List what would go; remove nothing.")
@store_options
def forget(path: str, yes: bool, dry_run: bool, options: StoreOptions) -> None:
    """Remove from the graph what the files at PATH or below it said. The files are never touched."""
    real = storable(os.path.realpath(native(storable(path))))
    with open_store(options.store) as store:
        files = below(store, real)
        if not files:
            fail(Exit.NOT_FOUND, f"{path}: nothing indexed is there or below it")
        remove(store, files, yes, dry_run, options)


def remove(store: Store, files: Sequence[KnownFile], yes: bool, dry_run: bool, options: StoreOptions) -> None:
    """List files, ask, and take them out of the graph."""
    if not options.json:
        rows = [(file.path, file.kind, file.missing_since) for file in files[:_SHOWN]]
        emit({}, False, lambda _: table(("file", "kind", "gone since"), rows))
        if len(files) > _SHOWN:
            note(f"... and {len(files) - _SHOWN} more")
    if not dry_run:
        if not yes:
            if not sys.stdin.isatty():
                fail(Exit.USAGE, "say --yes to remove them from the graph, or --dry-run to list them only")
            click.confirm(f"Remove what these {len(files)} files said from the graph?", abort=True, err=True)
        forget_files(store, files, Environment.of_process())
    answer = {"removed": 0 if dry_run else len(files), "files": [file.path for file in files[:1000]]}
    emit(answer, options.json, lambda _: f"{'Would remove' if dry_run else 'Removed'} {len(files)} files.")
