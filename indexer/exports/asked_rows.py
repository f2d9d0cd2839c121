"""The rows of a query file or of typed Cypher, streamed into a table file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, Protocol

from neo4j import ManagedTransaction

from indexer.answers.catalogue import QueryFile, load
from indexer.answers.closure import Closure
from indexer.answers.roots import Root
from indexer.exports.errors import ExportError
from indexer.exports.files import to_file
from indexer.exports.tables import write_csv, write_parquet
from indexer.readonly import NotReadOnly, check_read_only, explain_is_read
from indexer.store.connection import Store

DEFAULT_QUERY = "edges"
#: Rows at most of a query file that takes a limit: all there can be.
EVERYTHING = 2**31 - 1


class Table(Protocol):
    """What is asked for: format, place, query or Cypher with parameters; a scope where there is a root."""

    @property
    def form(self) -> str: ...  # noqa: D102
    @property
    def output(self) -> str: ...  # noqa: D102
    @property
    def root(self) -> Root | None: ...  # noqa: D102
    @property
    def closure(self) -> Closure: ...  # noqa: D102
    @property
    def query(self) -> str | None: ...  # noqa: D102
    @property
    def cypher(self) -> str | None: ...  # noqa: D102
    @property
    def params(self) -> dict[str, Any]: ...  # noqa: D102


def write_table(store: Store, asked: Table) -> dict[str, Any]:
    """Write the rows; gives their number. Raises ExportError, AnswerError, StoreError."""
    if asked.cypher is not None:
        text: str = asked.cypher
        params: Mapping[str, Any] = asked.params
        types: Mapping[str, str] | None = None
        try:
            check_read_only(text)
        except NotReadOnly as error:
            raise ExportError(str(error)) from error
    else:
        query = load(asked.query or DEFAULT_QUERY)
        text, params = query.text, _params(query, asked)
        types = {column.name: column.type for column in query.columns}

    def work(tx: ManagedTransaction, file: IO[bytes]) -> int:
        if asked.cypher is not None and not explain_is_read(tx, text):
            raise ExportError("the statement would write")
        result = tx.run(text, params)  # type: ignore[arg-type, unused-ignore]
        columns = [name for name in list(result.keys()) if types is None or name != "total"]
        rows = _rows(result, columns)
        if asked.form == "csv":
            return write_csv(columns, rows, file)
        return write_parquet(columns, rows, file, types)

    return {"rows": to_file(store, asked.output, work)}


def _rows(result: Any, columns: Sequence[str]) -> Iterator[list[Any]]:
    for record in result:
        yield [record[name] for name in columns]


def _params(query: QueryFile, asked: Table) -> Mapping[str, Any]:
    """Parameters of a query file: those given, the scope's, all rows, and null for filters not given."""
    known: dict[str, Any] = {"skip": 0, "limit": EVERYTHING}
    if asked.root is not None:
        known |= asked.closure.params(asked.root.id)
    known |= asked.params
    names = [parameter.name for parameter in query.parameters]
    unknown = sorted(set(asked.params) - set(names))
    if unknown:
        raise ExportError(
            f"{query.name} takes no parameter {', '.join(unknown)}; it takes {', '.join(names)}"
        )
    if "root" in names and "root" not in known:
        raise ExportError(f"{query.name} is about a chat or job: name it as ROOT")
    needed = [p.name for p in query.parameters if p.name not in known and not _optional(p.type, p.meaning)]
    if needed:
        raise ExportError(f"{query.name} needs --param {needed[0]}=VALUE")
    blank = {p.name: False if p.type == "BOOLEAN" else None for p in query.parameters}
    return {name: known.get(name, blank[name]) for name in names}


def _optional(type_: str, meaning: str) -> bool:
    return type_ == "BOOLEAN" or "null" in meaning
