"""The JSON contract (field names, types, envelopes), options, exit codes, ways to name a root, short summaries."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import orjson
import pytest
from click.testing import CliRunner, Result

from indexer import Index
from indexer.cli import COMMANDS, main
from indexer.ingest.scan import Scanner, ScanOptions
from indexer.redaction import redactor_for
from indexer.store.connection import Store
from tests.conftest import ServerUnderTest, empty
from tests.support import materialise

TOKENS = {name: int for name in ("pt", "ct", "tt", "cct", "cwt", "rt")}
SIDE = {"chats": [str], "jobs": [str], "edges": int, "tokens": TOKENS}
OPTIONAL = (str, type(None))
MESSAGE = {
    "address": str, "index": int, "role": str, "lineage": str, "content_key": str, "preview": str,
    "bytes": int, "line": int, "origin": str, "copy_of": OPTIONAL,
}  # fmt: skip
COUNTS = {
    name: int
    for name in ("messages", "unique_messages", "tool_calls", "unique_tool_calls", "bytes", "unique_bytes")
}
CONTEXT = {
    "from": str, "to": str, "relation": str, "basis": str, "address": str, "target_in_scope": bool,
}  # fmt: skip


def page(row: dict[str, Any]) -> dict[str, Any]:
    """An envelope with rows of that shape."""
    return {"page": int, "per_page": int, "total": int, "items": [row]}


#: Question -> shape of its answer. A list holds the shape of its entries; A and G are the roots below.
SHAPES: dict[tuple[str, ...], dict[str, Any]] = {
    ("scope", "G", "--job-refs", "own"): {
        "root": str, "job_refs": str, "follow": [str], "chats": [str], "jobs": [str],
        "edges": {n: int for n in ("job", "dependency", "log", "result", "agent_job", "context")},
        "context": [CONTEXT],
        "totals": {"chats": int, "jobs": int, **COUNTS, "tokens": TOKENS},
    },
    ("edges", "G"): page(
        {"relation": str, "from_kind": str, "from": str, "to_kind": str, "to": str, "detail": dict}
    ),
    ("diff", "E", "G"): {"a": str, "b": str, "only_in_a": SIDE, "only_in_b": SIDE, "in_both": SIDE},
    ("dedup", "G"): {
        "root": str,
        "totals": COUNTS,
        "inlined": [{
            "chat": str, "first_index": int, "last_index": int, "job": str, "original": OPTIONAL,
            "bytes": int, "messages": int,
        }],
    },
    ("tokens", "G"): {
        "root": str,
        "totals": {
            n: TOKENS for n in ("deduplicated_total", "chat_evidence", "receipt_evidence", "receipt_only")
        },
        "events": page({}), "conflicts": int, "incomplete_evidence": int, "unknown": int,
    },
    ("messages", "G"): page(MESSAGE),
    ("message", "G#1"): {**MESSAGE, "content": str},
    ("instructions", "G"): {
        "root": str, "versions": [{"digest": str, "agent": OPTIONAL, "chats": [str], "preview": str}],
    },
    ("conversations",): page({
        "root": str, "own_jobs": int, "context_jobs": int, "shared_jobs": int, "tool_calls": int,
        "unique_tool_calls": int, "tokens": TOKENS, "last_activity": OPTIONAL,
    }),
    ("tool-calls", "G"): page({
        "address": str, "output_address": OPTIONAL, "tool": OPTIONAL, "call_id": OPTIONAL, "status": str,
        "status_reason": OPTIONAL, "target_agent": OPTIONAL, "origin": str, "copy_of": OPTIONAL,
        "receipts": int,
    }),
}  # fmt: skip
SCANNED = (
    "files", "chats", "messages", "jobs", "tool_calls", "receipts", "inferences", "problems", "unchanged",
    "missing", "seconds",
)  # fmt: skip
#: Further answers, which section 6 does not spell out.
OTHERS = (
    ("overview", "G"), ("tokens", "G", "--by", "agent"), ("tokens", "G", "--by", "day"),
    ("tokens", "G", "--by", "job"), ("tokens", "G", "--by", "chat"), ("tokens", "G", "--by", "tool"),
    ("reasoning", "G"), ("receipts", "G"), ("agents", "G"), ("find", "the"), ("problems",), ("context", "G"),
    ("accounting", "G"), ("delegations", "G"), ("evidence", "G"), ("changes", "G"), ("earlier", "G"),
)  # fmt: skip
LISTS = (
    "conversations", "overview", "scope", "edges", "diff", "dedup", "tokens", "tool-calls", "messages",
    "reasoning", "receipts", "agents", "instructions", "find", "problems",
)  # fmt: skip
ANSWERS = (*LISTS, "why", "message")


class Asked:
    """The scanned case and its roots."""

    def __init__(self, home: Path, address: str) -> None:
        self.home, self.address = home, address
        with Index(address) as index:
            rows = index.runner.run("conversations", {"skip": 0, "limit": 100})
        named = {row["root"]: row for row in rows}
        importing = next(root for root in named if "import: " in Path(root).read_text()[:2000])
        imported = max((r for r in named if r != importing), key=lambda r: named[r]["own_jobs"])
        self.roots = {"G": importing, "E": imported}

    def run(self, *words: str) -> Result:
        spelled = [self.roots.get(word[0], word) + word[1:] if word[:2] in ROOTS else word for word in words]
        return CliRunner().invoke(main, [*spelled, "--store", self.address])

    def json(self, *words: str) -> Any:
        result = self.run(*words, "--json")
        assert result.exit_code == 0, (words, result.output)
        return orjson.loads(result.stdout)


ROOTS = ("G", "E", "G#")


@pytest.fixture(scope="module")
def asked(
    neo4j_store: Store, neo4j_server: ServerUnderTest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Asked]:
    """The small case in both layouts' older form, scanned once for all tests here."""
    home = materialise("case_legacy", tmp_path_factory.mktemp("contract")) / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.chdir(home)
        empty(neo4j_store)
        Scanner(neo4j_store, ScanOptions(redact=redactor_for("default"))).scan([str(home)])
        yield Asked(home, neo4j_server.address)


def check(value: Any, shape: Any, where: str) -> None:
    """Names and types as said; more names are fine."""
    if isinstance(shape, dict):
        assert isinstance(value, dict), where
        assert shape.keys() <= value.keys(), (where, shape.keys() - value.keys())
        for name, inner in shape.items():
            check(value[name], inner, f"{where}.{name}")
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for entry in value:
            check(entry, shape[0], f"{where}[]")
    else:
        assert isinstance(value, shape), (where, value)
        assert not (shape is int and isinstance(value, bool)), where


@pytest.mark.parametrize("question", SHAPES, ids=" ".join)
def test_shapes(asked: Asked, question: tuple[str, ...]) -> None:
    answer = asked.json(*question)
    check(answer, SHAPES[question], question[0])
    if "tokens" in answer.get("totals", {}):
        assert answer["totals"]["tokens"].keys() == TOKENS.keys()
    for name in ("items", "context", "inlined", "versions"):
        assert answer.get(name, True), f"{name} is empty: nothing was checked"


def test_the_path_of_why(asked: Asked) -> None:
    target = asked.json("scope", "G")["jobs"][0]
    path = asked.json("why", "G", target)["path"]
    assert [set(step) & {"id", "kind"} for step in path[::2]] == [{"id", "kind"}] * len(path[::2])
    assert all("relation" in step for step in path[1::2])
    assert (path[0]["id"], path[-1]["id"]) == (asked.roots["G"], target)


def test_a_scan(asked: Asked) -> None:
    result = asked.run("scan", str(asked.home), "--json")
    answer = orjson.loads(result.stdout)
    assert set(SCANNED) <= answer.keys()
    assert all(isinstance(answer[name], int) for name in SCANNED[:-1])
    assert answer["unchanged"] == answer["files"] > 0


@pytest.mark.parametrize("question", [*SHAPES, *OTHERS], ids=" ".join)
def test_summaries_are_short_and_stdout_holds_only_the_answer(
    asked: Asked, question: tuple[str, ...]
) -> None:
    for form in ((), ("--json",)):
        result = asked.run(*question, "--summary", *form)
        assert result.exit_code == 0, result.output
        assert 0 < len(result.stdout) < 4_000, form
    full = orjson.loads(asked.run(*question, "--json", "-vv").stdout)
    short = orjson.loads(result.stdout)
    assert short.keys() >= full.keys() - {"cut"}
    if "total" in full:
        assert short["total"] == full["total"]


def parameters(name: str) -> set[str]:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"neo4j", "schema", "copies", "jobs"}))
def test_every_command_takes_the_common_options(name: str) -> None:
    assert {"--store", "--json", "-v", "-q"} <= parameters(name)


@pytest.mark.parametrize("group", ["neo4j", "schema", "copies", "jobs"])
def test_so_do_the_commands_of_groups(group: str) -> None:
    commands = main.get_command(click.Context(main), group)
    assert isinstance(commands, click.Group)
    for name, command in commands.commands.items():
        found = {option for parameter in command.params for option in parameter.opts}
        assert {"--store", "--json", "-v", "-q"} <= found, name


def test_lists_take_pages_and_answers_summaries() -> None:
    for name in LISTS:
        assert {"--page", "--per-page"} <= parameters(name), name
    for name in ANSWERS:
        assert "--summary" in parameters(name), name


def test_pages_join_to_the_whole(asked: Asked) -> None:
    whole = asked.json("messages", "G", "--per-page", "1000000")
    assert len(whole["items"]) == whole["total"]
    size = -(-whole["total"] // 3)
    parts = [asked.json("messages", "G", "--page", str(n), "--per-page", str(size)) for n in (1, 2, 3)]
    assert [row for part in parts for row in part["items"]] == whole["items"]
    past = asked.json("messages", "G", "--page", "99")
    assert (past["items"], past["total"]) == ([], whole["total"])


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("why", "E", "no-such-thing"), 4),
        (("scope", "no-such-thing"), 4),
        (("message", "no-such-thing#1"), 4),
        (("message", "G#999999"), 4),
        (("message", "G"), 4),
        (("find", "xyzzyunheardof"), 1),
        (("scope", "G", "--follow", "friendship"), 2),
        (("edges", "G", "--relation", "friendship"), 2),
        (("scope", "G", "--job-refs", "none"), 2),
        (("scope", "G", "--page", "0"), 2),
        (("tokens", "G", "--by", "colour"), 2),
        (("tool-calls", "G", "--status", "fine"), 2),
        (("query", "no_such_query"), 2),
        (("cypher", "CREATE (n)"), 2),
        (("cypher", "MATCH (n"), 2),
        (("scan",), 2),
        (("scan", "/no/such/folder"), 2),
        (("forget", "/no/such/folder", "--yes"), 4),
        (("nonsense",), 2),
    ],
    ids=str,
)
def test_exit_codes(asked: Asked, words: tuple[str, ...], code: int) -> None:
    result = asked.run(*words)
    assert result.exit_code == code, result.output
    if code != 1:
        assert not result.stdout
    assert result.stderr
    assert "Traceback" not in result.output


def test_no_is_an_answer(asked: Asked) -> None:
    elsewhere = next(c["root"] for c in asked.json("conversations")["items"] if not c["context_jobs"])
    result = asked.run("why", elsewhere, "G", "--json")
    assert result.exit_code == 1
    assert orjson.loads(result.stdout) == {"path": []}


def test_a_store_that_does_not_answer() -> None:
    for words in (("scope", "x"), ("status",), ("find", "x"), ("conversations",)):
        result = CliRunner().invoke(main, [*words, "--store", "bolt://127.0.0.1:1"])
        assert (result.exit_code, result.stdout) == (3, "")
        assert len(result.stderr.splitlines()) == 1


def test_ways_to_name_a_root(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    root = asked.roots["G"]
    monkeypatch.chdir(os.path.dirname(root))
    name = os.path.basename(root)
    job = asked.json("scope", "G", "--job-refs", "own")["jobs"][0]
    for spelled in (root, name, f"./{name}", name.removesuffix(".chat"), os.path.relpath(root, asked.home)):
        if spelled == os.path.relpath(root, asked.home):
            monkeypatch.chdir(asked.home)
        assert asked.json("scope", spelled)["root"] == root, spelled
    reference = "/".join(job.split("/")[-3:])
    for spelled in (job, reference, f"{job}.info", f"/home/another/var/jobs/{reference}"):
        assert asked.json("scope", spelled)["root"] == job, spelled


def test_names_that_are_no_utf8_or_look_like_escapes(
    neo4j_store: Store, asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stored = {"lat\udce9n.chat": "lat%E9n.chat", "a%C3%A9.chat": "a%25C3%25A9.chat", "ha#1.chat": "ha#1.chat"}
    for name in stored:
        Path(name).write_text(f"user: of {os.fsencode(name)!r}")
    Scanner(neo4j_store).scan([str(tmp_path)])
    for name, id_ in stored.items():
        for spelled in (name, f"{tmp_path}/{name}", f"{tmp_path}/{id_}", id_):
            assert asked.json("scope", spelled)["root"] == f"{os.path.realpath(tmp_path)}/{id_}", spelled
        assert asked.json("message", f"{name}#1")["content"].startswith("of b")
    assert asked.run("scope", "no\udce9thing").exit_code == 4


def test_several_are_meant(asked: Asked) -> None:
    result = asked.run("scope", "agent.chat", "--json")
    assert (result.exit_code, result.stdout) == (4, "")
    assert len([line for line in result.stderr.splitlines() if line.strip().startswith("/")]) > 1


def test_a_file_that_is_not_indexed(asked: Asked, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.chat"
    fresh.write_text("user: hello")
    result = asked.run("scope", str(fresh))
    assert result.exit_code == 4
    assert f"indexer scan {fresh}" in result.stderr


def test_an_index_of_a_driver(asked: Asked, neo4j_store: Store) -> None:
    with Index(neo4j_store.driver) as index:
        assert index.scope(asked.roots["G"]).root == asked.roots["G"]
    neo4j_store.driver.verify_connectivity()
