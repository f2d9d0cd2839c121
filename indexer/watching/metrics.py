"""The watcher's figures as Prometheus text, on a loopback port."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil

from indexer.watching.heartbeat import Condition

_PREFIX = "indexer_watch_"


def exposition(known: Condition) -> str:
    """The text format, version 0.0.4."""
    return "".join(f"{line}\n" for line in _lines(known))


def _lines(known: Condition) -> Iterator[str]:
    since = time.monotonic() - known.reconciled if known.reconciled is not None else -1.0
    gauges = {
        "lag_seconds": (known.lag_seconds, "From a change to its place in the graph, in the last round."),
        "queue_places": (known.queue, "Places that changed and are not in the graph yet."),
        "round_seconds": (known.round_seconds, "Length of the last round."),
        "reconcile_seconds": (known.reconcile_seconds, "Length of the last look at everything."),
        "reconcile_age_seconds": (
            since,
            "Since the end of the last look at everything; -1 before the first.",
        ),
        "polled_places": (len(known.polled), "Places from which no events come."),
        "store_up": (int(known.store_up), "1 while the store can be used."),
        "running_jobs": (known.running_jobs, "Jobs of this machine whose processes live."),
        "crashed_jobs": (known.crashed_jobs, "Jobs found dead since the start."),
        "healthy": (int(known.problem is None), "1 while nothing is to be done."),
        "uptime_seconds": (time.monotonic() - known.began, "Since the start."),
        "resident_bytes": (psutil.Process().memory_info().rss, "Memory of the watcher."),
    }
    counters = {
        "events_total": (known.events, "Changes heard of."),
        "rounds_total": (known.rounds, "Rounds done."),
        "files_total": (known.files, "Files read."),
        "messages_total": (known.messages, "Messages read."),
        "reconciles_total": (known.reconciles, "Looks at everything."),
        "store_errors_total": (known.store_errors, "Rounds that failed for want of the store."),
    }
    for kind, figures in (("gauge", gauges), ("counter", counters)):
        for name, (value, meaning) in figures.items():
            yield f"# HELP {_PREFIX}{name} {meaning}"
            yield f"# TYPE {_PREFIX}{name} {kind}"
            yield f"{_PREFIX}{name} {value:g}"


_NAMES = frozenset(("127.0.0.1", "localhost"))


class Metrics:
    """Serves `/metrics`, and `/healthz` (200 while nothing is to be done, else 503 and what it is)."""

    def __init__(self, port: int, condition: Callable[[], Condition]) -> None:
        """Port 0 takes a free one. Raises OSError where the port is taken."""

        class Handler(BaseHTTPRequestHandler):
            timeout = 5

            def do_GET(self) -> None:
                # A page of another site must not read this under a name of its own (DNS rebinding).
                name = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
                if name.lower() not in _NAMES:
                    self._say(421, "this server does not go by that name\n")
                    return
                known = condition()
                if self.path.partition("?")[0] == "/metrics":
                    self._say(200, exposition(known))
                elif self.path == "/healthz":
                    self._say(503 if known.problem else 200, f"{known.problem or 'ok'}\n")
                else:
                    self._say(404, "/metrics or /healthz\n")

            def _say(self, code: int, text: str) -> None:
                body = text.encode("utf-8", "replace")
                with suppress(OSError):  # whoever asked did not wait
                    self.send_response(code)
                    self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()

    def close(self) -> None:
        """Serve no more."""
        self._server.shutdown()
        self._server.server_close()
