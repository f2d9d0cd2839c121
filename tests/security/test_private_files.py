"""What is written is for its owner alone, whatever the umask and whatever was there before."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.cli import main
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store
from indexer.store.local.layout import Layout
from tests.conftest import empty

EXAMPLES = Path(__file__).parents[2] / "examples"
FORMS = {
    "prov-json": "a.json",
    "prov-n": "a.provn",
    "openlineage": "a.ndjson",
    "otel": "a.otlp",
    "mermaid": "a.mmd",
    "dot": "a.dot",
    "csv": "a.csv",
    "parquet": "a.parquet",
    "run-crate": "crate",
    "neo4j-csv": "graph",
}


@pytest.fixture
def no_mask() -> Iterator[None]:
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


@pytest.fixture(scope="module")
def root(neo4j_store: Store) -> str:
    empty(neo4j_store)
    Scanner(neo4j_store).scan([str(EXAMPLES)])
    return str(EXAMPLES / "chats/analysis.chat")


def modes(place: Path) -> dict[str, str]:
    """The places below with more rights than their owner's."""
    found = [place, *place.rglob("*")] if place.is_dir() else [place]
    return {
        str(path): oct(path.stat().st_mode & 0o777)
        for path in found
        if stat.S_IMODE(path.stat().st_mode) != (0o700 if path.is_dir() else 0o600)
    }


def written(address: str, *arguments: str) -> None:
    result = CliRunner().invoke(main, [*arguments, "--store", address], catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("form", FORMS)
def test_exports(no_mask: None, root: str, neo4j_server, tmp_path: Path, form: str) -> None:
    output = tmp_path / FORMS[form]
    about = [] if form in ("neo4j-csv", "csv", "parquet") else [root]
    more = ["--cypher", "MATCH (c:Chat) RETURN c.id AS id"] if form in ("csv", "parquet") else []
    written(neo4j_server.address, "export", form, *about, *more, "-o", str(output))
    assert modes(output) == {}


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_reports(no_mask: None, root: str, neo4j_server, tmp_path: Path, name: str) -> None:
    output = tmp_path / name
    written(neo4j_server.address, "report", root, "-o", str(output))
    assert modes(output) == {}
    output.chmod(0o644)
    written(neo4j_server.address, "report", root, "-o", str(output))
    assert modes(output) == {}


def test_the_folder_of_a_local_store(no_mask: None, tmp_path: Path) -> None:
    layout = Layout(tmp_path / "store")
    layout.prepare("5.26.30")
    assert modes(layout.folder) == {}
    assert {path.name for path in layout.folder.iterdir()} >= {"conf", "data"}
