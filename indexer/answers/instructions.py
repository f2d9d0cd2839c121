"""The versions of agents' instructions in a closure."""

from __future__ import annotations

from indexer.answers.base import Answer, Row
from indexer.answers.closure import Closure
from indexer.answers.pages import ROOM, Paging, rows, size
from indexer.answers.roots import Root
from indexer.answers.runner import Runner


class Version(Row):
    """One version of one agent's instructions, and the chats that began with it.

    `text_key` is the sha1 of the text. Times are the earliest and latest written in these chats.
    """

    digest: str
    agent: str | None
    chats: list[str]
    preview: str
    text_key: str | None = None
    bytes: int = 0
    first_used: str | None = None
    last_used: str | None = None


class InstructionVersions(Answer):
    """One page of `total` versions."""

    root: str
    versions: list[Version]
    total: int
    page: int = 1
    per_page: int


def instructions(runner: Runner, root: Root, closure: Closure, paging: Paging) -> InstructionVersions:
    """Versions of instructions that ran in a closure, by agent and time."""
    entries = paging.per_page or _fitting(runner, root, closure)
    found, total = rows(runner, "instructions", closure.params(root.id), paging.page, entries)
    return InstructionVersions(
        root=root.id,
        versions=[Version.model_validate(row) for row in found],
        total=total,
        page=paging.page,
        per_page=entries,
    )


def _fitting(runner: Runner, root: Root, closure: Closure) -> int:
    """All versions where every chat's id fits, however they are spread; else few."""
    found = size(runner, root.id, closure)
    return 100 if found.chats * (found.longest_chat + 3) + 100 * 500 < ROOM else 10
