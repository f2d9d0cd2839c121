"""Who asked whom, and what it cost: the delegation tree, and each chat's account."""

from __future__ import annotations

from typing import Any

from indexer.answers.base import Page, Row, Tokens, tokens
from indexer.answers.closure import Closure
from indexer.answers.pages import Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

# Each row of these counts a closure of its own, so pages are small unless asked for.
TREE = Cost(ids=2, rest=500)
ACCOUNT = Cost(ids=1, rest=800)
PER_PAGE = 20


class Delegation(Row):
    """One job under the chat or job that led to it by the shortest way; rows come in the order of the tree.

    `requests` and `tt` are what its own chats paid; `total` and `total_requests` what all that it led to
    cost, each request once, so that totals of rows that share work do not add up.
    """

    depth: int
    job: str
    ref: str
    parent: str | None
    relation: str
    tool: str | None
    agent: str | None
    status: str | None
    requests: int
    tt: int
    total_requests: int
    total: Tokens


class Spent(Row):
    """Paid requests and their tokens."""

    requests: int
    tokens: Tokens


class Split(Row):
    """What meta lines of the chat itself tell of (direct), and what it had others do (delegated)."""

    direct: Spent
    delegated: Spent


class Account(Row):
    """What one chat cost, alone and with all that it led to.

    In `own` delegated is what only the chat's receipts tell of. `paid` is the number of requests of which
    it is the payer.
    """

    path: str
    kind: str | None
    agent: str | None
    tool_calls: int
    paid: int
    own: Split
    closure: Split
    closure_chats: int
    closure_jobs: int


def delegations(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Page[Delegation]:
    """Jobs of a closure as a tree, with cost rolled up."""
    entries = per_page(runner, root.id, closure, paging, TREE, most=PER_PAGE)
    return page_of(
        runner, "delegations", closure.params(root.id), Delegation, paging.page, entries, _delegation
    )


def accounting(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Page[Account]:
    """Accounts of the chats of a closure."""
    entries = per_page(runner, root.id, closure, paging, ACCOUNT, most=PER_PAGE)
    return page_of(runner, "accounting", closure.params(root.id), Account, paging.page, entries, _account)


def _delegation(row: dict[str, Any]) -> Delegation:
    kept = {name: row[name] for name in Delegation.model_fields if name in row and name != "total"}
    return Delegation(total_requests=row["all_requests"], total=tokens(row, "all_"), **kept)


def _account(row: dict[str, Any]) -> Account:
    kept = {name: row[name] for name in Account.model_fields if name in row}
    splits = {
        part: Split(direct=_spent(row[f"{part}_direct"]), delegated=_spent(row[f"{part}_delegated"]))
        for part in ("own", "closure")
    }
    return Account(own=splits["own"], closure=splits["closure"], **kept)


def _spent(part: dict[str, Any]) -> Spent:
    return Spent(requests=part["requests"], tokens=tokens(part))
