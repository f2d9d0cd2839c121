"""Lines of a chat file that mean something: how to find the next one, and what the patterns of the rules are.

The rules are those of FORMAT.md 1.2. A search here may stop at a line too many, never at one too few.
"""

from __future__ import annotations

import re
from collections.abc import Callable

#: What "strip" removes at both ends (FORMAT.md 1.1): NUL TAB LF VT FF CR SPACE.
BLANKS = "\0\t\n\v\f\r "

#: The kinds of protection, and their names for people.
NONE, TICKS, SQUARE, XML = range(4)
KINDS = ("", "code fence (```)", "[[ or {{{ region", "XML region")

_INDENT = r"[\0\t\v\f\r ]*+"
# A line of rule 4 has `:--` and a space at the end of its first word.
_MARKERS = r"```|\[\[|[^ \t\r\n\f\v]*+ (?<=:-- )"
_MARKER = re.compile(rf"\n{_INDENT}(?:{_MARKERS})")
_SQUARE_END = re.compile(rf"\]\]{_INDENT}(?:\n|\Z)")

#: Outside any region: a line that is not simply text. Group 1 is the role of what looks like a header.
NOT_PLAIN = re.compile(rf"\n(?:([a-z0-9_]++): ?|\\[a-z0-9_]|{_INDENT}(?:<[A-Za-z0-9_]|{_MARKERS}))")

#: Rule 4 on a line without its newline; group 1 is the command.
CMD_OPEN = re.compile(r"[^ \t\r\n\f\v]*:-- (.*) \{\{\{")
#: Rule 7, and the closers of rule 6.
OPENER = re.compile(r"<(\w++)(?:\s[^>]*+)?>", re.ASCII)
CLOSER = re.compile(r"</(\w++)>", re.ASCII)
#: Rule 9.
ESCAPED = re.compile(r"\\[a-z0-9_]+:")
#: Headers that a region should not have swallowed.
HEADER_LIKE = re.compile(r"^(?:user|system|assistant|meta|function_call|function_call_output):", re.MULTILINE)


def unless_blank(line: str) -> str | None:
    """`line`, or None where it holds nothing but blanks."""
    return line if line.strip(BLANKS) else None


def in_order(line: str, first: str, last: str) -> bool:
    """Whether `last` stands somewhere behind `first`: rule 5 without the cost of a pattern with two gaps."""
    at = line.find(first)
    return at >= 0 and line.rfind(last) >= at + len(first)


def next_in_region(window: str, scan: int, protection: int, nearest: dict[Search, int]) -> int:
    """Where the next line from `scan` on begins that could end the region, open another, or be dropped.

    The size of the window where there is none. `nearest` keeps what each search found last in this window,
    so that each passes over it once.
    """
    at = len(window)
    for search in _SEARCHES[protection]:
        hit = nearest.get(search, -1)
        if hit < scan:
            hit = nearest[search] = search(window, scan)
        at = min(at, hit)
    return at


def _line_of(window: str, hit: int) -> int:
    """Where the line of `hit` begins; the window's size where there is no hit."""
    return len(window) if hit < 0 else window.rfind("\n", 0, hit + 1)


def _next_marker(window: str, scan: int) -> int:
    found = _MARKER.search(window, scan)
    return found.start() if found else len(window)


def _next_square_end(window: str, scan: int) -> int:
    found = _SQUARE_END.search(window, scan)
    return _line_of(window, found.start()) if found else len(window)


def _next_cmd_end(window: str, scan: int) -> int:
    return _line_of(window, window.find(" }}}", scan))


def _next_closer(window: str, scan: int) -> int:
    return _line_of(window, window.find("</", scan))


Search = Callable[[str, int], int]

#: Per protection: the searches whose nearest line may change something.
_SEARCHES: tuple[tuple[Search, ...], ...] = (
    (),
    (_next_marker,),
    (_next_marker, _next_square_end, _next_cmd_end),
    (_next_marker, _next_closer),
)
