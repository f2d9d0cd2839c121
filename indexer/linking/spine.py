"""What a chat says outside the blocks in it: the part that can be handed on, or was handed to it."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence

from indexer.linking.facts import HEAVY, IDENTITY, LEFT_OUT, MARKER
from indexer.linking.strand import OUTSIDE, Strand
from indexer.linking.topology import Composing

#: What the imports of one chat may add up to: beyond, they are not followed. No real conversation comes near.
MOST_ELEMENTS = 200_000
MOST_IMPORTS = 1_000
DEEPEST = 30


class Spine:
    """The messages of a chat outside blocks, in order, each block standing for itself by its marker.

    owner     the chat; `opened` imports followed so far
    keys      comparison keys
    strands, indices   where each element stands: another chat's message where it comes by an import
    text      True for a message that can be handed, False for a `job=` marker
    strong    keys that tell a message from others by themselves (an identity, 64 bytes) -> places, ascending
    led       strong keys with an element directly after them that is not strong
    """

    __slots__ = ("_own", "_places", "indices", "keys", "led", "opened", "owner", "strands", "strong", "text")

    def __init__(self, owner: Strand) -> None:
        self.owner = owner
        self.opened = 0
        self.keys: list[str] = []
        self.strands: list[Strand] = []
        self.indices: list[int] = []
        self.text: list[bool] = []
        self.strong: dict[str, list[int]] = defaultdict(list)
        self.led: set[str] = set()
        self._own: list[int] = []
        self._places: list[int] = []

    def extend(self, strand: Strand, indices: Sequence[int]) -> None:
        """Take the next elements, messages of one chat."""
        keys, strong, flags, weights = strand.keys, self.strong, strand.facts.flags, strand.facts.weights
        start = len(self.keys)
        if strand is self.owner:
            self._own += indices
            self._places += range(start, start + len(indices))
        before = self.keys[-1] if start and self.keys[-1] in strong else None
        for place, index in enumerate(indices, start):
            flag = flags[index]
            if flag & IDENTITY or (weights[index] >= HEAVY and not flag & MARKER):
                before = keys[index]
                strong[before].append(place)
            elif before is not None:
                self.led.add(before)
                before = None
        self.keys += [keys[index] for index in indices]
        self.strands += [strand] * len(indices)
        self.indices += indices
        self.text += [not flags[index] & MARKER for index in indices]

    def before(self, index: int) -> int:
        """Number of elements that stand before message `index` of the chat itself, imports among them."""
        at = bisect_left(self._own, index)
        return self._places[at] if at < len(self._own) else len(self.keys)


def spine_of(strand: Strand, end: int) -> Spine:
    """The spine of a chat by itself up to message `end`, its blocks being known."""
    spine = Spine(strand)
    spine.extend(strand, _elements(strand, end))
    return spine


def compiled(
    strand: Strand, strands: Mapping[str, Strand], compositions: Mapping[str, Sequence[Composing]]
) -> Spine:
    """The spine of a chat with what it imports in place of each import, and so on down.

    This is what a run of the chat hands on.
    """
    spine = Spine(strand)
    _compile(strand, strands, compositions, spine, ())
    return spine


def _compile(
    strand: Strand,
    strands: Mapping[str, Strand],
    compositions: Mapping[str, Sequence[Composing]],
    spine: Spine,
    above: tuple[str, ...],
) -> None:
    elements = _elements(strand, len(strand))
    above = (*above, strand.path)
    start = 0
    for composing in compositions.get(strand.path, ()):
        at = bisect_left(elements, composing.at)
        spine.extend(strand, elements[start:at])
        start = at + 1  # the line itself is not handed on
        other = strands.get(composing.chat)
        spine.opened += 1
        if (
            other is None
            or other.path in above
            or len(above) > DEEPEST
            or spine.opened > MOST_IMPORTS
            or len(spine.keys) > MOST_ELEMENTS
        ):
            continue
        if composing.type == "IMPORTS":
            _compile(other, strands, compositions, spine, above)
        else:
            spine.extend(other, _elements(other, len(other))[-1:])
    spine.extend(strand, elements[start:])


def _elements(strand: Strand, end: int) -> list[int]:
    """Indices before `end` of the messages outside blocks, and of the marker of each block.

    Only of those that take part in copies.
    """
    inside, starts, flags = strand.inside, strand.starts, strand.facts.flags
    return [
        index
        for index in range(end)
        if not flags[index] & LEFT_OUT and (inside[index] == OUTSIDE or index in starts)
    ]
