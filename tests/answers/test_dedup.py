from __future__ import annotations

from importlib.resources import files

from indexer import Index
from tests.answers.scenes import J1, J2, L1, L2, E, G


def test_counts_are_those_of_the_scope(index: Index) -> None:
    for root in (E, G):
        for refs in ("all", "own"):
            counts = index.dedup(root, job_refs=refs).totals.model_dump()
            assert counts.items() <= index.scope(root, job_refs=refs).totals.model_dump().items()


def test_inlined_blocks(index: Index) -> None:
    found = index.dedup(G)
    assert [block.model_dump() for block in found.inlined] == [
        {
            "chat": G,
            "first_index": 2,
            "last_index": 3,
            "job": J2,
            "original": J2,
            "bytes": 80,
            "messages": 2,
        },
        {
            "chat": L2,
            "first_index": 2,
            "last_index": 3,
            "job": J1,
            "original": J1,
            "bytes": 95,
            "messages": 2,
        },
    ]
    assert found.inlined_total == 2
    assert found.inlined_messages == 4
    assert found.inlined_share == round(4 / found.totals.messages, 4)


def test_the_log_is_the_original_where_there_is_no_result(index: Index) -> None:
    index.runner.store.write("MATCH (:Job {id: $id})-[r:RESULT]->() DELETE r", {"id": J1})  # type: ignore[attr-defined]
    assert [block.original for block in index.dedup(E).inlined] == [L1]


def test_pages_of_blocks(index: Index) -> None:
    second = index.dedup(G, page=2, per_page=1)
    assert [block.chat for block in second.inlined] == [L2]
    assert (second.inlined_total, second.page, second.per_page) == (2, 2, 1)
    assert index.dedup(G, page=9, per_page=1).inlined_total == 2


def test_the_inlined_share_of_a_conversation_is_that_of_its_own_scope(index: Index) -> None:
    shares = {
        row.root: (row.inlined_messages, row.messages, row.inlined_share)
        for row in index.conversations().items
    }
    assert shares[G][0] > 0
    for root in (E, G):
        own = index.dedup(root, job_refs="own")
        assert shares[root] == (own.inlined_messages, own.totals.messages, own.inlined_share)
        assert own.inlined_messages == sum(block.messages for block in own.inlined)


def test_a_graph_of_before_gets_its_inlined_sums(index: Index) -> None:
    store = index.runner.store  # type: ignore[attr-defined]
    sums = "MATCH (c:Chat) RETURN c.id AS id, c.inlined_messages AS sum ORDER BY id"
    before = [row.data() for row in store.read(sums)]
    store.write("MATCH (c:Chat) REMOVE c.inlined_messages SET c.originals = coalesce(c.originals, 0)")
    text = files("indexer.schema").joinpath("V0003__figures.cypher").read_text(encoding="utf-8")
    statement = next(part for part in text.split(";") if "inlined_messages" in part)
    for _ in range(2):
        store.write(statement)
        assert [row.data() for row in store.read(sums)] == before
