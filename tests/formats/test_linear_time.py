"""Texts that would make a careless reader take for ever: each must take about as long as any of its size."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from indexer.formats.calls import read_output
from indexer.formats.chat import parse
from indexer.formats.lineage import normalise
from indexer.formats.meta import parse_values, read_meta

N = 200_000

CHATS = {
    "opening tag without end": "<a " + " " * N + "x\n</a>\n" + "<a " + " " * N,
    "many openers": "</a>\n" + "".join(f"<t{number}>\n" for number in range(N // 10)),
    "many regions": "[[\nx\n]]\n" * (N // 10),
    "many square openings": "[[ x\n" * (N // 5),
    "fences in a square": "[[\n" + "```\n" * (N // 5),
    "markers in one line": "[[\n" + ":--" * (N // 2) + "]]",
    "closing braces first": "[[\n" + " }}}" + ":--" * (N // 2),
    "braces in one line": "x:-- " + "{{{ " * (N // 4),
    "colons": "a:b:" * (N // 4),
    "one long word": "a" * N * 5,
    "blank lines": "\n" * N * 5 + "user: x" + "\n \n" * N,
    "escapes": "\\note: x\n" * (N // 5),
    "closers": "<a>\n" + "</b>\n" * (N // 5) + "</a>",
    "half closers": "<a>\n" + "</aaaaaaaa" * (N // 5) + "\n</a>",
    "loose text": "meta: pt=1\n \n\\x: y\n" * (N // 10),
    "squares in one line": "[[\n" + "]] " * N + "x",
}

METAS = {
    "no equals sign": "a" * N,
    "blanks": "a=" + " " * N + "b",
    "many quotes opened": 'k="x ' * (N // 5),
    "quotes": 'k="' + '" ' * (N // 2),
    "quotes and blanks": 'k="' + ('"' + " " * 300) * (N // 300),
    "backslashes": 'k="' + "\\" * N,
    "many keys": "pt=1 " * (N // 5),
    "reasoning with keys": "reas=x " + "a=b " * (N // 5),
    "words after a quote": 'k="' + '" x' * (N // 3),
}


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@pytest.mark.parametrize("name", CHATS)
def test_chats(name: str) -> None:
    assert seconds(lambda: parse(CHATS[name])) < 2


@pytest.mark.parametrize("name", METAS)
def test_metas(name: str) -> None:
    assert seconds(lambda: parse_values(METAS[name])) < 2
    assert seconds(lambda: read_meta(METAS[name], [])) < 2


def test_contents() -> None:
    for text in (" " * N + "a", "a" + " \n" * N, "\\" * N, "\n\\a" * N, "\\" + "a" * N):
        assert seconds(lambda text=text: normalise(text)) < 2  # type: ignore[misc]
    assert seconds(lambda: read_output('{"id":"c","content":"' + "{" * N + ' exception"}')) < 2
