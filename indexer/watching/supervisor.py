"""The watcher as a process: signals, the heartbeat, figures, and what systemd wants to hear."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from indexer.ingest.scan import Interrupted
from indexer.watching.heartbeat import Heartbeat
from indexer.watching.metrics import Metrics
from indexer.watching.watcher import Watcher

log = logging.getLogger(__name__)

#: After a signal to end: a transaction may take so long, then it is broken off; after the second time all is
#: over.
BREAK_OFF_SECONDS = 1.1
END_SECONDS = 1.8


def supervise(watcher: Watcher, metrics_port: int | None = None) -> None:
    """Run the watcher until SIGTERM or SIGINT, then end within two seconds; SIGHUP makes it begin anew.

    Raises OSError where the port is taken, and what `Watcher.run` raises. Main thread only.
    """
    metrics = Metrics(metrics_port, watcher.condition) if metrics_port is not None else None
    heartbeat = Heartbeat(lambda: watcher.store, watcher.condition)
    told = threading.Event()

    def after_round() -> None:
        if not told.is_set() and watcher.condition().reconciles:
            told.set()
            notify("READY=1")
        known = watcher.condition()
        status = f"{known.problem or known.state}, {known.files} files read, {known.queue} waiting"
        notify(f"STATUS={status}")
        heartbeat.now()

    watcher.told = after_round
    watcher.alive = lambda: notify("WATCHDOG=1")
    heartbeat.start()
    try:
        with _signals(watcher):
            watcher.run()
    except Interrupted:
        log.info("broken off")
    finally:
        notify("STOPPING=1")
        heartbeat.stop(0.5)
        if metrics is not None:
            metrics.close()
        watcher.close()


@contextmanager
def _signals(watcher: Watcher) -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        watcher.stop()
        signal.setitimer(signal.ITIMER_REAL, BREAK_OFF_SECONDS)
        # Whatever hangs by then can be left as it stands: all that is written is written as a whole.
        last = threading.Timer(END_SECONDS, os._exit, (0,))
        last.daemon = True
        last.start()

    def break_off(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    def anew(number: int, frame: FrameType | None) -> None:
        watcher.reload()

    handlers = {signal.SIGTERM: end, signal.SIGINT: end, signal.SIGHUP: anew, signal.SIGALRM: break_off}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def notify(text: str) -> None:
    """Tell systemd, where it asked to be told (sd_notify)."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect("\0" + address[1:] if address.startswith("@") else address)
            line.sendall(text.encode())
    except OSError as error:
        log.debug("systemd does not listen: %s", error)
