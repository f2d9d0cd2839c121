"""`indexer queries` and `indexer query`: the query files by name."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers import catalogue
from indexer.answers.catalogue import QueryFile
from indexer.answers.errors import BadQuestion
from indexer.answers.limits import MAX_ANSWER, MAX_SUMMARY, fit
from indexer.commands.answering import asking
from indexer.commands.exits import Exit
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, fail, note, table
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
        described = [_described(one, full=name is not None) for one in found]
        emit({"queries": described}, options.json, lambda _: _table(found))


@click.command("query")
@click.argument("name")
@click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="VALUE is JSON or text.")
@page_options
@store_options
def query(name: str, params: tuple[str, ...], paging: PageOptions, options: StoreOptions) -> None:
    """Run the query file NAME (`indexer queries` lists them), read only. Roots may be given in short."""
    with asking(options) as index:
        file = catalogue.load(name)
        try:
            values = _values(file, parse_params(params), paging)
        except ValueError as error:
            fail(Exit.USAGE, str(error))
        for place in ("root", "a", "b", "target"):
            if place in values:
                values[place] = index.resolve(str(values[place])).id
        rows = index.query(name, values)
    whole = {"query": name, "params": values, "rows": rows}
    asked = paging.per_page is not None or any(param.startswith("limit=") for param in params)
    answer = whole
    if paging.summary or not asked:
        limit, most = (MAX_SUMMARY, 5) if paging.summary else (MAX_ANSWER, 50)
        answer = fit(whole, limit, most)
    emit(answer if answer is whole else {**answer, "cut": True}, options.json, lambda _: _rows(file, answer))
    if answer is not whole:
        note(f"Shortened: {len(answer['rows'])} of {len(rows)} rows; --page and --per-page give the rest.")


def _rows(file: QueryFile, answer: dict[str, Any]) -> RenderableType:
    columns = [column.name for column in file.columns]
    return table(columns, [[_cell(row.get(column)) for column in columns] for row in answer["rows"]])


def _values(file: QueryFile, given: dict[str, Any], paging: PageOptions) -> dict[str, Any]:
    """All parameters of a file. Raises ValueError for one that is not its own or is missing."""
    declared = {field.name: field.type for field in file.parameters}
    if unknown := sorted(given.keys() - declared.keys()):
        raise ValueError(
            f"{file.name} takes {', '.join(declared) or 'no parameters'}, not {', '.join(unknown)}"
        )
    if missing := sorted((declared.keys() & REQUIRED) - given.keys()):
        raise ValueError(f"{file.name} needs " + " and ".join(f"--param {name}=..." for name in missing))
    defaults = {name: DEFAULTS.get(name, OPTIONAL.get(type_)) for name, type_ in declared.items()}
    if "skip" in declared and "limit" in declared:
        entries = paging.per_page or DEFAULTS["limit"]
        defaults |= {"skip": (paging.page - 1) * entries, "limit": entries}
    return {**defaults, **given}


def _described(file: QueryFile, full: bool) -> dict[str, Any]:
    if not full:
        return {"name": file.name, "title": file.title, "parameters": [p.name for p in file.parameters]}
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
