"""The receipts of a closure: what tool outputs tell of jobs and paid requests."""

from __future__ import annotations

from indexer.answers.base import Page, Row, Tokens, with_tokens
from indexer.answers.closure import Closure
from indexer.answers.pages import Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

COST = Cost(ids=4, rest=420)


class Receipt(Row):
    """One receipt entry, of either generation (FORMAT.md 4).

    `direct`: a chat of the closure tells of that request too; else only receipts do. `warning` is why the
    entry could not be read, or unresolved_job_reference.
    """

    address: str
    output_address: str
    call_id: str | None
    tool: str | None
    job_ref: str | None
    job: str | None
    inference: str | None
    direct: bool
    tokens: Tokens
    warning: str | None


def receipts(
    runner: Runner,
    root: Root,
    closure: Closure,
    paging: Paging,
    call_id: str | None = None,
    warnings: bool = False,
) -> Page[Receipt]:
    """Receipt entries of a closure; with `warnings` only those with one."""
    entries = per_page(runner, root.id, closure, paging, COST)
    params = {**closure.params(root.id), "call_id": call_id, "warnings": warnings}
    return page_of(runner, "receipts", params, Receipt, paging.page, entries, with_tokens)
