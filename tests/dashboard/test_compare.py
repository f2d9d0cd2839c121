"""What is new: found without knowing what to compare, and the same as the command's figures."""

from __future__ import annotations

from starlette.testclient import TestClient

from indexer.answers.closure import closure
from indexer.dashboard.app import create_app
from indexer.dashboard.compare import new_tasks
from indexer.dashboard.links import page
from indexer.report import pictures
from indexer.store.connection import Store
from tests.conftest import empty
from tests.dashboard.conftest import Shown
from tests.dashboard.reading import Reading, flat


def heading(reading: Reading) -> str:
    return flat(reading.all("h1")[0].words)


def test_the_first_page_leads_to_what_is_new_in_the_latest_run(shown: Shown) -> None:
    latest = shown.index.conversations(per_page=1).items[0].root
    assert latest == shown.analysis
    (button,) = Reading(shown.text("/")).all("a", "button")
    assert flat(button.words) == "What is new in this run"
    found = Reading(shown.text(button.attributes["href"] or ""))
    assert heading(found) == "What is new in analysis.chat, compared with review.chat"
    lead = flat(found.all("p", "lead")[0].words)
    diff = shown.index.diff(shown.review, shown.analysis).only_in_b
    assert lead.startswith(
        f"{diff.jobs_total} new jobs, {diff.chats_total} new chats, {diff.tokens.tt:,} new tokens."
    )
    assert "it is continued here" in lead


def test_without_anything_given_the_latest_is_compared(shown: Shown) -> None:
    assert heading(Reading(shown.text("/diff"))).startswith("What is new in analysis.chat")
    assert "0 new jobs" not in shown.text("/diff")


def test_the_pages_of_a_root_lead_there(shown: Shown) -> None:
    tabs = Reading(shown.text(page("/root", id=shown.analysis))).links()
    assert page("/diff", b=shown.analysis) in tabs
    fields = {
        e.attributes["id"]: e.attributes.get("value")
        for e in Reading(shown.text(page("/diff", b=shown.analysis))).all("input")
    }
    assert (fields["a"], fields["b"]) == (shown.review, shown.analysis)


def test_nothing_new_is_said(shown: Shown) -> None:
    same = Reading(shown.text(page("/diff", a=shown.analysis, b=shown.analysis)))
    assert "Nothing is new" in flat(same.all("p", "lead")[0].words)


def test_new_jobs_by_task_are_all_new_jobs(shown: Shown) -> None:
    roots = [shown.index.resolve(root) for root in (shown.review, shown.analysis)]
    tasks = new_tasks(pictures.comparison(shown.index.runner, *roots, closure()))
    assert (
        sum(task.jobs for task in tasks)
        == shown.index.diff(shown.review, shown.analysis).only_in_b.jobs_total
    )
    assert {task.name for task in tasks} == {"find", "analyse", "measure", "plot", "report"}
    assert next(task for task in tasks if task.name == "find").agents == "Librarian"


def test_a_store_with_nothing_in_it_says_what_to_do(neo4j_store: Store) -> None:
    empty(neo4j_store)
    with TestClient(create_app(neo4j_store), base_url="http://127.0.0.1") as client:
        for address in ("/", "/diff", "/search", "/health", "/problems"):
            answer = client.get(address)
            assert answer.status_code == 200, address
            reading = Reading(answer.text)
            if address in ("/", "/diff"):
                assert any("indexer scan" in code.words for code in reading.all("code")), address
