"""Progress of downloads on stderr: a bar on a terminal, one line otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[int, int], None]
"""Called with bytes done and bytes in all."""


def silent(done: int, total: int) -> None:
    """Report nothing."""


@contextmanager
def on_stderr(title: str) -> Iterator[Report]:
    """A `Report` that draws on stderr. Nothing is shown before its first call."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    bar = Progress(
        *columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal, transient=True
    )
    task = bar.add_task(title, total=None)
    started = False

    def report(done: int, total: int) -> None:
        nonlocal started
        if not started:
            started = True
            bar.start()
            if not console.is_terminal:
                print(f"{title} ({total / 1e6:.0f} MB)", file=sys.stderr, flush=True)
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        if started:
            bar.stop()
