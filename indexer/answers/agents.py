"""The agents at work in a closure."""

from __future__ import annotations

from indexer.answers.base import Page, Row, Tokens, with_tokens
from indexer.answers.closure import Closure
from indexer.answers.pages import Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

COST = Cost(ids=0, rest=900)


class Agent(Row):
    """One agent: its chats, jobs behind them, original calls that name it, its instructions.

    `tokens` are those of the `requests` that its chats paid.
    """

    agent: str | None
    chats: int
    jobs: int
    tool_calls: int
    delegations: int
    versions: list[str]
    requests: int
    tokens: Tokens


def agents(runner: Runner, root: Root, closure: Closure, paging: Paging) -> Page[Agent]:
    """Agents of a closure, the dearest first."""
    entries = per_page(runner, root.id, closure, paging, COST)
    return page_of(runner, "agents", closure.params(root.id), Agent, paging.page, entries, with_tokens)
