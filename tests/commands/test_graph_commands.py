"""scan, status, doctor, schema, forget, prune and cypher as a user runs them."""

import os
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result

from indexer.cli import COMMANDS, main
from indexer.ingest.digest import graph_digest
from indexer.store.connection import Store

SCAN_FIELDS = {
    "files", "chats", "messages", "jobs", "tool_calls", "receipts", "inferences", "problems", "unchanged",
    "missing", "seconds",
}  # fmt: skip


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an earlier chat, a later one that imports it, and a job."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    chats, jobs = tmp_path / "work/chats", tmp_path / "work/var/jobs/Flow/ask"
    chats.mkdir(parents=True)
    jobs.mkdir(parents=True)
    (chats / "earlier.chat").write_text("\nuser:\n\nhello\n\nassistant:\n\nhi\n")
    (chats / "later.chat").write_text(
        "\nimport: earlier.chat\n\nuser:\n\nmore\n\nmeta: job=Flow/ask/Default.chat\n\nassistant:\n\ndone\n"
    )
    (jobs / "Default.chat").write_text("\nmeta: job=Flow/ask/Default.chat\n\nassistant:\n\ndone\n")
    (jobs / "Default.chat.info").write_text('{"status":"done","type":"chat","dependencies":[]}')
    return tmp_path / "work"


def run(address: str, *words: str, **more: Any) -> Result:
    return CliRunner().invoke(main, [*words, "--store", address], **more)


def ask(address: str, *words: str) -> Any:
    result = run(address, *words, "--json")
    assert result.exit_code == 0, (result.output, result.exception)
    return orjson.loads(result.stdout)


def test_scan_gives_the_contract_fields(store_address: str, work: Path) -> None:
    answer = ask(store_address, "scan", str(work))
    assert answer.keys() >= SCAN_FIELDS
    assert (answer["files"], answer["chats"], answer["jobs"], answer["unchanged"]) == (4, 3, 1, 0)
    again = ask(store_address, "scan", str(work))
    assert (again["files"], again["chats"], again["unchanged"]) == (4, 0, 4)


def test_scan_says_what_is_wrong(store_address: str, work: Path) -> None:
    result = run(store_address, "scan", str(work / "nowhere"))
    assert result.exit_code == 2
    assert result.stderr == f"indexer: {work}/nowhere: there is no such file or folder\n"
    (work / "chats/bad.chat").write_bytes(b"user: caf\xe9\n\n[[\nopen\n")
    assert run(store_address, "scan", str(work), "--strict").exit_code == 1
    kinds = ask(store_address, "status")["problems"]
    assert kinds == {"invalid_bytes": 1, "unclosed_region": 1}


def test_unreachable_store_is_one_line_and_exit_3(work: Path) -> None:
    for words in (["scan", str(work)], ["status"], ["doctor"]):
        result = CliRunner().invoke(main, [*words, "--store", "bolt://127.0.0.1:1"])
        assert result.exit_code == 3, words
        if words != ["doctor"]:
            assert result.stderr.count("\n") == 1


def test_status_and_doctor(store: Store, store_address: str, work: Path) -> None:
    run(store_address, "scan", str(work))
    status = ask(store_address, "status", "--digest")
    assert status["digest"] == graph_digest(store)
    assert (status["nodes"]["Chat"], status["nodes"]["Job"], status["pending"]) == (3, 1, 0)
    doctor = ask(store_address, "doctor")
    assert doctor["ok"] is True
    assert {check["name"]: check["state"] for check in doctor["checks"]}["schema"] == "ok"


def test_forget_takes_one_path_and_leaves_what_others_say(
    store: Store, store_address: str, work: Path
) -> None:
    run(store_address, "scan", str(work / "chats/later.chat"))
    alone = graph_digest(store)
    run(store_address, "scan", str(work))
    assert graph_digest(store) != alone
    earlier = str(work / "chats/earlier.chat")
    listed = ask(store_address, "forget", earlier, "--dry-run")
    assert (listed["removed"], listed["files"]) == (0, [earlier])
    assert run(store_address, "forget", earlier, input="").exit_code == 2  # no terminal to ask on
    assert ask(store_address, "forget", earlier, "--yes")["removed"] == 1
    assert ask(store_address, "forget", str(work / "var"), "--yes")["removed"] == 2
    assert graph_digest(store) == alone
    assert os.path.exists(earlier)
    assert run(store_address, "forget", earlier, "--yes").exit_code == 4


def test_prune_removes_only_what_is_gone(store: Store, store_address: str, work: Path) -> None:
    run(store_address, "scan", str(work / "chats"))
    (work / "chats/earlier.chat").unlink()
    assert ask(store_address, "prune", "--yes") == {"removed": 0, "files": []}  # no scan has seen it gone
    run(store_address, "scan", str(work / "chats"))
    assert ask(store_address, "status")["missing_files"] == 1
    gone = str(work / "chats/earlier.chat")
    assert ask(store_address, "prune", "--yes") == {"removed": 1, "files": [gone]}
    store.write("MATCH (n:File) REMOVE n.none")
    digest = graph_digest(store)
    store.implicit("MATCH (n) WHERE NOT n:Migration CALL (n) { DETACH DELETE n } IN TRANSACTIONS")
    run(store_address, "scan", str(work / "chats"))
    assert graph_digest(store) == digest


def test_schema_commands(store_address: str) -> None:
    assert run(store_address, "schema", "apply").exit_code == 0
    assert ask(store_address, "schema", "check")["current"] is True
    shown = CliRunner().invoke(main, ["schema", "show"])
    assert shown.stdout.startswith("# The graph model")


def test_cypher_reads_and_never_writes(store: Store, store_address: str, work: Path) -> None:
    run(store_address, "scan", str(work))
    answer = ask(
        store_address, "cypher", "MATCH (c:Chat {kind: $kind}) RETURN count(c) AS n", "--param", "kind=root"
    )
    assert answer == {"columns": ["n"], "rows": [[2]], "more": False}
    digest = graph_digest(store)
    for text in (
        "MATCH (n) DETACH DELETE n",
        "CREATE (:X)",
        "LOAD CSV FROM 'file:///etc/passwd' AS r RETURN r",
    ):
        assert run(store_address, "cypher", text).exit_code == 2, text
    assert graph_digest(store) == digest
    limited = ask(store_address, "cypher", "UNWIND range(1, 10) AS i RETURN i", "--limit", "3")
    assert (limited["rows"], limited["more"]) == ([[1], [2], [3]], True)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) > 5


def test_strict_counts_what_could_not_be_resolved(store_address: str, work: Path) -> None:
    (work / "chats/lost.chat").write_text("\nuser:\n\nq\n\nmeta: job=No/such/job\n")
    result = run(store_address, "scan", str(work), "--strict", "--json")
    assert result.exit_code == 1
    assert orjson.loads(result.stdout)["problems"] == 1
    again = run(store_address, "scan", str(work), "--strict", "--json")  # nothing changed, nothing is better
    assert (again.exit_code, orjson.loads(again.stdout)["problems"]) == (1, 1)
    assert orjson.loads(run(store_address, "scan", str(work / "var"), "--json").stdout)["problems"] == 0


def test_texts_that_are_no_utf8_or_no_words(store_address: str, work: Path) -> None:
    run(store_address, "scan", str(work))
    assert run(store_address, "find", "lat\udce9").exit_code == 1
    assert run(store_address, "find", " ").exit_code == 2
    assert run(store_address, "find", "x" * 40_000).exit_code == 1


def test_a_dead_process_shows_as_crashed(store: Store, store_address: str, work: Path) -> None:
    info = work / "var/jobs/Flow/ask/Default.chat.info"
    info.write_text(
        '{"status":"start","type":"chat","pid":1,"issued":"2026-01-01 00:00:00 +0000","dependencies":[]}'
    )
    run(store_address, "scan", str(work))
    store.write("MATCH (j:Job) SET j.crashed_since = datetime()")
    stale = ask(store_address, "jobs", "stale", "--hours", "1000000")
    assert [item["status"] for item in stale["items"]] == ["crashed"]


def test_piped_tables_carry_no_padding(store_address: str, work: Path) -> None:
    run(store_address, "scan", str(work))
    for words in (["conversations"], ["scope", str(work / "chats/later.chat")]):
        lines = run(store_address, *words).stdout.splitlines()
        assert all(line == line.rstrip() for line in lines)
