"""A chat that is read while a secret is being written: what was half there at one look is gone at the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.ingest.memory import Memory
from indexer.ingest.scan import Scanner, ScanOptions
from indexer.redaction import redactor_for
from indexer.store.connection import Store
from tests.redaction.fakes import ALNUM, Fakes
from tests.security.test_planted import everything

FAKES = Fakes(31)
BLOCK, LINES = FAKES.key_block("RSA PRIVATE KEY")
TOKEN = "sk" + "-ant-api03-" + FAKES.of(ALNUM, 90)
PASSWORD = "kdwb" + "jl68xq"
SECRETS = {
    "token": (f"user:\n\nuse {TOKEN} for it", TOKEN),
    "password": (f"user:\n\npassword={PASSWORD}", PASSWORD),
    "in a call": (
        f'function_call: {{"name":"t","arguments":{{"password":"{PASSWORD}"}},"id":"c"}}',
        PASSWORD,
    ),
    "key": (f"user:\n\n{BLOCK}", LINES[3]),
    "header": (f"user: x\npassword: {PASSWORD}", PASSWORD),
}


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_that_arrives_in_parts(store: Store, tmp_path: Path, kind: str) -> None:
    text, secret = SECRETS[kind]
    path = tmp_path / "chats/a.chat"
    path.parent.mkdir()
    begin = "system:\n\n" + "You are Helper. " * 20_000 + "\n\n"  # long enough to be read by what was added
    scanner = Scanner(store, ScanOptions(redact=redactor_for("default")), memory=Memory())
    at = text.index(secret)
    for cut in (at + 2, at + len(secret) // 2, at + len(secret) - 1, len(text)):
        path.write_text(begin + text[:cut])
        scanner.scan([str(tmp_path)])
    path.write_text(begin + text + "\n\nassistant: thanks\n")
    scanner.scan([str(tmp_path)])
    stored = everything(store)
    assert "[redacted:" in stored
    assert secret[: max(4, len(secret) // 2)] not in stored
    assert "thanks" in stored
    assert (
        store.read("MATCH (c:Content) WHERE NOT EXISTS { ()-[:HAS_CONTENT]->(c) } RETURN count(c) AS n")[0][
            "n"
        ]
        == 0
    )


def test_the_digest_of_a_file_does_not_tell_what_was_left_out(store: Store, tmp_path: Path) -> None:
    """Else a short password could be tried out by whoever sees the graph."""
    digests = set()
    for password in ("kdwbjl68", "qmzrtv41"):
        (tmp_path / "a.chat").write_text(f"user: log in\nassistant: the password is {password}\n")
        (tmp_path / "notes.txt").write_text(password)
        (tmp_path / "var/jobs/Wf/t").mkdir(parents=True, exist_ok=True)
        (tmp_path / "var/jobs/Wf/t/x.info").write_text(
            f'{{"status":"error","messages":["password={password}"]}}'
        )
        Scanner(store, ScanOptions(redact=redactor_for("default"))).scan([str(tmp_path)])
        rows = store.read("MATCH (f:File) RETURN f.path AS path, f.digest AS digest ORDER BY path")
        digests.add(tuple((row["path"], row["digest"]) for row in rows))
    assert len(digests) == 1
    # The file was rewritten, though nothing that is kept of it changed.
    assert store.read("MATCH (c:Chat) RETURN c.messages AS n")[0]["n"] == 3
