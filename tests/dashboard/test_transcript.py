"""A chat to read: what its lines name are links, inlined results lead to their originals wherever a page begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from indexer.dashboard.app import create_app
from indexer.dashboard.links import message, node, page
from indexer.dashboard.transcript import spans
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store
from tests.conftest import empty
from tests.dashboard.conftest import Shown
from tests.dashboard.reading import Element, Reading, flat

LINKED = """user:

Go on.

import: first.chat

continue: first.chat

last: gone.chat

job: Work/find/one

inline_job: Work/find/none

assistant:

Done.
"""


def turn(reading: Reading, index: int) -> Element:
    return next(e for e in reading.all("article") if e.attributes["id"] == f"m{index}")


def test_an_inlined_result_leads_to_its_job_and_its_original(shown: Shown) -> None:
    block = next(b for b in shown.index.dedup(shown.analysis).inlined if b.chat == shown.analysis)
    reading = Reading(shown.text(page("/chat", id=shown.analysis)))
    title = next(e for e in reading.all("h2", "span-title") if "Inlined" in e.words)
    assert "original in" in title.words
    assert node("job", block.job) in reading.links()
    rows = shown.index.query("transcript", {"chat": shown.analysis, "skip": 0, "limit": 1000, "length": 10})
    first = rows[block.first_index]
    assert (first["block_first"], first["block_job"]) == (block.first_index, block.job)
    assert first["block_original"] == rows[block.first_index + 1]["copy_of"]
    assert message(first["block_original"]) in reading.links()
    inside = {row["index"] for row in rows if row["block_first"] == block.first_index}
    assert inside == set(range(block.first_index, block.last_index + 1))


def test_a_page_that_begins_inside_an_inlined_result_says_so(shown: Shown) -> None:
    block = next(b for b in shown.index.dedup(shown.analysis).inlined if b.messages > 2)
    found = shown.index.query(
        "transcript", {"chat": block.chat, "skip": block.first_index + 2, "limit": 1, "length": 10}
    )
    (span,) = spans(found)
    assert (span.origin, span.begins, span.job) == ("inlined", False, block.job)
    assert span.first == f"{block.chat}#{block.first_index}"
    assert span.original == found[0]["copy_of"]


def test_receipts_stand_below_their_call(shown: Shown) -> None:
    receipt = next(r for r in shown.index.receipts(shown.analysis).items if r.job)
    chat, _, place = receipt.address.rpartition("#")
    index = int(place.partition("/")[0])
    call = shown.index.query("transcript", {"chat": chat, "skip": 0, "limit": 1000, "length": 10})
    holder = next(row for row in call if any(r["address"] == receipt.address for r in row["receipts"]))
    assert holder["output_address"] == f"{chat}#{index}"
    reading = Reading(shown.text(page("/chat", id=chat)))
    entry = next(e for e in reading.all("li") if e.attributes.get("id") == f"r{place}")
    assert "article" in entry.inside
    assert receipt.job is not None
    assert receipt.job.rsplit("/", 1)[-1] in entry.words


@pytest.fixture(scope="module")
def linked(neo4j_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("linked").resolve()
    job = place / "var" / "jobs" / "Work" / "find"
    job.mkdir(parents=True)
    (job / "one").write_text("found")
    (job / "one.info").write_text('{"status": "done", "workflow": "Work", "task_name": "find"}')
    (place / "chats").mkdir()
    (place / "chats" / "first.chat").write_text("user: one\n\nassistant: two\n")
    (place / "chats" / "second.chat").write_text(LINKED)
    empty(neo4j_store)
    Scanner(neo4j_store).scan([str(place)])
    return place


def test_what_lines_name_are_links(neo4j_store: Store, linked: Path) -> None:
    with TestClient(create_app(neo4j_store), base_url="http://127.0.0.1") as client:
        second, first = (str(linked / "chats" / name) for name in ("second.chat", "first.chat"))
        reading = Reading(client.get(page("/chat", id=second)).text)
        links = reading.links()
        assert links.count(page("/chat", id=first)) == 2
        assert page("/chat", id=str(linked / "chats" / "gone.chat")) in links
        assert node("job", str(linked / "var/jobs/Work/find/one")) in links
        words = {index: flat(turn(reading, index).words) for index in range(2, 7)}
        assert "import: first.chat" in words[2]
        assert "continue: first.chat" in words[3]
        assert "last: gone.chat missing" in words[4]
        assert "job: one" in words[5]
        assert "Work/find/none" in words[6]
        for link in (page("/chat", id=first), node("job", str(linked / "var/jobs/Work/find/one"))):
            assert client.get(link).status_code == 200
