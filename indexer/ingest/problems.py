"""Problems of paths: what a walk could not look at. They are replaced as a whole where walks looked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import LiteralString

from indexer.discovery.found import PathProblem
from indexer.formats.records import Problem
from indexer.ingest import statements as cypher
from indexer.ingest.checkpoints import batches
from indexer.ingest.rows import problem_row
from indexer.store.store import Store

HELD: LiteralString = """
UNWIND $prefixes AS prefix
MATCH (p:Problem) WHERE p.path STARTS WITH prefix AND p.stage = 'walk'
RETURN DISTINCT p.id AS id, p.path AS path
"""
BELOW: LiteralString = """
UNWIND $roots AS root
CALL (root) {
  MATCH (p:Problem {path: root}) RETURN p
  UNION
  MATCH (p:Problem) WHERE p.path STARTS WITH root + '/' RETURN p
}
RETURN count(DISTINCT p) AS problems
"""
DELETE: LiteralString = "UNWIND $ids AS id MATCH (p:Problem {id: id}) DETACH DELETE p"


def write_path_problems(
    store: Store, prefixes: Iterable[str], covers: Callable[[str], bool], problems: Sequence[PathProblem]
) -> int:
    """Bring the walks' problems to what was found now; how many there are.

    `prefixes` begin the paths of all that was looked at, `covers` tells which of them exactly.
    """
    held: set[str] = set()
    for batch in batches(list(prefixes)):
        held |= {row["id"] for row in store.read(HELD, {"prefixes": batch}) if covers(row["path"])}
    rows = {}
    for problem in problems:
        row = problem_row("walk", problem.path, Problem(problem.kind, problem.detail), {"chat": problem.path})
        rows[row["props"]["id"]] = row
    gone = sorted(held - rows.keys())
    for batch in batches(gone):
        store.write(DELETE, {"ids": batch})
    new = [row for id, row in rows.items() if id not in held]
    for batch in batches(new):
        store.write(cypher.WRITE_PROBLEMS, {"rows": batch})
    return len(rows)


def problems_below(store: Store, roots: Sequence[str]) -> int:
    """How many problems the graph holds of files at these paths or below them."""
    return int(store.read(BELOW, {"roots": list(roots)})[0]["problems"])
