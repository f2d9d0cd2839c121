"""Rows of any query as CSV or Parquet, read and written row by row.

Lists and maps become JSON texts, since neither a spreadsheet nor a column of one type holds them. Columns
of a query file have the types that its first comment gives; those of typed Cypher are told by the first rows.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import IO, Any

import orjson

from indexer.exports.errors import library
from indexer.reading_cypher import plain

BATCH = 5_000
#: Column types of query files to Arrow's; all else is text.
_ARROW = {"INTEGER": "int64", "FLOAT": "float64", "BOOLEAN": "bool_"}
_NAMES = {int: "INTEGER", float: "FLOAT", bool: "BOOLEAN"}


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], file: IO[bytes]) -> int:
    """CSV with a header (RFC 4180, UTF-8); gives the number of rows. Nothing and empty text look alike."""
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="", write_through=True)
    told = 0
    try:
        writer = csv.writer(text)
        writer.writerow(columns)
        for row in rows:
            writer.writerow([_cell(value) for value in row])
            told += 1
    finally:
        text.detach()
    return told


def write_parquet(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    file: IO[bytes],
    types: Mapping[str, str] | None = None,
) -> int:
    """Parquet in groups of `BATCH` rows; gives the number of rows. Raises MissingLibrary."""
    pa = library("pyarrow", "pyarrow")
    parquet = library("pyarrow.parquet", "pyarrow")
    coming = iter(rows)
    first = list(islice(coming, BATCH))
    known = dict(types or {})
    for i, column in enumerate(columns):
        known.setdefault(column, _type_of(row[i] for row in first))
    schema = pa.schema([(name, getattr(pa, _ARROW.get(known[name], "string"))()) for name in columns])
    told = 0
    with parquet.ParquetWriter(file, schema) as writer:
        for batch in _batches(first, coming):
            cells = [[_typed(row[i], known[name]) for row in batch] for i, name in enumerate(columns)]
            writer.write_table(pa.table(cells, schema=schema))
            told += len(batch)
    return told


def _batches(first: list[Sequence[Any]], rest: Iterator[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    batch = first
    while batch:
        yield batch
        batch = list(islice(rest, BATCH))


def _type_of(values: Iterable[Any]) -> str:
    found = {type(value) for value in values if value is not None}
    return _NAMES.get(found.pop(), "STRING") if len(found) == 1 else "STRING"


def _typed(value: Any, type_: str) -> Any:
    """A value for a column of that type; what is of another type becomes nothing or text."""
    if value is None:
        return None
    if type_ in _ARROW:
        wanted = next(kind for kind, name in _NAMES.items() if name == type_)
        if type(value) is wanted or (wanted is float and type(value) is int):
            return value
        return None
    return str(_cell(value))


def _cell(value: Any) -> Any:
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return orjson.dumps(value, default=str).decode()
    return "" if value is None else value
