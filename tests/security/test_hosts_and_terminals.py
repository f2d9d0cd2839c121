"""Who is answered under which name, and what a terminal gets of texts that nobody vouches for."""

from __future__ import annotations

import re
from http.client import HTTPConnection
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.cli import main
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store
from indexer.watching.heartbeat import Condition
from indexer.watching.metrics import Metrics
from tests.conftest import ServerUnderTest, empty

#: Escape sequences: colours, title, clipboard, a link, clearing, 8-bit forms, carriage return, backspace.
HOSTILE = "\x1b[31m\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x07\x1b]8;;http://evil\x1b\\x\x1b[2J\x9b1m\x9d0;y\x9c\rold\b\b\x7f\u202eevil"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("127.0.0.1:9", 200),
        ("localhost", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example:1", 421),
        ("", 421),
    ],
)
def test_metrics_answer_to_this_machine_only(host: str, code: int) -> None:
    metrics = Metrics(0, Condition)
    try:
        connection = HTTPConnection("127.0.0.1", metrics.port, timeout=10)
        connection.request("GET", "/metrics", headers={"Host": host})
        assert connection.getresponse().status == code
        connection.close()
    finally:
        metrics.close()


@pytest.fixture(scope="module")
def hostile(neo4j_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Escape sequences in texts, in a tool's name, an agent's, an error, and in names of files and jobs."""
    root = tmp_path_factory.mktemp("hostile")
    name = "a\x1b[31mb\x9bc\n.chat"
    safe = HOSTILE.replace("\r", "").encode("unicode_escape").decode().replace("\\x", "\\u00")
    chat = f"user:\n\nhello {HOSTILE}\n\nmeta: pt=1 ct=1 tt=2 agent=x\x1b[31my inference_id=i\x1b[32m reas=z\x1b[33m\n"
    chat += f'function_call: {{"name":"t{safe}","arguments":{{}},"id":"c{safe}"}}\n'
    chat += f'function_call_output: {{"content":"x","id":"c{safe}","error":"e{safe}"}}\n'
    chat += "meta: job=Wf/t/no\x1b[31msuch\n"
    (root / name).write_bytes(chat.encode())
    job = root / "var/jobs/Wf/t/j\x1b[31m.info"
    job.parent.mkdir(parents=True)
    job.write_text('{"status":"error","messages":["E: \\u001b[31mred\\u009b1m"],"workflow":"W\\u001b[1m"}')
    empty(neo4j_store)
    Scanner(neo4j_store).scan([str(root)])
    return root / name


@pytest.mark.parametrize(
    "command",
    [
        *("conversations", "problems", "overview @", "scope @", "messages @", "message @#1", "tool-calls @"),
        *("reasoning @", "agents @", "edges @", "tokens @", "dedup @", "find hello", "report @", "context @"),
        *("cypher MATCH(n)RETURN(n)", "query conversations", "status", "jobs orphan", "jobs stale"),
        *("tokens @ --by agent", "tokens @ --by tool", "evidence @", "why @ @", "scope no\x1b[31msuch"),
    ],
)
def test_no_escape_sequence_reaches_a_terminal(
    hostile: Path, neo4j_server: ServerUnderTest, command: str
) -> None:
    words = [word.replace("@", str(hostile)) if word[0] == "@" else word for word in command.split(" ")]
    result = CliRunner().invoke(main, [*words, "--store", neo4j_server.address])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert not CONTROL.findall(result.output)
    assert result.output


@pytest.mark.parametrize(
    "text",
    [
        *("*:*", "/(a+)+$/", '"', '"a', "a AND AND b", "NOT", "text:secret", "a~2", "[a TO z]", "{a TO *}"),
        *("\\", "a\\", "(" * 500, '+-!(){}[]^"~*?:\\/', "a^1000", "* *", "?" * 200, "\x00", "\ud800"),
        *("word " * 3000, "x" * 20_000, "&& ||", "AND", "é" * 9000),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_any_text_can_be_looked_for(hostile: Path, neo4j_server: ServerUnderTest, text: str) -> None:
    result = CliRunner().invoke(main, ["find", "--json", "--store", neo4j_server.address, "--", text])
    assert result.exit_code in (0, 1), result.output[:300]
