"""Colours, once: by name, light and dark. Pages and pictures take them as CSS variables.

`PAIRS` are the text-on-ground pairs in use; a test computes that each has a contrast of at least 4.5 (WCAG
AA), and that the lines of `LINES` have 3.0 against their ground.
"""

from __future__ import annotations

LIGHT = {
    "ground": "#fbfaf7",
    "surface": "#ffffff",
    "raised": "#f1efe9",
    "ink": "#1c1b19",
    "muted": "#5d584f",
    "line": "#8a8378",
    "hair": "#ddd8cd",
    "link": "#0b57a4",
    "own": "#0b57a4",
    "own_fill": "#e6f0fa",
    "shared": "#6a2c91",
    "shared_fill": "#f3eaf8",
    "context": "#6b5b43",
    "context_fill": "#f6f2ea",
    "inlined": "#8a4b00",
    "good": "#1d6b35",
    "bad": "#a8201a",
    "other": "#7a4f00",
    "focus": "#b3420a",
    "code": "#f1efe9",
}
DARK = {
    "ground": "#161513",
    "surface": "#1f1d1a",
    "raised": "#2a2723",
    "ink": "#f0ece4",
    "muted": "#b8b0a2",
    "line": "#8d8578",
    "hair": "#3c3832",
    "link": "#8cc2ff",
    "own": "#8cc2ff",
    "own_fill": "#152a40",
    "shared": "#d6a6f2",
    "shared_fill": "#331d42",
    "context": "#cdbb9c",
    "context_fill": "#2b261d",
    "inlined": "#f0b060",
    "good": "#85d69b",
    "bad": "#ff9d94",
    "other": "#f0c069",
    "focus": "#ffb27d",
    "code": "#2a2723",
}

#: Where the reader's system sets all colours, borders and words alone tell kinds apart.
FORCED = {
    **dict.fromkeys(LIGHT, "CanvasText"),
    **dict.fromkeys((name for name in LIGHT if name.endswith("_fill")), "Canvas"),
    **dict.fromkeys(("ground", "surface", "raised", "code"), "Canvas"),
    "link": "LinkText",
    "focus": "Highlight",
}
#: Text on ground.
PAIRS = (
    *(
        (text, ground)
        for text in ("ink", "muted", "link", "good", "bad", "other")
        for ground in ("ground", "surface", "raised")
    ),
    *(
        (kind, ground)
        for kind in ("own", "shared", "context", "inlined")
        for ground in ("ground", "surface", "raised", f"{kind}_fill")
        if ground in LIGHT
    ),
    ("ink", "own_fill"),
    ("ink", "shared_fill"),
    ("ink", "context_fill"),
    ("muted", "own_fill"),
    ("muted", "shared_fill"),
    ("muted", "context_fill"),
    ("bad", "own_fill"),
    ("bad", "shared_fill"),
    ("bad", "context_fill"),
    ("good", "own_fill"),
    ("good", "shared_fill"),
    ("good", "context_fill"),
    ("other", "own_fill"),
    ("other", "shared_fill"),
    ("other", "context_fill"),
    ("ink", "code"),
)
#: Lines and marks on ground.
LINES = tuple(
    (line, ground)
    for line in ("line", "focus", "own", "shared", "context")
    for ground in ("ground", "surface")
)


def variables() -> str:
    """The colours as CSS: light, and dark where the reader's system is dark or the page says so."""
    light, dark = _declarations(LIGHT), _declarations(DARK)
    return (
        f":root{{color-scheme:light dark;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f"@media print{{:root{{{light}}}}}\n"
        f"@media (forced-colors:active){{:root{{{_declarations(FORCED)}}}}}\n"
    )


def contrast(one: str, other: str) -> float:
    """Contrast of two colours `#rrggbb` as WCAG 2 defines it: 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _declarations(colours: dict[str, str]) -> str:
    return "".join(f"--{name.replace('_', '-')}:{value};" for name, value in colours.items())


def _luminance(colour: str) -> float:
    parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
