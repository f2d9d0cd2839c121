"""A report as Markdown that any viewer shows alike: text of chats in it is never markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from indexer.report.content import Cell, Content, Table, number

# Inside a line; an underscore or a sign inside a word means nothing.
_SPECIAL = re.compile(r"([\\`*\[\]<>|~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")
_AT_START = re.compile(r"^(?=[#+=:-])|^(\d+)(?=[.)])")
_ADDRESS = re.compile(r"://|www\.|@\w+\.", re.IGNORECASE)
_BLANK = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")


def to_markdown(page: Content, *, version: str = "") -> str:
    """The whole report."""
    return "\n".join(_lines(page, version)) + "\n"


def plain(text: object) -> str:
    """Text on one line in which nothing is markup; what a viewer would turn into a link is code."""
    flat = _BLANK.sub(" ", str(text)).strip()
    if _ADDRESS.search(flat):
        return code(flat)
    return _AT_START.sub(
        lambda found: f"{found[1]}\\" if found[1] else "\\", _SPECIAL.sub(r"\\\1", flat), count=1
    )


def code(text: str) -> str:
    """Text as code on one line, whatever backticks it holds; a pipe stays inside its cell."""
    flat = _BLANK.sub(" ", text).strip() or " "
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", flat)), default=0))
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}".replace("|", "\\|")


def _lines(page: Content, version: str) -> Iterator[str]:
    yield f"# Provenance of {plain(page.title)}"
    yield ""
    yield f"Root {page.kind}: {code(page.root)}"
    if page.base:
        yield ""
        yield f"Paths below are below {code(page.base)}."
    for card in page.cards:
        yield ""
        yield f"**{plain(card.title)}: {number(card.figure)} {plain(card.unit)}**"
        yield ""
        for line in card.lines:
            yield f"- {plain(line)}"
    if page.warnings:
        yield ""
        yield "## Before you rely on this"
        yield ""
        for line in page.warnings:
            yield f"- {plain(line)}"
    for table in page.tables:
        yield ""
        yield from _table(table)
    yield ""
    yield from (plain(remark) for remark in page.remarks)
    if version:
        yield ""
        yield f"Made by provenance-indexer {plain(version)}."


def _table(table: Table) -> Iterator[str]:
    yield f"## {plain(table.title)}"
    yield ""
    shown = f"{len(table.rows):,} of {table.total:,}" if len(table.rows) < table.total else f"{table.total:,}"
    yield " ".join(part for part in (plain(table.note), f"{shown} shown.", _command(table)) if part)
    yield ""
    yield _row([plain(column.removeprefix("#")) for column in table.columns])
    yield _row(["---:" if column.startswith("#") else "---" for column in table.columns])
    for row in table.rows:
        yield _row([_cell(value) for value in row])


def _command(table: Table) -> str:
    return f"The whole list: {code(table.command)}" if table.command else ""


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, int | float) else plain(value)
