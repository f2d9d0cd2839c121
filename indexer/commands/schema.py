"""`indexer schema`: the graph's constraints, indexes and migrations."""

from __future__ import annotations

from dataclasses import asdict
from importlib.resources import files

import click
from rich.console import RenderableType

from indexer import migrations
from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, fail, table
from indexer.migrations import SchemaError, SchemaState
from indexer.store.connection import open_store


@click.group()
def schema() -> None:
    """The graph's constraints, indexes and migrations."""


@schema.command()
@store_options
def apply(options: StoreOptions) -> None:
    """Bring the graph's schema to what this program knows. May be run at any time."""
    with open_store(options.store) as store:
        try:
            state = migrations.apply(store.driver, store.database)
        except SchemaError as error:
            fail(Exit.UNREACHABLE, str(error))
    emit(asdict(state), options.json, lambda _: _table(state))


@schema.command()
@store_options
def check(options: StoreOptions) -> None:
    """Compare the graph's schema with what this program knows; exit with 1 when they differ."""
    with open_store(options.store) as store:
        state = migrations.inspect(store.driver, store.database)
    emit({**asdict(state), "current": state.current}, options.json, lambda _: _table(state))
    if not state.current:
        raise click.exceptions.Exit(int(Exit.NO))


@schema.command()
@store_options
def show(options: StoreOptions) -> None:
    """Print the description of the graph model. Needs no store."""
    text = files("indexer.schema").joinpath("README.md").read_text(encoding="utf-8")
    emit({"text": text}, options.json, lambda answer: answer["text"])


def _table(state: SchemaState) -> RenderableType:
    rows = [(name.replace("_", " "), ", ".join(map(str, value))) for name, value in asdict(state).items()]
    return table(
        ("", "versions or names"), rows, "Schema is current" if state.current else "Schema needs work"
    )
