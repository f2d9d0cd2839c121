"""What someone typed runs in a transaction that reads, once, within time, rows and size."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import neo4j
import pytest

from indexer import reading_cypher
from indexer.reading_cypher import read_cypher
from indexer.readonly import NotReadOnly, check_read_only
from indexer.store.connection import Store
from indexer.store.errors import QueryTimedOut, StoreError


def test_the_transaction_itself_cannot_write(store: Store) -> None:
    """Were a writing text to pass the check of tokens and the server's plan, the server would still refuse it."""
    with pytest.raises(StoreError):
        store.read_once(lambda transaction: list(transaction.run("CREATE (n:Chat {id: 'x'}) RETURN n")))
    assert store.read("MATCH (n:Chat) RETURN count(n) AS n")[0]["n"] == 0


def test_time_is_limited(neo4j_store: Store) -> None:
    endless = "UNWIND range(1, 1000000000) AS a UNWIND range(1, 1000000000) AS b WITH a, b WHERE a = -b RETURN count(*)"
    with pytest.raises(QueryTimedOut):
        read_cypher(neo4j_store, endless, {}, timeout=0.5)


def test_rows_are_limited(neo4j_store: Store) -> None:
    answer = read_cypher(neo4j_store, "UNWIND range(1, 100000000) AS a RETURN a", {}, limit=3)
    assert (answer.rows, answer.more) == ([[1], [2], [3]], True)


def test_size_is_limited(neo4j_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_cypher, "MOST_CHARACTERS", 1000)
    text = "UNWIND range(1, 100) AS a RETURN {x: [reduce(s = 'a', x IN range(1, 9) | s + s)]} AS x"
    answer = read_cypher(neo4j_store, text, {})
    assert (len(answer.rows), answer.more) == (2, True)


def test_a_statement_is_sent_once(neo4j_store: Store) -> None:
    """A statement that the server goes down with must not come back by a driver's retry."""
    runs = []

    def work(transaction: neo4j.Transaction) -> Any:
        runs.append(1)
        transaction.run("RETURN 1").consume()
        raise neo4j.exceptions.ServiceUnavailable("gone")

    with pytest.raises(StoreError):
        neo4j_store.read_once(work)
    assert runs == [1]


@pytest.mark.parametrize(
    "text",
    [
        "/*" * 40_000,
        "`" * 99_999,
        "'" + "\\" * 99_998,
        "RETURN " + "1+" * 49_000 + "1",
        "RETURN " + "-" * 99_000,
        "CYPHER " + "a=b " * 24_000,
        "EXPLAIN " * 12_000,
        "a." * 49_000 + "b(",
        "SHOW " + "ALL " * 24_000,
        "\\u0041" * 16_000,
    ],
    ids=lambda text: text[:12],
)
def test_checking_is_quick_on_any_text(text: str) -> None:
    """Linear: a quadratic search would take minutes here."""
    with suppress(NotReadOnly):
        check_read_only(text)
