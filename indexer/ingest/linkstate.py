"""What the graph holds of some files' links, so that only what differs is written.

A chat that has grown by a message keeps thousands of relationships; linking gives all of them again. Each
relationship is told by its ends, type and properties; what linking gives and the graph holds stays, what is
left over goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, LiteralString

from neo4j import Record

from indexer.ingest import statements as cypher
from indexer.ingest.rows import Row

Key = tuple[object, ...]
"""Group, type, from, to, properties."""

#: Group -> the statement that reads what the graph holds of it: from, type, to, props, element. The group tells
#: apart what has the same ids: a chat and a job of one path.
CHAT_GROUPS: Mapping[str, LiteralString] = {
    "links": cypher.HELD_CHAT_LINKS,
    "owners": cypher.HELD_OWNERS,
    "evidence": cypher.HELD_EVIDENCE,
}
_GROUPS: Mapping[LiteralString, str] = {
    cypher.CREATE_CHAT_TO_JOB: "links",
    cypher.CREATE_CHAT_TO_CHAT: "links",
    cypher.CREATE_JOB_CHATS: "owners",
    cypher.CREATE_DEPENDENCIES: "dependencies",
    cypher.CREATE_RECEIPT_OF: "receipts",
    cypher.CREATE_MESSAGE_EVIDENCE: "evidence",
    cypher.CREATE_RECEIPT_EVIDENCE: "evidence",
}


class HeldLinks:
    """Relationships that the graph holds; those that linking gives again are taken out (`missing`)."""

    def __init__(self) -> None:
        self._held: dict[Key, list[tuple[str, str]]] = {}
        self._inferences: dict[str, Key] = {}
        self._instructions: dict[tuple[str, str], tuple[str, str]] = {}

    def add(self, group: str, rows: Iterable[Record]) -> None:
        """Take what one of the statements read."""
        for row in rows:
            entry = (row["element"], row["to"])
            if row["type"] == "RAN_WITH":
                self._instructions[row["from"], row["to"]] = entry
                continue
            key = (group, row["type"], row["from"], row["to"], _plain(row["props"]))
            self._held.setdefault(key, []).append(entry)
            if group == "evidence":
                self._inferences[row["to"]] = _plain(row["inference"])

    def missing(self, statement: LiteralString, rows: Sequence[Row]) -> list[Row]:
        """The rows whose relationships are not there yet, of a statement that creates some."""
        if not self._held:
            return list(rows)
        return [row for row in rows if not self._take(_key(_GROUPS[statement], row))]

    def _take(self, key: Key) -> bool:
        entries = self._held.get(key)
        if not entries:
            return False
        entries.pop()
        return True

    def changed_inferences(self, rows: Sequence[Row]) -> list[Row]:
        """Paid requests that are new or say something else."""
        return [row for row in rows if self._inferences.get(row["id"]) != _plain(row["props"])]

    def ran_with(self, chat: str, digest: str) -> None:
        """The chat still runs with these instructions."""
        self._instructions.pop((chat, digest), None)

    def left(self) -> tuple[list[str], set[str]]:
        """What linking does not give any more: relationships, and the nodes that they lead to."""
        entries = [entry for found in self._held.values() for entry in found]
        entries += self._instructions.values()
        return [element for element, _ in entries], {to for _, to in entries}


def _key(group: str, row: Row) -> Key:
    if group == "evidence":
        return (group, "EVIDENCE", row["address"], row["inference"], _plain(row["props"]))
    if group == "receipts":
        return (group, "RECEIPT_OF", row["receipt"], row["job"], ())
    if group == "dependencies":
        return (group, "DEPENDENCY", row["from"], row["to"], _plain({"position": row["position"]}))
    return (group, row["type"], row["from"], row["to"], _plain(row.get("props") or {}))


def _plain(props: Mapping[str, Any]) -> Key:
    """Properties as the graph keeps them, comparable: no nulls, no order."""
    return tuple(
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in sorted(props.items())
        if value is not None
    )
