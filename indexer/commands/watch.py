"""`indexer watch`: index files, then follow their changes."""

from __future__ import annotations

import os

import click

from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, fail, note
from indexer.commands.redacting import redact_option
from indexer.ingest.scan import ScanOptions
from indexer.migrations import SchemaError
from indexer.redaction import Redactor
from indexer.store.connection import open_store
from indexer.store.local.target import LocalTarget
from indexer.store.settings import resolve_target
from indexer.watching.events import Watchdog
from indexer.watching.options import WatchOptions
from indexer.watching.supervisor import supervise
from indexer.watching.watcher import Watcher

#: A watcher comes again by itself, and starts a local server that died: it need not wait for it for long.
_RETRY_SECONDS = 3.0
_SECONDS = click.FloatRange(min=0.05)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--once", is_flag=True, help="End when everything was looked at and nothing changes any more.")
@click.option(
    "--follow-jobs", is_flag=True, help="Also index the jobs that the files name, wherever they are."
)
@click.option("--follow-links", is_flag=True, help="Also index what links inside PATH lead to outside it.")
@click.option(
    "--jobs-root", "jobs_roots", multiple=True, metavar="DIR", help="A folder of <Workflow>/<task>/<job>."
)
@click.option(
    "--boundary",
    type=click.Choice(["first_user"]),
    help="Also take logs that start with another first user message for context.",
)
@click.option(
    "--reconcile",
    type=_SECONDS,
    default=300.0,
    show_default=True,
    help="Seconds between looks at everything.",
)
@click.option(
    "--poll",
    type=_SECONDS,
    default=10.0,
    show_default=True,
    help="Seconds between looks at places without events, such as network file systems.",
)
@click.option(
    "--settle",
    type=_SECONDS,
    default=5.0,
    show_default=True,
    help="Seconds without a change after which a half-written file counts as a problem.",
)
@click.option(
    "--metrics-port",
    type=click.IntRange(0, 65535),
    help="Serve figures for Prometheus at http://127.0.0.1:PORT/metrics; 0 takes a free port.",
)
@redact_option
@store_options
def watch(
    paths: tuple[str, ...],
    once: bool,
    follow_jobs: bool,
    follow_links: bool,
    jobs_roots: tuple[str, ...],
    boundary: str | None,
    reconcile: float,
    poll: float,
    settle: float,
    metrics_port: int | None,
    redact: Redactor | None,
    options: StoreOptions,
) -> None:
    """Index chats and jobs below the paths, then follow every change until stopped.

    SIGTERM and Ctrl-C end it within two seconds, SIGHUP makes it look at everything anew. `indexer status`
    shows how it is doing. It waits for a store that is away, and shares the store with scans and other
    watchers.
    """
    if not any(os.path.lexists(path) or os.path.lexists(f"{path}.info") for path in paths):
        fail(Exit.USAGE, f"{paths[0]}: there is no such file or folder")
    target = resolve_target(options.store)
    exclude = (str(target.folder), str(target.lib)) if isinstance(target, LocalTarget) else ()
    watcher = Watcher(
        lambda: open_store(target, retry_seconds=_RETRY_SECONDS),
        paths,
        lambda hints: Watchdog(hints, exclude),
        WatchOptions(reconcile=reconcile, poll=poll, settle=settle, once=once),
        ScanOptions(
            jobs_roots=jobs_roots,
            follow_jobs=follow_jobs,
            follow_links=follow_links,
            exclude=exclude,
            redact=redact,
            boundary=boundary,
        ),
    )
    if options.verbosity >= 0 and not options.json and not once:
        note(f"watching {len(paths)} {'path' if len(paths) == 1 else 'paths'}; Ctrl-C ends it")
    try:
        supervise(watcher, metrics_port)
    except SchemaError as error:
        fail(Exit.UNREACHABLE, str(error))
    except OSError as error:
        fail(Exit.USAGE, f"port {metrics_port}: {error.strerror}")
    known = watcher.condition()
    answer = {
        "rounds": known.rounds,
        "files": known.files,
        "messages": known.messages,
        "problem": known.problem,
    }
    emit(answer, options.json, lambda _: f"{known.files:,} files read in {known.rounds:,} rounds.")
