"""`indexer status`: what is indexed."""

from __future__ import annotations

from dataclasses import asdict

import click
from rich.console import RenderableType

from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, table
from indexer.ingest.digest import graph_digest
from indexer.ingest.standing import Standing, standing
from indexer.store.connection import open_store


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
        answer = asdict(found) | ({"digest": graph_digest(store)} if digest else {})
    emit(answer, options.json, lambda _: _tables(found, answer.get("digest")))


def _tables(found: Standing, digest: object) -> list[RenderableType]:
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
    ]
