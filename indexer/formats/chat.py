"""Chat files: text to messages and back (FORMAT.md 1).

One automaton serves both readers: `parse` hands it the whole text as one window, `iter_messages` chunk by
chunk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any, BinaryIO

from indexer.formats import reading, ruby
from indexer.formats.automaton import Automaton
from indexer.formats.records import Message, Problem


@dataclass(frozen=True, slots=True)
class ParsedChat:
    """The messages of one chat in order, and what could not be read as meant."""

    messages: list[Message] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class Parsing:
    """A parse that goes on: takes windows of whole lines, gives the messages that end in them.

    Windows are bytes of which each line is led by its newline; `closers` gives the tags that close anywhere
    in the file. A copy goes on by itself, so that a text that grows can be finished again and again.
    """

    def __init__(self, closers: Callable[[], Container[str]], problems: list[Problem]) -> None:
        self._problems = problems
        self._automaton = Automaton(closers, problems)
        self._scrubber = reading.Scrubber()
        self._blank = 0  # empty lines held back: those that end the file are no part of it (FORMAT.md 1.1)

    def copy(self, closers: Callable[[], Container[str]], problems: list[Problem]) -> Parsing:
        """Another parse that goes on from here; what this one does later is no part of it."""
        other = Parsing(closers, problems)
        other._automaton = self._automaton.copy(closers, problems)
        other._scrubber, other._blank = copy(self._scrubber), self._blank
        return other

    def feed(self, window: bytes | memoryview) -> list[Message]:
        """The messages that end in the window."""
        text = self._scrubber.text(window, self._automaton.lines + self._blank)
        lines = text.rstrip("\n")
        messages: list[Message] = []
        if lines:
            messages = self._automaton.feed("\n" * self._blank + lines if self._blank else lines)
            self._blank = 0
        self._blank += len(text) - len(lines)
        return messages

    def finish(self) -> list[Message]:
        """The messages that the end of the text ends; problems of the whole text are known then."""
        messages = self._automaton.finish()
        self._problems.extend(self._scrubber.problem())
        return messages


def parse(data: bytes | str) -> ParsedChat:
    """Parses a whole chat. Total: any bytes and any text give messages and problems, never an exception."""
    raw = reading.utf8(data) if isinstance(data, str) else data
    parsed = ParsedChat()
    for batch in _batches(lambda _: reading.cut(raw), parsed.problems):
        parsed.messages.extend(batch)
    return parsed


def iter_messages(
    source: str | os.PathLike[str] | BinaryIO, problems: list[Problem], chunk_size: int = reading.CHUNK
) -> Iterator[Message]:
    """The messages of a file, one after the other, holding no more of it than a chunk or its largest message.

    `source` is a path (decompressed by its name) or a binary file, read from where it stands; one that
    cannot seek is read into memory. The closing tags that rule 7 asks for take a second pass, made only
    where an opening tag is met. Problems are appended to `problems` as they come up. OSError of the file
    passes through.
    """
    if isinstance(source, (str, os.PathLike)):
        path = source

        def chunks(found: list[Problem]) -> Iterator[bytes]:
            return reading.read_chunks(path, found, chunk_size)
    else:
        stream = reading.seekable(source)
        start = stream.tell()

        def chunks(found: list[Problem]) -> Iterator[bytes]:
            return _from(stream, start, chunk_size)

    return chain.from_iterable(_batches(lambda found: reading.windows(chunks(found)), problems))


def _batches(
    windows: Callable[[list[Problem]], Iterator[bytes | memoryview]], problems: list[Problem]
) -> Iterator[list[Message]]:
    """The messages of the text that `windows` gives anew at each call (its own problems in the list)."""

    def closers() -> frozenset[str]:
        return reading.closing_tags(reading.scrub(window)[0] for window in windows([]))

    parsing = Parsing(cache(closers), problems)
    for window in windows(problems):
        yield parsing.feed(window)
    yield parsing.finish()


def _from(stream: BinaryIO, start: int, size: int) -> Iterator[bytes]:
    """Chunks from `start`, whatever else reads the stream in between."""
    at = start
    while True:
        stream.seek(at)
        chunk = stream.read(size)
        if not chunk:
            return
        at = stream.tell()
        yield chunk


_INLINE_ROLES = frozenset(("option", "previous_response_id", "function_call", "function_call_output", "meta"))
_ROLE_LIKE = re.compile(r"^([a-z]+:[ \t\r\n\f\v])", re.MULTILINE)


def print_chat(messages: Iterable[Message | Mapping[str, Any]]) -> str:
    """The text of a chat (FORMAT.md 1.4): a newline, then the messages joined by a blank line.

    No newline ends it. Takes messages or mappings with `role` and `content`, whose content may be any JSON
    value. Not the inverse of `parse`: some contents come back changed, as 1.4 lists.
    """
    return "\n" + "\n\n".join(
        _print_message(message.role, message.content)
        if isinstance(message, Message)
        else _print_message(str(message.get("role", "")), message.get("content"))
        for message in messages
    )


def _print_message(role: str, content: object) -> str:
    if isinstance(content, (dict, list)):
        return f"{role}:\n\n{ruby.to_json(content)}"
    if content is None or content == "":
        return f"{role}:"
    text = content if isinstance(content, str) else ruby.to_s(content)
    if role in _INLINE_ROLES:
        return f"{role}: {text}"
    return f"{role}:\n\n" + _ROLE_LIKE.sub(r"\\\1", text)
