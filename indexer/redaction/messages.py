"""Secrets in the messages of a chat, where the text before a secret may have become a role.

A line such as `password: x`, `postgres://user:x@host` or `123456:AA...` inside a message is a header to every
reader of chats (FORMAT.md 1.2 rule 8): what tells the secret is then the role, not the content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from indexer.formats.records import Message

Redact = Callable[[str], tuple[str, int]]

#: What a role becomes that is a secret itself. Roles are lower-case letters, digits and `_`.
REDACTED_ROLE = "redacted"
#: Roles that the producers give (FORMAT.md 1.5): text behind one of these is judged by itself.
KNOWN_ROLES = frozenset(
    (
        *("user", "system", "assistant", "function_call", "mcp_call", "function_call_output", "meta"),
        *("import", "continue", "last", "file", "directory", "pdf", "image", "task", "inline_task"),
        *("exec_task", "job", "inline_job", "step", "endpoint", "model", "backend", "agent", "persist"),
        *("format", "option", "sticky_option", "previous_response_id", "config", "tool", "introduce", "mcp"),
        *("kb", "association", "clear_tools", "clear", "clean_role", "clear_role", "skip", "socialize"),
        *("attachments", "allow_path", "allow_read_path", "websearch"),
    )
)
_REPLACED = re.compile(r"\[redacted:[a-z0-9-]+\]:")
_NAMES = frozenset(("name", "key"))


def redact_messages(
    messages: Iterable[Message], redact: Redact, counts: dict[int, int], before: Message | None = None
) -> Iterator[Message]:
    """The messages without their secrets; `counts` takes how many were replaced in which message.

    `before` is the message, as parsed, that the first of them follows.
    """
    for message in messages:
        role, content = message.role, message.content
        if role in KNOWN_ROLES:
            clean, count = redact(content)
        else:
            role, clean, count = _with_role(before, message, redact)
        before = message
        if count:
            counts[message.index] = count
            message = Message(message.index, role, clean, message.line, message.synthetic)
        yield message


def _with_role(before: Message | None, message: Message, redact: Redact) -> tuple[str, str, int]:
    """Role and content of a message that may be a line `key: value`, redacted together."""
    if message.role == "value" and before is not None and before.role in _NAMES and len(before.content) < 200:
        head = f"{before.role}: {before.content}\nvalue:"
        clean, count = redact(head + message.content)
        if count and clean.startswith(head):
            return message.role, clean[len(head) :], count
    head = f"{message.role}:"
    clean, count = redact(head + message.content)
    if clean.startswith(head):
        return message.role, clean[len(head) :], count
    role = _REPLACED.match(clean)  # the role alone was a secret, or the beginning of one
    return REDACTED_ROLE, clean[role.end() :] if role else clean, count
