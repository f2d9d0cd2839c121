"""How a root reaches something."""

from __future__ import annotations

from typing import Any

from pydantic import SerializerFunctionWrapHandler, model_serializer

from indexer.answers.base import Answer
from indexer.answers.closure import Closure
from indexer.answers.pages import LONG_LIST, Cost, Paging
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

#: A step and the relationship before it: two ids, of which one is an address with `#index`.
COST = Cost(ids=2, rest=120)


class Why(Answer):
    """The shortest chain from root to target; empty where the root does not reach it.

    Entries are nodes `{"id","kind"}` and between them relationships `{"relation","basis","address"}`. The
    target may be a message: then the last step is its chat's `has_message`.

    A chain of more than `per_page` relationships comes in pages, of `total` relationships in all; each begins
    with the node with which the page before it ended. `page`, `per_page` and `total` are there only then.
    """

    path: list[dict[str, Any]]
    page: int | None = None
    per_page: int | None = None
    total: int | None = None

    @property
    def reached(self) -> bool:
        """True where the root reaches the target."""
        return bool(self.path) or bool(self.total)

    @model_serializer(mode="wrap")
    def _without_absent(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        found: dict[str, Any] = handler(self)
        return {name: value for name, value in found.items() if name == "path" or value is not None}


def why(
    runner: Runner,
    root: Root,
    target: Root,
    closure: Closure,
    message: str | None = None,
    paging: Paging | None = None,
) -> Why:
    """The path by which `target` (for a message: its chat) is in the root's closure."""
    found = runner.run("why", {**closure.params(root.id), "target": target.id})
    if not found:
        return Why(path=[])
    path = [_step(step) for step in found[0]["path"]]
    if message is not None:
        path += [{"relation": "has_message"}, {"id": message, "kind": "message"}]
    return _paged(path, paging or Paging())


def _paged(path: list[dict[str, Any]], paging: Paging) -> Why:
    total = len(path) // 2
    longest = max(len(step["id"]) for step in path[::2])
    entries = paging.per_page or COST.rows(longest, most=LONG_LIST)
    if total <= entries and paging.page == 1:
        return Why(path=path)
    start = 2 * (paging.page - 1) * entries
    page = path[start : start + 2 * entries + 1] if start < len(path) - 1 else []
    return Why(path=page, page=paging.page, per_page=entries, total=total)


def _step(step: dict[str, Any]) -> dict[str, Any]:
    order = ("id", "kind", "relation", "basis", "address")
    return {name: step[name] for name in order if step.get(name) is not None}
