"""`indexer neo4j ...`: the local server that the program provides itself."""

from __future__ import annotations

import os
import sys
import webbrowser
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, note, table
from indexer.store.connection import local_server
from indexer.store.errors import BadStoreAddress
from indexer.store.local.backup import back_up
from indexer.store.local.backup import restore as restore_backup
from indexer.store.local.bundle import default_name, install_from, write_bundle
from indexer.store.local.install import install as install_jars
from indexer.store.local.jars import locked
from indexer.store.local.progress import on_stderr
from indexer.store.local.server import USER, LocalServer
from indexer.store.local.status import LocalStatus, status_of
from indexer.store.settings import is_local, resolve_local

DOWNLOADING = f"Downloading Neo4j {locked().neo4j_version}"
INSTALLING = f"Installing Neo4j {locked().neo4j_version}"


@click.group()
def neo4j() -> None:
    """The local Neo4j server: it needs no care, since commands start it and it stops itself when idle.

    These commands are about `local:` stores only and look away from NEO4J_URI; `--store local:/folder` names
    another one than the default.
    """


@neo4j.command()
@store_options
def start(options: StoreOptions) -> None:
    """Start the server, installing it first if need be, and say where it is."""
    server = _server(options)
    with on_stderr(DOWNLOADING) as report:
        server.ensure(report)
    _show_status(options, status_of(server))


@neo4j.command()
@store_options
def stop(options: StoreOptions) -> None:
    """Stop the server if it runs."""
    stopped = _server(options).stop()
    _say(options, {"stopped": stopped}, "Stopped." if stopped else "It was not running.")


@neo4j.command()
@store_options
def status(options: StoreOptions) -> None:
    """Say whether the server runs, where, and how much it holds. Starts nothing."""
    _show_status(options, status_of(_server(options)))


@neo4j.command()
@click.option("--print", "only_print", is_flag=True, help="Do not open it, only say how.")
@store_options
def browser(options: StoreOptions, only_print: bool) -> None:
    """Open the graph in Neo4j Browser, and say how to sign in."""
    server = _server(options)
    with on_stderr(DOWNLOADING) as report:
        running = server.ensure(report)
    address = f"{running.state.browser_url}?dbms={running.state.uri.replace('://', f'://{USER}@')}&db=neo4j"
    answer = {
        "url": address,
        "uri": running.state.uri,
        "username": USER,
        "password": running.password,
        "password_file": str(server.layout.password),
    }
    lines = [
        address,
        f"Connect URL  {running.state.uri}",
        f"Username     {USER}",
        f"Password     {running.password}",
    ]
    _say(options, answer, "\n".join(lines))
    if not only_print and _has_display():
        webbrowser.open(address)


@neo4j.command()
@click.option(
    "--from",
    "bundle",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take the files from an offline bundle instead of downloading them.",
)
@click.option("--check", is_flag=True, help="Read every installed file again and replace what is damaged.")
@store_options
def install(options: StoreOptions, bundle: Path | None, check: bool) -> None:
    """Download the server's files and check each against the program's lock file."""
    lib = _server(options).target.lib
    with on_stderr(INSTALLING if bundle else DOWNLOADING) as report:
        put = partial(install_from, lib, bundle) if bundle else partial(install_jars, lib)
        folder = put(report, force=check)
    answer = {"neo4j": locked().neo4j_version, "lib": str(folder), "files": len(locked().jars)}
    _say(options, answer, f"Neo4j {locked().neo4j_version} is installed in {folder}")


@neo4j.command()
@click.argument("file", type=click.Path(path_type=Path), default=Path())
@store_options
def bundle(options: StoreOptions, file: Path) -> None:
    """Write an offline bundle for machines that cannot download: to FILE or into a folder."""
    with on_stderr(DOWNLOADING) as report:
        written = write_bundle(_server(options).target.lib, file, report)
    _say(options, {"bundle": str(written), "bytes": written.stat().st_size}, f"Wrote {written}")
    note(f"There: indexer neo4j install --from {default_name()}")


@neo4j.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@store_options
def backup(options: StoreOptions, file: Path, force: bool) -> None:
    """Write the graph of the local store to FILE. The server stops meanwhile."""
    header = back_up(_server(options), file, force=force)
    _say(options, {"file": str(file), **asdict(header)}, f"Wrote {file} ({header.bytes:,} bytes)")


@neo4j.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace the graph that is there.")
@store_options
def restore(options: StoreOptions, file: Path, force: bool) -> None:
    """Put the graph of a backup into the local store, after checking it. The server stops meanwhile."""
    header = restore_backup(_server(options), file, force=force)
    _say(options, {"file": str(file), **asdict(header)}, f"Restored {file} of {header.created_at}")


def _server(options: StoreOptions) -> LocalServer:
    address = options.store or "local:"
    if not is_local(address):
        remedy = "use --store local: or leave it out"
        raise BadStoreAddress("these commands are about the local server", remedy)
    return local_server(resolve_local(address))


def _show_status(options: StoreOptions, found: LocalStatus) -> None:
    shown = {**asdict(found), "pid": found.pid and str(found.pid)}
    rows = [(name.replace("_", " "), value) for name, value in shown.items() if value is not None]
    title = "The local server is running" if found.running else "The local server is not running"
    emit(asdict(found), options.json, lambda _: table(("", ""), rows, title))


def _say(options: StoreOptions, answer: dict[str, Any], text: str) -> None:
    if options.json:
        emit(answer, json=True)
    else:
        click.echo(text)


def _has_display() -> bool:
    """Whether opening a page can show one: a text browser in this terminal would be in the way."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
