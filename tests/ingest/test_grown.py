"""A chat that has grown: what the graph holds of it stays, only what is new is written."""

from pathlib import Path

from indexer.ingest.digest import graph_digest
from indexer.ingest.scan import Scanner
from indexer.store.store import Store
from tests.conftest import empty
from tests.support import touch
from tests.support_snapshot import difference, snapshot

TURN = "\nmeta: pt=10 ct=5 tt=15 inference_id=i{n} timestamp=2026-09-01T10:00:00.000Z\n\nassistant:\n\nanswer {n}\n"
CALLED = "\nmeta: job=Flow/ask/J{n}.chat\n\nassistant:\n\nJ{n} says that its answer is long enough to be told apart.\n"
LINKS = """
MATCH (a)-[r]->(b)
WHERE type(r) IN ['EVIDENCE', 'JOB', 'AGENT_JOB', 'CONTEXT', 'IMPORTS', 'RAN_WITH', 'RECEIPT_OF', 'COPY_OF']
RETURN elementId(r) AS element
"""
PAID = "MATCH (i:Inference)<-[e:EVIDENCE]-() RETURN i.id AS id, count(e) AS n ORDER BY id"


def elements(store: Store) -> set[str]:
    return {row["element"] for row in store.read(LINKS)}


def equals_a_clean_scan(store: Store, root: Path) -> None:
    found, held = graph_digest(store), snapshot(store)
    empty(store)
    Scanner(store).scan([str(root)])
    assert found == graph_digest(store), difference(held, snapshot(store), 6)


def test_links_that_stay_are_not_written_again(store: Store, tmp_path: Path) -> None:
    chat = touch(tmp_path / "root/a.chat", "\nuser:\n\nhello\n" + TURN.format(n=1) + CALLED.format(n=1))
    Scanner(store).scan([str(tmp_path / "root")])
    before = elements(store)
    assert len(before) == 2  # the request that was paid, the job that was called
    with chat.open("a") as file:
        file.write(TURN.format(n=2) + CALLED.format(n=2))
    Scanner(store).scan([str(tmp_path / "root")])
    after = elements(store)
    assert before < after
    assert len(after) == 4
    assert [(row["id"], row["n"]) for row in store.read(PAID)] == [
        ("inference_id:i1", 1),
        ("inference_id:i2", 1),
    ]
    equals_a_clean_scan(store, tmp_path / "root")


def test_what_goes_takes_its_links_along(store: Store, tmp_path: Path) -> None:
    chat = touch(tmp_path / "root/a.chat", "\nuser:\n\nhello\n" + TURN.format(n=1) + CALLED.format(n=1))
    other = touch(tmp_path / "root/b.chat", "\nuser:\n\nhow are you\n" + TURN.format(n=1) + TURN.format(n=3))
    Scanner(store).scan([str(tmp_path / "root")])
    chat.write_text("\nuser:\n\nhello\n" + TURN.format(n=2))
    other.write_text("\nuser:\n\nhow are you\n" + TURN.format(n=3) + TURN.format(n=1))
    Scanner(store).scan([str(tmp_path / "root")])
    ids = [row["id"] for row in store.read(PAID)]
    assert ids == ["inference_id:i1", "inference_id:i2", "inference_id:i3"]
    assert not store.read("MATCH (j:Job) RETURN j.id AS id")
    equals_a_clean_scan(store, tmp_path / "root")


def test_a_chat_found_by_its_jobs_path_brings_those_who_import_it(store: Store, tmp_path: Path) -> None:
    root = tmp_path / "root"
    said = "".join(TURN.format(n=n) for n in range(4))
    touch(root / "var/jobs/Flow/ask/J1.chat", "\nuser:\n\nhello\n" + said)
    touch(root / "talk/imports.chat", f"\nimport: {root}/var/jobs/Flow/ask/J1.chat\n" + said)
    Scanner(store).scan([str(root)])
    touch(root / "talk/late.chat", CALLED.format(n=1) + said)
    Scanner(store).scan([str(root / "talk/late.chat")])
    equals_a_clean_scan(store, root)
