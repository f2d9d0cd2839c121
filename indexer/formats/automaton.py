"""The line automaton of a chat file (FORMAT.md 1.2 and 1.3), over windows of whole lines.

Most lines of a chat are kept as they are, whatever the state. So each state has compiled searches that jump to the
next line which could be anything else, and only that line goes through the rules; runs between such lines are cut
out whole. A search may name a line too many, never one too few: `_rules` is the literal table and decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from indexer.formats.records import Message, Problem

#: What "strip" removes at both ends (FORMAT.md 1.1): NUL TAB LF VT FF CR SPACE.
BLANKS = b"\0\t\n\v\f\r "

_INDENT = rb"[\0\t\v\f\r ]*+"
_PLAIN = re.compile(rb"\n(?:([a-z0-9_]++):([^\n]*+)|\\[a-z0-9_]|" + _INDENT + rb"(?:```|\[\[|<[A-Za-z0-9_]))")
_MARKER = re.compile(rb"\n" + _INDENT + rb"(?:```|\[\[)")
_SQUARE_END = re.compile(rb"\]\]" + _INDENT + rb"(?:\n|\Z)")

_ESCAPED = re.compile(rb"\\[a-z0-9_]+:")
_OPENER = re.compile(rb"<(\w+)(?:\s+[^>]*)?>")
_CLOSER = re.compile(rb"</(\w+)>")
_CMD_OPEN = re.compile(rb"[^ \t\r\n\f\v]*:-- (.*) \{\{\{", re.DOTALL)
_CMD_CLOSE = re.compile(rb".*:--.* \}\}\}", re.DOTALL)
_CMD_CLOSE_SPACED = re.compile(rb".*:-- .* \}\}\}", re.DOTALL)

_NONE, _TICKS, _SQUARE, _XML = range(4)
_KINDS = ("", "code fence (```)", "[[ or {{{ region", "XML region")

#: Headers after which loose text belongs to the user again (FORMAT.md 1.3).
_RESETTING = frozenset(("previous_response_id", "agent"))

#: `_rules` says so of a line that stays in the run it stands in.
_VERBATIM = b"\n"


def _hit_line(window: bytes, hit: int) -> int:
    """The index of the newline before `hit`, or the window's size where there is no hit."""
    return len(window) if hit < 0 else window.rfind(b"\n", 0, hit + 1)


def _next_marker(window: bytes, scan: int) -> int:
    found = _MARKER.search(window, scan)
    return found.start() if found else len(window)


def _next_square_end(window: bytes, scan: int) -> int:
    found = _SQUARE_END.search(window, scan)
    return _hit_line(window, found.start()) if found else len(window)


def _next_brace_open(window: bytes, scan: int) -> int:
    return _hit_line(window, window.find(b" {{{", scan))


def _next_brace_close(window: bytes, scan: int) -> int:
    return _hit_line(window, window.find(b" }}}", scan))


def _next_closer(window: bytes, scan: int) -> int:
    return _hit_line(window, window.find(b"</", scan))


#: Per protection: the searches whose nearest line may change something.
_TRIGGERS: tuple[tuple[Callable[[bytes, int], int], ...], ...] = (
    (_next_brace_open,),
    (_next_marker, _next_brace_open),
    (_next_marker, _next_brace_open, _next_square_end, _next_brace_close),
    (_next_marker, _next_brace_open, _next_closer),
)


class Automaton:
    """Reads windows of whole lines, each line led by its newline, and gives the messages that end in them.

    `closers` gives the tags whose `</tag>` stands anywhere in the file (rule 7); it is asked only when an opening tag
    is met. `problems` collects unclosed regions and dropped lines with their line numbers.
    """

    def __init__(self, closers: Callable[[], Container[bytes]], problems: list[Problem]) -> None:
        self._closers = closers
        self._problems = problems
        self._count = 0
        self._role = "user"
        self._roles: dict[bytes, str] = {}
        self._protection = _NONE
        self._stack: list[bytes] = []
        self._opened = 0  # line where the current region began
        self._pieces: list[bytes] = []  # what the current block holds from before the current run
        self._block_line: int | None = None  # line of the block's header; None for loose text
        self._text_line: int | None = None  # first line of loose text, once known
        self._header_line = 1
        self._dropped: list[int] = []  # lines of the current block that rule 1 dropped
        self._line = 0  # newlines before the counted place
        self._counted = 0
        self._window = b""

    def feed(self, window: bytes) -> list[Message]:
        """The messages that end within `window`, which begins with a newline and ends at the end of a line."""
        out: list[Message] = []
        self._window, self._counted = window, 0
        size = len(window)
        nearest: dict[Callable[[bytes, int], int], int] = {}
        run = scan = 0
        match: re.Match[bytes] | None = None
        match_at = -1
        while True:
            at = size
            for trigger in _TRIGGERS[self._protection]:
                hit = nearest.get(trigger, -1)
                if hit < scan:
                    hit = nearest[trigger] = trigger(window, scan)
                if hit < at:
                    at = hit
            if self._protection == _NONE:
                if match_at < scan:
                    match = _PLAIN.search(window, scan)
                    match_at = match.start() if match else size
                if match is not None and match_at <= at:
                    role = match[1]
                    if role is not None and not (
                        match_at == at and _CMD_OPEN.match(window, at + 1, match.end())
                    ):
                        self._header(out, role, match[2].strip(BLANKS), run, match_at)
                        run = scan = match.end()
                        continue
                    at = match_at
            if at >= size:
                break
            end = window.find(b"\n", at + 1)
            if end < 0:
                end = size
            kept = self._rules(window[at + 1 : end], at)
            if kept is not _VERBATIM:
                self._keep(run, at)
                if kept is not None:
                    if self._text_line is None:
                        self._text_line = self._line_at(at)
                    self._pieces.append(b"\n" + kept)
                run = end
            scan = end
        self._keep(run, size)
        self._line_at(size - 1)
        self._window = b""
        return out

    def finish(self) -> list[Message]:
        """The message that the end of the file ends, if any (FORMAT.md 1.3, "At EOF")."""
        out: list[Message] = []
        if self._pieces:
            content = b"".join(self._pieces).strip(BLANKS)
            self._emit(out, self._role, content, self._block_line or self._text_line or self._header_line)
        if self._protection != _NONE:
            kind = _KINDS[self._protection]
            if self._protection == _XML:
                kind = f"{kind} <{self._stack[-1].decode('utf-8', 'replace')}>"
            detail = f"{kind} never closes: everything after it, headers too, is part of one message"
            self._problems.append(Problem("unclosed_region", detail, self._opened, self._count - 1))
        return out

    def _line_at(self, at: int) -> int:
        """The number of the line whose newline is at `at` of the window."""
        if at < self._counted:
            return self._line - self._window.count(b"\n", at + 1, self._counted)
        self._line += self._window.count(b"\n", self._counted, at + 1)
        self._counted = at + 1
        return self._line

    def _keep(self, start: int, end: int) -> None:
        """Moves a run of unchanged lines into the block."""
        if start >= end:
            return
        piece = self._window[start:end]
        if self._block_line is None and self._text_line is None:
            blank = len(piece) - len(piece.lstrip(BLANKS))
            if blank < len(piece):
                before = self._window.rfind(b"\n", start, start + blank)
                self._text_line = self._line_at(before)
        self._pieces.append(piece)

    def _header(self, out: list[Message], role_bytes: bytes, inline: bytes, run: int, at: int) -> None:
        """Ends the current block and takes a header (FORMAT.md 1.3)."""
        content = self._window[run:at].strip(BLANKS)
        if self._pieces or (content and self._block_line is None):
            self._keep(run, at)
            content = b"".join(self._pieces).strip(BLANKS)
            self._pieces = []
        line = self._line_at(at)
        if content:
            self._emit(out, self._role, content, self._block_line or self._text_line or self._header_line)
        elif not self._count:
            out.append(Message(0, self._role, "", line, True))
            self._count = 1
        self._report_dropped(None)
        role = self._roles.get(role_bytes)
        if role is None:
            role = self._roles[role_bytes] = role_bytes.decode("ascii")
        self._text_line = None
        self._header_line = line
        if inline:
            self._emit(out, role, inline, line)
            self._block_line = None
            if role in _RESETTING:
                self._role = "user"
        else:
            self._block_line = line
            self._role = role

    def _emit(self, out: list[Message], role: str, content: bytes, line: int) -> None:
        index = self._count
        if self._dropped:
            self._report_dropped(index)
        out.append(Message(index, role, content.decode("utf-8"), line))
        self._count = index + 1

    def _report_dropped(self, index: int | None) -> None:
        if self._dropped:
            lines = len(self._dropped)
            detail = f"{lines} code fence line(s) inside a [[ or XML region are no part of the message (first at this line)"
            self._problems.append(Problem("dropped_line", detail, self._dropped[0], index))
            self._dropped = []

    def _protect(self, protection: int, at: int) -> None:
        self._protection = protection
        self._opened = self._line_at(at)

    def _rules(self, line: bytes, at: int) -> bytes | None:
        """Rules 1 to 7 and 9 to 10 of FORMAT.md 1.2 for the line at `at`; rule 8 is `_header`.

        Gives `_VERBATIM`, the text to keep instead, or None where nothing is kept.
        """
        text = line.strip(BLANKS)
        protection = self._protection
        if text.startswith(b"```"):  # 1
            if protection == _NONE:
                self._protect(_TICKS, at)
            elif protection == _TICKS:
                self._protection = _NONE
            else:
                self._dropped.append(self._line_at(at))
                return None
            return _VERBATIM
        if protection == _SQUARE and text.endswith(b"]]"):  # 2
            self._protection = _NONE
            return _unless_blank(line.replace(b"]]", b"", 1))
        if text.startswith(b"[["):  # 3
            self._protect(_SQUARE, at)
            return _unless_blank(line.replace(b"[[", b"", 1))
        if _CMD_OPEN.match(text):  # 4
            self._protect(_SQUARE, at)
            # The rewriting looks at the raw line, so an indented one stays as it is.
            opened = _CMD_OPEN.match(line)
            return b'<cmd_output cmd="' + opened[1] + b'">' if opened else _VERBATIM
        if protection == _SQUARE and _CMD_CLOSE.match(text):  # 5
            self._protection = _NONE
            return b"</cmd_output>" if _CMD_CLOSE_SPACED.match(line) else _VERBATIM
        if protection != _NONE:  # 6
            if protection == _XML:
                self._close_tag(text)
            return _VERBATIM
        opener = _OPENER.match(text)
        if opener and opener[1] in self._closers():  # 7
            self._stack.append(opener[1])
            self._protect(_XML, at)
            return _VERBATIM
        return line[1:] if _ESCAPED.match(line) else _VERBATIM  # 9, 10

    def _close_tag(self, text: bytes) -> None:
        """Rule 6: only the first closer of a line counts, and only against the top of the stack."""
        closer = _CLOSER.search(text)
        if closer:
            if self._stack and self._stack[-1] == closer[1]:
                self._stack.pop()
            if not self._stack:
                self._protection = _NONE


def _unless_blank(line: bytes) -> bytes | None:
    return line if line.strip(BLANKS) else None
