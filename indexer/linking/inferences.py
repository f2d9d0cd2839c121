"""Paid requests: where each is written down, and who paid (DESIGN: Tokens; FORMAT.md 5, token events)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from indexer.linking.facts import ChatFacts
from indexer.linking.records import Evidence, InferenceLinks, message_address, receipt_address
from indexer.linking.strand import IN_BLOCK, Strand

_Ranked = tuple[Any, Evidence]


def find_inferences(
    strands: Sequence[Strand], ranks: Mapping[str, Sequence[int]]
) -> dict[str, InferenceLinks]:
    """All paid requests written down in the chats.

    Evidence is ordered by source (chat messages before receipts), then by the order of originals, of which `ranks` gives
    per chat four numbers that a message's index is added to (see `Copies.originals`).
    """
    found: dict[str, list[_Ranked]] = defaultdict(list)
    for strand in strands:
        base = ranks[strand.path]
        continuing = _continuing(strand)
        for place, event in enumerate(strand.facts.events):
            inside = strand.inside[event.index] == IN_BLOCK
            handed = event.index <= strand.handed_last
            rank = (0, base[inside + 2 * handed] + event.index)
            paid = continuing[place] and not inside and not handed
            address = message_address(strand.path, event.index)
            found[event.identity].append(
                (
                    (*rank, not continuing[place]),
                    Evidence(
                        *(address, "chat_meta", strand.path, event.index, handed, paid),
                        *(event.tokens, event.provider),
                    ),
                )
            )
        for receipt in strand.facts.receipts:
            if receipt.identity is None:
                continue
            inside = strand.inside[receipt.output] == IN_BLOCK
            handed = receipt.output <= strand.handed_last
            address = receipt_address(strand.path, receipt.output, receipt.key, receipt.position)
            rank = (1, base[inside + 2 * handed] + receipt.output, receipt.key, receipt.position)
            found[receipt.identity or f"receipt:{address}"].append(
                (
                    (*rank, True),
                    Evidence(
                        *(address, "receipt", strand.path, receipt.output, handed, False),
                        *(receipt.tokens, receipt.provider),
                    ),
                )
            )
    return {identity: _inference(identity, ranked) for identity, ranked in found.items()}


def _continuing(strand: Strand) -> list[bool]:
    """Per event whether the chat's running total continues with it: `tt_c` less `tt` is the `tt_c` before.

    The handed history, each block and what the chat itself said count on their own, each from 0.
    """
    before: dict[int, int] = {}
    told = []
    for event in strand.facts.events:
        block = strand.block_of.get(event.index)
        if event.index <= strand.handed_last and block is None:
            part = -2
        else:
            part = -1 if block is None else block.marker
        total = event.total
        told.append(total is not None and total - event.tokens[2] == before.get(part, 0))
        if total is not None:
            before[part] = total
    return told


def _inference(identity: str, ranked: list[_Ranked]) -> InferenceLinks:
    ranked.sort(key=lambda item: item[0][:-1])
    evidence = [item for _, item in ranked]
    payer = next((item.chat for rank, item in ranked if not rank[-1]), evidence[0].chat)
    providers = {item.provider for item in evidence}
    return InferenceLinks(
        id=identity,
        evidence=tuple(evidence),
        payer=payer,
        conflict=len({item.tokens[:3] for item in evidence}) > 1 or len(providers - {None}) > 1,
        incomplete=len(providers) > 1 and None in providers,
    )


def identities(facts: ChatFacts) -> set[str]:
    """Paid requests that a chat writes down. Chats that share one must be linked together: who paid is decided among
    all of them, related or not."""
    found = {event.identity for event in facts.events}
    found.update(receipt.identity for receipt in facts.receipts if receipt.identity)
    return found
