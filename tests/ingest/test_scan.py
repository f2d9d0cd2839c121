"""Scanning trees into a real Neo4j: what is there; repetition and order change nothing."""

import os
import random
import zlib
from pathlib import Path

import pytest

from indexer.discovery import stamps
from indexer.ingest.digest import graph_digest
from indexer.ingest.scan import Scanner, ScanOptions
from indexer.redaction import redactor_for
from indexer.store.connection import Store
from tests.support import materialise

TREES = ("case_legacy", "case_modern", "provenance", "plain", "marshal", "yaml", "forget", "chatset")


def count(store: Store, query: str, **params: object) -> int:
    return store.read(query, params)[0][0]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and working directory without any jobs."""
    (tmp_path / "user").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.chdir(tmp_path / "user")
    return tmp_path


def at_home(tree: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The case study is read as its user would: in their home."""
    monkeypatch.setenv("HOME", str(tree / "home"))
    monkeypatch.chdir(tree / "home")
    return tree / "home"


def test_counts_of_the_case_study(store: Store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = at_home(materialise("case_legacy", home), monkeypatch)
    report = Scanner(store).scan([str(place)])
    # truth.json: union of all roots
    assert (report.chats, report.messages, report.tool_calls, report.inferences) == (40, 1470, 513, 120)
    assert count(store, "MATCH (j:Job) RETURN count(j)") == 19  # 18 with an info, one only named
    assert count(store, "MATCH (j:Job {missing: true}) RETURN count(j)") == 1
    unique = count(
        store,
        "MATCH (m:Message) WHERE m.synthetic IS NULL AND NOT EXISTS { (m)-[:COPY_OF]->() } RETURN count(m)",
    )
    assert unique == 566
    assert count(store, "MATCH (:Message)-[:COPY_OF]->(o)-[:COPY_OF]->() RETURN count(o)") == 0
    assert (
        count(store, "MATCH (m:Message)-[c:COPY_OF]->() WITH m, count(c) AS n WHERE n > 1 RETURN count(m)")
        == 0
    )


@pytest.mark.parametrize("name", TREES)
def test_second_scan_changes_nothing_and_reads_nothing(
    name: str, store: Store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = materialise(name, home)
    first = Scanner(store).scan([str(tree)])
    digest = graph_digest(store)
    opened: list[str] = []
    real = stamps._read
    monkeypatch.setattr(stamps, "_read", lambda path, reader: opened.append(path) or real(path, reader))
    second = Scanner(store).scan([str(tree)])
    assert opened == []
    assert second.files == first.files == second.unchanged
    assert (second.chats, second.jobs, second.messages) == (0, 0, 0)
    assert graph_digest(store) == digest


@pytest.mark.parametrize(("name", "step"), [("provenance", 3), ("case_modern", 11), ("chatset", 1)])
def test_order_and_parts_do_not_matter(
    name: str, step: int, store: Store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = materialise(name, home)
    Scanner(store).scan([str(tree)])
    whole = graph_digest(store)
    files = sorted(row["path"] for row in store.read("MATCH (f:File) RETURN f.path AS path"))
    store.implicit(
        "MATCH (n) WHERE NOT n:Migration CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"
    )
    random.Random(step).shuffle(files)
    for start in range(0, len(files), step):
        Scanner(store).scan(files[start : start + step])
    assert graph_digest(store) == whole


def test_dry_run_writes_nothing(store: Store, home: Path) -> None:
    tree = materialise("chatset", home)
    report = Scanner(store, ScanOptions(dry_run=True)).scan([str(tree)])
    assert report.chats > 10
    assert count(store, "MATCH (n) WHERE NOT n:Migration RETURN count(n)") == 0


def chat(path: Path, *messages: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"\nuser:\n\n{text}\n" for text in messages))
    return str(path)


def ids(store: Store, path: str) -> dict[int, str]:
    rows = store.read(
        "MATCH (:Chat {id: $id})-[:HAS_MESSAGE]->(m) RETURN m.index AS i, elementId(m) AS e, m.preview AS p",
        {"id": path},
    )
    return {row["i"]: (row["e"], row["p"]) for row in rows}


def test_a_grown_chat_keeps_its_first_messages(store: Store, home: Path) -> None:
    path = chat(home / "work/chats/a.chat", "one", "two")
    Scanner(store).scan([path])
    before = ids(store, path)
    chat(Path(path), "one", "two", "three")
    Scanner(store).scan([path])
    after = ids(store, path)
    assert [after[i][1] for i in sorted(after)] == ["", "one", "two", "three"]
    assert {i: after[i] for i in before} == before
    chain = "MATCH (a:Message)-[:NEXT]->(b:Message) RETURN a.index AS a, b.index AS b ORDER BY a"
    assert [(r["a"], r["b"]) for r in store.read(chain)] == [(0, 1), (1, 2), (2, 3)]


def test_a_rewritten_chat_equals_a_fresh_one(store: Store, home: Path) -> None:
    path = chat(home / "work/chats/a.chat", "one", "two", "three", "four")
    Scanner(store).scan([path])
    earlier = store.read("MATCH (c:Chat) RETURN c.fingerprint AS f")[0]["f"]
    chat(Path(path), "one", "2", "three")
    Scanner(store).scan([path])
    digest = graph_digest(store)
    held = store.read("MATCH (f:File) RETURN f.previous_fingerprint AS before, f.changed_at AS at")[0]
    assert held["before"] == earlier
    assert held["at"] is not None
    assert count(store, "MATCH (t:Content) WHERE NOT EXISTS { (t)<-[:HAS_CONTENT]-() } RETURN count(t)") == 0
    store.write("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")
    Scanner(store).scan([path])
    assert graph_digest(store) == digest


def test_what_vanishes_is_kept_and_comes_back(store: Store, home: Path) -> None:
    keep, gone = chat(home / "work/chats/keep.chat", "a"), chat(home / "work/chats/gone.chat", "b")
    Scanner(store).scan([str(home / "work")])
    digest = graph_digest(store)
    text = Path(gone).read_bytes()
    stat = os.stat(gone)
    os.unlink(gone)
    report = Scanner(store).scan([str(home / "work")])
    assert report.missing == 1
    row = store.read("MATCH (c:Chat {id: $id}) RETURN c.missing AS m, c.missing_since AS s", {"id": gone})[0]
    assert row["m"] is True
    assert row["s"] is not None
    assert len(ids(store, gone)) == 2
    assert count(store, "MATCH (c:Chat {id: $id, missing: false}) RETURN count(c)", id=keep) == 1
    Path(gone).write_bytes(text)
    os.utime(gone, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert Scanner(store).scan([str(home / "work")]).missing == 0
    assert graph_digest(store) == digest


def test_an_emptied_root_deletes_nothing(store: Store, home: Path) -> None:
    path = chat(home / "work/chats/a.chat", "a")
    Scanner(store).scan([str(home / "work")])
    os.rename(home / "work", home / "elsewhere")
    (home / "work").mkdir()
    assert Scanner(store).scan([str(home / "work")]).missing == 0
    assert count(store, "MATCH (c:Chat {id: $id, missing: false}) RETURN count(c)", id=path) == 1


def test_a_job_that_comes_late_is_found(store: Store, home: Path) -> None:
    """A reference that dangled moves to the job when its files come, wherever they are."""
    path = home / "work/chats/a.chat"
    path.parent.mkdir(parents=True)
    path.write_text(
        "\nuser:\n\nq\n\n"
        "meta: job=Flow/ask/Default_0123456789abcdef0123456789abcdef.chat\n\nassistant:\n\nz\n"
    )
    Scanner(store).scan([str(home / "work")])
    assert (
        count(store, "MATCH (:Chat)-[:JOB]->(j:Job {missing: true, known: 'guessed'}) RETURN count(j)") == 1
    )
    assert count(store, "MATCH (p:Problem {kind: 'dangling_reference'}) RETURN count(p)") == 1
    job = home / "other/var/jobs/Flow/ask/Default_0123456789abcdef0123456789abcdef.chat"
    job.parent.mkdir(parents=True)
    Path(f"{job}.info").write_text('{"status":"done","type":"chat","workflow":"Flow","task_name":"ask"}')
    job.write_text("\nmeta: job=Flow/ask/Default_0123456789abcdef0123456789abcdef.chat\n\nassistant:\n\nz\n")
    Scanner(store).scan([str(home / "other")])
    rows = store.read("MATCH (c:Chat {kind: 'root'})-[:JOB]->(j:Job) RETURN j.id AS id, j.missing AS missing")
    assert [(row["id"], row["missing"]) for row in rows] == [(str(job), False)]
    assert count(store, "MATCH (j:Job) RETURN count(j)") == 1
    assert count(store, "MATCH (p:Problem) RETURN count(p)") == 0


def test_follow_jobs_outside_the_paths(store: Store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = at_home(materialise("case_legacy", home), monkeypatch)
    root = str(place / "git/tidewater/chats")
    Scanner(store).scan([root])
    assert count(store, "MATCH (f:File) RETURN count(f)") == 1
    Scanner(store, ScanOptions(follow_jobs=True)).scan([root])
    assert count(store, "MATCH (j:Job {known: 'read'}) RETURN count(j)") == 8  # truth.json: E's own jobs
    assert count(store, "MATCH (c:Chat) RETURN count(c)") == 17


def test_secrets_never_reach_the_store(store: Store, home: Path) -> None:
    """Planted in a message, a call, an option and a job's error; none may be found afterwards."""
    secret = "ghp_" + "a1B2" * 9
    path = home / "work/chats/a.chat"
    path.parent.mkdir(parents=True)
    path.write_text(
        f"\noption: api_key {secret}\n\nuser:\n\nuse {secret} please\n\n"
        f'function_call: {{"name":"t","arguments":{{"token":"{secret}"}},"id":"c1"}}\n'
    )
    info = home / "work/var/jobs/Flow/ask/Default.info"
    info.parent.mkdir(parents=True)
    info.write_text(f'{{"status":"error","type":"text","messages":["RuntimeError: denied for {secret}"]}}')
    report = Scanner(store, ScanOptions(redact=redactor_for("default"))).scan([str(home / "work")])
    assert report.redactions == 4
    for row in store.read("MATCH (n) RETURN properties(n) AS p"):
        for value in row["p"].values():
            assert secret not in str(value)
            if isinstance(value, bytes | bytearray) and value[:1] == b"\x78":
                assert secret.encode() not in zlib.decompress(bytes(value))
    assert count(store, "MATCH (j:Job) WHERE j.error CONTAINS 'redacted' RETURN count(j)") == 1
