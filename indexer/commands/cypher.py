"""`indexer cypher`: ad-hoc Cypher that can only read."""

from __future__ import annotations

import sys

import click
from rich.console import RenderableType

from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, fail, note, table
from indexer.commands.params import parse_params
from indexer.reading_cypher import Answer, read_cypher
from indexer.readonly import NotReadOnly
from indexer.store.connection import open_store
from indexer.store.errors import QueryRefused, QueryTimedOut


@click.command()
@click.argument("text")
@click.option(
    "--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter; VALUE is JSON or text."
)
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="Rows at most."
)
@click.option(
    "--timeout", type=click.FloatRange(0.1, 3600), default=30.0, show_default=True, help="Seconds at most."
)
@store_options
def cypher(text: str, params: tuple[str, ...], limit: int, timeout: float, options: StoreOptions) -> None:
    """Run Cypher TEXT (- for standard input) in a read transaction; what would write is refused."""
    if text == "-":
        text = sys.stdin.read()
    try:
        values = parse_params(params)
    except ValueError as error:
        fail(Exit.USAGE, str(error))
    with open_store(options.store) as store:
        try:
            answer = read_cypher(store, text, values, limit=limit, timeout=timeout)
        except (NotReadOnly, QueryRefused, QueryTimedOut) as error:
            fail(Exit.USAGE, str(error))
    emit(answer.as_dict(), options.json, lambda _: _table(answer))
    if answer.more:
        note(f"Only the first {limit} rows are shown: give --limit, or page with SKIP and LIMIT.")


def _table(answer: Answer) -> RenderableType:
    return table(answer.columns, [[_cell(value) for value in row] for row in answer.rows])


def _cell(value: object) -> object:
    return value if value is None or isinstance(value, bool | int) else str(value)
