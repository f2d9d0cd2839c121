"""A file that is another kind of file from now on: a link's name makes a chat of it, and goes again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.ingest.digest import graph_digest
from indexer.ingest.scan import Scanner
from indexer.store.store import Store
from tests.conftest import empty
from tests.support import touch
from tests.support_snapshot import difference, snapshot

CHAT = "\nuser:\n\nhello\n\nmeta: job=Flow/ask/One.chat\n\nassistant:\n\nhi\n"
INFO = json.dumps({"status": "done", "issued": "2026-09-01 10:00:00 +0000", "type": "chat"})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A job, and a chat that names it."""
    root = tmp_path / "root"
    touch(root / "talk/a.chat", CHAT)
    touch(root / "var/jobs/Flow/ask/One.chat", CHAT)
    touch(root / "var/jobs/Flow/ask/One.chat.info", INFO)
    return root


def as_a_clean_scan(store: Store, root: Path) -> None:
    found, held = graph_digest(store), snapshot(store)
    empty(store)
    Scanner(store).scan([str(root)])
    assert found == graph_digest(store), difference(held, snapshot(store), 6)


@pytest.mark.parametrize("named", ["var/jobs/Flow/ask/One.chat.info", "talk/a.chat"])
def test_a_links_name_comes_and_goes(store: Store, root: Path, named: str) -> None:
    link = root / "talk/l.chat"

    def scanned(change: Callable[[], object]) -> None:
        Scanner(store).scan([str(root)])
        change()
        Scanner(store).scan([str(root)])
        as_a_clean_scan(store, root)

    scanned(lambda: link.symlink_to(root / named))
    scanned(link.unlink)
