"""How much of what a root reaches is copies."""

from __future__ import annotations

from indexer.answers.base import Answer, Row, part_of
from indexer.answers.closure import Closure
from indexer.answers.pages import LONG_LIST, Cost, Paging, per_page, rows
from indexer.answers.roots import Root
from indexer.answers.runner import Runner
from indexer.answers.scope import Counts

COST = Cost(ids=3, rest=130)


class Inlined(Row):
    """A result of another job that stands in a chat: messages `first_index` (its job= line) to `last_index`.

    `original` is the chat where the text first stood: the job's result, else a log of it; None where
    neither is known. `bytes` are UTF-8 bytes of the block's parsed contents.
    """

    chat: str
    first_index: int
    last_index: int
    job: str
    original: str | None
    bytes: int
    messages: int


class Dedup(Answer):
    """Raw and unique counts; `inlined` holds one page of `inlined_total` blocks.

    `inlined_messages` are the messages of all blocks, `inlined_share` is their part of `totals.messages`.
    """

    root: str
    job_refs: str
    totals: Counts
    inlined: list[Inlined]
    inlined_total: int
    inlined_messages: int = 0
    inlined_share: float = 0.0
    page: int = 1
    per_page: int


def dedup(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Dedup:
    """Raw and unique messages, tool calls and bytes of a closure, and the blocks inlined in its chats."""
    params = closure.params(root.id)
    (counts,) = runner.run("dedup", params)
    entries = per_page(runner, root.id, closure, paging, COST, LONG_LIST)
    found, total = rows(runner, "inlined", params, paging.page, entries)
    return Dedup(
        root=root.id,
        job_refs=closure.job_refs,
        totals=Counts(**{name: counts[name] for name in Counts.model_fields}),
        inlined=[Inlined.model_validate(row) for row in found],
        inlined_total=total,
        inlined_messages=counts["inlined_messages"],
        inlined_share=part_of(counts["inlined_messages"], counts["messages"]),
        page=paging.page,
        per_page=entries,
    )
