"""`indexer queries` and `indexer query`: the query files by name."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers import catalogue
from indexer.answers.catalogue import QueryFile
from indexer.answers.errors import BadQuestion
from indexer.commands.answering import asking
from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, fail, table
from indexer.commands.params import parse_params

#: Parameters that need not be given, as the examples in the files have them.
DEFAULTS: dict[str, Any] = {
    "job_refs": "all",
    "follow": ["job", "agent_job", "dependency", "log", "result"],
    "skip": 0,
    "limit": 100,
    "offset": 0,
    "length": 10_000,
    "hours": 24,
}
OPTIONAL = {"BOOLEAN": False, "STRING": None}
REQUIRED = {"root", "a", "b", "target", "address", "text", "ids", "names"}


@click.command("queries")
@click.argument("name", required=False)
@store_options
def queries(name: str | None, options: StoreOptions) -> None:
    """The query files; with NAME the whole text of one, ready for Neo4j Browser."""
    try:
        found = [catalogue.load(one) for one in ([name] if name else catalogue.names())]
    except BadQuestion as error:
        fail(error.exit_code, str(error))
    if name and not options.json:
        click.echo(found[0].text, nl=False)
    else:
        emit({"queries": [_described(one) for one in found]}, options.json, lambda _: _table(found))


@click.command("query")
@click.argument("name")
@click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="VALUE is JSON or text.")
@store_options
def query(name: str, params: tuple[str, ...], options: StoreOptions) -> None:
    """Run the query file NAME (`indexer queries` lists them), read only. Roots may be given in short."""
    with asking(options) as index:
        file = catalogue.load(name)
        try:
            values = _values(file, parse_params(params))
        except ValueError as error:
            fail(Exit.USAGE, str(error))
        for place in ("root", "a", "b", "target"):
            if place in values:
                values[place] = index.resolve(str(values[place])).id
        rows = index.query(name, values)
    columns = [column.name for column in file.columns]
    emit(
        {"query": name, "params": values, "rows": rows},
        options.json,
        lambda _: table(columns, [[_cell(row.get(column)) for column in columns] for row in rows]),
    )


def _values(file: QueryFile, given: dict[str, Any]) -> dict[str, Any]:
    """All parameters of a file. Raises ValueError for one that is not its own or is missing."""
    declared = {field.name: field.type for field in file.parameters}
    if unknown := sorted(given.keys() - declared.keys()):
        raise ValueError(
            f"{file.name} takes {', '.join(declared) or 'no parameters'}, not {', '.join(unknown)}"
        )
    if missing := sorted((declared.keys() & REQUIRED) - given.keys()):
        raise ValueError(f"{file.name} needs " + " and ".join(f"--param {name}=..." for name in missing))
    defaults = {name: DEFAULTS.get(name, OPTIONAL.get(type_)) for name, type_ in declared.items()}
    return {**defaults, **given}


def _described(file: QueryFile) -> dict[str, Any]:
    return {
        "name": file.name,
        "title": file.title,
        "parameters": [{"name": p.name, "type": p.type, "meaning": p.meaning} for p in file.parameters],
        "columns": [{"name": c.name, "type": c.type, "meaning": c.meaning} for c in file.columns],
    }


def _table(found: list[QueryFile]) -> RenderableType:
    rows = [(one.name, one.title, ", ".join(p.name for p in one.parameters)) for one in found]
    return table(("query", "question", "parameters"), rows)


def _cell(value: object) -> object:
    return value if value is None or isinstance(value, bool | int) else str(value)
