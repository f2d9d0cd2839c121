"""The same bytes read by other rules are another version of a file: a later scan reads it again."""

import zlib
from pathlib import Path

import pytest

from indexer.ingest import reading
from indexer.ingest.digest import graph_digest
from indexer.ingest.scan import Scanner, ScanOptions
from indexer.redaction import redactor_for
from indexer.store.connection import Store
from tests.conftest import empty

SECRET = "ghp_" + "Zk3" * 12
CHAT = f"""user: Fetch the table with {SECRET} please, and keep it somewhere safe until the evening.
assistant: I have it.
user: {SECRET}
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work/var/jobs/Flow/ask").mkdir(parents=True)
    (tmp_path / "work/a.chat").write_text(CHAT)
    (tmp_path / "work/b.chat").write_text("user: nothing to hide\n")
    info = tmp_path / "work/var/jobs/Flow/ask/Default.info"
    info.write_text(f'{{"status":"error","messages":["denied for {SECRET}"]}}')
    return tmp_path / "work"


def stored(store: Store) -> str:
    """Every value of the graph, compressed facts unpacked."""
    values = []
    for row in store.read("MATCH (n) RETURN properties(n) AS p"):
        for value in row["p"].values():
            packed = isinstance(value, bytes | bytearray) and value[:1] == b"\x78"
            values.append(zlib.decompress(bytes(value)).decode() if packed else str(value))
    return "\n".join(values)


def test_rules_given_later_take_secrets_out_of_what_was_indexed(store: Store, work: Path) -> None:
    default = ScanOptions(redact=redactor_for("default"))
    Scanner(store, default).scan([str(work)])
    clean = graph_digest(store)
    empty(store)
    Scanner(store).scan([str(work)])
    assert SECRET in stored(store)
    report = Scanner(store, default).scan([str(work)])
    assert report.unchanged == 0
    assert report.redactions
    assert SECRET not in stored(store)
    assert graph_digest(store) == clean
    # The file did not change: nobody is to be told that somebody rewrote it.
    assert store.read("MATCH (f:File) WHERE f.changed_at IS NOT NULL RETURN count(f) AS n")[0]["n"] == 0
    assert Scanner(store, default).scan([str(work)]).unchanged == 3


def test_a_newer_way_of_reading_reads_everything_again(
    store: Store, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Scanner(store).scan([str(work)])
    monkeypatch.setattr(reading, "READING", reading.READING + 1)
    assert Scanner(store).scan([str(work)]).unchanged == 0
    assert Scanner(store).scan([str(work)]).unchanged == 3
