"""Text of chats as HTML: Markdown without raw HTML, without images, with harmless links only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from indexer.report.markup import Markup, element, text

SCHEMES = frozenset({"http", "https", "mailto"})
#: Longer texts, and texts that Markdown would take too long for, are shown as they are.
MOST = 60_000


def prose(source: str) -> Markup:
    """A message's text as HTML that is safe whatever the text is."""
    clean = str(source)
    if len(clean) > MOST:
        return as_is(clean)
    return Markup(f'<div class="prose">{_parser().render(clean)}</div>')


def as_is(source: str) -> Markup:
    """Text as it is written, in a frame that scrolls."""
    return element("pre", element("code", text(source)), tabindex="0")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt(
        "commonmark", {"html": False, "linkify": False, "maxNesting": 20}, renderer_cls=_Renderer
    )
    parser.enable(["table", "strikethrough"])
    parser.validateLink = allowed  # type: ignore[method-assign, assignment]
    return parser


def allowed(address: str) -> bool:
    """Whether a link may stay a link: a whole http, https or mailto address."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return False
    return parts.scheme.lower() in SCHEMES and bool(parts.netloc or parts.path)


class _Renderer(RendererHTML):
    """Headings below those of the page, images as words, links that tell nothing of where they stood."""

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[idx]
        words = self.renderInlineAsText(token.children or [], options, env) or "no words"
        return element("span", f"[image: {words}] {token.attrGet('src') or ''}", class_="image")

    def heading_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<p class="heading h{tokens[idx].tag[1:]}">'

    def heading_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</p>\n"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return as_is(tokens[idx].content)

    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return as_is(tokens[idx].content)

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> Any:
        tokens[idx].attrSet("rel", "noopener noreferrer nofollow")
        tokens[idx].attrSet("target", "_blank")
        return self.renderToken(tokens, idx, options, env)

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return '<div class="scroll" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        # markdown-it writes alignment as a style attribute, which the pages' policy would refuse.
        return "<th>"

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "<td>"
