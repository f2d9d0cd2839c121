"""How to watch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """Times in seconds.

    quiet      a round begins when nothing changed for so long,
    most       or so long after the first change
    reconcile  between looks at everything
    poll       between looks at places from which no events come
    settle     without a change, after which what is odd about a file is a problem
    once       end when everything was looked at and nothing changes any more
    """

    quiet: float = 0.3
    most: float = 1.0
    reconcile: float = 300.0
    poll: float = 10.0
    settle: float = 5.0
    crashed: float = 15.0
    once: bool = False
