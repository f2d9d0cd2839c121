"""Every page: it is there and well-formed, it runs nothing of others, and its links lead somewhere."""

from __future__ import annotations

from collections import deque
from urllib.parse import urldefrag

import pytest
from starlette.testclient import TestClient

from indexer.dashboard.app import create_app
from indexer.dashboard.links import page
from indexer.dashboard.rows import LISTS
from indexer.store.connection import Store, make_driver
from tests.dashboard.conftest import Shown
from tests.dashboard.reading import Reading, flat

MOST = 150


def crawl(shown: Shown) -> dict[str, Reading]:
    """Pages that can be reached from the first one."""
    waiting, seen = deque(["/"]), {"/"}
    pages: dict[str, Reading] = {}
    while waiting and len(pages) < MOST:
        address = waiting.popleft()
        pages[address] = Reading(shown.text(address))
        for href in pages[address].links():
            bare = urldefrag(href)[0]
            if bare and bare not in seen:
                seen.add(bare)
                waiting.append(bare)
    return pages


@pytest.fixture(scope="module")
def pages(shown: Shown) -> dict[str, Reading]:
    return crawl(shown)


def test_every_link_leads_to_a_page(pages: dict[str, Reading]) -> None:
    kinds = {address.partition("?")[0] for address in pages}
    assert {"/", "/root", "/node", "/diff", "/cost", "/chat", "/search", "/health", "/report"} <= kinds
    assert any(kind.startswith("/rows/") for kind in kinds)


def test_nothing_inline_and_nothing_from_elsewhere(pages: dict[str, Reading]) -> None:
    for address, reading in pages.items():
        report = address.startswith("/report")
        for element in reading.elements:
            assert not [name for name in element.attributes if name.startswith("on") or name == "style"], (
                address
            )
            assert element.tag not in ("iframe", "object", "embed", "base", "img", "audio", "video"), address
            if element.tag == "script":
                assert (element.attributes.get("src") or "").startswith("/static/"), address
                assert not element.words.strip()
            if element.tag == "style":
                assert report, address
            href = element.attributes.get("href") or element.attributes.get("src") or ""
            assert not href.startswith("//")
            assert not href.lower().startswith(("javascript:", "data:")), address
        if report:
            assert not reading.all("script")


def test_structure_for_screen_readers(pages: dict[str, Reading]) -> None:
    for address, reading in pages.items():
        ids = [e.attributes["id"] for e in reading.elements if "id" in e.attributes]
        assert len(set(ids)) == len(ids), (address, sorted(ids))
        assert len(reading.all("h1")) == 1, address
        assert reading.all("html")[0].attributes.get("lang") == "en"
        assert len(reading.all("main")) == 1
        labelled = {e.attributes.get("for") for e in reading.all("label")}
        for field in [*reading.all("input"), *reading.all("select")]:
            hidden = field.attributes.get("type") == "hidden"
            assert hidden or field.attributes.get("id") in labelled or "label" in field.inside, (
                address,
                field,
            )
        for link in reading.all("a"):
            assert flat(link.words) or link.attributes.get("aria-label"), address
        for table in reading.all("th"):
            assert table.attributes.get("scope") in ("col", "row") or "prose" in address or "chat" in address


@pytest.mark.parametrize("name", LISTS)
def test_every_list_has_its_command_and_cypher(shown: Shown, name: str) -> None:
    reading = Reading(shown.text(page(f"/rows/{name}", root=shown.analysis)))
    code = [flat(e.words) for e in reading.all("code")]
    assert any(text.startswith(f"indexer {LISTS[name].command} ") for text in code)
    assert any(":param root =>" in text and "RETURN" in text for text in code)


def test_what_is_not_there_is_said_on_a_page(shown: Shown) -> None:
    for address, status in (
        ("/nothing", 404),
        (page("/root", id="no such chat"), 404),
        ("/root", 400),
        (page("/root", id=shown.analysis, follow="nonsense"), 400),
        (page("/rows/nonsense", root=shown.analysis), 400),
        (page("/chat", id="/no/such.chat"), 404),
        (page("/message", address="/no/such.chat#1", whole=1), 404),
    ):
        answer = shown.client.get(address)
        assert answer.status_code == status, (address, answer.status_code)
        assert Reading(answer.text).all("h1")


def test_odd_pages_and_numbers_do_not_fail(shown: Shown) -> None:
    for number in ("0", "-1", "x", "99999999999", "10000"):
        for address in ("/", page("/chat", id=shown.analysis), page("/rows/messages", root=shown.analysis)):
            joined = f"{address}{'&' if '?' in address else '?'}page={number}"
            assert shown.client.get(joined).status_code == 200, joined


def test_pages_beyond_the_first_join(shown: Shown) -> None:
    whole = shown.index.messages(shown.analysis, chat=shown.analysis, per_page=10_000).total
    reading = Reading(shown.text(page("/chat", id=shown.analysis)))
    turns = [e for e in reading.all("article")]
    assert len(turns) == min(whole, 50)
    assert [e.attributes["id"] for e in turns] == [f"m{index}" for index in range(len(turns))]


def test_a_receipt_address_leads_to_its_message(shown: Shown) -> None:
    receipt = shown.index.receipts(shown.analysis, per_page=1).items[0]
    answer = shown.client.get(page("/message", address=receipt.address), follow_redirects=False)
    assert answer.status_code == 303
    target, fragment = urldefrag(answer.headers["location"])
    ids = {e.attributes.get("id") for e in Reading(shown.text(target)).elements}
    assert fragment in ids


def test_a_store_that_does_not_answer_is_said_at_once_with_what_to_do() -> None:
    with (
        Store(make_driver("bolt://127.0.0.1:1", None), where="bolt://127.0.0.1:1") as store,
        TestClient(create_app(store), base_url="http://127.0.0.1") as client,
    ):
        for address in ("/", "/diff", "/health", page("/root", id="x")):
            answer = client.get(address)
            assert answer.status_code == 503
            reading = Reading(answer.text)
            assert flat(reading.all("h1")[0].words) == "The store does not answer"
            assert "What to do: " in flat(reading.all("main")[0].words)
        assert "bolt://127.0.0.1:1" in client.get("/pulse").json()["away"]
        assert client.get("/static/style.css").status_code == 200
