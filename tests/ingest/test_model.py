"""The model is declared once: what is written, the schema files and the description agree with it."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from indexer import model
from indexer.ingest.scan import Scanner
from indexer.migrations import SchemaError, apply, expected_names, inspect, refuse_newer
from indexer.schema_doc import document
from indexer.store.connection import Store
from tests.support import materialise

TYPES = {
    "STRING": str,
    "INTEGER": int,
    "FLOAT": (float, int),
    "BOOLEAN": bool,
    "BYTES": (bytes, bytearray),
    "LIST<STRING>": list,
    "LIST<INTEGER>": list,
}


def check(declared: dict[str, str], properties: dict[str, object], where: str) -> None:
    for name, value in properties.items():
        assert name in declared, f"{where}.{name} is not in the model"
        expected = TYPES.get(declared[name])
        if expected is None:
            assert declared[name] == "DATETIME"
            assert hasattr(value, "iso_format"), f"{where}.{name}"
        else:
            assert isinstance(value, expected), f"{where}.{name} is {type(value)}"
            assert declared[name] == "BOOLEAN" or not isinstance(value, bool), f"{where}.{name}"


def test_all_that_is_written_is_declared(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("case_modern", "provenance", "plain"):
        Scanner(store).scan([str(materialise(name, tmp_path))])
    labels = {node.label: {p.name: p.type for p in node.properties} for node in model.NODES}
    labels["ToolCall"] |= labels["Message"]
    seen = set()
    for row in store.read("MATCH (n) RETURN labels(n) AS labels, properties(n) AS props"):
        label = "ToolCall" if "ToolCall" in row["labels"] else row["labels"][0]
        seen.add(label)
        check(labels[label], row["props"], label)
    assert seen == {node.label for node in model.NODES} - {"Watcher"}
    types = {r.type: r for r in model.RELATIONSHIPS}
    query = (
        "MATCH (a)-[r]->(b) "
        "RETURN type(r) AS type, labels(a) AS a, labels(b) AS b, collect(properties(r))[..200] AS props"
    )
    used = set()
    for row in store.read(query):
        declared = types[row["type"]]
        used.add(row["type"])
        assert set(row["a"]) & set(declared.sources), row
        assert set(row["b"]) & set(declared.targets), row
        for props in row["props"]:
            check({p.name: p.type for p in declared.properties}, props, row["type"])
    # No tree here holds a continue or last line.
    assert used == types.keys() - {"CONTINUES", "LAST"}


def test_schema_files_hold_every_key_and_index() -> None:
    text = "".join(e.read_text() for e in files("indexer.schema").iterdir() if e.name.endswith(".cypher"))
    unique = set(re.findall(r"FOR \(n:(\w+)\) REQUIRE n\.(\w+) IS UNIQUE", text))
    assert unique == {(node.label, node.key) for node in model.NODES if node.beside is None}
    ranges = set(re.findall(r"FOR \(n:(\w+)\) ON \(n\.(\w+)\)", text))
    assert ranges == {(node.label, p.name) for node in model.NODES for p in node.properties if p.indexed}
    related = set(re.findall(r"FOR \(\)-\[r:(\w+)\]-\(\) ON \(r\.(\w+)\)", text))
    assert related == {(r.type, p.name) for r in model.RELATIONSHIPS for p in r.properties if p.indexed}


def test_description_is_current() -> None:
    assert files("indexer.schema").joinpath("README.md").read_text() == document()


def test_applying_is_repeatable_and_mends(bare_store: Store) -> None:
    assert inspect(bare_store.driver, bare_store.database).pending
    assert apply(bare_store.driver, bare_store.database).current
    bare_store.write("DROP INDEX job_ref")
    assert inspect(bare_store.driver, bare_store.database).missing_names == ("job_ref",)
    assert apply(bare_store.driver, bare_store.database).current
    assert "content_text" in expected_names()


def test_newer_schema_is_refused(bare_store: Store) -> None:
    bare_store.write("CREATE (:Migration {version: 9999, name: 'later', checksum: 'x'})")
    with pytest.raises(SchemaError, match="schema version 9999, this program knows"):
        refuse_newer(inspect(bare_store.driver, bare_store.database))
    with pytest.raises(SchemaError):
        Scanner(bare_store).scan(["."])
    bare_store.write("MATCH (m:Migration) DELETE m")
