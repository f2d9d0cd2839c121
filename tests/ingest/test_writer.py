"""The writer: batches, chats beyond a transaction, work that is run twice."""

from pathlib import Path

import pytest

from indexer import migrations
from indexer.ingest.digest import graph_digest
from indexer.ingest.planning import Held, plan_chat
from indexer.ingest.reading import read_chat
from indexer.ingest.writer import Writer
from indexer.store.connection import Store


def chat(path: Path, count: int, change: str = "") -> str:
    lines = ["\nuser:\n\nstart\n"]
    for i in range(count):
        lines.append(f'\nfunction_call: {{"name":"t","arguments":{{"i":{i}}},"id":"c{i}"}}\n')
        receipt = f'"agent_meta":[{{"role":"meta","content":"pt=1 ct=1 tt=2 inference_id=r{i}"}}]'
        lines.append(
            f'\nfunction_call_output: {{"name":"t","content":"out {i}{change}","id":"c{i}",{receipt}}}\n'
        )
    path.write_text("".join(lines))
    return str(path)


@pytest.fixture
def ready(store: Store) -> Store:
    migrations.apply(store.driver, store.database)
    return store


def held(store: Store, path: str) -> Held:
    row = store.read("MATCH (f:File {path: $p}) RETURN f.digest AS d, f.marks AS m", {"p": path})[0]
    return Held(row["d"], row["m"])


def write(store: Store, path: str, before: Held | None, max_rows: int) -> None:
    with Writer(store, max_rows=max_rows) as writer:
        writer.add(plan_chat(path, read_chat(path), before))


def test_long_chats_come_out_as_short_ones(ready: Store, tmp_path: Path) -> None:
    path = chat(tmp_path / "a.chat", 40)
    write(ready, path, None, max_rows=100_000)
    whole = graph_digest(ready)
    ready.write("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")
    write(ready, path, None, max_rows=20)
    assert graph_digest(ready) == whole


def test_a_long_chat_is_extended_and_rewritten_in_pieces(ready: Store, tmp_path: Path) -> None:
    path = chat(tmp_path / "a.chat", 40)
    write(ready, path, None, max_rows=20)
    chat(Path(path), 60)
    write(ready, path, held(ready, path), max_rows=20)
    chat(Path(path), 50, change=" changed")
    write(ready, path, held(ready, path), max_rows=20)
    found = graph_digest(ready)
    ready.write("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")
    write(ready, path, None, max_rows=100_000)
    assert graph_digest(ready) == found


def test_work_that_was_committed_may_run_again(ready: Store, tmp_path: Path) -> None:
    path = chat(tmp_path / "a.chat", 5)
    plan = plan_chat(path, read_chat(path), None)
    writer = Writer(ready)
    ready.write(lambda tx: writer._write_batch(tx, [plan]))
    once = graph_digest(ready)
    ready.write(lambda tx: writer._write_batch(tx, [plan]))
    assert graph_digest(ready) == once


def test_receipts_of_a_lost_output_go(ready: Store, tmp_path: Path) -> None:
    """The call stays, its output and the output's receipts are gone."""
    path = chat(tmp_path / "a.chat", 1)
    write(ready, path, None, max_rows=1000)
    text = Path(path).read_text()
    Path(path).write_text(text[: text.index("\nfunction_call_output")])
    write(ready, path, held(ready, path), max_rows=1000)
    row = ready.read("MATCH (c:ToolCall) OPTIONAL MATCH (r:Receipt) RETURN c.status AS s, count(r) AS n")[0]
    assert (row["s"], row["n"]) == ("unknown", 0)
