"""Every query file: its comment, its plan, and that it runs as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from indexer.answers import catalogue
from indexer.store.connection import Store
from tests.conftest import empty
from tests.support_case import case
from tests.support_graph import Told

#: Scans that are meant: these questions look at all nodes of a label.
INTENDED = {
    "lookup_part": {"Chat", "Job"},
    "find_exact": {"Content"},
    "problems": {"Problem"},
    "copied_blocks": {"Chat", "Job", "JOB", "CONTEXT"},
    "orphan_jobs": {"Job"},
    "replayed_answers": {"Inference", "EVIDENCE"},
}
#: Node labels by size: what no question about a root may scan.
SCANS = ("AllNodesScan", "NodeByLabelScan", "LabelScan", "RelationshipTypeScan", "AllRelationshipsScan")
CLOSURE = re.compile(
    r"MATCH \(root\)-\[path:JOB\|AGENT_JOB\|CONTEXT\|DEPENDENCY\|LOG\|RESULT\*0\.\.\]->\((\w+)\)\n"
    r"WHERE all\(e IN path WHERE CASE type\(e\)\n"
    r"  WHEN 'CONTEXT' THEN \$job_refs = 'all' AND e\.relation IN \$follow\n"
    r"  ELSE toLower\(type\(e\)\) IN \$follow END\)"
)
VALUES: dict[str, Any] = {
    "root": "", "a": "", "b": "", "target": "", "address": "", "job_refs": "all",
    "follow": ["job", "agent_job", "dependency", "log", "result"], "skip": 0, "limit": 100, "offset": 0,
    "length": 1000, "hours": 24, "ids": ["x"], "names": ["x"], "text": "found",
}  # fmt: skip


@pytest.fixture(scope="module")
def filled(neo4j_store: Store) -> tuple[Store, str]:
    """A graph large enough that the planner has something to choose."""
    empty(neo4j_store)
    told = Told()
    root = case(told, "plans", jobs=6, rounds=20)
    case(told, "others", jobs=6, rounds=20)
    told.problem("unclosed_region", ("Chat", root), "a region that never closes")
    told.load(neo4j_store)
    neo4j_store.implicit("CALL db.resampleOutdatedIndexes()")
    return neo4j_store, root


def values(file: catalogue.QueryFile, root: str) -> dict[str, Any]:
    """Parameters of a file about the filled graph."""
    given = {field.name: VALUES.get(field.name) for field in file.parameters}
    places = {
        "root": root,
        "a": root,
        "b": root.replace("plans", "others"),
        "target": root,
        "address": f"{root}#1",
    }
    known = {name: value for name, value in places.items() if name in given}
    flags = {field.name: False for field in file.parameters if field.type == "BOOLEAN"}
    return {**given, **flags, **known}


@pytest.mark.parametrize("name", catalogue.names())
def test_the_comment_tells_parameters_columns_and_an_example(name: str) -> None:
    file = catalogue.load(name)
    body = "\n".join(line for line in file.text.splitlines() if not line.lstrip().startswith("//"))
    used = set(re.findall(r"\$(\w+)", body))
    assert file.title.endswith((".", "?")), file.title
    assert {field.name for field in file.parameters} == used
    assert file.columns
    assert all(field.meaning for field in (*file.parameters, *file.columns))
    examples = [line for line in file.example if line.startswith(":param ")]
    assert {line.split()[1] for line in examples} == used
    assert all(re.fullmatch(r":param \w+ => \S.*", line) for line in examples)
    assert "apoc." not in body.lower()
    assert body.count(";") == 1
    assert body.endswith(";")


@pytest.mark.parametrize("name", catalogue.names())
def test_it_runs_and_gives_the_columns_it_tells(filled: tuple[Store, str], name: str) -> None:
    store, root = filled
    file = catalogue.load(name)
    told = [field.name for field in file.columns]

    def work(tx: Any) -> tuple[list[str], int]:
        result = tx.run(file.text, values(file, root))
        return list(result.keys()), len(list(result))

    keys, _ = store.read(work)
    assert keys == told


@pytest.mark.parametrize("name", catalogue.names())
def test_its_plan_starts_at_an_index(filled: tuple[Store, str], name: str) -> None:
    store, root = filled
    file = catalogue.load(name)

    def work(tx: Any) -> dict[str, Any]:
        return tx.run("EXPLAIN " + file.text, values(file, root)).consume().plan

    allowed = INTENDED.get(name, set())
    for operator, details in operators(store.read(work)):
        assert "CartesianProduct" not in operator, details
        assert "AllNodesScan" not in operator, details
        if any(scan in operator for scan in SCANS):
            scanned = set(re.findall(r":(\w+)", details))
            assert scanned, f"{operator} {details}"
            assert scanned <= allowed, f"{operator} {details}"


def operators(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """All operators of a plan with their details."""
    yield plan["operatorType"], plan["args"].get("Details", "")
    for child in plan.get("children", []):
        yield from operators(child)


def test_closures_are_searched_without_repeating_paths(filled: tuple[Store, str]) -> None:
    """The traversal of every closure is planned as a pruning search: linear in edges, not in paths."""
    store, root = filled
    for name in catalogue.names():
        file = catalogue.load(name)

        def work(tx: Any, file: catalogue.QueryFile = file) -> dict[str, Any]:
            return tx.run("EXPLAIN " + file.text, values(file, root)).consume().plan

        searches = [op for op, _ in operators(store.read(work)) if "VarLengthExpand" in op]
        assert all("Pruning" in search for search in searches), (name, searches)
        if "*0..]" in file.text:
            assert searches, name


def test_every_closure_is_the_same_text() -> None:
    for name in catalogue.names():
        text = catalogue.load(name).text
        if "(root)-[path:" in text:
            assert CLOSURE.search(text), name


ROOTED = [n for n in catalogue.names() if "root" in {f.name for f in catalogue.load(n).parameters}]


@pytest.mark.parametrize("name", ROOTED)
def test_an_unknown_root_gives_no_error(filled: tuple[Store, str], name: str) -> None:
    store, root = filled
    file = catalogue.load(name)
    store.read(file.text, {**values(file, root), "root": "/nowhere"})
