"""Half-written files: nothing odd about them is a problem until they stay so."""

import time

from indexer.discovery.found import Stamp
from indexer.formats.records import Problem
from indexer.ingest.settling import Settling, odd_tail


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


def stamp(size: int, age: float = 0.0) -> Stamp:
    return Stamp(size, time.time_ns() - int(age * 1e9), 7)


def test_a_file_settles_when_it_stays_as_it_is() -> None:
    clock = Clock()
    settling = Settling(5.0, clock)
    first, second = stamp(1), stamp(2)
    assert settling.still("/a", first)
    clock.now += 4
    assert settling.still("/a", second)  # it changed: from here on it has five seconds again
    clock.now += 4
    assert settling.due() == []
    assert settling.still("/a", second)
    clock.now += 1
    assert settling.due() == ["/a"]
    assert not settling.still("/a", second)
    assert settling.due() == []
    assert len(settling) == 0


def test_what_has_been_odd_for_long_is_a_problem_at_once() -> None:
    settling = Settling(5.0, Clock())
    assert not settling.still("/a", stamp(1, age=60))
    assert not settling.still("/a", None)


def test_times_in_the_future_do_not_keep_a_file_unsettled() -> None:
    clock = Clock()
    settling = Settling(5.0, clock)
    ahead = stamp(1, age=-86_400)
    assert settling.still("/a", ahead)
    assert settling.next_due() == 5.0
    clock.now += 6
    assert settling.next_due() == 0.0
    assert not settling.still("/a", ahead)
    assert settling.next_due() is None


def test_only_the_tail_is_odd() -> None:
    middle, last = Problem("dropped_line", "x", 3, 1), Problem("unclosed_region", "x", 20, 9)
    call, bytes_ = Problem("unreadable_call", "x", 30, 9), Problem("invalid_bytes", "x", 31)
    early = Problem("invalid_bytes", "x", 2)
    assert odd_tail([middle, last, call, bytes_, early], messages=10, last_line=30) == [last, call, bytes_]
