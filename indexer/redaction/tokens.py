"""Keys and tokens known by their own form: prefixes of services, JSON web tokens, private key blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from indexer.redaction.rule import BORDER, Match, Rule, Span, run
from indexer.redaction.services import HINTS, PREFIXED
from indexer.redaction.values import is_opaque

_ALNUM = re.compile(rb"[A-Za-z0-9]++")
_WORD = re.compile(rb"[A-Za-z0-9_-]++")
_DOTTED = re.compile(rb"[A-Za-z0-9_.-]*[A-Za-z0-9_-]")
_HASH = re.compile(rb"[./A-Za-z0-9$=,+]++")
_PATH = re.compile(rb"[A-Za-z0-9@/_-]++")
_BASE64 = re.compile(rb"[A-Za-z0-9+/=_-]++")

_WITH_DOTS = frozenset(
    (
        *("jwt", "google-oauth", "doppler-token", "sendgrid-key", "vault-token", "planetscale-token"),
        *("typeform-token", "yandex-key"),
    )
)
_WITH_BASE64 = frozenset(
    (
        *("slack-webhook", "grafana-token", "sentry-token", "atlassian-token", "aws-bedrock-key"),
        *("confluent-key", "flyio-token", "onepassword-token"),
    )
)

_BLOCK = rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_EDGE = re.compile(rb"(?:[\s\"'+,|>]|\\+[nr\"'])*+")
_TRAIL = re.compile(rb"(?:[\s\"'+,|>]|\\+[nr\"'])*+\Z")
# Between the lines of a cut block, where a listing may have numbered them (`  12<TAB>`, `path:12:`).
_BETWEEN = rb"(?:[\s\"'+,|>]|\\+[nrt\"']|(?:[A-Za-z0-9_./-]*[:-])?[0-9]{1,7}(?:[:\t|-]|\\+t|\xe2\x86\x92))"
_START = re.compile(rb"(\A|\|)\\b")
_KEY_LINE = re.compile(rb"[A-Za-z0-9+/=]{16,}+")
_ONLY_LINES = re.compile(rb"[A-Za-z0-9+/=_.]{8,}+(?:(?:[ \t\r]*\n|\\+[nr])+[ \t]*[A-Za-z0-9+/=_.]++)*+\Z")
_BLANKS = re.compile(rb"[\s\"'\\]+")


def _closed_block(data: bytes, match: Match) -> Span | None:
    """The text between BEGIN and END, where most of it is base64 or every line of it is one word."""
    start, end = match.span(1)
    start = _EDGE.match(data, start, end).end()  # type: ignore[union-attr]  # it matches the empty text too
    end = _trimmed(data, start, end)
    body = data[start:end]
    dense = sum(map(len, _KEY_LINE.findall(body)))
    if (dense < 32 or dense * 2 < len(_BLANKS.sub(b"", body))) and not _ONLY_LINES.match(body):
        return None
    return start, end


def _trimmed(data: bytes, start: int, end: int) -> int:
    """The end of a block without the blanks, quotes and line ends it trails."""
    while end > start and (trail := _TRAIL.search(data, max(start, end - 8), end)) and trail.start() < end:
        end = trail.start()
    return end


def token_rules() -> Iterator[Rule]:
    """The rules of this module. Key blocks come first: their base64 must not be cut up by others."""
    yield Rule("private-key", _BLOCK + rb"([^-]*(?:-[^-]+)*)-----END", _closed_block)
    opened = rb"(" + _BETWEEN + rb"+(?:[A-Za-z0-9+/=]{20,}" + _BETWEEN + rb"*)+)"
    headers = rb"(?:(?:\s|\\+[nr])+(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]*)*"
    yield Rule("private-key", _BLOCK + headers + opened, _opened_block)
    putty = rb"Private-Lines: [0-9]+((?:(?:\s|\\+[nr])+[A-Za-z0-9+/=]{24,})+)"
    yield Rule("private-key", putty, _opened_block)
    for name, pattern in PREFIXED:
        locate = run(None if pattern.endswith(rb"\b") else _tail(name))
        yield Rule(name, _bordered(pattern), locate, hint=HINTS.get(name))
    yield Rule("openai-key", BORDER + rb"sk-[A-Za-z0-9_-]{16}", run(_WORD, is_opaque))
    yield Rule("pypi-token", BORDER + rb"pypi-[A-Za-z0-9_-]{32}", run(_WORD, is_opaque))
    yield Rule("fireworks-key", BORDER + rb"fw_[A-Za-z0-9]{22}", run(_ALNUM, is_opaque))
    yield Rule("voyage-key", BORDER + rb"pa-[A-Za-z0-9_-]{43}", run(_WORD, is_opaque))
    yield Rule("mem0-key", BORDER + rb"m0-[A-Za-z0-9]{40}", run(_ALNUM, is_opaque))


def _opened_block(data: bytes, match: Match) -> Span | None:
    """Lines of base64 behind a BEGIN whose END is not there (a cut output)."""
    start, end = match.span(1)
    start = _EDGE.match(data, start, end).end()  # type: ignore[union-attr]  # it matches the empty text too
    return start, _trimmed(data, start, end)


def _bordered(pattern: bytes) -> bytes:
    r"""The pattern with `BORDER` for the `\b` that its alternatives begin with."""
    return _START.sub(lambda start: start[1] + BORDER, pattern)


def _tail(name: str) -> re.Pattern[bytes]:
    if name in _WITH_DOTS:
        return _DOTTED
    if name == "password-hash":
        return _HASH
    if name == "webhook":
        return _PATH
    return _BASE64 if name in _WITH_BASE64 else _WORD
