"""The unit of the books: one message said once, and the forms in which it was then written down."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .jobs import Job

BLANKS = "\0\t\n\v\f\r "
INLINE_ROLES = frozenset(
    ("meta", "function_call", "mcp_call", "function_call_output", "import", "continue", "last")
)
CALL_ROLES = frozenset(("function_call", "mcp_call"))

_ESCAPED_ON_PRINT = re.compile(r"^(?=[a-z]+:\s)", re.MULTILINE)
_LINE_END_BLANKS = re.compile(r"[\0\t\v\f\r ]+$", re.MULTILINE)
_ONE_BACKSLASH = re.compile(r"^\\(?=[a-z0-9_]+:)", re.MULTILINE)


@dataclass(slots=True, eq=False)
class Paid:
    """One paid request: its token counts and the conversation that paid."""

    identity: str
    conversation: str
    tokens: dict[str, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a receipt: a job or a paid request."""

    job: Job | None = None
    paid: Paid | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """What a call record says."""

    tool: str
    call_id: str
    arguments: str


@dataclass(slots=True, eq=False)
class Said:
    """One origin.

    `content` is what was said; `bare` the same meta without its reasoning. `home` is the address where it was
    first written down, known once that happened. `outcome` of a call: success, failure or unknown.
    """

    number: int
    conversation: str
    role: str
    content: str
    bare: str | None = None
    job: Job | None = None
    paid: Paid | None = None
    call: Call | None = None
    entries: tuple[Entry, ...] = ()
    outcome: str | None = None
    home: tuple[str, int] | None = None
    forms: dict[tuple[str, bool], Form] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A message as written in one way: text on disk, content as a parser gives it, and its sizes."""

    written: str
    content: str
    size: int
    key: str
    norm_size: int


def normalise(content: str) -> str:
    """The normalised content: blanks off both ends and line ends, one backslash off role-like line starts."""
    if "\n" not in content and not content.startswith("\\"):
        return content.strip(BLANKS)
    return _ONE_BACKSLASH.sub("", _LINE_END_BLANKS.sub("", content.replace("\r\n", "\n"))).strip(BLANKS)


def form_of(said: Said, style: str = "printed", crlf: bool = False) -> Form:
    """`said` in one style.

    printed  as a program prints it: role-like line starts get a backslash, which a parser takes off again,
             except inside a fence, where it stays
    typed    as a person types it: only lines outside fences are escaped
    inline   on the header's line
    trimmed  printed, with the blanks at line ends lost on the way
    bare     a meta without its reasoning
    job=...  a marker that spells its job so
    """
    form = said.forms.get((style, crlf))
    if form is None:
        form = said.forms[(style, crlf)] = _make(said, style, crlf)
    return form


def _make(said: Said, style: str, crlf: bool) -> Form:
    content = said.content
    if style == "bare":
        content = said.bare or content
    elif style.startswith("job="):
        content = style
    if said.role in INLINE_ROLES or style == "inline":
        written = f"{said.role}: {content}"
    else:
        if style == "trimmed":
            content = _LINE_END_BLANKS.sub("", content)
        written, content = _body(content, escape_fenced=style != "typed")
        written = f"{said.role}:\n\n{written}"
    if crlf:
        written, content = written.replace("\n", "\r\n"), content.replace("\n", "\r\n")
    norm = normalise(content)
    return Form(written, content, len(content.encode()), f"{said.role}\0{norm}", len(norm.encode()))


def _body(content: str, escape_fenced: bool) -> tuple[str, str]:
    """(text to write, content that a parser then gives) of a block message."""
    if "```" not in content:
        return _ESCAPED_ON_PRINT.sub(r"\\", content), content
    written, parsed, fenced = [], [], False
    for line in content.split("\n"):
        escaped = _ESCAPED_ON_PRINT.sub(r"\\", f"{line}\n")[:-1]
        if line.startswith("```"):
            fenced = not fenced
            escaped = line
        elif fenced and not escape_fenced:
            escaped = line
        written.append(escaped)
        parsed.append(escaped if fenced else line)
    return "\n".join(written), "\n".join(parsed)
