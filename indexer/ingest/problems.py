"""Problems of paths: what a walk could not look at. They are replaced as a whole for the scanned roots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import LiteralString

from indexer.discovery.found import PathProblem
from indexer.formats.records import Problem
from indexer.ingest import statements as cypher
from indexer.ingest.rows import problem_row
from indexer.store.connection import Store

HELD: LiteralString = """
MATCH (p:Problem) WHERE p.path STARTS WITH $prefix AND p.stage = 'walk' RETURN p.id AS id
"""
DELETE: LiteralString = "UNWIND $ids AS id MATCH (p:Problem {id: id}) DETACH DELETE p"


def write_path_problems(store: Store, roots: Iterable[str], problems: Sequence[PathProblem]) -> int:
    """Bring the walk's problems below the roots to what this walk found; how many there are."""
    held: set[str] = set()
    for root in roots:
        held |= {row["id"] for row in store.read(HELD, {"prefix": root})}
    rows = {}
    for problem in problems:
        row = problem_row("walk", problem.path, Problem(problem.kind, problem.detail), {"chat": problem.path})
        rows[row["props"]["id"]] = row
    gone = sorted(held - rows.keys())
    if gone:
        store.write(DELETE, {"ids": gone})
    new = [row for id, row in rows.items() if id not in held]
    if new:
        store.write(cypher.WRITE_PROBLEMS, {"rows": new})
    return len(rows)
