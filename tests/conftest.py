"""A real Neo4j for every test that asks for one. Nothing here is ever skipped or replaced by a stand-in.

Which Neo4j: INDEXER_TEST_NEO4J_URI (with NEO4J_USERNAME and NEO4J_PASSWORD) where set, and then its default
database is emptied; else a container where Docker answers; else the program's own local server in a folder of
the test run. The server's jars are kept in the user's cache folder, so only the first run downloads them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import platformdirs
import pytest

from indexer.store.connection import Store, local_server, open_store
from indexer.store.local.install import install
from indexer.store.local.progress import on_stderr
from indexer.store.settings import LocalTarget, ServerTarget, resolve_target

CONTAINER_IMAGE = "neo4j:5.26-community"
PASSWORD = "test-password"


@dataclass(frozen=True)
class ServerUnderTest:
    """Where the tests' Neo4j is. `address` is good for `--store` and holds the credentials."""

    address: str
    kind: str


@pytest.fixture(scope="session")
def local_lib() -> Path:
    """The folder of the local server's jars: shared by all tests and kept between runs."""
    lib = Path(
        os.environ.get("INDEXER_TEST_LIB") or platformdirs.user_cache_path("provenance-indexer") / "lib"
    )
    with on_stderr("Fetching Neo4j for the tests") as report:
        install(lib, report)
    return lib


@pytest.fixture(scope="session")
def neo4j_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerUnderTest]:
    """The Neo4j of this test run."""
    if uri := os.environ.get("INDEXER_TEST_NEO4J_URI"):
        yield ServerUnderTest(_with_credentials(uri), "given")
        return
    if container := _container():
        try:
            yield ServerUnderTest(
                container.get_connection_url().replace("://", f"://neo4j:{PASSWORD}@"), "container"
            )
        finally:
            container.stop()
        return
    lib: Path = request.getfixturevalue("local_lib")
    target = LocalTarget(tmp_path_factory.mktemp("neo4j") / "store", lib, idle_minutes=120)
    server = local_server(target)
    try:
        running = server.ensure()
        yield ServerUnderTest(running.state.uri.replace("://", f"://neo4j:{running.password}@"), "local")
    finally:
        server.stop()


@pytest.fixture(scope="session")
def neo4j_store(neo4j_server: ServerUnderTest) -> Iterator[Store]:
    """An open store on the Neo4j of this test run; what earlier tests left is still in it (see `store`)."""
    with open_store(neo4j_server.address) as opened:
        yield opened


@pytest.fixture
def store(neo4j_store: Store) -> Store:
    """An open store without nodes. Constraints and indexes may be there: making them anew costs seconds."""
    empty(neo4j_store)
    return neo4j_store


@pytest.fixture
def bare_store(neo4j_store: Store) -> Store:
    """An open store that holds nothing: no nodes, no constraints, no indexes but the server's own."""
    empty(neo4j_store)
    drop_schema(neo4j_store)
    return neo4j_store


@pytest.fixture
def store_address(store: Store, neo4j_server: ServerUnderTest) -> str:
    """What `--store` takes to name the (emptied) Neo4j of this test run."""
    return neo4j_server.address


def empty(store: Store) -> None:
    """Remove all data. What the program's schema remembers of itself goes with its schema only."""
    store.implicit(
        "MATCH (n) WHERE NOT n:Migration CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"
    )


def drop_schema(store: Store) -> None:
    """Remove all constraints and indexes, and what is remembered of applied migrations."""
    for record in store.read("SHOW CONSTRAINTS YIELD name"):
        store.write(f"DROP CONSTRAINT {_quoted(record['name'])} IF EXISTS")
    for record in store.read("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        store.write(f"DROP INDEX {_quoted(record['name'])} IF EXISTS")
    store.write("MATCH (m:Migration) DELETE m")


def _quoted(name: str) -> str:
    # Names of schema objects cannot be parameters; this is test code on an emptied database.
    return "`" + name.replace("`", "``") + "`"


def _with_credentials(uri: str) -> str:
    target = resolve_target(uri)
    assert isinstance(target, ServerTarget), "INDEXER_TEST_NEO4J_URI must be the address of a Neo4j"
    if target.username is None or "@" in uri:
        return uri
    password = target.password.get_secret_value() if target.password else ""
    return uri.replace("://", f"://{quote(target.username, safe='')}:{quote(password, safe='')}@", 1)


def _container():  # type: ignore[no-untyped-def]
    """A started container, or None where Docker does not answer or cannot get the image."""
    from testcontainers.community.neo4j import Neo4jContainer

    with suppress(
        Exception
    ):  # without Docker the constructor already raises; so do a missing image and a dead daemon
        return Neo4jContainer(CONTAINER_IMAGE, password=PASSWORD).start()
    return None
