"""What a report says, before it is Markdown or HTML: cards of figures, tables, warnings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Card:
    """One of the answers at the top. `figure` is the number to see first, `look` how the card is framed."""

    title: str
    figure: int
    unit: str
    lines: tuple[str, ...]
    look: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. A column named `#...` holds numbers; `total` is how many rows there are in all."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    total: int
    note: str = ""
    command: str = ""


@dataclass(slots=True)
class Content:
    """A whole report. `base` is the folder that paths in it are below; empty where they are whole."""

    title: str
    root: str
    kind: str
    base: str
    cards: list[Card] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def common_folder(paths: Sequence[str]) -> str:
    """The deepest folder that all paths are below; empty where that is the file system's root, or none."""
    if not paths:
        return ""
    try:
        folder = os.path.commonpath([os.path.dirname(path) for path in paths])
    except ValueError:  # absolute and relative ones
        return ""
    return "" if folder == "/" else folder


def below(path: str | None, base: str) -> str:
    """The path (or address) as it is below `base`; whole where it is not."""
    if path is None:
        return ""
    return path[len(base) + 1 :] if base and path.startswith(f"{base}/") else path


def number(value: float) -> str:
    """A number as people read it."""
    return f"{value:,}"


def size(count: int) -> str:
    """Bytes as people read them, with the exact number where it was rounded."""
    if count < 10_000:
        return f"{count:,} bytes"
    return f"{count / 1e6:,.1f} MB" if count >= 1_000_000 else f"{count / 1e3:,.1f} kB"


def share(part: int, whole: int) -> str:
    """A part as a percentage."""
    return f"{100 * part / whole:.0f} %" if whole else "0 %"


def plural(count: int, word: str, words: str | None = None) -> str:
    """`1 chat`, `2 chats`."""
    return f"{count:,} {word if count == 1 else words or word + 's'}"
