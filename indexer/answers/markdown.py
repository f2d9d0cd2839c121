"""Text of chats in Markdown, so that any viewer shows it alike: nothing in it is markup. Tables, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# Inside a line; an underscore or a sign inside a word means nothing.
_SPECIAL = re.compile(r"([\\`*\[\]<>|~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")
_AT_START = re.compile(r"^(?=[#+=:-])|^(\d+)(?=[.)])")
_ADDRESS = re.compile(r"://|www\.|@\w+\.", re.IGNORECASE)
_BLANK = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")

Cell = str | int | float | bool | None


def plain(text: object) -> str:
    """Text on one line in which nothing is markup; what a viewer would turn into a link is code."""
    flat = _BLANK.sub(" ", str(text)).strip()
    if _ADDRESS.search(flat):
        return code(flat)
    return _AT_START.sub(
        lambda found: f"{found[1]}\\" if found[1] else "\\", _SPECIAL.sub(r"\\\1", flat), count=1
    )


def code(text: str) -> str:
    """Text as code on one line, whatever backticks it holds; a pipe stays inside its cell."""
    flat = _BLANK.sub(" ", text).strip() or " "
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", flat)), default=0))
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}".replace("|", "\\|")


def grid(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    """The lines of a table. A column named `#...` holds numbers."""
    yield _row([plain(column.removeprefix("#")) for column in columns])
    yield _row(["---:" if column.startswith("#") else "---" for column in columns])
    for row in rows:
        yield _row([_cell(value) for value in row])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else plain(value)
