"""The picture as SVG: shapes that a stylesheet colours, links that a keyboard reaches, words for all of it.

Never colour alone: own is a solid border, shared a double one, context a dashed one, inlined a hatched
corner; each box also says it in words, and so does its accessible name.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from itertools import pairwise

from indexer.report.graph import Arrow, Box, Picture
from indexer.report.layout import Placed, layered
from indexer.report.markup import Markup, element, join

WIDTH, HEIGHT = 196, 58
GAP_X, GAP_Y = 74, 16
MARGIN = 14
#: Sizes of letters, as in `picture.css`.
LARGE, SMALL = 13, 11
#: Left of the texts in a box, and the room that they have; less beside the hatched corner.
INSET, ROOM, CORNER = 11, WIDTH - 20, 22

#: Words and marks for the states of a job; any other state is shown as written.
MARKS = {"done": "✓", "error": "✗", "aborted": "✗", "crashed": "✗", "noinfo": "?"}
BAD = frozenset({"error", "aborted", "crashed"})
WORDS = {
    "own": "own",
    "shared": "shared",
    "context": "context",
    "only_in_a": "only A",
    "only_in_b": "only B",
    "in_both": "both",
}
#: How a box with this standing is drawn.
LOOKS = {"only_in_a": "context", "only_in_b": "own", "in_both": "shared"}

Href = Callable[[Box], str | None]


def draw(picture: Picture, title: str, href: Href | None = None, selected: str | None = None) -> Markup:
    """The picture; `href` gives where a box leads. Colours come from `picture.css` (`styles.PICTURE`)."""
    placed = layered(
        list(picture.boxes), [(arrow.source, arrow.target) for arrow in picture.arrows], picture.root
    )
    width = 2 * MARGIN + placed.columns * (WIDTH + GAP_X) - GAP_X
    height = int(2 * MARGIN + placed.rows * (HEIGHT + GAP_Y) - GAP_Y + 1)
    arrows = [_arrow(arrow, placed) for arrow in picture.arrows]
    boxes = [_box(box, placed, href, box.key == selected) for box in _reading_order(picture, placed)]
    return element(
        "svg",
        element("title", title, id="picture-title"),
        element("desc", describe(picture), id="picture-desc"),
        _definitions(),
        element("g", arrows, class_="arrows", aria_hidden="true"),
        element("g", boxes, class_="boxes"),
        xmlns="http://www.w3.org/2000/svg",
        class_="picture",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="group",
        aria_labelledby="picture-title picture-desc",
    )


def describe(picture: Picture) -> str:
    """The picture in a sentence."""
    counts: dict[str, int] = {}
    for box in picture.boxes.values():
        counts[box.standing] = counts.get(box.standing, 0) + box.folded
    parts = [f"{number:,} {WORDS.get(standing, standing)}" for standing, number in sorted(counts.items())]
    jobs = sum(len(box.jobs) for box in picture.boxes.values())
    steps = f"{sum(counts.values()):,} steps: {', '.join(parts)}"
    return f"{jobs:,} jobs and {picture.nodes - jobs:,} chats in {steps}."


def label(box: Box) -> str:
    """What a screen reader says of a box."""
    parts = [box.title, box.subtitle, WORDS.get(box.standing, box.standing)]
    if box.root:
        parts.append("root")
    if box.status:
        parts.append(f"status {box.status}")
    if box.missing:
        parts.append("file missing")
    if box.inlined:
        parts.append(f"inlined {box.inlined} times")
    if box.folded > 1:
        parts.append(f"{box.folded} steps folded")
    return ", ".join(part for part in parts if part)


def _reading_order(picture: Picture, placed: Placed) -> list[Box]:
    return sorted(picture.boxes.values(), key=lambda box: placed.places[box.key])


def _definitions() -> Markup:
    hatch = element(
        "pattern",
        element("path", d="M0 7L7 0", class_="hatch"),
        id="hatch",
        width=7,
        height=7,
        patternUnits="userSpaceOnUse",
    )
    heads = [
        element(
            "marker",
            element("path", d="M0 0L8 4L0 8z"),
            id=f"head-{kind}",
            class_=f"head {kind}",
            viewBox="0 0 8 8",
            refX=8,
            refY=4,
            markerWidth=7,
            markerHeight=7,
            orient="auto",
        )
        for kind in ("own", "context")
    ]
    return element("defs", hatch, heads)


def _corner(place: tuple[int, float]) -> tuple[float, float]:
    return MARGIN + place[0] * (WIDTH + GAP_X), MARGIN + place[1] * (HEIGHT + GAP_Y)


def _box(box: Box, placed: Placed, href: Href | None, selected: bool) -> Markup:
    x, y = _corner(placed.places[box.key])
    look = LOOKS.get(box.standing, box.standing)
    shapes = [element("rect", class_="frame", width=WIDTH, height=HEIGHT, rx=7)]
    if box.folded > 1:
        shapes.insert(0, element("rect", class_="behind", x=5, y=5, width=WIDTH, height=HEIGHT, rx=7))
    if look == "shared":
        shapes.append(element("rect", class_="inner", x=4, y=4, width=WIDTH - 8, height=HEIGHT - 8, rx=4))
    if box.inlined:
        place = {"x": WIDTH - 26, "y": 6, "width": 18, "height": 17, "rx": 3}
        shapes.append(element("rect", class_="hatched", fill="url(#hatch)", **place))
    where = href(box) if href else None
    inside = element(
        "g",
        element("title", f"{label(box)}\n{box.members[0].id}"),
        shapes,
        element("text", _title(box), class_="name", x=INSET, y=20),
        element("text", clip(box.subtitle, ROOM, SMALL), class_="sub", x=INSET, y=35),
        _line(box),
        class_=" ".join(["box", look, *(["root"] if box.root else []), *(["selected"] if selected else [])]),
        transform=f"translate({x:.0f} {y:.0f})",
    )
    if where is None:
        return inside
    return element("a", inside, href=where, aria_current="true" if selected else None)


def _line(box: Box) -> Markup:
    said = [(WORDS.get(box.standing, box.standing), "standing")]
    if box.status:
        look = "bad" if box.status in BAD else "state"
        said.append((f" {MARKS.get(box.status, '…')} {box.status}", look))
    if box.missing:
        said.append((" ? missing", "bad"))
    if box.inlined:
        said.append((f" inlined ×{box.inlined:,}", "inlined"))
    parts = [element("tspan", text, class_=look) for text, look in said]
    words = "".join(text for text, _ in said)
    # However wide the reader's font is, the line ends inside its box.
    tight = {"textLength": ROOM, "lengthAdjust": "spacingAndGlyphs"} if width(words, SMALL) > ROOM else {}
    return element("text", join(parts), class_="marks", x=INSET, y=50, **tight)


def _title(box: Box) -> str:
    number = f" ×{box.folded:,}" if box.folded > 1 else ""
    room = ROOM - (CORNER if box.inlined else 0) - width(number, LARGE)
    return clip(("▸ " if box.root else "") + box.title, room, LARGE) + number


def _arrow(arrow: Arrow, placed: Placed) -> Markup:
    backward = (arrow.source, arrow.target) in placed.backward
    first, last = placed.places[arrow.source], placed.places[arrow.target]
    kind = "context" if arrow.context else "own"
    words = ", ".join(f"{number} {relation}" for relation, number in sorted(arrow.relations.items()))
    between = placed.ways.get((arrow.source, arrow.target), [])
    way = _back(first, last) if backward else _forward(first, between, last)
    return element(
        "path",
        element("title", words),
        d=way,
        class_=f"arrow {kind}{' back' if backward else ''}",
        marker_end=f"url(#head-{kind})",
    )


def _forward(first: tuple[int, float], between: list[tuple[int, float]], last: tuple[int, float]) -> str:
    x, y = _corner(first)
    points = [(x + WIDTH, y + HEIGHT / 2)]
    for place in between:
        left, top = _corner(place)
        points += [(left, top + HEIGHT / 5), (left + WIDTH, top + HEIGHT / 5)]
    left, top = _corner(last)
    points.append((left, top + HEIGHT / 2))
    path = f"M{points[0][0]:.0f} {points[0][1]:.0f}"
    for (x1, y1), (x2, y2) in pairwise(points):
        middle = (x1 + x2) / 2
        path += f"C{middle:.0f} {y1:.0f} {middle:.0f} {y2:.0f} {x2:.0f} {y2:.0f}"
    return path


def _back(first: tuple[int, float], last: tuple[int, float]) -> str:
    x1, y1 = _corner(first)
    x2, y2 = _corner(last)
    above = min(y1, y2) - GAP_Y / 2
    return (
        f"M{x1 + WIDTH / 2:.0f} {y1:.0f}C{x1 + WIDTH / 2:.0f} {above - 24:.0f} "
        f"{x2 + WIDTH / 2:.0f} {above - 24:.0f} {x2 + WIDTH / 2:.0f} {y2:.0f}"
    )


def width(text: str, size: float) -> float:
    """Units that a text takes in a wide font; wide letters (CJK, emoji) count whole."""
    return size * sum(
        1.1 if unicodedata.east_asian_width(letter) in "WF" else 0 if unicodedata.combining(letter) else 0.62
        for letter in text
    )


def clip(text: str, room: float, size: float) -> str:
    """The text with its middle left out where it is too wide."""
    if width(text, size) <= room:
        return text
    kept = len(text) - 1
    while kept > 1:
        front = kept * 2 // 3
        shorter = f"{text[:front]}…{text[len(text) - (kept - front) :]}"
        if width(shorter, size) <= room:
            return shorter
        kept -= 1
    return "…"
