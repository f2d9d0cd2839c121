"""Keep a picture readable: context becomes one box per conversation, and many equal steps one box each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from indexer.report.graph import Arrow, Box, Node, Picture, strongest

#: More boxes than this are folded by themselves; more than LIMIT always.
COMFORTABLE = 60
LIMIT = 1_500
#: Where equal steps are one box and there still are more boxes than this, steps that lead nowhere are put together.
CROWDED = 150
#: So many equal steps are needed to become one box.
ALIKE = 3


@dataclass(frozen=True, slots=True)
class Folding:
    """What to fold: `context` into one box per conversation, `steps` of one task into one box.

    `steps` None: where there are more than COMFORTABLE boxes.
    """

    context: bool = True
    steps: bool | None = None


def fold(picture: Picture, folding: Folding) -> Picture:
    """The picture with fewer boxes. Every box of the first stands in one of the second."""
    if folding.context:
        sources = _conversations(picture)
        picture = merge(picture, lambda box: _context(box, sources))
    steps = folding.steps if folding.steps is not None else len(picture.boxes) > COMFORTABLE
    if steps or len(picture.boxes) > LIMIT:
        callers = _callers(picture)
        picture = merge(picture, lambda box: _alike(box, callers))
    if steps and len(picture.boxes) > CROWDED:
        ends = _callers(picture)
        busy = {arrow.source for arrow in picture.arrows}
        picture = merge(picture, lambda box: _end(box, ends, busy))
    if len(picture.boxes) > LIMIT:
        picture = merge(picture, lambda box: None if box.root else ("task", box.standing, box.title), 2)
    if len(picture.boxes) > LIMIT:
        picture = merge(picture, lambda box: None if box.root else ("rest", box.standing), 2)
    return picture


def merge(picture: Picture, group: Callable[[Box], Hashable | None], least: int = 1) -> Picture:
    """Put boxes of equal groups together; None, and groups of fewer than `least` boxes, stay as they are."""
    groups: dict[Hashable, list[Box]] = defaultdict(list)
    for box in picture.boxes.values():
        found = group(box)
        if found is not None:
            groups[found].append(box)
    home = {key: key for key in picture.boxes}
    made: dict[str, Box] = {}
    for found, boxes in groups.items():
        kind = str(found[0]) if isinstance(found, tuple) else str(found)
        needed = ALIKE if kind in ("alike", "ends") else least
        if len(boxes) < max(needed, 1):
            continue
        together = _together(kind, boxes)
        made[together.key] = together
        home.update((box.key, together.key) for box in boxes)
    boxes_left = {key: box for key, box in picture.boxes.items() if home[key] == key}
    return Picture(
        boxes_left | made,
        _arrows(picture.arrows, home),
        home.get(picture.root, picture.root) if picture.root else None,
    )


def _context(box: Box, sources: Mapping[str, str]) -> Hashable | None:
    if box.root or box.standing != "context":
        return None
    return ("context", sources[box.key])


def _conversations(picture: Picture) -> dict[str, str]:
    """Conversation of each box; a step without chats has that of whoever asked for it."""
    found = {key: conversation(box) for key, box in picture.boxes.items()}
    context = {key for key, box in picture.boxes.items() if box.standing == "context"}
    calls = [arrow for arrow in picture.arrows if arrow.source in context and arrow.target in context]
    for _ in range(len(calls)):
        told = [arrow for arrow in calls if found[arrow.source] and not found[arrow.target]]
        if not told:
            break
        for arrow in told:
            found[arrow.target] = found[arrow.source]
    return found


def conversation(box: Box) -> str:
    """The conversation most of its chats belong to; empty where none says so."""
    counted = Counter(node.conversation for node in box.members if node.conversation)
    return counted.most_common(1)[0][0] if counted else ""


def _callers(picture: Picture) -> Mapping[str, tuple[str, ...]]:
    callers: dict[str, list[str]] = defaultdict(list)
    for arrow in picture.arrows:
        callers[arrow.target].append(arrow.source)
    return {key: tuple(sorted(found)) for key, found in callers.items()}


def _alike(box: Box, callers: Mapping[str, tuple[str, ...]]) -> Hashable | None:
    """Steps of one task with one standing, one status and the same callers are alike."""
    if box.root or box.folded > 1 or not box.jobs:
        return None
    return ("alike", box.standing, box.title, box.status, box.missing, callers.get(box.key, ()))


def _end(box: Box, callers: Mapping[str, tuple[str, ...]], busy: set[str]) -> Hashable | None:
    """Steps that ask for nothing, whatever their task, with one standing, one status and the same callers."""
    if box.root or box.key in busy or not box.jobs:
        return None
    return ("ends", box.standing, box.status, box.missing, callers.get(box.key, ()))


def _together(kind: str, boxes: list[Box]) -> Box:
    members: list[Node] = [node for box in boxes for node in box.members]
    jobs = sum(node.kind == "job" for node in members)
    chats = len(members) - jobs
    first = boxes[0]
    if kind == "context":
        source = conversation(first)
        title = f"Context: {source.rsplit('/', 1)[-1]}" if source else "Context"
    elif kind == "ends":
        title = f"{len({box.title for box in boxes}):,} tasks"
    elif kind == "rest":
        title = "All other steps"
    else:
        title = first.title
    return Box(
        key=f"fold:{kind}:{min(box.key for box in boxes)}",
        title=title,
        subtitle=f"{jobs:,} jobs, {chats:,} chats",
        standing=strongest(box.standing for box in boxes),
        members=members,
        status=_common(boxes),
        folded=sum(box.folded for box in boxes),
        reason=kind,
    )


def _common(boxes: list[Box]) -> str | None:
    found = {box.status for box in boxes}
    return found.pop() if len(found) == 1 else None


def _arrows(arrows: list[Arrow], home: Mapping[str, str]) -> list[Arrow]:
    merged: dict[tuple[str, str], Arrow] = {}
    for arrow in arrows:
        source, target = home[arrow.source], home[arrow.target]
        if source == target:
            continue
        kept = merged.setdefault((source, target), Arrow(source, target))
        for relation, count in arrow.relations.items():
            kept.add(relation, count, arrow.context)
    return [merged[key] for key in sorted(merged)]
