"""Every query of the kit runs on a real Neo4j, only reads, and finds something in the case study."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from indexer.model import NODES, RELATIONSHIPS
from indexer.readonly import check_read_only, explain_is_read
from indexer.store.connection import Store

DOCKER = Path(__file__).parents[2] / "docker"
FAVOURITES = sorted((DOCKER / "browser/favourites").glob("*.cypher"))
DASHBOARD = json.loads((DOCKER / "neodash/dashboard.json").read_text())
REPORTS = [(page["title"], report) for page in DASHBOARD["pages"] for report in page["reports"]]
TYPES = {"table", "graph", "value", "bar", "pie", "select"}
COLUMNS = 24


def statements(text: str) -> list[str]:
    return [
        part.strip() for part in re.split(r";\s*(?:\n|$)", text) if re.sub(r"(?m)^\s*//.*$", "", part).strip()
    ]


def rows(store: Store, query: str, params: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    check_read_only(query)
    assert store.read(lambda tx: explain_is_read(tx, query))
    return [record.data() for record in store.read(query, params or {})]


@pytest.mark.parametrize("file", FAVOURITES, ids=lambda file: file.stem)
def test_a_favourite_runs(file: Path, case_root: Path, neo4j_store: Store) -> None:
    text = file.read_text()
    assert text.startswith("// "), "Browser takes the first comment as the favourite's name"
    (statement,) = statements(text)
    assert rows(neo4j_store, statement)


@pytest.mark.parametrize("step", range(10))
def test_the_guide_runs(step: int, case_root: Path, neo4j_store: Store) -> None:
    found = statements((DOCKER / "browser/guide.cypher").read_text())
    assert len(found) == 10
    assert rows(neo4j_store, found[step])


@pytest.mark.parametrize(
    ("page", "report"), REPORTS, ids=[f"{page}: {report['title']}" for page, report in REPORTS]
)
def test_a_dashboard_report_runs(
    page: str, report: dict[str, Any], case_root: Path, e_root: str, neo4j_store: Store
) -> None:
    params = {**DASHBOARD["settings"]["parameters"], "neodash_root": e_root, "input": ""}
    if page == "Scope" and report["title"] == "What is only context":
        params["neodash_root"] = str(case_root / "git/alembic-notes/chats/release_notes.chat")
    used = set(re.findall(r"\$(\w+)", report["query"]))
    assert used <= set(params)

    found = rows(neo4j_store, report["query"], {name: params[name] for name in used})

    assert found
    columns = {name for row in found for name in row}
    if report["type"] in ("bar", "pie"):
        assert {report["selection"]["index"], report["selection"]["value"]} <= columns
        assert all(isinstance(row[report["selection"]["value"]], int) for row in found)
    if report["type"] == "value":
        assert len(found) == len(columns) == 1
    if report["type"] == "select":
        assert {"value", "display"} <= columns


def test_the_dashboards_figures_are_those_of_the_answers(
    case_root: Path, e_root: str, neo4j_store: Store
) -> None:
    from indexer.api import Index

    scope = Index(neo4j_store).scope(e_root)
    by_title = {report["title"]: report["query"] for _, report in REPORTS}
    params = {"neodash_root": e_root, "neodash_job_refs": "all"}
    assert len(rows(neo4j_store, by_title["Members"], params)) == scope.totals.chats + scope.totals.jobs
    paid = rows(neo4j_store, by_title["Tokens by agent in this scope"], params)
    assert sum(row["Tokens"] for row in paid) == scope.totals.tokens.tt


def test_the_dashboard_has_the_form_of_neodash_2_4() -> None:
    assert DASHBOARD["version"] == "2.4"
    assert {"title", "settings", "pages", "parameters", "extensions"} <= set(DASHBOARD)
    ids = [report["id"] for _, report in REPORTS]
    assert len(set(ids)) == len(ids)
    for page in DASHBOARD["pages"]:
        taken: set[tuple[int, int]] = set()
        for report in page["reports"]:
            assert report["type"] in TYPES
            assert {"title", "query", "width", "height", "x", "y", "selection", "settings"} <= set(report)
            assert report["x"] + report["width"] <= COLUMNS
            cells = {
                (x, y)
                for x in range(report["x"], report["x"] + report["width"])
                for y in range(report["y"], report["y"] + report["height"])
            }
            assert not cells & taken
            taken |= cells
    chosen = {report["settings"].get("parameterName") for _, report in REPORTS if report["type"] == "select"}
    assert chosen == {"neodash_root", "neodash_job_refs"}


def test_the_style_names_the_models_labels_and_properties() -> None:
    text = (DOCKER / "browser/style.grass").read_text()
    nodes = {node.label: {p.name for p in node.properties} for node in NODES}
    nodes["ToolCall"] |= nodes["Message"]
    types = {r.type: {p.name for p in r.properties} for r in RELATIONSHIPS}
    rules = re.findall(r"(?ms)^(node|relationship)\.?(\w*) \{\n(.*?)^\}", text)
    assert text.count("{\n") == len(rules)
    for kind, name, body in rules:
        known = nodes if kind == "node" else types
        if name:
            assert name in known
            for used in re.findall(r"\{(\w+)\}", body):
                assert used in known[name]
        for line in body.strip().splitlines():
            assert re.fullmatch(r"[a-z-]+: [^;]+;", line.strip())
    assert {name for kind, name, _ in rules if kind == "node" and name} >= {
        "Chat", "Job", "Message", "ToolCall", "Content", "Receipt", "Inference", "Instructions", "Problem",
    }  # fmt: skip
