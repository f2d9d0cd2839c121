"""Rows per second of the writer against the bare driver; files per second of an unchanged rescan.

    python bench/write.py STORE [MESSAGES] [FILES]

STORE is the address of an EMPTY Neo4j (its data is deleted before and after). Both sides write the same
Message rows in batches of the same size to the same server, in turn, after a warm-up; figures are printed as
rates and as their ratio.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from indexer import migrations
from indexer.ingest.plans import ChatPlan, FilePlan, Stamp
from indexer.ingest.rows import chunks
from indexer.ingest.scan import Scanner
from indexer.ingest.writer import MAX_ROWS, Writer
from indexer.store.connection import Store, open_store

BARE = """
MATCH (c:Chat {id: $chat})
UNWIND $rows AS row
MERGE (t:Content {key: row.content})
ON CREATE SET t.text = row.text
CREATE (c)-[:HAS_MESSAGE]->(m:Message)-[:HAS_CONTENT]->(t)
SET m = row.props
"""
CLEAR = "MATCH (n) WHERE NOT n:Migration CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"


def rows(chat: str, count: int) -> list[dict[str, object]]:
    """Message rows as the writer makes them, each with a text of its own."""
    return [
        {
            "props": {
                "id": f"{chat}#{i}",
                "index": i,
                "role": "assistant",
                "lineage": f"{i:032x}",
                "content_key": f"{i:032x}",
                "preview": "a line of text " * 6,
                "bytes": 600,
                "norm_bytes": 600,
                "line": 2 * i,
                "origin": "own",
            },
            "content": f"{chat}{i}",
            "text": "a line of text " * 40,
            "call": False,
        }
        for i in range(count)
    ]


def bare(store: Store, chat: str, messages: list[dict[str, object]]) -> None:
    """The same rows with the driver and one statement."""
    with store.driver.session(database=store.database) as session:
        session.execute_write(lambda tx: tx.run("CREATE (:Chat {id: $id})", id=chat).consume())
        for batch in chunks(messages, MAX_ROWS):
            session.execute_write(lambda tx, b=batch: tx.run(BARE, chat=chat, rows=b).consume())


def written(store: Store, chat: str, messages: list[dict[str, object]]) -> None:
    """The same rows through the writer, with the chat, its order and its checkpoint besides."""
    with Writer(store) as writer:
        for number, batch in enumerate(chunks(messages, MAX_ROWS - 10)):
            path = f"{chat}.{number}"
            plan = ChatPlan(props={"id": path, "name": path}, messages=list(batch))
            plan.contents = {
                row["content"]: {"key": row["content"], "props": {"text": row["text"], "bytes": 600}}
                for row in batch
            }
            writer.add(FilePlan(path, "chat", Stamp(1, 1, 1, path), facts=b"", marks=b"", chat=plan))


def rate(count: int, work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return count / (time.perf_counter() - began)


def compare(store: Store, count: int, rounds: int = 4) -> None:
    pairs = []
    for number in range(rounds + 1):
        one = rate(count, lambda n=number: bare(store, f"/bare/{n}", rows(f"/bare/{n}", count)))
        two = rate(count, lambda n=number: written(store, f"/writer/{n}", rows(f"/writer/{n}", count)))
        if number:  # the first round warms the server
            pairs.append((one, two))
        store.implicit(CLEAR)
    ratio = statistics.median(two / one for one, two in pairs)
    print(f"bare driver {statistics.median(p[0] for p in pairs):,.0f} rows/s")
    print(f"writer      {statistics.median(p[1] for p in pairs):,.0f} rows/s")
    print(f"ratio       {ratio:.2f} (median of {rounds}; the writer also makes NEXT and checkpoints)")


def rescan(store: Store, count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for i in range(count):
            task = Path(folder, "var/jobs/Flow", f"task{i % 50}")
            task.mkdir(parents=True, exist_ok=True)
            (task / f"Default_{i:032x}.info").write_text('{"status":"done","type":"text","dependencies":[]}')
        Scanner(store).scan([folder])
        rates = []
        for _ in range(5):
            began = time.perf_counter()
            report = Scanner(store).scan([folder])
            rates.append(report.files / (time.perf_counter() - began))
            assert report.unchanged == report.files == count
        print(f"rescan of {count:,} unchanged files: {statistics.median(rates):,.0f} files/s (median of 5)")
    store.implicit(CLEAR)


def main() -> None:
    address = sys.argv[1]
    messages, files = (int(a) for a in (sys.argv[2:] + ["24000", "50000"][len(sys.argv) - 2 :]))
    with open_store(address) as store:
        if store.read("MATCH (n) WHERE NOT n:Migration RETURN count(n) AS n")[0]["n"]:
            sys.exit("the store is not empty: name one whose data may be deleted")
        migrations.apply(store.driver, store.database)
        compare(store, messages)
        rescan(store, files)


if __name__ == "__main__":
    main()
