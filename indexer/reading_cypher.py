"""Cypher that someone typed, run so that it can only read: checked, explained, limited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import neo4j
from neo4j import ManagedTransaction
from neo4j.graph import Node, Path, Relationship

from indexer.readonly import NotReadOnly, check_read_only, explain_is_read
from indexer.store.connection import Store


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
    """Run `text` for reading. Raises NotReadOnly before anything is run, else StoreError."""
    check_read_only(text)

    def run(tx: ManagedTransaction) -> Answer:
        if not explain_is_read(tx, text):
            raise NotReadOnly("the statement would write")
        result = tx.run(text, dict(params))  # type: ignore[arg-type, unused-ignore]
        columns = list(result.keys())
        rows: list[list[Any]] = []
        for record in result:
            if len(rows) == limit:
                return Answer(columns, rows, True)
            rows.append([plain(value) for value in record.values()])
        return Answer(columns, rows, False)

    return store.read(run, timeout=timeout)


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
