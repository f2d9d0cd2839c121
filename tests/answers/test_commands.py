"""The commands of the answers: JSON on stdout, tables, exit codes."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result

from indexer.cli import COMMANDS, main
from tests.answers.scenes import J1, L1, L2, E, G


class Asked:
    def __init__(self, address: str) -> None:
        self.address = address

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(main, [*words, "--store", self.address])

    def json(self, *words: str) -> Any:
        result = self.run(*words, "--json")
        assert result.exit_code == 0, result.output
        return orjson.loads(result.stdout)


@pytest.fixture
def ask(store_address_of_index: str) -> Asked:
    return Asked(store_address_of_index)


ABOUT_A_ROOT = (
    "scope", "edges", "dedup", "tokens", "tool-calls", "messages", "reasoning", "receipts", "agents",
    "instructions", "overview",
)  # fmt: skip
ENVELOPE = {"page", "per_page", "total", "items"}


def test_every_question_in_every_form(ask: Asked) -> None:
    for name in ABOUT_A_ROOT:
        for form in (
            (),
            ("--json",),
            ("--summary",),
            ("--json", "--summary"),
            ("--page", "2", "--per-page", "1"),
        ):
            result = ask.run(name, G, *form)
            assert result.exit_code == 0, (name, form, result.output)
            assert result.stdout
            if "--json" in form:
                orjson.loads(result.stdout)


def test_contract_names(ask: Asked) -> None:
    names = {
        "scope": {"root", "job_refs", "follow", "chats", "jobs", "edges", "context", "totals"},
        "dedup": {"root", "totals", "inlined"},
        "tokens": {"root", "totals", "events", "conflicts", "incomplete_evidence", "unknown"},
        "instructions": {"root", "versions"},
    }
    for name, wanted in names.items():
        assert wanted <= ask.json(name, G).keys(), name
    items = {
        "edges": {"relation", "from_kind", "from", "to_kind", "to", "detail"},
        "messages": {
            "address", "index", "role", "lineage", "content_key", "preview", "bytes", "line", "origin",
            "copy_of",
        },
        "tool-calls": {
            "address", "output_address", "tool", "call_id", "status", "status_reason", "target_agent",
            "origin", "copy_of", "receipts",
        },
    }  # fmt: skip
    for name, wanted in items.items():
        answer = ask.json(name, G)
        assert answer.keys() == ENVELOPE
        assert wanted == answer["items"][0].keys(), name
    assert {"chats", "jobs", "edges", "tokens"} <= ask.json("diff", E, G)["only_in_b"].keys()
    assert {
        "root", "own_jobs", "context_jobs", "shared_jobs", "tool_calls", "unique_tool_calls", "tokens",
        "last_activity",
    } <= ask.json("conversations")["items"][0].keys()  # fmt: skip
    assert ask.json("message", f"{G}#1")["content"] == "Go on and write it up."
    assert set(ask.json("tokens", G)["totals"]["receipt_only"]) == {"pt", "ct", "tt", "cct", "cwt", "rt"}
    inlined = ask.json("dedup", G)["inlined"][0]
    assert inlined.keys() == {"chat", "first_index", "last_index", "job", "original", "bytes", "messages"}


@pytest.mark.parametrize(
    "words",
    [("--follow", "job", "--follow", "log"), ("--follow", "job,log"), ("--follow", "job", "log")],
)
def test_follow(ask: Asked, words: tuple[str, ...]) -> None:
    answer = ask.json("scope", G, *words)
    assert answer["follow"] == ["job", "log"]
    assert answer["chats"] == sorted([G, L1, L2])
    assert ask.json("scope", *words, G) == answer


def test_follow_does_not_swallow_the_root(ask: Asked) -> None:
    assert ask.json("scope", "--follow", "job", G)["root"] == G


def test_exit_codes(ask: Asked) -> None:
    assert ask.run("scope", G, "--job-refs", "some").exit_code == 2
    assert ask.run("scope", G, "--follow", "jobs").exit_code == 2
    assert ask.run("scope", G, "--page", "0").exit_code == 2
    assert ask.run("edges", G, "--relation", "x").exit_code == 2
    missing = ask.run("scope", "no/such/root")
    assert missing.exit_code == 4
    assert missing.stdout == ""
    several = ask.run("scope", "agent.chat")
    assert several.exit_code == 4
    assert L1 in several.stderr
    assert ask.run("why", G, J1).exit_code == 0
    no = ask.run("why", E, G, "--json")
    assert no.exit_code == 1
    assert orjson.loads(no.stdout) == {"path": []}
    assert ask.run("find", "xylophone").exit_code == 1
    assert ask.run("problems", "--strict").exit_code == 0
    assert CliRunner().invoke(main, ["scope", G, "--store", "bolt://127.0.0.1:9"]).exit_code == 3


def test_tables_hold_the_answer(ask: Asked) -> None:
    shown = ask.run("scope", G, "--job-refs", "own").stdout
    assert G in shown
    assert "20 (10 unique)" in shown
    assert "inherited" in shown
    assert "1,485" in ask.run("conversations").stdout
    assert "Go on and write it up." in ask.run("message", f"{G}#1").stdout
    more = ask.run("messages", G, "--per-page", "7")
    assert "--page 2" in more.stderr


def test_other_questions(ask: Asked) -> None:
    for words in (
        ("delegations", G), ("accounting", G), ("context", G), ("evidence", G), ("changes", G), ("earlier", G),
        ("jobs", "shared"),
        ("jobs", "orphan"), ("jobs", "stale"), ("copies", "blocks"), ("copies", "replayed"),
        ("problems",), ("problems", G), ("find", "harbour", "--root", G, "--job-refs", "own"),
    ):  # fmt: skip
        if words[0] not in COMMANDS:
            continue
        for form in ((), ("--json",), ("--summary",)):
            result = ask.run(*words, *form)
            assert result.exit_code == 0, (words, result.output)


def test_queries_by_name(ask: Asked) -> None:
    listed = ask.json("queries")["queries"]
    assert {"scope", "diff", "dedup"} <= {one["name"] for one in listed}
    assert ask.run("queries", "scope").stdout.startswith("// What belongs to a root")
    assert ask.run("queries", "nothing").exit_code == 2
    rows = ask.json("query", "dedup", "--param", "root=g.chat")["rows"]
    assert rows[0]["unique_messages"] == 17
    own = ask.json(
        "query", "closure", "--param", f"root={G}", "--param", "job_refs=own", "--param", "limit=2"
    )["rows"]
    assert (len(own), own[0]["total"]) == (2, 6)
    assert (
        ask.json("query", "messages", "--param", f"root={G}", "--param", "follow=[]")["rows"][0]["total"] == 4
    )
    described = ask.json("queries", "dedup")["queries"][0]
    assert described["parameters"][0] == {
        "name": "root",
        "type": "STRING",
        "meaning": "id of a chat or job; where one path is both, the job when it has an info",
    }
    pages = [
        ask.json("query", "messages", "--param", f"root={G}", "--page", str(p), "--per-page", "20")
        for p in (1, 2)
    ]
    assert [len(page["rows"]) for page in pages] == [20, 10]
    short = ask.run("query", "messages", "--param", f"root={G}", "--summary", "--json").stdout
    assert len(short) < 4_000
    assert orjson.loads(short)["cut"] is True
    assert ask.run("query", "dedup").exit_code == 2
    assert ask.run("query", "dedup", "--param", "root=g.chat", "--param", "colour=1").exit_code == 2
    assert ask.run("query", "nothing").exit_code == 2


def test_control_characters_never_reach_a_terminal(ask: Asked) -> None:
    from indexer.commands.output import printable

    assert printable("a\x1b[31mb\x07\x9bc\td\n") == "a␛[31mb␇\\x9bc\td\n"
