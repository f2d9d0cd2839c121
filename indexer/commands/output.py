"""How commands speak: answers to stdout (JSON or tables), everything else to stderr, and how they fail."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import click
import orjson
from pydantic import BaseModel
from rich.console import Console, RenderableType
from rich.logging import RichHandler
from rich.table import Table
from rich.text import Text

from indexer.commands.exits import Exit

T = TypeVar("T", bound=BaseModel | Mapping[str, Any] | Sequence[Any])
Renders = Callable[[T], RenderableType | Iterable[RenderableType]]

#: Columns of a table that goes into a file or a pipe: wide enough that a row stays on one line, for `grep`.
PIPE_WIDTH = 5_000
# Chats hold whatever a model or a tool wrote: escape sequences must not reach the reader's terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def emit(answer: T, json: bool, table: Renders[T] | None = None) -> None:
    """Write an answer to stdout: as JSON, or as what `table` makes of it (without `table` always as JSON).

    JSON is on one line in a pipe and indented on a terminal.
    """
    if json or table is None:
        click.echo(dumps(answer, indent=sys.stdout.isatty()))
        return
    rendered = table(answer)
    console = stdout_console()
    parts = [rendered] if isinstance(rendered, str) or not isinstance(rendered, Iterable) else list(rendered)
    if console.is_terminal:
        for part in parts:
            console.print(part)
        return
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    # Tables pad their cells: in a pipe that would only be weight.
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def dumps(answer: object, *, indent: bool = False) -> str:
    """An answer as JSON text. Models give their contract names; times are ISO-8601."""
    if isinstance(answer, BaseModel):
        answer = answer.model_dump(mode="json", by_alias=True)
    return orjson.dumps(answer, default=_plain, option=orjson.OPT_INDENT_2 if indent else 0).decode()


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    return str(value)


def fail(code: Exit | int, message: str) -> NoReturn:
    """Say on stderr what went wrong (one line, or a line and a list) and end with the exit code."""
    click.echo(f"indexer: {printable(message)}", err=True)
    raise click.exceptions.Exit(int(code))


def note(message: str) -> None:
    """A remark beside the answer, on stderr."""
    click.echo(printable(message), err=True)


def printable(text: object) -> str:
    """Text that is safe to print: control characters other than tab and newline are shown, not sent."""
    return _CONTROL.sub(lambda found: _picture(ord(found.group())), str(text))


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"\\x{code:02x}"


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None) -> Table:
    """A table of plain values. A column named `#...` holds numbers; None is shown as nothing."""
    # A title is often a path, which must not be broken to the width of a narrow table.
    heading = Text(printable(title), no_wrap=True, overflow="ignore") if title is not None else None
    grid = Table(title=heading, title_justify="left", show_edge=False, pad_edge=False, header_style="bold")
    for name in columns:
        number = name.startswith("#")
        grid.add_column(
            printable(name.removeprefix("#")), justify="right" if number else "left", overflow="fold"
        )
    for row in rows:
        grid.add_row(*(_cell(value) for value in row))
    return grid


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else printable(value)


def stdout_console() -> Console:
    """The console of answers. Text of chats is never read as markup."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def stderr_console() -> Console:
    """The console of progress and logs."""
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def set_verbosity(verbosity: int) -> None:
    """Send the program's logs to stderr: warnings; -v information; -vv everything; -q errors only."""
    level = {-1: logging.ERROR, 0: logging.WARNING, 1: logging.INFO}.get(verbosity, logging.DEBUG)
    log = logging.getLogger("indexer")
    log.setLevel(level)
    log.handlers[:] = [RichHandler(console=stderr_console(), show_path=False, show_time=verbosity > 0)]
    log.propagate = False
    # The driver tells of lost connections in its own words and many lines; the command says so in one.
    logging.getLogger("neo4j").setLevel(logging.CRITICAL if verbosity < 2 else logging.INFO)
