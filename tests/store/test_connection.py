"""Opening stores and running statements: what goes wrong is one line, and soon."""

from __future__ import annotations

import re
import socket
import threading

import neo4j
import pytest

from indexer.store import connection
from indexer.store.connection import Store, make_driver, open_store, user_agent
from indexer.store.errors import (
    BadStoreAddress,
    QueryRefused,
    QueryTimedOut,
    SignInRefused,
    StoreError,
    StoreUnreachable,
    TransactionTooLarge,
)
from indexer.store.settings import resolve_target


def one_line(error: StoreError) -> str:
    text = str(error)
    assert "\n" not in text
    assert len(text) < 300
    return text


def test_reads_and_writes(store: Store):
    assert store.write("CREATE (n:T {x: $x}) RETURN n.x AS x", {"x": [1, 2]})[0]["x"] == [1, 2]
    assert [record["n"] for record in store.read("MATCH (t:T) RETURN count(t) AS n")] == [1]
    assert store.read(lambda tx: tx.run("MATCH (t:T) RETURN t.x AS x").single(strict=True)["x"]) == [1, 2]
    assert store.write(lambda tx: tx.run("CREATE (:T)").consume().counters.nodes_created) == 1
    assert store.implicit("UNWIND range(1, 10) AS i CALL (i) { CREATE (:U) } IN TRANSACTIONS OF 3 ROWS") == []
    assert store.read("MATCH (u:U) RETURN count(u) AS n")[0]["n"] == 10


def test_each_test_begins_with_nothing(bare_store: Store):
    assert bare_store.read("MATCH (n) RETURN count(n) AS n")[0]["n"] == 0
    bare_store.write("CREATE CONSTRAINT t IF NOT EXISTS FOR (t:T) REQUIRE t.id IS UNIQUE")
    bare_store.write("CREATE INDEX u IF NOT EXISTS FOR (u:U) ON (u.x)")


def test_also_no_constraint_and_no_index(bare_store: Store):
    assert bare_store.read("SHOW CONSTRAINTS") == []
    assert {record["type"] for record in bare_store.read("SHOW INDEXES")} <= {"LOOKUP"}


def test_a_read_cannot_write(store: Store):
    with pytest.raises(StoreError):
        store.read("CREATE (:T)")
    assert store.read("MATCH (n) RETURN count(n) AS n")[0]["n"] == 0


def test_a_work_that_fails_leaves_nothing_behind(store: Store):
    def work(tx: neo4j.ManagedTransaction) -> None:
        tx.run("CREATE (:T)").consume()
        raise KeyError("of the caller")

    with pytest.raises(KeyError, match="of the caller"):
        store.write(work)
    assert store.read("MATCH (n) RETURN count(n) AS n")[0]["n"] == 0


def test_a_statement_that_is_wrong(store: Store):
    with pytest.raises(QueryRefused) as caught:
        store.read("MATCH (n RETURN n")
    assert caught.value.exit_code == 2
    assert "Invalid input" in caught.value.message


def test_a_time_limit(store: Store):
    with pytest.raises(QueryTimedOut) as caught:
        store.read("UNWIND range(1, 1000000000) AS x RETURN sum(x % 7) AS s", timeout=0.5)
    one_line(caught.value)


def test_a_transaction_too_large_fails_without_retries(store: Store):
    tries = []

    def work(tx: neo4j.ManagedTransaction) -> None:
        tries.append(1)
        raise neo4j.exceptions.Neo4jError._hydrate_neo4j(
            code="Neo.TransientError.General.MemoryPoolOutOfMemoryError", message="too much"
        )

    with pytest.raises(TransactionTooLarge):
        store.write(work)
    assert len(tries) == 1


def test_a_wrong_password(neo4j_server):
    address = re.sub(r"://(\w+):[^@]*@", r"://\1:hush-hush@", neo4j_server.address)
    with pytest.raises(SignInRefused) as caught:
        open_store(address)
    text = one_line(caught.value)
    assert caught.value.exit_code == 3
    assert "hush" not in text
    assert "NEO4J_PASSWORD" in text


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_server_that_is_down(scheme):
    with socket.socket() as closed:  # bound and not listening
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(StoreUnreachable) as caught:
            open_store(f"{scheme}://ann:hush-hush@127.0.0.1:{closed.getsockname()[1]}")
    assert "hush" not in one_line(caught.value)
    assert caught.value.exit_code == 3


def test_a_server_that_says_nothing(monkeypatch):
    monkeypatch.setattr(connection, "ACQUIRE_SECONDS", 2.0)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(StoreError) as caught:
            open_store(f"bolt://127.0.0.1:{silent.getsockname()[1]}")
    one_line(caught.value)


def test_a_server_of_another_kind():
    """What answers is no Neo4j."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()

        def answer() -> None:
            caller, _ = other.accept()
            with caller:
                caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(StoreError) as caught:
            open_store(f"bolt://127.0.0.1:{other.getsockname()[1]}")
        thread.join()
    one_line(caught.value)


def test_a_host_that_does_not_exist():
    with pytest.raises(StoreUnreachable) as caught:
        open_store("bolt://no-such-host.invalid")
    one_line(caught.value)


def test_a_database_that_does_not_exist(neo4j_server):
    with pytest.raises(StoreUnreachable, match="no database of that name") as caught:
        open_store(f"{neo4j_server.address}/absent")
    assert "NEO4J_DATABASE" in one_line(caught.value)


def test_a_ready_driver_stays_its_owners(neo4j_server):
    target = resolve_target(neo4j_server.address)
    with make_driver(target.uri, (target.username, target.password.get_secret_value())) as driver:
        with open_store(driver) as opened:
            assert opened.read("RETURN 1 AS x")[0]["x"] == 1
        driver.verify_connectivity()


def test_an_address_of_no_store():
    with pytest.raises(BadStoreAddress):
        open_store("mysql://host")


def test_the_program_names_itself(store: Store):
    assert user_agent().startswith("provenance-indexer/")
    assert "hush" not in repr(store)
