"""Files that are named and never scanned come and go: a later scan knows, although nothing that it reads changed."""

from pathlib import Path

import pytest

from indexer.ingest.scan import Scanner
from indexer.store.store import Store
from tests.conftest import empty
from tests.support import touch
from tests.support_snapshot import difference, snapshot

JOB = "Flow/ask/Default_0123456789abcdef0123456789abcdef.chat"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_only_named_comes_and_goes(store: Store, home: Path) -> None:
    (home / ".scout/var/jobs").mkdir(parents=True)
    full = home / "other/var/jobs/Flow/make/One"
    full.parent.mkdir(parents=True)
    touch(
        home / "work/a.chat",
        f"\nuser:\n\nq\n\nmeta: job={JOB}\n\nassistant:\n\nz\n\nmeta: job={full}\n\nimport: b.chat\n",
    )
    touch(home / "work/x.chat.info", f'{{"status":"done","dependencies":["{full}"]}}')
    outside = [home / f".scout/var/jobs/{JOB}", full, home / "chats/b.chat"]

    def check() -> None:
        Scanner(store).scan([str(home / "work")])
        found = snapshot(store)
        empty(store)
        Scanner(store).scan([str(home / "work")])
        assert not difference(found, snapshot(store))

    Scanner(store).scan([str(home / "work")])
    before = snapshot(store)
    for path in outside:
        touch(path)
        check()
    for path in outside:
        path.unlink()
        check()
    assert not difference(before, snapshot(store))
