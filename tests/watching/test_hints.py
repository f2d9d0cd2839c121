"""Hints are collected without loss and without bound."""

from indexer.watching import hints as module
from indexer.watching.hints import Hints


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_places_are_collected_once() -> None:
    hints = Hints()
    for _ in range(3):
        hints.name("/r/a.chat")
    hints.name("/r/b.chat")
    hints.tree("/r/new")
    hints.folder("/r/whole")
    hints.name("/r/whole/c.chat")
    assert len(hints) == 4
    batch = hints.take()
    assert len(batch) == 4
    assert batch.places.names == {"/r": {"a.chat", "b.chat"}}
    assert batch.places.trees == {"/r/new"}
    assert batch.places.folders == {"/r/whole"}
    assert batch.everything is None
    assert not hints.take()


def test_many_names_become_their_folder(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "MOST_NAMES", 3)
    hints = Hints()
    for i in range(5):
        hints.name(f"/r/{i}")
    hints.name("/s/x")
    assert len(hints) == 2
    batch = hints.take()
    assert (batch.places.names, batch.places.folders) == ({"/s": {"x"}}, {"/r"})


def test_many_places_become_everything(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "MOST_PLACES", 10)
    hints = Hints()
    hints.start("/file.chat")
    for i in range(30):
        hints.name(f"/r{i}/x")
        hints.tree(f"/t{i}")
        hints.folder(f"/f{i}")
    assert len(hints) == 2
    batch = hints.take()
    assert batch.everything == "too many changes at once"
    assert len(batch.places) == 0
    assert batch.starts == {"/file.chat"}


def test_a_round_begins_when_it_is_quiet_or_has_waited_long_enough() -> None:
    clock = Clock()
    hints = Hints(clock)
    assert hints.due_in(0.3, 1.0) is None
    hints.name("/r/a")
    assert hints.due_in(0.3, 1.0) == 0.3 or abs(hints.due_in(0.3, 1.0) - 0.3) < 1e-9
    for _ in range(4):
        clock.now += 0.2
        hints.name("/r/a")
    assert abs(hints.due_in(0.3, 1.0) - 0.2) < 1e-9  # one second after the first change
    clock.now += 5
    assert hints.due_in(0.3, 1.0) == 0
    assert abs(hints.waiting_for() - 5.8) < 1e-9


def test_what_is_given_back_is_as_old_as_it_was() -> None:
    clock = Clock()
    hints = Hints(clock)
    hints.name("/r/a")
    hints.tree("/r/t")
    hints.start("/s")
    batch = hints.take()
    clock.now += 10
    hints.name("/r/b")
    hints.give_back(batch)
    assert hints.waiting_for() == 10
    again = hints.take()
    assert again.places.names == {"/r": {"a", "b"}}
    assert again.places.trees == {"/r/t"}
    assert again.starts == {"/s"}
    hints.all("why")
    hints.name("/r/c")
    everything = hints.take()
    hints.give_back(everything)
    assert hints.take().everything == "why"
