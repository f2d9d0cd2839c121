"""Live pages: server-sent events that say when the graph has changed, from one look at the store for all readers.

While anybody reads, one task asks the store every few seconds for numbers that its count store holds, and for
the watchers; nobody reads, nobody asks. A store that does not answer is asked less and less often. Each
reader gets an event when what it knows is no longer so, and a sign of life in between, so that a connection
that a sleeping laptop left behind is found out by the page.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from indexer.dashboard.pulse import pulse_of
from indexer.store.connection import Store
from indexer.store.errors import StoreError
from indexer.watching.heartbeat import watchers

log = logging.getLogger(__name__)

#: Seconds between two looks, between two signs of life, and at most between looks at a store that is away.
LOOK, PING, AWAY = 2.0, 20.0, 30.0
#: Readers at a time; pages ask now and then instead where there are more.
READERS = 200


@dataclass(frozen=True, slots=True)
class News:
    """What readers are told. `pulse` changes with the graph; `watch` says what the watchers do."""

    pulse: str
    watch: str = ""
    away: str = ""

    def event(self) -> str:
        """One server-sent event."""
        return f"event: news\ndata: {json.dumps(asdict(self), ensure_ascii=False)}\n\n"


def look(store: Store) -> News:
    """Ask the store. Raises StoreError."""
    pulse = pulse_of(store)
    alive = [watcher for watcher in watchers(store) if watcher.alive]
    states = sorted({watcher.state for watcher in alive})
    return News(pulse, ", ".join(states))


class Live:
    """The one who looks, for all readers."""

    def __init__(self, store: Store, ask: Callable[[Store], News] = look, every: float = LOOK) -> None:
        self.readers = 0
        self.looks = 0
        self._store, self._ask, self._every = store, ask, every
        self._news: News | None = None
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._ended = False

    async def events(self) -> AsyncIterator[str]:
        """Events for one reader, until it goes away or the server ends."""
        self.readers += 1
        if self._task is None:
            self._task = asyncio.create_task(self._look_on())
        told: News | None = None
        try:
            yield "retry: 3000\n\n"
            while not self._ended:
                changed = self._changed
                if self._news is not None and self._news != told:
                    told = self._news
                    yield told.event()
                try:
                    await asyncio.wait_for(changed.wait(), PING)
                except TimeoutError:
                    yield "event: ping\ndata:\n\n"
        finally:
            self.readers -= 1
            if not self.readers and self._task is not None:
                self._task.cancel()
                self._task, self._news = None, None

    async def now(self) -> News:
        """What the readers were told last; without readers, one look."""
        return self._news or await self._looked()

    def end(self) -> None:
        """Let all readers go: the server is about to end."""
        self._ended = True
        self._changed.set()

    async def _look_on(self) -> None:
        wait = self._every
        while True:
            news = await self._looked()
            wait = min(2 * wait, AWAY) if news.away else self._every
            if news != self._news:
                self._news = news
                self._changed.set()
                self._changed = asyncio.Event()
            await asyncio.sleep(wait)

    async def _looked(self) -> News:
        self.looks += 1
        try:
            return await to_thread.run_sync(self._ask, self._store, abandon_on_cancel=True)
        except StoreError as error:
            log.info("the store does not answer: %s", error)
            return News(
                self._news.pulse if self._news else "", away=f"{error.message} {error.remedy}".strip()
            )


async def events(request: Request) -> Response:
    """The stream of a reader; refused where there are too many, so that its page asks now and then instead."""
    live: Live = request.app.state.live_news
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")
    if live.readers >= READERS:
        return PlainTextResponse("Too many pages are open.\n", 503, {"Retry-After": "30"})
    # Proxies that gather answers before they pass them on are asked not to.
    return StreamingResponse(
        live.events(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


async def pulse(request: Request) -> Response:
    """The same as one short answer, for pages that cannot keep a stream open."""
    live: Live = request.app.state.live_news
    news = await live.now()
    return Response(json.dumps(asdict(news)), media_type="application/json")
