"""`indexer scan`: index files."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import click
from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, fail, note, stderr_console, table
from indexer.commands.redacting import redact_option
from indexer.discovery.paths import storable
from indexer.ingest.scan import Progress, Scanner, ScanOptions, ScanReport, Tell
from indexer.migrations import SchemaError
from indexer.redaction import Redactor
from indexer.store.connection import open_store
from indexer.store.local.progress import on_stderr
from indexer.store.local.target import LocalTarget
from indexer.store.settings import resolve_target


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--follow-jobs", is_flag=True, help="Also index the jobs that the files name, wherever they are."
)
@click.option("--follow-links", is_flag=True, help="Also index what links inside PATH lead to outside it.")
@click.option(
    "--jobs-root", "jobs_roots", multiple=True, metavar="DIR", help="A folder of <Workflow>/<task>/<job>."
)
@click.option("--dry-run", is_flag=True, help="Read everything that changed and count it; write nothing.")
@click.option("--strict", is_flag=True, help="Exit with 1 when problems were found.")
@click.option(
    "--boundary",
    type=click.Choice(["first_user"]),
    help="Also take logs that start with another first user message for context.",
)
@redact_option
@store_options
def scan(
    paths: tuple[str, ...],
    follow_jobs: bool,
    follow_links: bool,
    jobs_roots: tuple[str, ...],
    dry_run: bool,
    strict: bool,
    boundary: str | None,
    redact: Redactor | None,
    options: StoreOptions,
) -> None:
    """Index chats and jobs below the paths. What did not change since the last scan is not read again."""
    named = tuple(storable(path) for path in paths)
    absent = [path for path in paths if not os.path.lexists(path) and not os.path.lexists(f"{path}.info")]
    if absent and len(absent) == len(paths):
        fail(Exit.USAGE, f"{absent[0]}: there is no such file or folder")
    for path in absent:
        note(f"{path}: there is no such file or folder; what was indexed below it stays")
    target = resolve_target(options.store)
    exclude = (str(target.folder), str(target.lib)) if isinstance(target, LocalTarget) else ()
    scanning = ScanOptions(
        jobs_roots=jobs_roots,
        follow_jobs=follow_jobs,
        follow_links=follow_links,
        dry_run=dry_run,
        exclude=exclude,
        redact=redact,
        boundary=boundary,
    )
    with on_stderr("Fetching Neo4j") as report:
        store = open_store(target, report=report)
    with store, _bar(options) as tell:
        try:
            done = Scanner(store, scanning, tell).scan(named)
        except SchemaError as error:
            fail(Exit.UNREACHABLE, str(error))
    emit(_answer(done), options.json, lambda _: _table(done, dry_run))
    if not options.json:
        if done.redactions:
            note(f"{done.redactions} secrets were left out of what is stored")
        if done.problems:
            note("What could not be read or resolved: indexer problems")
        if not dry_run and options.verbosity >= 0:
            note("Now: indexer conversations")
    if strict and done.problems:
        raise click.exceptions.Exit(int(Exit.NO))


def _answer(report: ScanReport) -> dict[str, object]:
    return asdict(report)


def _table(report: ScanReport, dry_run: bool) -> list[RenderableType]:
    read = report.files - report.unchanged
    verb = "Would index" if dry_run else "Indexed"
    title = f"{verb} {read:,} new or changed of {report.files:,} files in {report.seconds:.1f} s"
    counts = asdict(report)
    shown = ("chats", "messages", "tool_calls", "jobs", "receipts", "inferences", "problems", "missing")
    rows = [(name.replace("_", " "), counts[name]) for name in shown]
    return [title, table(("read by this scan", "#"), rows)]


@contextmanager
def _bar(options: StoreOptions) -> Iterator[Tell]:
    """A progress bar on a terminal, nothing elsewhere."""
    console = stderr_console()
    if not console.is_terminal or options.verbosity < 0:
        yield lambda progress: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files"),
        TextColumn("{task.fields[mb]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Looking", total=None, mb="")
        began = time.monotonic()

        def tell(progress: Progress) -> None:
            rate = progress.bytes_done / 1e6 / max(time.monotonic() - began, 0.1)
            megabytes = (
                f"{progress.bytes_done / 1e6:,.1f} of {progress.bytes / 1e6:,.1f} MB, {rate:,.1f} MB/s"
            )
            bar.update(
                task,
                description=progress.stage.capitalize(),
                total=progress.files or None,
                completed=progress.files_done,
                mb=megabytes if progress.bytes else "",
            )

        yield tell
