"""Live pages: one look at the store for all readers, events when the graph changes, an end when all have gone."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import AsyncIterator, Callable

import uvicorn

from indexer.dashboard.app import create_app
from indexer.dashboard.live import Live, News, look
from indexer.store.connection import Store
from indexer.store.errors import StoreUnreachable
from tests.conftest import ServerUnderTest
from tests.dashboard.conftest import Shown
from tests.dashboard.reading import Reading

MAKE = "CREATE (:Problem {id: $id, kind: 'x', address: 'x', path: 'x', detail: 'x'})"
REMOVE = "MATCH (p:Problem {id: $id}) DELETE p"
TURN = "MERGE (l:Lease {name: 'writer'}) SET l.turn = coalesce(l.turn, 0) + 1"


async def news(events: AsyncIterator[str]) -> News:
    """The next event that is news."""
    async for event in events:
        if event.startswith("event: news\n"):
            return News(**json.loads(event.partition("data: ")[2]))
    raise AssertionError("the stream ended")


def test_all_readers_hear_of_a_change_from_one_look(shown: Shown) -> None:
    store: Store = shown.client.app.state.store  # type: ignore[attr-defined]

    async def read() -> None:
        live = Live(store, every=0.05)
        readers = [live.events() for _ in range(5)]
        first = [await news(reader) for reader in readers]
        assert len(set(first)) == 1
        assert live.looks <= 3
        store.write(MAKE, {"id": "made by a test"})
        try:
            second = [await asyncio.wait_for(news(reader), 20) for reader in readers]
        finally:
            store.write(REMOVE, {"id": "made by a test"})
        assert len(set(second)) == 1
        assert second[0].pulse != first[0].pulse
        for reader in readers:
            await reader.aclose()  # type: ignore[attr-defined]
        assert live.readers == 0
        seen = live.looks
        await asyncio.sleep(0.3)
        assert live.looks <= seen + 1  # the one that was on its way
        again = live.events()
        assert (await asyncio.wait_for(news(again), 20)).pulse == first[0].pulse
        await again.aclose()  # type: ignore[attr-defined]

    asyncio.run(read())


def test_a_writer_that_changes_properties_only_is_heard(shown: Shown) -> None:
    store: Store = shown.client.app.state.store  # type: ignore[attr-defined]
    before = look(store)
    store.write(TURN)
    assert look(store).pulse != before.pulse


def test_a_store_that_is_away_is_told_and_comes_back(shown: Shown) -> None:
    store: Store = shown.client.app.state.store  # type: ignore[attr-defined]
    up = False

    def ask(store: Store) -> News:
        if not up:
            raise StoreUnreachable("nobody answers", "start it")
        return look(store)

    async def read() -> None:
        nonlocal up
        live = Live(store, ask, every=0.05)
        reader = live.events()
        assert (await news(reader)).away == "nobody answers start it"
        up = True
        found = await asyncio.wait_for(news(reader), 20)
        assert (found.away, len(found.pulse)) == ("", 16)
        live.end()
        assert [event async for event in reader] == []

    asyncio.run(read())


def test_a_page_knows_the_pulse_of_what_it_shows(shown: Shown) -> None:
    store: Store = shown.client.app.state.store  # type: ignore[attr-defined]
    for address in ("/", "/health", "/diff"):
        (place,) = Reading(shown.text(address)).all("main")
        assert place.attributes["data-pulse"] == look(store).pulse


def test_the_short_answer_is_the_same_news(shown: Shown) -> None:
    store: Store = shown.client.app.state.store  # type: ignore[attr-defined]
    assert json.loads(shown.text("/pulse")) == {"pulse": look(store).pulse, "watch": "", "away": ""}


def test_a_stream_over_http_does_not_keep_the_server_from_ending(
    neo4j_server: ServerUnderTest, shown: Shown
) -> None:
    words = [sys.executable, "-m", "indexer.cli", "serve", "--store", neo4j_server.address, "--port", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        address = process.stderr.readline().rsplit(" ", 1)[-1].strip()
        with urllib.request.urlopen(f"{address}events", timeout=60) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert stream.headers["cache-control"] == "no-store"
            lines = [stream.readline().decode().strip() for _ in range(4)]
            assert lines[0] == "retry: 3000"
            assert lines[2] == "event: news"
            assert len(json.loads(lines[3].removeprefix("data: "))["pulse"]) == 16
            process.send_signal(signal.SIGINT)
            assert stream.read() is not None  # ends
            process.wait(30)


def test_a_reader_that_goes_away_is_noticed(shown: Shown) -> None:
    store: Store = shown.client.app.state.store  # type: ignore[attr-defined]
    app = create_app(store)
    live: Live = app.state.live_news
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/events"
            streams = [urllib.request.urlopen(address, timeout=60) for _ in range(3)]
            assert [stream.readline() for stream in streams] == [b"retry: 3000\n"] * 3
            assert live.readers == 3
            for stream in streams:
                stream.close()
            assert until(lambda: live.readers == 0)
        finally:
            live.end()
            server.should_exit = True
            thread.join(30)


def until(done: Callable[[], bool], seconds: float = 30) -> bool:
    """Wait for something to be so."""
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.05)
    return done()
