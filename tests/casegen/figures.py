"""Figures of sets of chats by the books (the README of the case trees says what each means)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .chats import Chat, Placed
from .meter import KEYS
from .said import CALL_ROLES, Paid, Said


def occurrences(chats: Iterable[Chat], conversation: str | None) -> Iterator[tuple[Said, Placed]]:
    """All messages but the synthetic ones; with a conversation, only those first said in it."""
    for chat in chats:
        for placed in chat.placed:
            said = placed.said
            if said is not None and (conversation is None or said.conversation == conversation):
                yield said, placed


def messages(chats: list[Chat], conversation: str | None = None) -> tuple[dict[str, int], dict[str, int]]:
    """(messages, bytes). With a conversation, unique figures count its origins `inherited` the others'."""
    origins: dict[Said, int] = {}
    firsts: dict[Said, int] = {}
    keys: dict[str, int] = {}
    for said, placed in occurrences(chats, conversation):
        size = placed.form.norm_size
        origins[said] = max(origins.get(said, 0), size)
        if said not in firsts or placed.how == "own":
            firsts[said] = size
        keys[placed.form.key] = size
    counted: dict[str, int] = {
        "raw": sum(len(chat.placed) for chat in chats),
        "synthetic": sum(0 if chat.loose else 1 for chat in chats),
        "unique_by_origin": len(origins),
        "unique_by_content": len(keys),
    }
    if conversation is not None:
        counted["inherited"] = sum(
            1 for said, _ in occurrences(chats, None) if said.conversation != conversation
        )
    sizes = {
        "raw": sum(placed.form.size for chat in chats for placed in chat.placed),
        "unique_by_origin": sum(origins.values()),
        "unique_by_content": sum(keys.values()),
        "unique_by_first": sum(firsts.values()),
    }
    return counted, sizes


def tool_calls(chats: list[Chat], conversation: str | None = None) -> dict[str, int]:
    """Call records: raw, origins, distinct contents; with a conversation also those of others."""
    raw = [said for said, _ in occurrences(chats, None) if said.role in CALL_ROLES]
    own = [said for said in raw if conversation is None or said.conversation == conversation]
    counted = {
        "raw": len(raw),
        "unique": len(set(own)),
        "unique_by_content": len({(s.call.tool, s.call.call_id, s.call.arguments) for s in own if s.call}),
    }
    if conversation is not None:
        counted["inherited"] = len(raw) - len(own)
    return counted


def outcomes(chats: list[Chat]) -> dict[str, int]:
    """Call records by outcome."""
    counted = {"success": 0, "failure": 0, "unknown": 0}
    for said, _ in occurrences(chats, None):
        if said.role in CALL_ROLES and said.outcome is not None:
            counted[said.outcome] += 1
    return counted


def total(paid: Iterable[Paid]) -> dict[str, int]:
    """The six token counts summed, and the number of requests."""
    summed = dict.fromkeys(KEYS, 0)
    events = 0
    for one in paid:
        events += 1
        for key in KEYS:
            summed[key] += one.tokens[key]
    return {**summed, "events": events}


def paid_in(chats: Iterable[Chat]) -> tuple[dict[Paid, None], dict[Paid, None]]:
    """Paid requests by evidence: (those of metas, those of receipts)."""
    metas: dict[Paid, None] = {}
    receipts: dict[Paid, None] = {}
    for said, _ in occurrences(chats, None):
        if said.paid is not None:
            metas[said.paid] = None
        for entry in said.entries:
            if entry.paid is not None:
                receipts[entry.paid] = None
    return metas, receipts


def tokens(chats: list[Chat], conversation: str) -> dict[str, Any]:
    """Token figures of a closure: all, own, own with replayed answers, context, and the four scopes."""
    metas, receipts = paid_in(chats)
    everything = {**metas, **receipts}
    own = [one for one in everything if one.conversation == conversation]
    replayed = {
        said.paid: None
        for said, _ in occurrences(chats, conversation)
        if said.paid is not None and said.paid.conversation != conversation
    }
    return {
        "all": total(everything),
        "own": total(own),
        "own_stored": total([*own, *replayed]),
        "context": total(one for one in everything if one.conversation != conversation),
        "replayed": sorted(one.identity for one in replayed),
        "chat_evidence": total(metas),
        "receipt_evidence": total(receipts),
        "receipt_only": total(one for one in receipts if one not in metas),
        "untold": sum(
            1
            for said, _ in occurrences(chats, None)
            if said.role == "meta" and said.paid is None and said.job is None
        ),
    }
