"""The whole graph as CSV files for `neo4j-admin database import full`, with its argument file.

Columns are typed by `indexer.model`. An empty field is no property and `""` is an empty text, as that tool
reads them; every text is quoted, lists are parted by a mark that no item holds. Applied migrations are left
out: the import makes no constraints, so the new graph must not say that it has them (`indexer schema apply`
makes them). So are the writer's lease and the watchers, which tell of processes that are not at work there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from neo4j import ManagedTransaction

from indexer.exports.errors import ExportError
from indexer.exports.statements import ALL_NODES, ALL_RELATIONSHIPS, UNUSED_MARKS
from indexer.model import LEASE, MIGRATION, NODES, RELATIONSHIPS, WATCHER, Node, Property

ARGUMENTS = "import.args"
#: Marks between the items of a list, the first that no item holds is used.
MARKS = ("\x1f", "\x1e", "\x1d", "\x01", "\x02", "\x03", "\x04", "|")
#: A text of 2,000,000 characters with every quote doubled fits into the importer's buffer.
BUFFER = "64m"
_TYPES = {
    "STRING": "string",
    "INTEGER": "long",
    "FLOAT": "double",
    "BOOLEAN": "boolean",
    "DATETIME": "datetime",
    "BYTES": "byte[]",
    "LIST<STRING>": "string[]",
    "LIST<INTEGER>": "long[]",
}
_LEFT_OUT = (MIGRATION, LEASE, WATCHER)
_SINGLE = {node.label: node for node in NODES if node.beside is None and node not in _LEFT_OUT}
_BESIDE = {node.label: node for node in NODES if node.beside is not None}


def write_graph(tx: ManagedTransaction, folder: Path) -> dict[str, int]:
    """Write the files; gives rows per file, and under `left_out` the nodes that the model does not know."""
    mark = _mark(tx)
    counts: Counter[str] = Counter()
    with ExitStack() as stack:
        files = _Files(folder, stack, mark)
        for record in tx.run(ALL_NODES):
            labels = record["labels"]
            name = files.node(labels, record["properties"])
            counts[name or "left_out"] += 1
        for record in tx.run(ALL_RELATIONSHIPS):
            counts[files.relationship(record.data()) or "left_out"] += 1
    (folder / ARGUMENTS).write_text(files.arguments(), encoding="utf-8")
    return dict(counts)


def _mark(tx: ManagedTransaction) -> str:
    record = tx.run(UNUSED_MARKS, marks=list(MARKS)).single()
    used = set(record["used"]) if record else set()
    for mark in MARKS:
        if mark not in used:
            return mark
    raise ExportError("lists of the graph hold every mark that could part their items")


class _Files:
    """The files being written, opened when their first row comes."""

    def __init__(self, folder: Path, stack: ExitStack, mark: str) -> None:
        self._folder, self._stack, self._mark = folder, stack, mark
        self._open: dict[str, IO[str]] = {}
        self._options: list[str] = []

    def node(self, labels: Sequence[str], properties: Mapping[str, Any]) -> str | None:
        """Write a node; the name of its file, None where the model does not know it."""
        main = next((label for label in labels if label in _SINGLE), None)
        if main is None:
            return None
        beside = sorted(label for label in labels if label in _BESIDE and _BESIDE[label].beside == main)
        columns = _columns(_SINGLE[main], [_BESIDE[label] for label in beside])
        names = [main, *beside]
        name = f"nodes_{'_'.join(names)}.csv"
        file = self._open.get(name)
        if file is None:
            key = _SINGLE[main].key
            header = [
                f"{c.name}:ID({main})" if c.name == key else f"{c.name}:{_TYPES[c.type]}" for c in columns
            ]
            file = self._start(name, header, f"--nodes={':'.join(names)}={name}")
        file.write(",".join([self._field(c, properties.get(c.name)) for c in columns]) + "\n")
        return name

    def relationship(self, row: Mapping[str, Any]) -> str | None:
        """Write a relationship; the name of its file, None where the model does not know it."""
        declared = _RELATIONSHIPS.get(row["type"])
        ends = [next((x for x in row[side] if x in _SINGLE), None) for side in ("from_labels", "to_labels")]
        if declared is None or None in ends:
            return None
        name = f"relationships_{row['type']}_{ends[0]}_{ends[1]}.csv"
        file = self._open.get(name)
        if file is None:
            header = [f":START_ID({ends[0]})", f":END_ID({ends[1]})"]
            header += [f"{c.name}:{_TYPES[c.type]}" for c in declared]
            file = self._start(name, header, f"--relationships={row['type']}={name}")
        fields = [quoted(row["from"]), quoted(row["to"])]
        fields += [self._field(c, row["properties"].get(c.name)) for c in declared]
        file.write(",".join(fields) + "\n")
        return name

    def _start(self, name: str, header: Sequence[str], option: str) -> IO[str]:
        file = self._stack.enter_context(
            (self._folder / name).open("w", encoding="utf-8", newline="", errors="replace")
        )
        self._open[name] = file
        self._options.append(option)
        file.write(",".join(header) + "\n")
        return file

    def _field(self, column: Property, value: Any) -> str:
        return field(value, column.type, self._mark)

    def arguments(self) -> str:
        """Arguments of `neo4j-admin database import full`, one a line; run it in the folder."""
        options = [
            "--multiline-fields=true",
            "--legacy-style-quoting=false",
            "--ignore-empty-strings=false",
            "--trim-strings=false",
            f"--read-buffer-size={BUFFER}",
            f"--array-delimiter=U+{ord(self._mark):04X}",
            *sorted(self._options),
        ]
        return "\n".join(options) + "\n"


def _columns(node: Node, beside: Sequence[Node]) -> list[Property]:
    named: dict[str, Property] = {}
    for part in (node, *beside):
        for column in part.properties:
            named.setdefault(column.name, column)
    return list(named.values())


_RELATIONSHIPS = {r.type: r.properties for r in RELATIONSHIPS}


def quoted(text: str) -> str:
    """A text as a quoted field."""
    return '"' + text.replace('"', '""') + '"'


def field(value: Any, type_: str, mark: str) -> str:
    """A value of the model's type as one field; nothing for None."""
    if value is None:
        return ""
    if type_ == "STRING":
        return quoted(str(value))
    if type_.startswith("LIST"):
        return quoted(mark.join(str(item) for item in value))
    if type_ == "BYTES":  # the importer reads signed bytes
        return quoted(mark.join(str(byte - 256 if byte > 127 else byte) for byte in bytes(value)))
    if type_ == "BOOLEAN":
        return "true" if value else "false"
    if type_ == "DATETIME":
        return quoted(value.iso_format())
    return repr(value)
