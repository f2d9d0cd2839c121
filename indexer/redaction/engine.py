"""The redactor: one automaton tells which rules can match a text; only those look for their secrets."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import re2

from indexer.redaction.rule import Rule, Span

#: A rule set of a newer form gives other texts: files read with an older one are read again (see `identity`).
VERSION = 2
#: Memory of one automaton's states in bytes: a limit, not a need, for states are made as a text leads there.
_AUTOMATON_BYTES = 64 << 20
#: A redaction may show another secret beside it. More rounds than these are an attack on the redactor's time.
_MOST_ROUNDS = 32

_MARKER = re.compile(rb"\[redacted:[a-z0-9][a-z0-9-]*\]")
_MARKER_START = b"[redacted:"
_SENTINEL = b"\x00\x01redaction sentinel\x01\x00"


class Redactor:
    """Replaces the secrets in a text by `[redacted:NAME]`. Pure, deterministic, idempotent; safe to share.

    Lines are kept: a secret over several lines becomes a marker and as many line ends as it held.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: tuple[Rule, ...] = tuple(rules)
        self._automata = [
            _Automaton([rule for rule in self.rules if rule.utf8 is utf8], utf8)
            for utf8 in (False, True)
            if any(rule.utf8 is utf8 for rule in self.rules)
        ]
        self._suspects = [automaton.suspect for automaton in self._automata]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rules, each once, in their order."""
        return tuple(dict.fromkeys(rule.name for rule in self.rules))

    @property
    def identity(self) -> str:
        """A digest of the rules: texts redacted under equal identities are equal."""
        digest = hashlib.sha256(b"%d" % VERSION)
        for rule in self.rules:
            digest.update(b"\0%s\0%s" % (rule.name.encode(), rule.pattern))
        return digest.hexdigest()[:16]

    def redact(self, text: str) -> tuple[str, int]:
        """`text` with every secret replaced, and how many were."""
        try:
            data = text.encode()
        except UnicodeEncodeError:  # a lone surrogate, which no file can hold
            data = text.encode("utf-8", "surrogatepass")
        for suspect in self._suspects:
            if suspect(data):
                clean, count = self._replace(data)
                return (clean.decode("utf-8", "surrogatepass"), count) if count else (text, 0)
        return text, 0

    def _replace(self, data: bytes) -> tuple[bytes, int]:
        count = 0
        for _ in range(_MOST_ROUNDS):
            found = 0
            for automaton in self._automata:
                for rule, pattern in automaton.candidates(data):
                    data, more = _apply(rule, pattern, data)
                    found += more
            if not found:
                break
            count += found
        return data, count


class _Automaton:
    """All patterns of one encoding as one RE2 set, and each of them alone."""

    def __init__(self, rules: Sequence[Rule], utf8: bool) -> None:
        options = re2.Options()
        options.log_errors = False
        options.max_mem = _AUTOMATON_BYTES
        if not utf8:
            options.encoding = re2.Options.Encoding.LATIN1
        self._set = re2.Set.SearchSet(options)
        # One pattern alone falls back to slower ways where its memory ends; a hundred of them add up.
        alone = re2.Options()
        alone.log_errors = False
        alone.encoding = options.encoding
        self._rules = [(rule, re2.compile(rule.pattern, alone)) for rule in rules]
        for rule in rules:
            self._set.Add(rule.for_automaton())
        self._set.Add(re2.escape(_SENTINEL))
        self._set.Compile()
        #: Tells in one pass whether any pattern stands in a text, and which.
        self.suspect: Callable[[bytes], list[int] | None] = self._set.Match
        # A set that runs out of memory finds nothing and says nothing: better no redactor than such a one.
        if not self.suspect(_SENTINEL):
            raise MemoryError("the rules of redaction are too large for one automaton")

    def candidates(self, data: bytes) -> list[tuple[Rule, re2._Regexp]]:
        """The rules whose pattern stands somewhere in `data`, in their order."""
        hits = self.suspect(data)
        return [self._rules[index] for index in sorted(hits) if index < len(self._rules)] if hits else []


def _apply(rule: Rule, pattern: re2._Regexp, data: bytes) -> tuple[bytes, int]:
    """`data` with the secrets of one rule replaced, and how many. What holds a marker is left alone."""
    markers = [match.span() for match in _MARKER.finditer(data)] if _MARKER_START in data else []
    spans: list[Span] = []
    position = 0
    while (match := pattern.search(data, position)) is not None:
        place = rule.locate(data, match)
        if place is not None and place[0] < place[1] and not _touches(place, markers):
            spans.append(place)
            position = max(place[1], match.span()[0] + 1)
        else:
            position = _resume(match, pattern.groups)
    if not spans:
        return data, 0
    marker = _MARKER_START + rule.name.encode() + b"]"
    pieces = [data[: spans[0][0]]]
    for (start, end), (following, _) in pairwise([*spans, (len(data), len(data))]):
        pieces += [_replacement(marker, data[start:end]), data[end:following]]
    return b"".join(pieces), len(spans)


def _replacement(marker: bytes, secret: bytes) -> bytes:
    """The marker, with the line ends of the secret.

    A last line gets a marker too: what is left of it must not look like the start of a message.
    """
    lines = secret.split(b"\n")
    return b"\n".join([marker, *[b""] * (len(lines) - 2), *([marker] if lines[-1] else [b""])][: len(lines)])


def _resume(match: re2._Match, groups: int) -> int:
    """Where to go on after a match that is no secret: at its value, for another key may stand there."""
    start, end = match.span()
    begin = max((match.span(group)[0] for group in range(1, groups + 1)), default=-1)
    return begin if begin > start else max(end, start + 1)


def _touches(place: Span, markers: Sequence[Span]) -> bool:
    """True where `place` overlaps one of `markers`, which are in order."""
    after = bisect_right(markers, place[0], key=lambda marker: marker[1])
    return after < len(markers) and markers[after][0] < place[1]
