"""Migrations of the graph: the `schema/V*.cypher` files, which of them a graph has, and applying the rest.

A file is applied statement by statement (schema commands cannot share a transaction with data), then
recorded as a `Migration` node with its checksum. Every statement is repeatable, so a crash in between is
mended by running again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from neo4j import Driver, ManagedTransaction

_NAME = re.compile(r"V(\d{4})__(\w+)\.cypher")

APPLIED = (
    "MATCH (m:Migration) RETURN m.version AS version, m.name AS name, m.checksum AS checksum ORDER BY version"
)
RECORD = (
    "MERGE (m:Migration {version: $version}) "
    "ON CREATE SET m.name = $name, m.checksum = $checksum, m.applied_at = datetime() "
    "ON MATCH SET m.name = $name, m.checksum = $checksum"
)
CONSTRAINTS = "SHOW CONSTRAINTS YIELD name RETURN collect(name) AS names"
INDEXES = "SHOW INDEXES YIELD name, state RETURN collect([name, state]) AS indexes"


class SchemaError(Exception):
    """The graph's schema and the program's do not fit; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration file: number, name, its statements in order, digest of its text."""

    version: int
    name: str
    statements: tuple[str, ...]
    checksum: str


@dataclass(frozen=True, slots=True)
class SchemaState:
    """What a graph has against what the program knows: versions, and names of constraints and indexes."""

    applied: tuple[int, ...]
    pending: tuple[int, ...]
    changed: tuple[int, ...]
    unknown: tuple[int, ...]
    missing_names: tuple[str, ...]

    @property
    def current(self) -> bool:
        """True when nothing is left to do and nothing is wrong."""
        return not (self.pending or self.changed or self.unknown or self.missing_names)


def migrations() -> tuple[Migration, ...]:
    """All migration files of the installed package, by version."""
    found = []
    for entry in files("indexer.schema").iterdir():
        match = _NAME.fullmatch(entry.name)
        if match:
            text = entry.read_text(encoding="utf-8")
            digest = hashlib.sha256(text.encode()).hexdigest()
            found.append(Migration(int(match[1]), match[2], tuple(statements(text)), digest))
    return tuple(sorted(found, key=lambda m: m.version))


def statements(text: str) -> Iterator[str]:
    """The statements of a .cypher file: comment lines dropped, cut at `;` at the end of a line."""
    kept = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
    for piece in re.split(r";\s*(?:\n|$)", "\n".join(kept)):
        if piece.strip():
            yield piece.strip()


def expected_names() -> set[str]:
    """Names of every constraint and index that the migrations make."""
    pattern = re.compile(r"CREATE (?:CONSTRAINT|(?:FULLTEXT )?INDEX) (\w+)")
    return {match[1] for m in migrations() for s in m.statements if (match := pattern.match(s))}


def inspect(driver: Driver, database: str | None) -> SchemaState:
    """Compare the graph's migrations and names with the program's."""
    known = {m.version: m for m in migrations()}

    def read(tx: ManagedTransaction) -> tuple[dict[int, str], set[str]]:
        applied = {r["version"]: r["checksum"] for r in tx.run(APPLIED)}
        names = set(tx.run(CONSTRAINTS).single(strict=True)["names"])
        names |= {name for name, _ in tx.run(INDEXES).single(strict=True)["indexes"]}
        return applied, names

    with driver.session(database=database) as session:
        applied, names = session.execute_read(read)
    return SchemaState(
        applied=tuple(sorted(applied)),
        pending=tuple(v for v in known if v not in applied),
        changed=tuple(v for v, c in applied.items() if v in known and known[v].checksum != c),
        unknown=tuple(v for v in applied if v not in known),
        missing_names=tuple(sorted(expected_names() - names)),
    )


def refuse_newer(state: SchemaState) -> None:
    """Raise `SchemaError` when the graph was made by a newer program."""
    if state.unknown:
        newest = max(state.unknown)
        known = max(m.version for m in migrations())
        raise SchemaError(
            f"the graph has schema version {newest}, this program knows {known}: "
            "update provenance-indexer, or use another store"
        )


def apply(driver: Driver, database: str | None) -> SchemaState:
    """Apply what is pending or lost; the state afterwards. Safe to run at any time, by several at once."""
    state = inspect(driver, database)
    refuse_newer(state)
    if state.current:
        return state
    for migration in migrations():
        if migration.version in state.pending or migration.version in state.changed or state.missing_names:
            _apply_one(driver, database, migration)
    with driver.session(database=database) as session:
        session.execute_read(lambda tx: tx.run("CALL db.awaitIndexes(300)").consume())
    return inspect(driver, database)


def _apply_one(driver: Driver, database: str | None, migration: Migration) -> None:
    def run(tx: ManagedTransaction, statement: str) -> None:
        # The text comes from the package's own files, never from input.
        tx.run(statement).consume()

    def record(tx: ManagedTransaction) -> None:
        tx.run(RECORD, version=migration.version, name=migration.name, checksum=migration.checksum).consume()

    with driver.session(database=database) as session:
        for statement in migration.statements:
            session.execute_write(run, statement)
        session.execute_write(record)
