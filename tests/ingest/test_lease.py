"""Turns of writing: nobody waits for ever because another has much to do."""

import pytest

from indexer.ingest import lease
from indexer.ingest.lease import FencedStore, Holder, try_acquire, writing
from indexer.store.store import Store


def test_who_asked_first_has_the_next_turn(store: Store) -> None:
    with writing(store, "watch"):
        waiting = try_acquire(store, "scan", token="scan-1")
        assert isinstance(waiting, Holder)
        assert waiting.words == "watch"
        assert isinstance(try_acquire(store, "prune", token="prune-1"), Holder)
    again = try_acquire(store, "watch", token="watch-2")
    assert isinstance(again, Holder)
    assert not again.is_dead
    with_turn = try_acquire(store, "scan", token="scan-1")
    assert isinstance(with_turn, FencedStore)
    lease._release(with_turn, undone=False)
    after = try_acquire(store, "watch", token="watch-2")
    assert isinstance(after, FencedStore)
    lease._release(after, undone=False)


def test_who_asked_and_went_away_holds_nobody_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "PATIENCE", 0.0)
    with writing(store, "watch"):
        assert isinstance(try_acquire(store, "scan", token="gone"), Holder)
    with writing(store, "watch") as held:
        assert held.token != "gone"
