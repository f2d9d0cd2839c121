"""Escaping, colours, and the report as Markdown and as a page."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from indexer.answers.markdown import code, plain
from indexer.report import content, palette
from indexer.report.content import Card, Content, Table
from indexer.report.markdown import to_markdown
from indexer.report.markup import Markup, element, text
from indexer.report.page import to_html
from indexer.report.styles import report_sheet
from tests.dashboard.conftest import ATTACK
from tests.dashboard.reading import Reading, flat
from tests.report.graphs import tree

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def test_contrast_of_all_pairs() -> None:
    for colours in (palette.LIGHT, palette.DARK):
        for front, ground in palette.PAIRS:
            assert palette.contrast(colours[front], colours[ground]) >= 4.5, (
                front,
                ground,
                colours["ground"],
            )
        for line, ground in palette.LINES:
            assert palette.contrast(colours[line], colours[ground]) >= 3.0, (line, ground, colours["ground"])


def test_contrast_is_that_of_wcag() -> None:
    assert palette.contrast("#000000", "#ffffff") == 21
    assert round(palette.contrast("#777777", "#ffffff"), 2) == 4.48


def test_colours_come_from_the_palette_only() -> None:
    sheet = report_sheet().replace(palette.variables(), "")
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", sheet)
    used = set(re.findall(r"var\(--([a-z-]+)\)", sheet))
    assert used <= {name.replace("_", "-") for name in palette.LIGHT}
    assert palette.LIGHT.keys() == palette.DARK.keys()


@given(st.text())
def test_text_and_attributes_are_escaped(value: str) -> None:
    (span,) = Reading(element("span", value, title=value, class_=None, hidden=False)).elements
    assert set(span.attributes) == {"title"}
    assert not re.search(r"[<>\"']", text(value))


def test_markup_is_kept() -> None:
    assert element("p", Markup("<b>x</b>"), [1, None, ["&"]]) == "<p><b>x</b>1&amp;</p>"
    assert element("input", aria_label="x", checked=True) == '<input aria-label="x" checked>'


@given(st.text(max_size=80))
def test_a_text_is_no_markdown(value: str) -> None:
    for written in (plain(value), code(value)):
        assert "\n" not in written
        for before in ("", "- ", "| "):
            line = f"{before}{written}" if before != "| " else f"| a | b |\n| --- | --- |\n| x | {written} |"
            tokens = [inner for token in MARKDOWN.parse(line) for inner in (token, *(token.children or []))]
            kinds = {token.type for token in tokens}
            assert not kinds & {
                "html_block",
                "html_inline",
                "link_open",
                "image",
                "em_open",
                "strong_open",
                "s_open",
                "heading_open",
                "fence",
                "hr",
                "blockquote_open",
            }, (written, kinds)
            assert sum(token.type == "td_open" for token in tokens) == (2 if before == "| " else 0)


def page() -> Content:
    return Content(
        title=ATTACK,
        root=f"/home/{ATTACK}",
        kind="chat",
        base="/home",
        cards=[Card("Own", 12_345, "jobs", ("1 chat", ATTACK), "own")],
        warnings=[f"1 job ended with {ATTACK}"],
        tables=[
            Table(
                "Jobs",
                ("job", "#seconds", "x"),
                [(ATTACK, 1234.5, None), ("b|c", 2, True)],
                7,
                "A note.",
                f"indexer x {ATTACK}",
            )
        ],
        remarks=["Own means own."],
    )


def test_markdown() -> None:
    written = to_markdown(page(), version="1.2")
    assert "**Own: 12,345 jobs**" in written
    assert "2 of 7 shown" in written
    assert "| b\\|c | 2 | yes |" in written
    assert "<script>" not in written.replace("`", "").replace("\\<", "") or "html_inline" not in {
        inner.type for token in MARKDOWN.parse(written) for inner in (token.children or [])
    }
    kinds = {inner.type for token in MARKDOWN.parse(written) for inner in (token, *(token.children or []))}
    assert not kinds & {"html_inline", "html_block", "image", "link_open"}


def test_the_page_stands_alone() -> None:
    written = to_html(page(), tree(), version="1.2")
    reading = Reading(written.removeprefix("<!doctype html>\n"))
    assert {e.tag for e in reading.elements} & {"script", "img", "iframe", "link", "object"} == set()
    assert not [
        e for e in reading.elements if any(name.startswith("on") or name == "src" for name in e.attributes)
    ]
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org)", written.replace("url(#", "url(#"))
    policy = next(e.attributes["content"] for e in reading.all("meta") if e.attributes.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    cards = [flat(card.words) for card in reading.all("section", "card")]
    assert cards == [f"Own12,345 jobs1 chat{ATTACK}"]
    assert len([e for e in reading.all("svg") if "viewbox" in e.attributes and "role" in e.attributes]) == 1


def test_paths_below_a_folder() -> None:
    assert content.common_folder(["/a/b/c.chat", "/a/b/d/e.chat"]) == "/a/b"
    assert content.common_folder(["/a/c.chat", "/b/c.chat"]) == ""
    assert content.common_folder([]) == ""
    assert content.below("/a/b/c.chat#3", "/a/b") == "c.chat#3"
    assert content.below("/a/bc", "/a/b") == "/a/bc"
    assert content.below(None, "/a") == ""


def test_numbers_for_people() -> None:
    assert [content.size(n) for n in (0, 9_999, 10_000, 2_500_000)] == [
        "0 bytes",
        "9,999 bytes",
        "10.0 kB",
        "2.5 MB",
    ]
    assert [content.plural(n, "chat") for n in (0, 1, 2_000)] == ["0 chats", "1 chat", "2,000 chats"]
    assert (content.share(1, 3), content.share(1, 0)) == ("33 %", "0 %")
