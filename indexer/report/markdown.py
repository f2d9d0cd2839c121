"""The long report as Markdown (see `indexer.answers.markdown`)."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.answers.markdown import code, grid, plain
from indexer.report.content import Content, Table, number


def to_markdown(page: Content, *, version: str = "") -> str:
    """The whole report."""
    return "\n".join(_lines(page, version)) + "\n"


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
    yield from grid(table.columns, table.rows)


def _command(table: Table) -> str:
    return f"The whole list: {code(table.command)}" if table.command else ""
