"""Digests of messages: lineage ids, comparison keys and fingerprints (FORMAT.md 5).

lineage_id    md5 of the message and the id before it: the reference's ids, in their pure form
content_key   what two copies of one message share although re-spaced or escaped
text_key      the exact text
fingerprint   a short text that names a long one
"""

from __future__ import annotations

import re
from hashlib import blake2b, md5

_BLANKS = "\0\t\n\v\f\r "
_LINE_BLANKS = "\0\t\v\f\r "
#: A line that normalising would change: a blank before a newline, or an escaped role-like start.
_ABNORMAL = re.compile(r"\n(?:(?<=[\0\t\v\f\r ]\n)|\\[a-z0-9_])")
_ESCAPED = re.compile(r"^\\(?=[a-z0-9_]+:)", re.MULTILINE | re.ASCII)

FINGERPRINT_CHARS = 150


def lineage_id(previous: str | None, role: str, content: str) -> str:
    """The md5 hex of `[previous, role, content]`, `nil` standing for no previous message."""
    text = f"[{'nil' if previous is None else previous}, {role}, {content}]"
    return md5(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def normalise(content: str) -> str:
    """`content` as copies of it compare.

    Stripped at both ends and at the end of each line (so CRLF is LF), and without one backslash before a
    line start that looks like `[a-z0-9_]+:`.
    """
    content = content.strip(_BLANKS)
    if "\n" in content and _ABNORMAL.search(content):
        content = "\n".join(line.rstrip(_LINE_BLANKS) for line in content.split("\n"))
        return _ESCAPED.sub("", content)
    return _ESCAPED.sub("", content, count=1) if content.startswith("\\") else content


def text_key(content: str) -> str:
    """32 hex digits of the exact text."""
    return blake2b(content.encode("utf-8", "replace"), digest_size=16).hexdigest()


def content_key(role: str, content: str) -> str:
    """32 hex digits of the role and the normalised text."""
    return role_key(role, text_key(normalise(content)))


def role_key(role: str, normal_text_key: str) -> str:
    """`content_key` from the `text_key` of the normalised text, which is often at hand already."""
    return blake2b(f"{role}\0{normal_text_key}".encode("utf-8", "replace"), digest_size=16).hexdigest()


def fingerprint(content: str) -> str:
    """`content` itself up to 150 characters, else its ends around `<...LENGTH - 5 hex of its md5...>`."""
    if len(content) <= FINGERPRINT_CHARS:
        return content
    return long_fingerprint(content, content.encode("utf-8", "replace"))


def long_fingerprint(content: str, encoded: bytes) -> str:
    """The fingerprint of a content longer than 150 characters, given its UTF-8 bytes too."""
    digest = md5(encoded, usedforsecurity=False).hexdigest()
    middle = f"<...{len(content)} - {digest[:5]}...>"
    side = (FINGERPRINT_CHARS - len(middle)) // 2
    return content[: side - 1] + middle + content[-side:]
