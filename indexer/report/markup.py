"""Markup that is built, never glued: every text and every attribute is escaped where it is put in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

#: Elements that have no end tag.
VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta"})
# Characters that XML 1.0 forbids and browsers mishandle; chats hold them.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Markup(str):
    """Text that is markup already. Jinja2 takes it as such by `__html__`."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


Child = str | int | float | None | Iterable["Child"]


def text(value: object) -> Markup:
    """Any value as escaped text; None is nothing, and what XML forbids becomes U+FFFD."""
    if value is None:
        return Markup("")
    if isinstance(value, Markup):
        return value
    return Markup(escape(_FORBIDDEN.sub("\ufffd", str(value)), quote=True))


def element(name: str, /, *children: Child, **attributes: object) -> Markup:
    """`<name attributes>children</name>`.

    An attribute that is None or False is left out and one that is True stands alone. `class_` is `class`, and
    an underscore inside a name is a hyphen (`aria_label`). Names come from code only, values from anywhere.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{''.join(_children(children))}</{name}>")


def join(parts: Iterable[Child], separator: str = "") -> Markup:
    """Parts one after the other."""
    return Markup(text(separator).join(_children(parts)))


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(value)}"'


def _children(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if child is None or isinstance(child, str | int | float):
            yield text(child)
        else:
            yield from _children(child)
