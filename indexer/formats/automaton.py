"""The line automaton of a chat file (FORMAT.md 1.2 and 1.3), over windows of whole lines.

Most lines of a chat stay as they are, whatever the state. So a search jumps to the next line which could be
anything else, and only that line goes through the rules; the lines between are cut out whole. `_rules` is
the literal table.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from copy import copy

from indexer.formats.lines import (
    BLANKS,
    CLOSER,
    CMD_OPEN,
    ESCAPED,
    HEADER_LIKE,
    KINDS,
    NONE,
    NOT_PLAIN,
    OPENER,
    SQUARE,
    TICKS,
    XML,
    Search,
    in_order,
    next_in_region,
    unless_blank,
)
from indexer.formats.records import Message, Problem

#: Headers after which loose text belongs to the user again (FORMAT.md 1.3).
_RESETTING = frozenset(("previous_response_id", "agent"))

#: What `_rules` gives for a line that stays as it is.
_VERBATIM = "\n"


class Automaton:
    """Reads windows of whole lines, each line led by its newline, and gives the messages that end in them.

    `closers` gives the tags whose `</tag>` stands anywhere in the file (rule 7); it is asked only when an
    opening tag is met. `problems` takes regions that never close and lines that are dropped, with their
    line numbers.
    """

    def __init__(self, closers: Callable[[], Container[str]], problems: list[Problem]) -> None:
        self._closers = closers
        self._problems = problems
        self._count = 0  # messages so far
        self._role = "user"
        self._roles: dict[str, str] = {}
        self._protection = NONE
        self._stack: list[str] = []
        self._opened = 0  # line where the current region began
        self._pieces: list[str] = []  # what the current block holds from before the current run
        self._block_line = 0  # line of the block's header; 0 for loose text
        self._text_line = 0  # first line of loose text, once known
        self._header_line = 1  # line of the last header
        self._dropped: list[int] = []  # lines of the current block that rule 1 dropped
        self._window = ""
        self._line = 0  # newlines before place `_counted` of the window, and in the windows before
        self._counted = 0

    def copy(self, closers: Callable[[], Container[str]], problems: list[Problem]) -> Automaton:
        """Another automaton that goes on, between two windows, from where this one is."""
        other = copy(self)
        other._closers, other._problems = closers, problems
        other._roles, other._stack = dict(self._roles), list(self._stack)
        other._pieces, other._dropped = list(self._pieces), list(self._dropped)
        return other

    @property
    def lines(self) -> int:
        """How many lines have been fed."""
        return self._line

    def feed(self, window: str) -> list[Message]:
        """The messages that end within `window`: whole lines, each led by its newline."""
        out: list[Message] = []
        self._window, self._counted = window, 0
        size = len(window)
        nearest: dict[Search, int] = {}
        run = scan = 0  # the first place not yet in a block, the first not yet looked at
        while scan < size:
            if self._protection == NONE:
                match = NOT_PLAIN.search(window, scan)
                if match is None:
                    break
                at = match.start()
                end = window.find("\n", at + 1)
                if end < 0:
                    end = size
                role = match[1]
                if role is not None:
                    text_at = match.end()
                    # A blank right after the colon, or nothing, excludes rule 4, which comes before the
                    # header.
                    if (
                        text_at >= end
                        or window[text_at - 1] == " "
                        or not CMD_OPEN.match(window, at + 1, end)
                    ):
                        inline = window[text_at:end].strip(BLANKS)
                        if inline and at - run < 2 and run and run == self._counted:
                            # Right after a header, at most one empty line between: the block holds nothing.
                            self._line += at + 1 - run
                            self._inline(out, role, inline)
                        else:
                            self._header(out, role, inline, run, at)
                        self._counted = run = scan = end
                        continue
            else:
                at = next_in_region(window, scan, self._protection, nearest)
                if at >= size:
                    break
                end = window.find("\n", at + 1)
                if end < 0:
                    end = size
            kept = self._rules(window[at + 1 : end], at)
            if kept is not _VERBATIM:
                self._keep(run, at)
                if kept is not None:
                    self._text_line = self._text_line or self._line_at(at)
                    self._pieces.append("\n" + kept)
                run = end
            scan = end
        self._keep(run, size)
        self._line_at(size - 1)
        self._window = ""
        return out

    def finish(self) -> list[Message]:
        """The message that the end of the file ends, if any (FORMAT.md 1.3, "At EOF")."""
        out: list[Message] = []
        content = "".join(self._pieces).strip(BLANKS)
        if self._pieces:
            self._emit(out, self._role, content, self._block_line or self._text_line or self._header_line)
        if self._dropped:
            self._report_dropped(None)
        if self._protection != NONE:
            kind = KINDS[self._protection]
            if self._protection == XML:
                kind = f"{kind} <{self._stack[-1]:.100}>"
            swallowed = len(HEADER_LIKE.findall(content))
            detail = f"{kind} never closes; {swallowed} line(s) after it that look like headers are its text"
            index = self._count - 1 if out else None
            self._problems.append(Problem("unclosed_region", detail, self._opened, index))
        return out

    def _line_at(self, at: int) -> int:
        """The number of the line whose newline is at `at` of the window."""
        if at < self._counted:
            return self._line - self._window.count("\n", at + 1, self._counted)
        self._line += self._window.count("\n", self._counted, at + 1)
        self._counted = at + 1
        return self._line

    def _keep(self, start: int, end: int) -> None:
        """Moves a run of unchanged lines into the block."""
        if start >= end:
            return
        piece = self._window[start:end]
        if not self._block_line and not self._text_line:
            blank = len(piece) - len(piece.lstrip(BLANKS))
            if blank < len(piece):
                self._text_line = self._line_at(self._window.rfind("\n", start, start + blank))
        self._pieces.append(piece)

    def _header(self, out: list[Message], role: str, inline: str, run: int, at: int) -> None:
        """Ends the current block and takes a header (FORMAT.md 1.3)."""
        # A run of one character is the newline of an empty line.
        content = self._window[run:at].strip(BLANKS) if at - run > 1 else ""
        if self._pieces or (content and not self._block_line):
            self._keep(run, at)
            content = "".join(self._pieces).strip(BLANKS)
            self._pieces = []
        line = self._line_at(at)
        if content:
            self._emit(out, self._role, content, self._block_line or self._text_line or self._header_line)
        elif not self._count:
            out.append(Message(0, self._role, "", line, True))
            self._count = 1
        if self._dropped:
            self._report_dropped(None)
        if inline:
            self._inline(out, role, inline)
        else:
            self._block_line = self._header_line = line
            self._role = self._roles.setdefault(role, role)

    def _inline(self, out: list[Message], role: str, inline: str) -> None:
        """Emits the message of a header with its content on the same line, the one last counted."""
        line = self._line
        out.append(Message(self._count, self._roles.setdefault(role, role), inline, line))
        self._count += 1
        self._header_line = line
        self._block_line = self._text_line = 0
        if role in _RESETTING:
            self._role = "user"

    def _emit(self, out: list[Message], role: str, content: str, line: int) -> None:
        if self._dropped:
            self._report_dropped(self._count)
        out.append(Message(self._count, role, content, line))
        self._count += 1

    def _report_dropped(self, index: int | None) -> None:
        detail = (
            f"{len(self._dropped)} code fence line(s) inside a [[ or XML region are left out of the message"
        )
        self._problems.append(Problem("dropped_line", detail, self._dropped[0], index))
        self._dropped = []

    def _protect(self, protection: int, at: int) -> None:
        self._protection = protection
        self._opened = self._line_at(at)

    def _rules(self, line: str, at: int) -> str | None:
        """Rules 1 to 7, 9 and 10 of FORMAT.md 1.2 for the line at `at`; rule 8 is `_header`.

        Gives `_VERBATIM`, the text to keep instead, or None where nothing is kept.
        """
        text = line.strip(BLANKS)
        protection = self._protection
        if text.startswith("```"):  # 1
            if protection == NONE:
                self._protect(TICKS, at)
            elif protection == TICKS:
                self._protection = NONE
            else:
                self._dropped.append(self._line_at(at))
                return None
            return _VERBATIM
        if protection == SQUARE and text.endswith("]]"):  # 2
            self._protection = NONE
            return unless_blank(line.replace("]]", "", 1))
        if text.startswith("[["):  # 3
            self._protect(SQUARE, at)
            return unless_blank(line.replace("[[", "", 1))
        if CMD_OPEN.match(text):  # 4
            self._protect(SQUARE, at)
            # The reference matches the stripped line but rewrites the raw one: an indented line stays as it
            # is.
            opened = CMD_OPEN.match(line)
            return f'<cmd_output cmd="{opened[1]}">' if opened else _VERBATIM
        if protection == SQUARE and in_order(text, ":--", " }}}"):  # 5
            self._protection = NONE
            # Likewise the rewriting wants a blank after `:--` that the matching does not.
            return "</cmd_output>" if in_order(line, ":-- ", " }}}") else _VERBATIM
        if protection != NONE:  # 6
            if protection == XML:
                self._close_tag(text)
            return _VERBATIM
        opener = OPENER.match(text)
        if opener and opener[1] in self._closers():  # 7
            self._stack.append(opener[1])
            self._protect(XML, at)
            return _VERBATIM
        return line[1:] if ESCAPED.match(line) else _VERBATIM  # 9, 10

    def _close_tag(self, text: str) -> None:
        """Rule 6: only the first closer of a line counts, and only against the top of the stack.

        The stack may hold tags from before: a [[ region that began inside an XML region leaves its tag there.
        """
        closer = CLOSER.search(text)
        if closer:
            if self._stack[-1] == closer[1]:
                self._stack.pop()
            if not self._stack:
                self._protection = NONE
