"""One writer at a time, however many programs work on one graph: a lease in the graph with an end.

Whoever plans against the graph and then writes must not have another do so in between. The lease ends by
itself unless it is renewed, is taken from a dead process of the same machine at once, and every transaction
of its holder begins by renewing it: a holder that was stopped for too long and lost it fails there and
changes nothing. Times are the server's, so clocks need not agree.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, LiteralString

from neo4j import ManagedTransaction

from indexer.store.errors import StoreError
from indexer.store.local.process import Identity, identify
from indexer.store.store import Store, Work

log = logging.getLogger(__name__)

SECONDS = 30.0
RENEW_EVERY = 7.0
ASK_EVERY = 0.25
#: Who asks has the next turn, as long as it asks again within so many seconds: a watcher with much to do, that
#: gives the lease up only to take it again, must not keep others waiting for ever.
PATIENCE = 5.0

# Setting a property takes the lock, so that what is read afterwards is what the last holder left.
ACQUIRE: LiteralString = """
MERGE (l:Lease {name: 'writer'})
SET l.name = 'writer'
WITH l, datetime.realtime() AS now
WITH l, now, l.token AS before, coalesce(l.undone, false) AS undone,
     l.token IS NULL OR l.until <= now OR l.token IN $dead AS unheld,
     l.next IS NULL OR l.next = $token OR l.next_until <= now AS first
WITH l, now, before, undone, first, unheld AND first AS free
FOREACH (_ IN CASE WHEN first AND NOT free THEN [1] ELSE [] END |
  SET l.next = $token, l.next_until = now + duration({milliseconds: $patience}))
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END |
  SET l.next = null, l.next_until = null)
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END |
  SET l.token = $token, l.until = now + duration({milliseconds: $milliseconds}), l.holder = $holder, l.host =
  $host,
      l.pid = $pid, l.started = $started, l.turn = coalesce(l.turn, 0) + 1, l.undone = true)
RETURN free, undone, coalesce(before, '') AS before, coalesce(l.holder, 'another writer') AS holder,
       coalesce(l.host, '') AS host, coalesce(l.pid, 0) AS pid, coalesce(l.started, '') AS started
"""
RENEW: LiteralString = """
MATCH (l:Lease {name: 'writer'})
SET l.name = 'writer'
WITH l WHERE l.token = $token
SET l.until = datetime.realtime() + duration({milliseconds: $milliseconds})
RETURN l.turn AS turn
"""
RELEASE: LiteralString = """
MATCH (l:Lease {name: 'writer', token: $token})
SET l.undone = $undone
REMOVE l.token, l.until, l.holder, l.host, l.pid, l.started
"""


#: Tokens of the leases that this process holds or asks for now.
_held: set[str] = set()


class LeaseLost(StoreError):
    """Another writer took over, since this one did not renew its lease in time."""

    def __init__(self) -> None:
        super().__init__("another program writes into this store since this one stood still", "try again")


@dataclass(frozen=True, slots=True)
class Holder:
    """Who writes now."""

    token: str
    words: str
    host: str
    pid: int
    started: str

    @property
    def is_dead(self) -> bool:
        """True when it was a process of this machine that is no more, or this one at an earlier try."""
        if self.host != socket.gethostname() or self.token in _held:
            return False
        return self.pid == os.getpid() or identify(self.pid) != Identity(self.pid, self.started)


class FencedStore(Store):
    """A store whose writes are the lease holder's: each transaction renews the lease or fails."""

    def __init__(self, store: Store, token: str, undone: bool) -> None:
        super().__init__(
            store.driver, store.database, where=store.where, target=store.target, owns_driver=False
        )
        self.token = token
        self.undone = undone
        """True when the holder before did not come to the end of its work."""

    def write(
        self, work: Any, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> Any:
        """See `Store.write`. Raises LeaseLost."""
        if isinstance(work, str):
            query, given = work, dict(params or {})
            return super().write(self._fenced(lambda tx: list(tx.run(query, given))), timeout=timeout)
        return super().write(self._fenced(work), timeout=timeout)

    def renew(self) -> None:
        """Renew the lease. Raises LeaseLost, and StoreError as any write."""
        super().write(self._fenced(lambda tx: None))

    def _fenced(self, work: Work[Any]) -> Work[Any]:
        def fenced(tx: ManagedTransaction) -> Any:
            renewed = tx.run(RENEW, token=self.token, milliseconds=int(SECONDS * 1000))
            if renewed.single() is None:
                raise LeaseLost
            return work(tx)

        return fenced


def try_acquire(
    store: Store, words: str, dead: str | None = None, token: str | None = None
) -> FencedStore | Holder:
    """Take the lease when it is free (or `dead` names its holder's token), else say who holds it.

    Who asks again with the same `token` keeps its place in the row.
    """
    own = identify(os.getpid())
    token = token or secrets.token_hex(8)
    parameters = {
        "token": token,
        "dead": [dead] if dead else [],
        "milliseconds": int(SECONDS * 1000),
        "patience": int(PATIENCE * 1000),
        "holder": words,
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "started": own.started if own else "",
    }
    _held.add(token)  # before others can see it
    row: Mapping[str, Any] = {"free": False}
    try:
        row = store.write(ACQUIRE, parameters)[0]
    finally:
        if not row["free"]:
            _held.discard(token)
    if row["free"]:
        return FencedStore(store, token, row["undone"])
    return Holder(row["before"], row["holder"], row["host"], row["pid"], row["started"])


@contextmanager
def writing(
    store: Store,
    words: str,
    waiting: Callable[[Holder], None] | None = None,
    mend: Callable[[Store], object] | None = None,
) -> Iterator[FencedStore]:
    """Hold the lease during the block; waits for it as long as it takes.

    `waiting` is called again and again while another writer is at work (it may raise to give up). `mend` is
    called first when the holder before did not end its work. Within the block of an outer `writing` that
    one's lease is used.
    """
    if isinstance(store, FencedStore):
        yield store
        return
    fenced = _acquire(store, words, waiting)
    done = threading.Event()
    threading.Thread(target=_keep, args=(fenced, done), name="lease", daemon=True).start()
    try:
        if fenced.undone and mend is not None:
            mend(fenced)
        yield fenced
        done.set()
        _release(fenced, undone=False)
    except StoreError:
        raise  # the store is not to be had: the lease ends by itself
    except BaseException:
        done.set()
        _release(fenced, undone=True)
        raise
    finally:
        done.set()
        _held.discard(fenced.token)


def _acquire(store: Store, words: str, waiting: Callable[[Holder], None] | None) -> FencedStore:
    dead: str | None = None
    token = secrets.token_hex(8)
    while True:
        found = try_acquire(store, words, dead, token)
        if isinstance(found, FencedStore):
            return found
        if found.is_dead:
            dead = found.token
            continue
        if waiting is not None:
            waiting(found)
        time.sleep(ASK_EVERY)


def _keep(fenced: FencedStore, done: threading.Event) -> None:
    """Renew the lease while its holder reads and thinks."""
    while not done.wait(RENEW_EVERY):
        try:
            fenced.renew()
        except LeaseLost:
            return
        except StoreError as error:
            log.info("the lease could not be renewed: %s", error)


def _release(fenced: FencedStore, undone: bool) -> None:
    Store.write(fenced, RELEASE, {"token": fenced.token, "undone": undone})
