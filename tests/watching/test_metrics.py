"""Figures for Prometheus."""

import re
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from indexer.watching.heartbeat import Condition
from indexer.watching.metrics import Metrics, exposition


def test_the_text_is_well_formed() -> None:
    text = exposition(Condition(rounds=3, queue=2, lag_seconds=1.5))
    assert text.endswith("\n")
    names = re.findall(r"^# TYPE (\S+) (gauge|counter)$", text, re.M)
    values = dict(line.split(" ") for line in text.splitlines() if not line.startswith("#"))
    assert {name for name, _ in names} == set(values)
    assert all(name.endswith("_total") == (kind == "counter") for name, kind in names)
    assert float(values["indexer_watch_rounds_total"]) == 3
    assert float(values["indexer_watch_lag_seconds"]) == 1.5
    assert float(values["indexer_watch_resident_bytes"]) > 1e6


def test_served_on_loopback_only() -> None:
    condition = Condition()
    metrics = Metrics(0, lambda: condition)
    try:
        place = f"http://127.0.0.1:{metrics.port}"
        with urlopen(f"{place}/metrics") as answer:
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            assert b"indexer_watch_queue_places 0" in answer.read()
        with urlopen(f"{place}/healthz") as answer:
            assert answer.read() == b"ok\n"
        condition.problem = "the store is away"
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{place}/healthz")
        assert refused.value.code == 503
        assert metrics._server.server_address[0] == "127.0.0.1"
        with pytest.raises(OSError, match="in use"):
            Metrics(metrics.port, lambda: condition)
    finally:
        metrics.close()
