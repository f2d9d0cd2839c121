"""An `Index` over a hand-made graph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indexer import Index
from indexer.store.connection import Store
from tests.answers.scenes import two_conversations
from tests.conftest import ServerUnderTest
from tests.support_graph import Told

LoadTold = Callable[[Told], Index]


@pytest.fixture
def load(store: Store) -> LoadTold:
    """Write a hand-made graph into the emptied store and give the index over it."""

    def loaded(told: Told) -> Index:
        told.load(store)
        return Index(store)

    return loaded


@pytest.fixture
def index(load: LoadTold) -> Index:
    """The index over the two conversations."""
    return load(two_conversations())


@pytest.fixture
def store_address_of_index(index: Index, neo4j_server: ServerUnderTest) -> str:
    """What `--store` takes to name the graph of `index` (which is filled first)."""
    return neo4j_server.address
