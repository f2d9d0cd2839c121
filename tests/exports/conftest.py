"""The small case study in a real graph, scanned once for all tests of the exports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from indexer.cli import main
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store
from tests.conftest import ServerUnderTest, empty
from tests.support import materialise

Export = Callable[..., Path]


@pytest.fixture(scope="module")
def case_root(neo4j_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home folder of the case tree, indexed: E is `git/tidewater/chats/glossary_pass.chat`."""
    home = materialise("case_legacy", tmp_path_factory.mktemp("case")) / "home"
    before = os.getcwd(), os.environ.get("HOME")
    os.chdir(home)
    os.environ["HOME"] = str(home)
    empty(neo4j_store)
    try:
        Scanner(neo4j_store).scan([str(home)])
        yield home
    finally:
        os.chdir(before[0])
        os.environ["HOME"] = before[1] or ""


@pytest.fixture(scope="module")
def e_root(case_root: Path) -> str:
    return str(case_root / "git/tidewater/chats/glossary_pass.chat")


@pytest.fixture(scope="module")
def invoke(case_root: Path, neo4j_server: ServerUnderTest) -> Callable[..., Result]:
    """`indexer ARGS --store ADDRESS`."""

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, [*arguments, "--store", neo4j_server.address])

    return run


@pytest.fixture
def export(invoke: Callable[..., Result], tmp_path: Path) -> Export:
    """`indexer export ARGS -o PLACE`; gives the place."""

    def run(*arguments: str) -> Path:
        place = tmp_path / "out"
        result = invoke("export", *arguments, "-o", str(place))
        assert result.exit_code == 0, result.output
        return place

    return run
