"""What the producers' language makes of values: numbers read from text, values written as text.

Formats written by a Ruby program carry these forms, so reading them right takes the same rules.
"""

from __future__ import annotations

import json
import re
from typing import Any

_INTEGER_LINE = re.compile(r"^-?[0-9]+$", re.MULTILINE)
_DECIMAL_LINE = re.compile(r"^-?[0-9]+\.[0-9]+$", re.MULTILINE)
_LEADING_INT = re.compile(r"\s*([+-]?[0-9]+(?:_[0-9]+)*)", re.ASCII)
_LEADING_FLOAT = re.compile(
    r"\s*([+-]?[0-9]+(?:_[0-9]+)*(?:\.[0-9]+(?:_[0-9]+)*)?(?:[eE][+-]?[0-9]+)?)", re.ASCII
)
_MAX_DIGITS = 4000  # the interpreter refuses to convert longer ones


def number(text: str) -> str | int | float:
    """`text` as an int or float where one of its lines is a number alone (FORMAT.md 2), else itself."""
    if len(text) > _MAX_DIGITS and "\n" not in text:
        return text
    if _INTEGER_LINE.search(text):
        return to_i(text)
    if _DECIMAL_LINE.search(text):
        found = _LEADING_FLOAT.match(text)
        return float(found[1]) if found else 0.0
    return text


def to_i(text: str) -> int:
    """The integer that `text` begins with, 0 without one."""
    found = _LEADING_INT.match(text)
    return int(found[1][:_MAX_DIGITS]) if found else 0


def to_s(value: Any) -> str:
    """A value as Ruby's `to_s` writes it: nothing for nil, `{:a=>1}` for a hash."""
    if value is None:
        return ""
    return value if isinstance(value, str) else inspect(value)


def inspect(value: Any, depth: int = 0) -> str:
    """A value as Ruby's `inspect` writes it, keys of a hash as symbols."""
    if depth > 100:
        return "..."
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**_MAX_DIGITS else "..."
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{_symbol(key)}=>{inspect(item, depth + 1)}" for key, item in value.items())
            + "}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(inspect(item, depth + 1) for item in value) + "]"
    return _quoted(str(value))


def to_json(value: Any) -> str:
    """A value as Ruby's `to_json` writes it: compact, keys in their order, text as it is."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{to_json(str(key))}:{to_json(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(to_json, value)) + "]"
    if isinstance(value, float):
        return _float(value)
    return json.dumps(value, ensure_ascii=False, default=str)


_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f", "\v": "\\v", "\a": "\\a", "\b": "\\b"}
_ESCAPES |= {"\x1b": "\\e", '"': '\\"', "\\": "\\\\", "#": "\\#"}
_TO_ESCAPE = re.compile(r'[\x00-\x1f\x7f"\\]|#(?=[{$@])')
_SYMBOL = re.compile(r"(?:@@?|\$)?[^\W\d]\w*[?!=]?")


def _quoted(text: str) -> str:
    def escape(found: re.Match[str]) -> str:
        return _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}"

    return '"' + _TO_ESCAPE.sub(escape, text) + '"'


def _symbol(key: Any) -> str:
    text = str(key)
    return f":{text}" if _SYMBOL.fullmatch(text) else f":{_quoted(text)}"


def _float(value: float) -> str:
    """A float in Ruby's way: always a fraction; an exponent below 1e-4 and for whole ones from 1e15 on."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    mantissa, e, exponent = repr(value).partition("e")
    if not e and abs(value) >= 1e15 and value.is_integer():
        sign, digits = mantissa[: mantissa[0] == "-"], mantissa.lstrip("-").partition(".")[0]
        return f"{sign}{digits[0]}.{digits[1:].rstrip('0') or '0'}e+{len(digits) - 1}"
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent}" if e else mantissa
