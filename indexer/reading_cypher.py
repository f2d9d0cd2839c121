"""Cypher that someone typed, run so that it can only read: checked, explained, limited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import neo4j
from neo4j import Transaction
from neo4j.graph import Node, Path, Relationship

from indexer.readonly import NotReadOnly, check_read_only, explain_is_read
from indexer.store.connection import Store

#: Characters of an answer, about: rows may be few and each of them a book.
MOST_CHARACTERS = 50_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows of a statement as plain values; `more` when there were more than the limit."""

    columns: list[str]
    rows: list[list[Any]]
    more: bool

    def as_dict(self) -> dict[str, Any]:
        """The answer as JSON."""
        return {"columns": self.columns, "rows": self.rows, "more": self.more}


def read_cypher(
    store: Store, text: str, params: Mapping[str, Any], *, limit: int = 1000, timeout: float = 30.0
) -> Answer:
    """Run `text` for reading. Raises NotReadOnly before anything is run, else StoreError.

    At most `limit` rows and about `MOST_CHARACTERS` are taken; the server ends what takes longer than `timeout`
    seconds. The statement is sent once: no driver's retry brings back what a server went down with.
    """
    check_read_only(text)
    if not store.read(lambda tx: explain_is_read(tx, text), timeout=timeout):
        raise NotReadOnly("the statement would write")

    def run(tx: Transaction) -> Answer:
        result = tx.run(text, dict(params))  # type: ignore[arg-type, unused-ignore]
        columns = list(result.keys())
        rows: list[list[Any]] = []
        characters = 0
        for record in result:
            if len(rows) == limit or characters > MOST_CHARACTERS:
                return Answer(columns, rows, True)
            rows.append([plain(value) for value in record.values()])
            characters += sum(map(_weight, rows[-1]))
        return Answer(columns, rows, False)

    return store.read_once(run, timeout=timeout)


def _weight(value: Any) -> int:
    """About how many characters a plain value takes."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping):
        return sum(len(name) + _weight(item) for name, item in value.items())
    return sum(map(_weight, value)) if isinstance(value, list) else 8


def plain(value: Any) -> Any:
    """A value of the graph as JSON can hold it."""
    if isinstance(value, Node):
        return {"labels": sorted(value.labels), **{name: plain(item) for name, item in value.items()}}
    if isinstance(value, Relationship):
        return {"type": value.type, **{name: plain(item) for name, item in value.items()}}
    if isinstance(value, Path):
        steps: list[Any] = [plain(value.start_node)]
        for relationship in value.relationships:
            steps += [plain(relationship), plain(relationship.end_node)]
        return steps
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, bytes | bytearray):
        return f"<{len(value)} bytes>"
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, neo4j.time.DateTime | neo4j.time.Date | neo4j.time.Time):
        return value.iso_format()
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
