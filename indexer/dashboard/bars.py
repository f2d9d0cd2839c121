"""Small charts as SVG. Their words stand beside them, so screen readers pass over the shapes."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.report.markup import Markup, element

WIDTH = 240


def stacked(parts: Sequence[tuple[str, int]], longest: int) -> Markup:
    """Parts side by side, `longest` in all at most; each look (own, shared, context) has its own pattern."""
    whole = max(longest, sum(number for _, number in parts))
    shapes: list[Markup] = []
    start = 0.0
    for look, number in parts:
        width = WIDTH * number / whole if whole else 0
        if number:
            shapes.append(
                element("rect", x=f"{start:.1f}", y=0, width=f"{max(width, 2):.1f}", height=12, class_=look)
            )
            if look != "own":
                shapes.append(_marks(look, start, max(width, 2)))
        start += width
    return _svg(shapes)


def part(number: int, whole: int, look: str = "own") -> Markup:
    """One part of a whole."""
    width = WIDTH * min(number, whole) / whole if whole else 0
    ground = element("rect", x=0, y=0, width=WIDTH, height=12, class_="rest")
    return _svg([ground, element("rect", x=0, y=0, width=f"{width:.1f}", height=12, class_=look)])


def _marks(look: str, start: float, width: float) -> Markup:
    # Shared: a line along the middle (double). Context: gaps (dashed).
    if look == "shared":
        return element("path", d=f"M{start:.1f} 6h{width:.1f}", class_="double")
    gaps = "".join(f"M{start + at:.1f} 0v12" for at in range(6, int(width), 8))
    return element("path", d=gaps or f"M{start:.1f} 0", class_="gap")


def _svg(shapes: Sequence[Markup]) -> Markup:
    return element(
        "svg", shapes, class_="bar", viewBox=f"0 0 {WIDTH} 12", preserveAspectRatio="none", aria_hidden="true"
    )
