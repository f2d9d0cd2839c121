"""Health: watchers, dead jobs and checks as the commands tell them, at a cost that does not grow with the files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from indexer import model
from indexer.cli import main
from indexer.ingest import standing
from indexer.store.connection import Store
from tests.conftest import ServerUnderTest
from tests.dashboard.conftest import Shown
from tests.dashboard.reading import Reading, flat
from tests.dashboard.test_figures import cells

WATCHER = """
CREATE (:Watcher {id: 'host:1:x', host: 'host', pid: 1, state: 'catching up', paths: ['/data/a', '/data/b'],
  polled: ['/data/b'], started_at: datetime.realtime(), beat_at: datetime.realtime() - duration({seconds: $silent}),
  reconciled_at: datetime('2026-09-01T10:00:00Z'), reconcile_seconds: 3.25, lag_seconds: 1.5, queue: 7, rounds: 12,
  files: 1234, problem: 'too few watches'})
"""


def command(server: ServerUnderTest, *words: str) -> Any:
    done = CliRunner().invoke(main, [*words, "--json", "--store", server.address])
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.stdout)


def rows(shown: Shown) -> dict[str, list[str]]:
    return {row[0]: row[1:] for row in cells(Reading(shown.text("/health"))) if row}


@pytest.fixture
def store(shown: Shown) -> Iterator[Store]:
    found: Store = shown.client.app.state.store  # type: ignore[attr-defined]
    yield found
    found.write("MATCH (w:Watcher) DELETE w")
    found.write(
        "MATCH (j:Job) WHERE j.crashed_since IS NOT NULL REMOVE j.crashed_since SET j.status = 'done'"
    )


def test_a_watcher_is_shown_as_status_tells_it(
    shown: Shown, store: Store, neo4j_server: ServerUnderTest
) -> None:
    store.write(WATCHER, {"silent": 1})
    (told,) = command(neo4j_server, "status")["watchers"]
    row = rows(shown)["/data/a, /data/b looked through again and again: /data/b"]
    assert row == ["catching up", "1.5", "7", "2026-09-01 10:00", "3.2", "12", "1,234", "too few watches"]
    assert (told["lag_seconds"], told["queue"], told["rounds"], told["files"]) == (1.5, 7, 12, 1234)
    assert json.loads(shown.text("/pulse"))["watch"] == "catching up"


def test_a_watcher_that_was_killed_is_no_watcher(shown: Shown, store: Store) -> None:
    store.write(WATCHER, {"silent": 300})
    assert "it was killed" in rows(shown)["/data/a, /data/b looked through again and again: /data/b"][0]
    assert json.loads(shown.text("/pulse"))["watch"] == ""


def test_dead_jobs_are_listed_as_the_command_lists_them(
    shown: Shown, store: Store, neo4j_server: ServerUnderTest
) -> None:
    store.write(
        "MATCH (j:Job) WITH j ORDER BY j.id LIMIT 1 SET j.status = 'start', j.crashed_since = datetime()"
    )
    told = command(neo4j_server, "jobs", "stale")["items"]
    page = rows(shown)
    assert told
    for job in told:
        assert page[job["ref"] or job["job"]][0] == job["status"]
    assert "crashed" in {job["status"] for job in told}


def test_checks_are_those_of_doctor(shown: Shown, store: Store, neo4j_server: ServerUnderTest) -> None:
    page = rows(shown)
    marks = {"ok": "✓ fine", "warn": "! look", "fail": "✗ fails"}
    checks = [
        c
        for c in command(neo4j_server, "doctor")["checks"]
        if c["name"] not in ("python", "watcher", "store")
    ]
    assert {"schema", "graph", "problems"} <= {check["name"] for check in checks}
    for check in checks:
        assert page[check["name"]] == [marks[check["state"]], flat(check["detail"]), check["remedy"]]


def test_what_the_graph_holds_is_counted_without_looking_at_it(shown: Shown, store: Store) -> None:
    def cost(query: str) -> int:
        return store.read(lambda tx: hits(tx.run("PROFILE " + query).consume().profile))  # type: ignore[arg-type]

    queries = (standing.NODES, standing.RELATIONSHIPS, standing.FILES)
    few = [cost(query) for query in queries]
    store.write(
        "UNWIND range(1, 3000) AS n CREATE (:File {path: 'made by a test ' + n, written_at: datetime()})"
    )
    try:
        assert [cost(query) for query in queries] == few
    finally:
        store.write("MATCH (f:File) WHERE f.path STARTS WITH 'made by a test' DELETE f")


def hits(plan: dict[str, Any]) -> int:
    return int(plan.get("dbHits", 0)) + sum(hits(child) for child in plan.get("children", []))


def test_every_type_of_relationship_is_counted() -> None:
    for relationship in model.RELATIONSHIPS:
        assert f"[r:{relationship.type}]" in standing.RELATIONSHIPS
