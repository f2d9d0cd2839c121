"""The tool calls of a closure."""

from __future__ import annotations

from indexer.answers.base import Page, Row
from indexer.answers.closure import Closure
from indexer.answers.errors import BadQuestion
from indexer.answers.pages import Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

COST = Cost(ids=3, rest=420)
STATUSES = ("success", "failure", "unknown")


class ToolCall(Row):
    """One call record. `receipts` is the number of receipt entries of its output.

    `status` is success, failure or unknown (FORMAT.md 4), `status_reason` why; `target_agent` the agent
    that a delegation names; `copy_of` the address of its original. A call id is unique in one
    conversation only.
    """

    address: str
    output_address: str | None
    tool: str | None
    call_id: str | None
    status: str
    status_reason: str | None
    target_agent: str | None
    origin: str
    copy_of: str | None
    receipts: int


def tool_calls(
    runner: Runner,
    root: Root,
    closure: Closure,
    paging: Paging,
    tool: str | None = None,
    status: str | None = None,
    call_id: str | None = None,
    exclude_inlined: bool = False,
    unique: bool = False,
) -> Page[ToolCall]:
    """Call records of a closure.

    `exclude_inlined` leaves out those in inlined blocks and in handed history; `unique` gives one row per
    original (where it lies outside the closure, its first copy stands for it).
    """
    if status is not None and status not in STATUSES:
        raise BadQuestion(f"no such status: {status} (there are {', '.join(STATUSES)})")
    entries = per_page(runner, root.id, closure, paging, COST)
    params = {
        **closure.params(root.id),
        "tool": tool,
        "status": status,
        "call_id": call_id,
        "exclude_inlined": exclude_inlined,
    }
    query = "unique_tool_calls" if unique else "tool_calls"
    return page_of(runner, query, params, ToolCall, paging.page, entries)
