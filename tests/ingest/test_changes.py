"""What was rewritten, or went away, after it was indexed can be asked for."""

from pathlib import Path

import pytest

from indexer import Index
from indexer.ingest.scan import Scanner
from indexer.report import gather
from indexer.store.connection import Store
from tests.support import materialise

ROOT = "chats/release_notes.chat"


def test_rewritten_and_gone(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = materialise("case_legacy", tmp_path) / "home"
    monkeypatch.setenv("HOME", str(tree))
    monkeypatch.chdir(tree)
    Scanner(store).scan([str(tree)])
    index = Index(store.driver)
    root = next(row.root for row in index.conversations().items if row.root.endswith(ROOT))
    own = set(index.scope(root, job_refs="own").chats)
    assert index.changes(root).items == []

    logs = sorted(chat for chat in own if chat.endswith("/agent.chat"))
    grown, rewritten, gone = (Path(chat) for chat in logs[:3])
    before = index.overview(str(rewritten), root_only=True)
    fingerprint = store.read("MATCH (c:Chat {id: $id}) RETURN c.fingerprint AS f", {"id": str(rewritten)})[0][
        "f"
    ]
    grown.write_text(grown.read_text() + "\n\nuser:\n\nAnd one thing more.\n")
    rewritten.write_text("user:\n\nNothing of the kind was ever said.\n")
    gone.unlink()
    Scanner(store).scan([str(tree)])

    found = index.changes(root, job_refs="own")
    assert {(row.path, row.kind, row.change) for row in found.items} >= {(str(gone), "chat", "gone")}
    alone = index.changes(str(rewritten))
    assert [(row.path, row.change, row.previous_fingerprint) for row in alone.items] == [
        (str(rewritten), "rewritten", fingerprint)
    ]
    assert alone.items[0].fingerprint not in (None, fingerprint)
    assert before.totals.messages > index.overview(str(rewritten), root_only=True).totals.messages
    assert not [row for row in found.items if row.path == str(grown)]
    page = gather.content(gather.figures(index, str(rewritten)))
    assert "1 file was rewritten, or went away, after being indexed (below)" in page.warnings
    (table,) = (table for table in page.tables if table.title == "Changed after it was indexed")
    assert [row[:3] for row in table.rows] == [("agent.chat", "chat", "rewritten")]
