"""What a rule of redaction is: a name, one RE2 pattern, and how the secret's place is read from a match.

Patterns are byte patterns in RE2's Latin-1 mode: matching is linear in the text whatever the pattern, and one
automaton looks for all of them at once. A pattern holds the least that tells a secret (`[..]{20}`, not
`[..]{20,}`), and `locate` follows the run to its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

Span = tuple[int, int]

#: The bytes of a value that are judged: enough to tell words from a secret, and hostile text stays linear.
JUDGED = 256

#: Where a word begins in a text, and in one that is written inside JSON, a URL or with colours: there a letter
#: or digit may stand before it (`\\nAKIA`, `%20AKIA`, `<ESC>[31mAKIA`).
_LED = rb"(?:\x1b|\\u001[bB]|\\e|\\033)\[[0-9;]*m|\\[nrtfbv]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}"
BORDER = rb"(?:\b|" + _LED + rb")"

_LEAD = re.compile(_LED)
_BLOB_BYTES = 64
_BLOB = re.compile(rb"[A-Za-z0-9+/]{64}")
_BORDER = re.compile(rb"(?<!\\)((?:\\\\)*)\\b")


class Match(Protocol):
    """What is used of a match: the span of a group in bytes, (-1, -1) where the group took no part."""

    def span(self, group: int = 0) -> Span:
        """Start and end of a group, of the whole match for 0."""


#: Gives the place of the secret, or None where the match is no secret. Text and match are UTF-8 bytes.
Locate = Callable[[bytes, Match], Span | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret. `name` stands in the marker and in a rule file's `disable`; rules may share one.

    After a match that is no secret the search goes on where group 1 starts (else where the match ends), so a
    pattern with groups lets group 1 begin where the secret would. `utf8` patterns see characters, not bytes.
    `hint` matches wherever `pattern` does; where not given it is the pattern without its word borders.
    """

    name: str
    pattern: bytes
    locate: Locate
    utf8: bool = False
    hint: bytes | None = None

    def for_automaton(self) -> bytes:
        """The pattern by which the automaton of all rules looks for this one.

        Word borders double the automaton's states, and a run before a literal (`[0-9a-f]{32}-us`) multiplies
        them: it then outgrows the processor's nearest cache and takes half as long again.
        """
        if self.hint is not None or self.utf8:
            return self.hint or self.pattern
        return _BORDER.sub(rb"\1", self.pattern.replace(BORDER, b""))


def run(tail: re.Pattern[bytes] | None = None, judge: Callable[[bytes], bool] | None = None) -> Locate:
    """The match and the run of `tail` behind it, where `judge` (if any) finds a secret in its first bytes.

    Not inside base64: in megabytes of an image every short prefix occurs, now and then behind a `+` or `/`.
    """

    def locate(data: bytes, match: Match) -> Span | None:
        start, end = match.span()
        lead = _LEAD.match(data, start)
        if lead is not None:
            start = lead.end()
        if start >= _BLOB_BYTES and _BLOB.match(data, start - _BLOB_BYTES, start):
            return None
        if tail is None:
            return start, end
        if judge is not None:
            more = tail.match(data, end, end + JUDGED)
            if not judge(data[start : more.end() if more else end]):
                return None
        more = tail.match(data, end)
        return start, more.end() if more else end

    return locate
