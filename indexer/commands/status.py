"""`indexer status`: what is indexed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click
from rich.console import RenderableType

from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, table
from indexer.ingest.digest import graph_digest
from indexer.ingest.standing import Standing, standing
from indexer.store.connection import open_store
from indexer.watching.heartbeat import KnownWatcher, watchers


@click.command()
@click.option(
    "--digest",
    is_flag=True,
    help="Also a digest over all nodes and relationships: equal graphs, equal digests.",
)
@store_options
def status(digest: bool, options: StoreOptions) -> None:
    """What is indexed, in which store, with which schema; problems by kind; what is pending."""
    with open_store(options.store) as store:
        found = standing(store)
        following = watchers(store)
        answer = asdict(found) | {"watchers": [asdict(watcher) for watcher in following]}
        answer |= {"digest": graph_digest(store)} if digest else {}
    emit(answer, options.json, lambda _: _tables(found, answer.get("digest"), following))


def _tables(found: Standing, digest: object, following: list[KnownWatcher]) -> list[RenderableType]:
    about: list[tuple[str, object]] = [
        ("store", found.store),
        ("server", found.server),
        (
            "schema",
            f"version {found.schema_version}"
            + ("" if found.schema_current else " (run: indexer schema apply)"),
        ),
        ("last scan that changed something", found.last_change),
        ("files not linked yet", found.pending),
        ("files gone", found.missing_files),
    ]
    if digest:
        about.append(("digest", digest))
    return [
        table(("", ""), about),
        table(("nodes", "#"), found.nodes.items()),
        table(("relationships", "#"), found.relationships.items()),
        table(("problems", "#"), found.problems.items() or [("none", 0)]),
        *(
            [
                table(
                    ("watcher", "state", "lag", "#waiting", "last look at everything", "problem"),
                    _rows(following),
                )
            ]
            if following
            else []
        ),
    ]


def _rows(following: list[KnownWatcher]) -> Iterator[tuple[object, ...]]:
    for one in following:
        state = one.state if one.alive else f"silent for {one.silent_seconds} s: it was killed"
        lag = f"{one.lag_seconds:.1f} s"
        yield ", ".join(one.paths), state, lag, one.queue, one.reconciled_at or "none yet", one.problem
