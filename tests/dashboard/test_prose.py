"""Text of chats cannot become anything but text, links to the web, and the plain shapes of Markdown."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer import dashboard
from indexer.dashboard.links import page
from indexer.dashboard.prose import MOST, allowed, prose
from tests.dashboard.conftest import ATTACK, Shown
from tests.dashboard.reading import Reading

TAGS = {
    "div",
    "p",
    "pre",
    "code",
    "a",
    "em",
    "strong",
    "s",
    "ul",
    "ol",
    "li",
    "blockquote",
    "hr",
    "br",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "span",
}
ATTRIBUTES = {"class", "href", "title", "rel", "target", "tabindex", "start"}
PIECES = st.sampled_from(
    [
        "<script>",
        "</script>",
        "<img src=x onerror=alert(1)>",
        "![a](http://x/y.png)",
        "[a](javascript:x)",
        "[a](JaVaScRiPt&colon;x)",
        "[a](data:text/html;base64,x)",
        "<https://ok.example>",
        "<javascript:x>",
        "[r]: javascript:x\n",
        "[r]",
        "`",
        "```\n",
        "|a|b|\n|-|-|\n",
        "# ",
        "\n",
        "\n\n",
        " ",
        "&lt;",
        "&#x3c;script&#x3e;",
        "\x00",
        "\u2028",
        "<!--",
        "-->",
        "<![CDATA[",
        "* ",
        "> ",
        "1. ",
        "~~",
        '"',
        "'",
        "[a](//x)",
        "[a](https://ok.example 't\"><script>')",
        "\ud800",
    ]
)


def harmless(html: str) -> Reading:
    reading = Reading(html)
    for element in reading.elements:
        assert element.tag in TAGS, element.tag
        assert set(element.attributes) <= ATTRIBUTES, element.attributes
        if element.tag == "a":
            assert (
                (element.attributes.get("href") or "").lower().startswith(("http://", "https://", "mailto:"))
            )
            assert "noopener" in (element.attributes.get("rel") or "")
    return reading


@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=25).map("".join))
@settings(max_examples=300, deadline=None)
def test_any_text_is_harmless(text: str) -> None:
    harmless(prose(text))


def test_words_stay(shown: Shown) -> None:
    reading = harmless(
        prose(f"a **b** {ATTACK}\n\n```html\n<script>x</script>\n```\n\n![pic](https://evil.example/p.png)")
    )
    words = "".join(e.words for e in reading.elements[:1])
    assert ATTACK in words
    assert "<script>x</script>" in words
    assert "[image: pic] https://evil.example/p.png" in words


@pytest.mark.parametrize(
    "address",
    [
        "javascript:x",
        "JAVASCRIPT:x",
        " javascript:x",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc",
        "/root?id=1",
        "#a",
        "//x",
        "http:",
        "https://[x",
    ],
)
def test_links_that_are_not_links(address: str) -> None:
    assert not allowed(address)


def test_a_long_text_is_shown_as_it_is() -> None:
    assert prose("x *y* " * MOST).startswith("<pre")


def test_deep_nesting_takes_no_time() -> None:
    harmless(prose("> " * 5_000 + "x"))
    harmless(prose("[" * 20_000))


def test_a_hostile_chat_is_only_read(shown: Shown) -> None:
    for address in (
        page("/chat", id=shown.hostile),
        page("/root", id=shown.hostile),
        page("/rows/messages", root=shown.hostile),
        page("/rows/tool-calls", root=shown.hostile),
        page("/rows/edges", root=shown.hostile),
        page("/search", q="script alert"),
        page("/search", q=ATTACK),
        page("/root", id=ATTACK),
        page("/", q=ATTACK),
        page("/chat", id=ATTACK),
        page("/problems", kind=ATTACK),
        page("/report", id=shown.hostile),
        page("/node", kind="job", id=ATTACK),
        page("/diff", a=shown.hostile, b=shown.review),
    ):
        answer = shown.client.get(address)
        for element in Reading(answer.text).elements:
            assert element.tag not in ("img", "iframe", "object", "embed"), address
            assert not any(name.startswith("on") for name in element.attributes), address
            assert element.tag != "script" or (element.attributes.get("src") or "").startswith("/static/"), (
                address
            )
            href = (element.attributes.get("href") or "").lower()
            assert not href.startswith(("javascript", "data:")), address
    assert "alert(1)" in shown.text(page("/chat", id=shown.hostile))


def test_vendored_files_are_those_that_are_recorded() -> None:
    static = Path(dashboard.__file__).parent / "static"
    listed = [
        line.split("|")
        for line in (static / "VENDORED.md").read_text().splitlines()
        if line.startswith("| `")
    ]
    assert listed
    for row in listed:
        name, digest = row[1].strip(" `"), row[5].strip()
        assert hashlib.sha256((static / name).read_bytes()).hexdigest() == digest
    assert "Permission to use" in (static / "htmx.LICENSE.txt").read_text()
