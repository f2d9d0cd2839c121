"""What a page asked: the equal command, and the Cypher to paste into Neo4j Browser or cypher-shell."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from shlex import join
from typing import Any

from indexer.answers.catalogue import load
from indexer.answers.closure import Closure


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a page: `command` as one types it, `query` a file of `queries/` and its parameters.

    A command that asks no query file has none.
    """

    command: str
    query: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def cypher(self) -> str:
        """The file with its parameters set; empty where there is none."""
        if not self.query:
            return ""
        lines = [f":param {name} => {literal(value)};" for name, value in self.params.items()]
        return "\n".join([*lines, "", load(self.query).text.rstrip()])


def about_root(
    command: str, query: str, root: str, closure: Closure, words: tuple[str, ...] = (), **params: Any
) -> Asked:
    """A question about a root."""
    return Asked(typed(command, root, *words, *scoped(closure)), query, {**closure.params(root), **params})


def scoped(closure: Closure) -> list[str]:
    """Options of a command for a closure; none for the default."""
    words = ["--job-refs", closure.job_refs] if closure.job_refs != "all" else []
    if not closure.follow:
        return [*words, "--root-only"]
    default = Closure().follow
    return (
        words
        if closure.follow == default
        else [*words, *(w for name in closure.follow for w in ("--follow", name))]
    )


def typed(command: str, *words: str) -> str:
    """A command line that a shell takes as it is."""
    return join(["indexer", command, *words])


def literal(value: Any) -> str:
    """A parameter as Cypher writes it."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(literal(item) for item in value)}]"
    # JSON's strings, numbers, true, false and null are Cypher's too.
    return json.dumps(value, ensure_ascii=False)
