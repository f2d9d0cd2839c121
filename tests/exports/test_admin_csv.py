"""CSV for `neo4j-admin database import`: really imported, and the same graph."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.exports.admin_csv import ARGUMENTS, field, quoted, write_graph
from indexer.exports.errors import ExportError
from indexer.exports.files import to_folder
from indexer.ingest.digest import graph_digest
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store, local_server, open_store
from indexer.store.local import java
from indexer.store.local.launch import tool_environment
from indexer.store.settings import LocalTarget
from tests.support import materialise

ODD = (
    'a "quoted" text',
    "two\r\nlines\n",
    "",
    " blanks ",
    "back\\slash\\",
    'ends"',
    "comma,semicolon;",
    "héé ✓ 🙂",
    "\t",
)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_a_quoted_text_reads_back(text: str) -> None:
    (row,) = csv.reader(io.StringIO(f"{quoted(text)},1\n", newline=""), strict=True)
    assert row == [text, "1"]


def test_fields_tell_nothing_from_empty() -> None:
    assert field(None, "STRING", "|") == ""
    assert field("", "STRING", "|") == '""'
    assert field(["a", "b"], "LIST<STRING>", "|") == '"a|b"'
    assert field(b"\x00\x7f\x80\xff", "BYTES", "|") == '"0|127|-128|-1"'
    assert field(True, "BOOLEAN", "|") == "true"
    assert field(0.1, "FLOAT", "|") == "0.1"


def test_the_import_gives_the_same_graph(
    store: Store, tmp_path: Path, local_lib: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = materialise("provenance", tmp_path)
    monkeypatch.chdir(tree)
    Scanner(store).scan([str(tree)])
    store.write(
        "MATCH (c:Chat) WITH c LIMIT 1 UNWIND range(0, size($odd) - 1) AS i "
        "CREATE (c)-[:HAS_MESSAGE]->(m:Message {id: 'odd' + i, preview: $odd[i], index: i, synthetic: true})"
        "-[:HAS_CONTENT]->(:Content {key: 'odd' + i, text: $odd[i], bytes: 9007199254740993})"
        "CREATE (c)-[:IMPORTS {indexes: [1, 2], refs: [$odd[i], 'x']}]->(c)"
        "CREATE (:Unknown)",
        {"odd": list(ODD)},
    )
    facts = store.read("MATCH (f:File) RETURN f.path AS path, f.facts AS facts ORDER BY path")
    folder = tmp_path / "csv"

    counts = to_folder(store, str(folder), write_graph)

    assert (
        counts["left_out"] == len(ODD) + store.read("MATCH (n:Migration|Lease) RETURN count(n) AS n")[0]["n"]
    )
    target = LocalTarget(tmp_path / "imported", local_lib, idle_minutes=5)
    server = local_server(target)
    server.ensure()
    server.stop()
    code, output = java.run_tool(
        server.jars,
        [
            "org.neo4j.cli.AdminTool",
            "database",
            "import",
            "full",
            "neo4j",
            "--overwrite-destination=true",
            f"@{ARGUMENTS}",
        ],
        tool_environment(server.layout),
        folder=folder,
        timeout=300,
    )
    assert code == 0, output[-2000:]
    try:
        with open_store(target) as imported:
            assert graph_digest(imported) == graph_digest(store)
            again = imported.read("MATCH (f:File) RETURN f.path AS path, f.facts AS facts ORDER BY path")
            assert [tuple(row) for row in again] == [tuple(row) for row in facts]
    finally:
        server.stop()


def test_a_folder_with_files_is_not_written_over(store: Store, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ExportError, match="not an empty folder"):
        to_folder(store, str(tmp_path), write_graph)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
