"""The same answers through a ready driver and through py2neo."""

from __future__ import annotations

import pytest
from neo4j import GraphDatabase

from indexer import Index
from indexer.store.settings import ServerTarget, resolve_target
from tests.answers.scenes import E, G


def test_a_ready_driver_stays_open(index: Index, store_address_of_index: str) -> None:
    target = resolve_target(store_address_of_index)
    assert isinstance(target, ServerTarget)
    auth = (target.username, target.password.get_secret_value()) if target.password else None
    with GraphDatabase.driver(target.uri, auth=auth) as driver:
        with Index(driver) as other:
            assert other.scope(G) == index.scope(G)
        driver.verify_connectivity()


def test_an_address(index: Index, store_address_of_index: str) -> None:
    with Index(store_address_of_index) as other:
        assert other.scope(G) == index.scope(G)


def test_py2neo(index: Index, store_address_of_index: str) -> None:
    py2neo = pytest.importorskip("py2neo")
    target = resolve_target(store_address_of_index)
    assert isinstance(target, ServerTarget)
    auth = (target.username, target.password.get_secret_value()) if target.password else None
    other = Index(py2neo.Graph(target.uri, auth=auth))
    assert other.scope(G).to_json() == index.scope(G).to_json()
    assert other.diff(E, G).to_json() == index.diff(E, G).to_json()
    assert other.tokens(G, by="agent").to_json() == index.tokens(G, by="agent").to_json()
    assert other.overview(G).to_json() == index.overview(G).to_json()
    assert other.why(G, E).to_json() == index.why(G, E).to_json()


def test_what_is_no_store() -> None:
    with pytest.raises(TypeError):
        Index(42)
