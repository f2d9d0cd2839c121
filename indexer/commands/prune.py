"""`indexer prune`: remove what is gone from disk."""

from __future__ import annotations

import os

import click

from indexer.commands.forget import remove
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, note
from indexer.discovery.paths import native, storable
from indexer.ingest.forget import missing
from indexer.store.connection import open_store


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="List what would go; remove nothing.")
@store_options
def prune(paths: tuple[str, ...], yes: bool, dry_run: bool, options: StoreOptions) -> None:
    """Remove from the graph what files said that scans found gone: all of them, or those below PATHS.

    A file counts as gone only when a scan that could look into its folder noted so and it is still not there.
    A scope that is itself gone or empty is left alone, since a mount that is not there looks like that.
    """
    scopes = [storable(os.path.realpath(native(storable(path)))) for path in paths]
    for path, scope in zip(paths, scopes, strict=True):
        if not os.path.isdir(native(scope)) or not os.listdir(native(scope)):
            note(f"{path} is gone or empty (not mounted?): nothing below it is removed")
    scopes = [scope for scope in scopes if os.path.isdir(native(scope)) and os.listdir(native(scope))]
    with open_store(options.store) as store:
        files = missing(store)
        if paths:
            files = [file for file in files if any(file.path.startswith(f"{scope}/") for scope in scopes)]
        if not files:
            emit({"removed": 0, "files": []}, options.json, lambda _: "Nothing that was indexed is gone.")
            return
        remove(store, files, yes, dry_run, options)
