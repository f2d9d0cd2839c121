r"""The tokens of a Cypher text, as Neo4j's own lexer cuts it: strings, names, comments, words, symbols.

Checked against Neo4j 5.26: `\uXXXX` is replaced before anything else, also outside strings (`\u0053ET` is
SET), but not behind a backslash; a `//` comment ends at CR or LF only; comments do not nest; a backtick is
doubled in a name. What Neo4j might take for a blank and Python does not is refused, so that no two words are
read as one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "quoted", "string", "number", "symbol"]

_TOKEN = re.compile(
    r"(?P<blank>\s++|//[^\r\n]*+|/\*.*?\*/)"
    r"|(?P<string>'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\")"
    r"|(?P<quoted>`(?:[^`]|``)*+`)"
    r"|(?P<number>\d\w*+(?:\.\d\w*+)?+)"
    r"|(?P<word>\w++)"
    r"|(?P<symbol>.)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u(.{0,4})|.)", re.DOTALL)
_SYMBOLS = frozenset(".,:;()[]{}+-*/%^=<>!|&$~?⟨〈﹤＜⟩〉﹥＞\u00ad‐‑‒–—―−﹘﹣－")
_HEX = re.compile(r"[0-9a-fA-F]{4}")


class NotCypher(ValueError):
    """A text that cannot be cut into tokens: something is opened and not closed; the message is one line."""


@dataclass(frozen=True, slots=True)
class Token:
    """`text` as written, of a quoted name what stands between the backticks; `start` is its offset."""

    kind: Kind
    text: str
    start: int

    @property
    def keyword(self) -> str:
        """Upper case of a bare word, else nothing."""
        return self.text.upper() if self.kind == "word" else ""

    def is_symbol(self, *symbols: str) -> bool:
        """True for one of these symbols."""
        return self.kind == "symbol" and self.text in symbols


NOTHING = Token("symbol", "", -1)


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text without blanks and comments. Raises `NotCypher`."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(decoded(text)):
        kind, token = match.lastgroup, match[0]
        if kind == "blank":
            continue
        if kind == "symbol" and token in "'\"`":
            raise NotCypher(f"a {token} is opened and not closed")
        if kind == "symbol" and token == "/" and match.string[match.end() : match.end() + 1] == "*":
            raise NotCypher("a comment is opened and not closed")
        if kind == "symbol" and token not in _SYMBOLS:
            raise NotCypher(f"the character U+{ord(token):04X} is no part of Cypher")
        name = token[1:-1].replace("``", "`") if kind == "quoted" else token
        tokens.append(Token(kind, name, match.start()))  # type: ignore[arg-type]  # the groups are the kinds
    return tokens


def decoded(text: str) -> str:
    r"""The text with its `\uXXXX`, which the server replaces before it looks for strings and comments."""

    def decode(match: re.Match[str]) -> str:
        code = match[1]
        if code is None:
            return match[0]
        if not _HEX.fullmatch(code):
            raise NotCypher(r"a \u must be followed by four hexadecimal digits")
        character = chr(int(code, 16))
        if character < "\x80" and not character.isalnum() and character != "_":
            raise NotCypher(rf"\u{code} stands for a character that must be written as it is")
        return character

    return _ESCAPE.sub(decode, text)
