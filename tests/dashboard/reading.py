"""Reads pages as a browser would: elements, their attributes and their words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "col", "hr", "img", "input", "link", "meta"}


@dataclass
class Element:
    """One element, with the words of all that is in it."""

    tag: str
    attributes: dict[str, str | None]
    words: str = ""
    inside: list[str] = field(default_factory=list)


class Reading(HTMLParser):
    """All elements of a page. Fails where tags do not match."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(page)
        self.close()
        assert not self._open, [element.tag for element in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"{tag}: an attribute twice"
        element = Element(tag, dict(attrs), inside=[outer.tag for outer in self._open])
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)
        elif tag == "br":
            self.handle_data("\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert [e.tag for e in self._open][-1:] == [tag]
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.words += data

    def all(self, tag: str, class_: str | None = None) -> list[Element]:
        """Elements of a tag, and of a class."""
        return [
            e
            for e in self.elements
            if e.tag == tag and (class_ is None or class_ in (e.attributes.get("class") or "").split())
        ]

    def links(self) -> list[str]:
        """Addresses within the dashboard."""
        found = [e.attributes.get("href") or "" for e in self.all("a")]
        return [href for href in found if href.startswith("/")]


def flat(words: str) -> str:
    """Words with single blanks."""
    return re.sub(r"\s+", " ", words).strip()
