"""The messages of a closure, and one message with its text."""

from __future__ import annotations

from typing import Any

from indexer.answers.base import Answer, Page, Row
from indexer.answers.closure import Closure
from indexer.answers.errors import BadQuestion, NotInGraph
from indexer.answers.limits import MAX_ANSWER, length
from indexer.answers.pages import ROOM, Cost, Paging, page_of, per_page
from indexer.answers.roots import Root
from indexer.answers.runner import Runner

COST = Cost(ids=2, rest=480)
ORIGINS = ("own", "projection", "inlined", "inherited")


class Message(Row):
    """One message. `index` counts from 0 with the synthetic first message; `line` is its header's, from 1.

    `origin`: own, projection (a result repeats its log), inlined (in a block of another job), inherited
    (in handed history). `copy_of` is the address of its original.
    """

    address: str
    index: int
    role: str
    lineage: str
    content_key: str
    preview: str
    bytes: int
    line: int
    origin: str
    copy_of: str | None


class WholeMessage(Answer, Message):
    """A message with its text, or the part of it that was asked for, and what it belongs to.

    `content` holds characters `offset` to `offset + len(content)` of `characters`; `next_offset` is there
    while more follow. `truncated`: the text was too long to be stored whole, the rest is in the file.
    `redactions` counts the secrets taken out. `copies` counts the messages that are copies of this one.
    """

    content: str
    chat: str
    offset: int
    characters: int
    next_offset: int | None
    truncated: bool
    redactions: int
    at: str | None = None
    tool: str | None = None
    call_id: str | None = None
    status: str | None = None
    status_reason: str | None = None
    target_agent: str | None = None
    error: str | None = None
    output_address: str | None = None
    call_address: str | None = None
    receipts: int = 0
    copies: int = 0
    inference: str | None = None
    job: str | None = None


def messages(
    runner: Runner,
    root: Root,
    closure: Closure,
    paging: Paging,
    role: str | None = None,
    origin: str | None = None,
    chat: str | None = None,
) -> Page[Message]:
    """Messages of a closure, chat by chat; `chat` is an id."""
    if origin is not None and origin not in ORIGINS:
        raise BadQuestion(f"no such origin: {origin} (there are {', '.join(ORIGINS)})")
    entries = per_page(runner, root.id, closure, paging, COST)
    params = {**closure.params(root.id), "role": role, "origin": origin, "chat": chat}
    return page_of(runner, "messages", params, Message, paging.page, entries)


def message(runner: Runner, address: str, offset: int = 0, limit: int | None = None) -> WholeMessage:
    """One message by its address. Without `limit` as many characters as fit into an answer."""
    found = runner.run(
        "message", {"address": address, "offset": offset, "length": ROOM if limit is None else limit}
    )
    if not found:
        raise NotInGraph(f"no message {address} is in the graph: an address is chat#index")
    row = {**found[0], "offset": offset}
    while limit is None and (over := length(row) + 200 - MAX_ANSWER) > 0:
        # Escapes make the JSON longer than the text: take off what is over, at least.
        row["content"] = row["content"][: -max(over // 2, 1)]
    return WholeMessage.model_validate(_with_next(row))


def _with_next(row: dict[str, Any]) -> dict[str, Any]:
    end = row["offset"] + len(row["content"])
    return {**row, "next_offset": end if end < row["characters"] else None}
