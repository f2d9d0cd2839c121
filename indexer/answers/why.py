"""How a root reaches something."""

from __future__ import annotations

from typing import Any

from indexer.answers.base import Answer
from indexer.answers.closure import Closure
from indexer.answers.roots import Root
from indexer.answers.runner import Runner


class Why(Answer):
    """The shortest chain from root to target; empty where the root does not reach it.

    Entries are nodes `{"id","kind"}` and between them relationships `{"relation","basis","address"}`. The
    target may be a message: then the last step is its chat's `has_message`.
    """

    path: list[dict[str, Any]]

    @property
    def reached(self) -> bool:
        """True where the root reaches the target."""
        return bool(self.path)


def why(runner: Runner, root: Root, target: Root, closure: Closure, message: str | None = None) -> Why:
    """The path by which `target` (for a message: its chat) is in the root's closure."""
    found = runner.run("why", {**closure.params(root.id), "target": target.id})
    if not found:
        return Why(path=[])
    path = [_step(step) for step in found[0]["path"]]
    if message is not None:
        path += [{"relation": "has_message"}, {"id": message, "kind": "message"}]
    return Why(path=path)


def _step(step: dict[str, Any]) -> dict[str, Any]:
    order = ("id", "kind", "relation", "basis", "address")
    return {name: step[name] for name in order if step.get(name) is not None}
