"""Forgetting and pruning: what others say stays, and nothing is lost that still has a file."""

import os
from pathlib import Path
from typing import Any

import pytest

from indexer.discovery.environment import Environment
from indexer.ingest import forget as forgetting
from indexer.ingest.digest import graph_digest
from indexer.ingest.forget import below, forget, missing
from indexer.ingest.scan import Scanner
from indexer.store.connection import Store
from tests.support import materialise
from tests.support_snapshot import difference, snapshot


def anew(store: Store, *paths: Path) -> None:
    """A clean scan of the paths."""
    store.implicit(
        "MATCH (n) WHERE NOT n:Migration CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"
    )
    Scanner(store).scan([str(path) for path in paths])


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tree = materialise("case_modern", tmp_path)
    monkeypatch.setenv("HOME", str(tree / "home"))
    monkeypatch.chdir(tree / "home")
    return tree


def prune(store: Store) -> None:
    forget(store, missing(store), Environment.of_process())


@pytest.mark.parametrize("every", [2, 3])
def test_what_is_pruned_was_never_there(store: Store, tree: Path, every: int) -> None:
    """Infos without results, results without infos, logs without jobs: each half stands for itself."""
    Scanner(store).scan([str(tree)])
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    for path in files[::every]:
        path.unlink()
    Scanner(store).scan([str(tree)])
    prune(store)
    Scanner(store).scan([str(tree)])  # a job of which only the result is left is seen again
    pruned = snapshot(store)
    anew(store, tree)
    assert not difference(pruned, snapshot(store))


def test_a_job_keeps_what_its_info_said(store: Store, tmp_path: Path) -> None:
    job = tmp_path / "var/jobs/Flow/make/Default"
    job.parent.mkdir(parents=True)
    job.write_text("x")
    Path(f"{job}.info").write_text('{"status":"done","workflow":"Flow","task_name":"make"}')
    (tmp_path / "other").write_text("x")
    query = "MATCH (j:Job) RETURN j.status AS status, j.missing AS missing"

    def state() -> list[tuple[str, bool]]:
        Scanner(store).scan([str(tmp_path)])
        return [(row["status"], row["missing"]) for row in store.read(query)]

    assert state() == [("done", False)]
    os.unlink(f"{job}.info")
    assert state() == [("done", False)]
    job.unlink()
    assert state() == [("done", True)]
    job.write_text("x")
    assert state() == [("done", False)]
    job.unlink()
    assert state() == [("done", True)]
    prune(store)
    assert store.read(query) == []


def test_an_interrupted_forget_is_ended_by_the_next(
    store: Store, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tree / "home/.rbbt"
    Scanner(store).scan([str(tree)])
    whole = graph_digest(store)
    steps = ("DELETE_JOBS", "relink")
    real = {name: getattr(forgetting, name) for name in steps}
    for name in steps:

        def stop(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        if name == "relink":
            monkeypatch.setattr(forgetting, name, stop)
        else:
            delete = forgetting._delete
            statement = real[name]

            def some(
                store: Store, query: str, key: str, items: object, at: str = statement, delete: Any = delete
            ) -> None:
                if query == at:
                    raise KeyboardInterrupt
                delete(store, query, key, items)  # type: ignore[arg-type]

            monkeypatch.setattr(forgetting, "_delete", some)
        with pytest.raises(KeyboardInterrupt):
            forget(store, below(store, str(place)), Environment.of_process())
        monkeypatch.undo()
        monkeypatch.setenv("HOME", str(tree / "home"))
        monkeypatch.chdir(tree / "home")
        Scanner(store).scan([str(tree)])
        assert graph_digest(store) == whole, f"a scan after an interruption at {name}"
