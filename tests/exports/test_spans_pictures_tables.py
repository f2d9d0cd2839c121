"""OpenTelemetry spans, pictures and tables, read back by the readers of their formats."""

from __future__ import annotations

import base64
import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pydot
import pytest
from click.testing import Result
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.trace.v1.trace_pb2 import Span, TracesData

from indexer.api import Index
from indexer.exports import errors
from indexer.exports.otel import usage
from indexer.store.connection import Store

Export = Callable[..., Path]


def spans_of(path: Path) -> list[Span]:
    """The spans of an OTLP JSON file, read by the protocol's own classes. Ids are hex there, not base64."""

    def convert(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                name: base64.b64encode(bytes.fromhex(inner)).decode()
                if name.lower().endswith("spanid") or name == "traceId"
                else convert(inner)
                for name, inner in value.items()
            }
        return [convert(inner) for inner in value] if isinstance(value, list) else value

    found: list[Span] = []
    for line in path.read_text().splitlines():
        for resource in ParseDict(convert(json.loads(line)), TracesData()).resource_spans:
            for scope in resource.scope_spans:
                found.extend(scope.spans)
    return found


def attributes(span: Span) -> dict[str, Any]:
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in span.attributes}


@pytest.mark.parametrize("job_refs", ["all", "own"])
def test_spans_hold_the_scopes_requests_and_tokens(
    export: Export, e_root: str, neo4j_store: Store, job_refs: str
) -> None:
    spans = spans_of(export("otel", e_root, "--job-refs", job_refs))
    totals = Index(neo4j_store).scope(e_root, job_refs=job_refs).totals

    counts = Counter(attributes(span)["gen_ai.operation.name"] for span in spans)
    assert counts == {
        "invoke_agent": totals.chats,
        "invoke_workflow": totals.jobs,
        "chat": totals.requests,
        "execute_tool": totals.unique_tool_calls,
    }
    requests = [attributes(span) for span in spans if span.kind == Span.SPAN_KIND_CLIENT]
    assert sum(a.get("gen_ai.usage.output_tokens", 0) for a in requests) == totals.tokens.ct
    assert sum(a.get("scout.usage.pt", 0) for a in requests) == totals.tokens.pt


def test_spans_make_one_tree(export: Export, e_root: str) -> None:
    spans = spans_of(export("otel", e_root))
    known = {span.span_id: span for span in spans}

    assert len({span.trace_id for span in spans}) == 1
    assert len(known) == len(spans)
    (top,) = [span for span in spans if not span.parent_span_id]
    assert attributes(top)["scout.path"] == e_root
    for span in spans:
        assert len(span.trace_id) == 16
        assert len(span.span_id) == 8
        assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano
        seen = set()
        while span.parent_span_id:
            assert span.span_id not in seen
            seen.add(span.span_id)
            span = known[span.parent_span_id]


def test_cached_tokens_count_as_input_where_the_provider_left_them_out() -> None:
    assert usage({"pt": 5, "ct": 2, "cct": 9, "cwt": 8}) == {
        "gen_ai.usage.input_tokens": 22,
        "gen_ai.usage.output_tokens": 2,
        "gen_ai.usage.cache_read.input_tokens": 9,
        "gen_ai.usage.cache_creation.input_tokens": 8,
    }
    assert usage({"pt": 5, "ct": 2, "cct": 3, "rt": 1})["gen_ai.usage.input_tokens"] == 5
    assert usage({}) == {}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_dot_is_read_by_a_dot_parser(export: Export, e_root: str, neo4j_store: Store) -> None:
    (graph,) = pydot.graph_from_dot_data(export("dot", e_root).read_text())
    scope = Index(neo4j_store).scope(e_root)
    nodes = [n for n in graph.get_nodes() if n.get_name().startswith("n") and n.get_name()[1:].isdigit()]
    assert len(nodes) == len(scope.chats) + len(scope.jobs)
    labels = Counter(edge.get("label").strip('"') for edge in graph.get_edges())
    assert labels["dependency"] == scope.edges.dependency
    assert labels["log"] == scope.edges.log


def test_mermaid_holds_the_same(export: Export, e_root: str) -> None:
    lines = export("mermaid", e_root).read_text().splitlines()
    assert lines[0] == "flowchart LR"
    nodes = [
        line for line in lines if re.fullmatch(r'  n\d+(\[|\(\[)"[^"<>]*(<br/>[^"<>]*)*"(\]|\]\))', line)
    ]
    edges = [line for line in lines if re.fullmatch(r"  n\d+ (-->|-\.->)\|\w+\| n\d+", line)]
    styles = [line for line in lines if line.startswith("  style n")]
    assert len(nodes) + len(edges) + len(styles) == len(lines) - 1
    assert len(nodes) == len(styles)


def test_csv_of_a_query_about_a_root(export: Export, e_root: str, neo4j_store: Store) -> None:
    with export("csv", e_root, "--query", "tool_calls").open(newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    page = Index(neo4j_store).tool_calls(e_root, per_page=10_000)
    assert [row["address"] for row in rows] == [item.address for item in page.items]
    assert "total" not in rows[0]


def test_parquet_is_typed_as_the_query_says(export: Export, e_root: str, neo4j_store: Store) -> None:
    table = pyarrow.parquet.read_table(export("parquet", e_root, "--query", "tokens_by_chat"))
    assert str(table.schema.field("pt").type) == "int64"
    assert str(table.schema.field("key").type) == "string"
    assert sum(table["tt"].to_pylist()) == Index(neo4j_store).scope(e_root).totals.tokens.tt


def test_parquet_of_typed_cypher(export: Export) -> None:
    place = export(
        "parquet", "--cypher", "UNWIND range(1, 12000) AS i RETURN i, i / 2.0 AS half, [i] AS list", "--json"
    )
    table = pyarrow.parquet.read_table(place)
    assert table.num_rows == 12_000
    assert [str(field.type) for field in table.schema] == ["int64", "double", "string"]
    assert table["list"][3].as_py() == "[4]"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["prov-json"], 2, "name it as ROOT"),
        (["dot", "no-such-thing-anywhere"], 4, "no chat or job"),
        (["csv", "--query", "nothing"], 2, "no query named nothing"),
        (["csv", "--query", "scope"], 2, "name it as ROOT"),
        (["csv", "--query", "find"], 2, "needs --param text"),
        (["csv", "--cypher", "CREATE (n:X) RETURN n"], 2, "read"),
        (["csv", "--cypher", "RETURN 1", "--query", "edges"], 2, "not both"),
        (["neo4j-csv"], 2, "-o FOLDER"),
        (["dot", "glossary_pass", "--query", "edges"], 2, "for csv and parquet"),
    ],
)
def test_what_cannot_be_exported_is_said_in_a_line(
    invoke: Callable[..., Result], arguments: list[str], code: int, says: str
) -> None:
    result = invoke("export", *arguments)
    assert result.exit_code == code, result.output
    assert says in result.output


def test_a_missing_library_names_its_command(
    invoke: Callable[..., Result], e_root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(module: str) -> None:
        raise ImportError(module)

    monkeypatch.setattr(errors, "import_module", missing)
    result = invoke("export", "prov-json", e_root, "-o", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert "pip install 'provenance-indexer[export]'" in result.output
    assert not (tmp_path / "out").exists()
    assert list(tmp_path.iterdir()) == []


def test_standard_output_is_the_default(invoke: Callable[..., Result], e_root: str) -> None:
    assert invoke("export", "dot", e_root).stdout.startswith("digraph scope {")
