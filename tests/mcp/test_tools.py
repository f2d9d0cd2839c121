"""The tools, driven by the SDK's own client on a real Neo4j."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from indexer.api import Index
from indexer.mcp.fitting import ROOM
from indexer.mcp.graph import Graph
from indexer.mcp.server import create_server
from indexer.mcp.tools import Server
from indexer.store.connection import Store
from tests.conftest import ServerUnderTest, empty
from tests.support_case import case
from tests.support_graph import Told

G = "release_notes"
E = "glossary_pass"
FIRST = [
    ("conversations", {}),
    ("overview", {"root": G}),
    ("scope", {"root": G, "job_refs": "own"}),
    ("diff", {"a": G, "b": E}),
    ("dedup", {"root": G}),
    ("tokens", {"root": G, "by": "agent"}),
    ("edges", {"root": G}),
    ("tool_calls", {"root": G}),
    ("messages", {"root": G}),
    ("agents", {"root": G}),
    ("reasoning", {"root": G}),
    ("why", {"root": G, "target": "main_f0b776fde1e6fad66aa327fc8f5e852d"}),
    ("find", {"text": "review"}),
    ("problems", {}),
    ("report", {"root": G}),
    ("schema", {}),
    ("cypher", {"text": "MATCH (n:Message) RETURN n ORDER BY n.id"}),
]


@pytest.fixture(scope="module")
def server(case_root: Path, neo4j_server: ServerUnderTest) -> Iterator[Server]:
    graph = Graph(neo4j_server.address)
    yield create_server(graph=graph)
    graph.close()


Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def ask(server: Server) -> Ask:
    """Call a tool; its answer."""

    def run(tool: str, **arguments: Any) -> dict[str, Any]:
        text, failed = called(server, tool, arguments)
        assert not failed, text
        return dict(json.loads(text))

    return run


def called(server: Server, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    async def run() -> tuple[str, bool]:
        async with Client(server) as client:
            result = await client.call_tool(tool, arguments)
            assert result.structured_content is None
            (content,) = result.content
            return content.text, bool(result.is_error)  # type: ignore[union-attr]

    return anyio.run(run)


def test_every_tool_is_described_and_read_only(server: Server) -> None:
    async def run() -> list[Any]:
        async with Client(server) as client:
            assert "conversations" in (client.instructions or "")
            return list((await client.list_tools()).tools)

    tools = anyio.run(run)
    assert {tool.name for tool in tools} == {name for name, _ in FIRST} | {"message"}
    for tool in tools:
        assert tool.description
        assert tool.annotations.read_only_hint
        for name, argument in tool.input_schema["properties"].items():
            assert argument.get("description"), f"{tool.name} {name}"
    assert sum(len(tool.model_dump_json(exclude_none=True)) for tool in tools) < 30_000


@pytest.mark.parametrize(("tool", "arguments"), FIRST, ids=[name for name, _ in FIRST])
def test_a_first_answer_is_short(server: Server, tool: str, arguments: dict[str, Any]) -> None:
    text, failed = called(server, tool, arguments)
    assert not failed, text
    assert 50 < len(text) <= ROOM


def test_answers_are_those_of_the_index(ask: Ask, neo4j_store: Store) -> None:
    index = Index(neo4j_store)
    own = index.scope(G, job_refs="own")
    told = ask("scope", root=G, job_refs="own")
    assert told["totals"] == own.to_json()["totals"]
    assert told["context_total"] == own.context_total
    assert ask("dedup", root=E)["totals"] == index.dedup(E).to_json()["totals"]
    assert ask("tokens", root=E)["totals"] == index.tokens(E).to_json()["totals"]
    assert ask("diff", a=G, b=E)["only_in_b"]["chats_total"] == index.diff(G, E).only_in_b.chats_total


def test_pages_give_every_call_once(ask: Ask, neo4j_store: Store) -> None:
    whole = Index(neo4j_store).tool_calls(E, unique=True, per_page=10_000)
    seen: list[str] = []
    asked: dict[str, int] | None = {}
    while asked is not None:
        answer = ask("tool_calls", root=E, **asked)
        seen += [item["address"] for item in answer["items"]]
        asked = answer.get("next")
    assert seen == [item.address for item in whole.items]


def test_more_can_be_asked_for_at_once(ask: Ask) -> None:
    answer = ask("tool_calls", root=G, per_page=64, max_characters=60_000)
    assert len(answer["items"]) == 64


def test_a_long_message_comes_in_parts(ask: Ask, neo4j_store: Store) -> None:
    (row,) = neo4j_store.read(
        "MATCH (m:Message)-[:HAS_CONTENT]->(t) RETURN m.id AS id, t.text AS text "
        "ORDER BY size(t.text) DESC, id LIMIT 1"
    )
    parts, offset = [], 0
    while offset is not None:
        answer = ask("message", address=row["id"], offset=offset, max_characters=1500)
        parts.append(answer["content"])
        offset = answer["next_offset"]
    assert "".join(parts) == row["text"]


def test_report_and_schema_come_in_parts(ask: Ask, neo4j_store: Store) -> None:
    first = ask("report", root=G)
    second = ask("report", root=G, offset=first["next_offset"])
    assert first["text"].startswith("# ")
    assert len(first["text"]) + len(second["text"]) == first["characters"]
    assert "### Chat" in ask("schema")["text"]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("scope", {}, "root: field required"),
        ("scope", {"root": "nowhere-at-all"}, "no chat or job named nowhere-at-all"),
        ("scope", {"root": "agent.chat"}, "names 17 chats or jobs"),
        ("scope", {"root": G, "job_refs": "mine"}, "should be 'all' or 'own'"),
        ("scope", {"root": G, "follow": ["context"]}, "follow.0: input should be 'job'"),
        ("scope", {"root": G, "dept": 3}, "does not take dept; it takes root, job_refs"),
        ("tool_calls", {"root": G, "page": 0}, "greater than or equal to 1"),
        ("tool_calls", {"root": G, "max_characters": 10**9}, "less than or equal to 60000"),
        ("message", {"address": "/no/such.chat#1"}, "no chat or job named"),
        ("find", {"text": ""}, "at least 1 character"),
        ("cypher", {"text": "MATCH (n"}, "Invalid input"),
        ("cypher", {"text": "MATCH (n:Chat {id: $id}) RETURN n"}, "id"),
        ("delete", {}, "there is no tool delete; there are conversations"),
    ],
)
def test_bad_arguments_are_explained(server: Server, tool: str, arguments: dict[str, Any], says: str) -> None:
    text, failed = called(server, tool, arguments)
    assert failed
    assert says in text
    assert "Traceback" not in text
    assert "pydantic" not in text


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (n:X) RETURN n",
        "MATCH (n) DETACH DELETE n",
        "MATCH (n:Chat) SET n.kind = 'x' RETURN n",
        "MERGE (n:X {a: 1}) RETURN n",
        "MATCH (n:Chat) CALL (n) { SET n.x = 1 } IN TRANSACTIONS RETURN 1",
        "CALL db.createLabel('X')",
        "DROP CONSTRAINT chat_id",
        "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
        "RETURN 1; MATCH (n) DELETE n",
    ],
)
def test_nothing_writes(server: Server, neo4j_store: Store, text: str) -> None:
    before = neo4j_store.read(
        "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS n, count(r) AS r"
    )
    _, failed = called(server, "cypher", {"text": text})
    assert failed
    after = neo4j_store.read(
        "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS n, count(r) AS r"
    )
    assert [tuple(row) for row in after] == [tuple(row) for row in before]


def test_a_large_closure_is_never_refused(neo4j_store: Store, neo4j_server: ServerUnderTest) -> None:
    empty(neo4j_store)
    large = "INDEXER_TEST_LARGE" in os.environ  # 15,000 calls take a minute to load
    told = Told()
    root = case(told, "large", jobs=22 if large else 8, rounds=345 if large else 40)
    told.load(neo4j_store)
    graph = Graph(neo4j_server.address)
    server = create_server(graph=graph)
    calls = json.loads(called(server, "tool_calls", {"root": root, "unique": False})[0])
    assert calls["total"] > (15_000 if large else 600)
    questions = [
        (
            name,
            {k: root if v in (G, E) else v for k, v in arguments.items() if k != "target"}
            | ({"target": root} if name == "why" else {}),
        )
        for name, arguments in FIRST
    ]
    for name, arguments in questions:
        began = time.monotonic()
        text, failed = called(server, name, arguments)
        assert not failed, text
        assert len(text) <= ROOM, name
        assert time.monotonic() - began < 20, name
    last = json.loads(
        called(server, "tool_calls", {"root": root, "unique": False, "page": calls["total"] // 16})[0]
    )
    assert last["items"]
    graph.close()
