"""Paid requests: where each is written down, and who paid (DESIGN: Tokens; FORMAT.md 5, token events)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from indexer.linking.facts import ChatFacts
from indexer.linking.records import Evidence, InferenceLinks, message_address, receipt_address
from indexer.linking.strand import IN_BLOCK, Strand


class _Place(NamedTuple):
    """Evidence with its order: source, rank among originals, place in the receipt.

    `continuing` as `_continuing` tells.
    """

    receipt: bool
    rank: int
    key: str
    position: int
    continuing: bool
    evidence: Evidence


def find_inferences(
    strands: Sequence[Strand], ranks: Mapping[str, Sequence[int]]
) -> dict[str, InferenceLinks]:
    """All paid requests written down in the chats.

    Evidence is ordered by source (chat messages before receipts), then by the order of originals, of which
    `ranks` gives per chat four numbers that a message's index is added to (see `Copies.originals`).
    """
    found: dict[str, list[_Place]] = defaultdict(list)
    for strand in strands:
        base = ranks[strand.path]
        _of_messages(strand, base, found)
        _of_receipts(strand, base, found)
    return {identity: _inference(identity, places) for identity, places in found.items()}


def _of_messages(strand: Strand, base: Sequence[int], found: dict[str, list[_Place]]) -> None:
    path, handed_last, inside = strand.path, strand.handed_last, strand.inside
    for event, continuing in zip(strand.facts.events, _continuing(strand), strict=True):
        at, identity, tokens, provider, _ = event
        in_block, handed = inside[at] == IN_BLOCK, at <= handed_last
        paid = continuing and not in_block and not handed  # and where `_inference` finds the payer
        address = message_address(path, at)
        evidence = Evidence(address, "chat_meta", path, handed, paid, tokens, provider)
        found[identity].append(_Place(False, base[in_block + 2 * handed] + at, "", 0, continuing, evidence))


def _of_receipts(strand: Strand, base: Sequence[int], found: dict[str, list[_Place]]) -> None:
    path = strand.path
    for receipt in strand.facts.receipts:
        if receipt.identity is None:
            continue
        at = receipt.output
        in_block, handed = strand.inside[at] == IN_BLOCK, at <= strand.handed_last
        address = receipt_address(path, at, receipt.key, receipt.position)
        evidence = Evidence(address, "receipt", path, handed, False, receipt.tokens, receipt.provider)
        rank = base[in_block + 2 * handed] + at
        place = _Place(True, rank, receipt.key, receipt.position, False, evidence)
        found[receipt.identity or f"receipt:{address}"].append(place)


def _continuing(strand: Strand) -> list[bool]:
    """Per event whether the chat's running total continues with it: `tt_c` less `tt` is the `tt_c` before.

    The handed history, each block and what the chat itself said count on their own, each from 0.
    """
    before: dict[int, int] = {}
    told = []
    block_of, handed_last = strand.block_of, strand.handed_last
    for event in strand.facts.events:
        block = block_of.get(event.at)
        outside = -2 if event.at <= handed_last else -1
        part = outside if block is None else block.marker
        total = event.total
        if total is None:
            told.append(False)
        else:
            told.append(total - event.tokens[2] == before.get(part, 0))
            before[part] = total
    return told


def _inference(identity: str, places: list[_Place]) -> InferenceLinks:
    """One paid request with its evidence in order.

    The first evidence is canonical; who paid is the first chat whose running total continues, else the
    first at all (DESIGN: Tokens). Conflict and incomplete evidence as in FORMAT.md 5.
    """
    places.sort(key=lambda place: place[:4])
    first = places[0].evidence
    payer = next((place.evidence.chat for place in places if place.continuing), first.chat)
    conflict = incomplete = False
    if len(places) > 1:
        providers = {place.evidence.provider for place in places}
        incomplete = len(providers) > 1 and None in providers
        conflict = len(providers) > 1 + incomplete or any(
            place.evidence.tokens[:3] != first.tokens[:3] for place in places
        )
    evidence = tuple(
        item._replace(paid=True) if not item.paid and not item.handed and item.chat == payer else item
        for item in (place.evidence for place in places)
    )
    return InferenceLinks(identity, evidence, payer, conflict, incomplete)


def identities(facts: ChatFacts) -> set[str]:
    """Paid requests that a chat writes down.

    Chats that share one must be linked together: who paid is decided among all of them, related or not.
    """
    found = {event.identity for event in facts.events}
    found.update(receipt.identity for receipt in facts.receipts if receipt.identity)
    return found
