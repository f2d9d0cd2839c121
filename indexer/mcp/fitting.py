"""Answers small enough for an agent: lists cut to a page that fits, long texts shortened.

A list is cut to a page whose length divides the place where it starts, so pages asked for one after
another, each as `next` says, neither skip nor repeat an entry. Ids and addresses are never cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import orjson

#: Characters of an answer by default, and at most where more are asked for.
ROOM = 8_000
MOST = 60_000
#: Entries of a page by default: a power of two, so that halves of it stay aligned.
PER_PAGE = 16
#: Texts are shortened to these numbers of characters, in turn, where whole entries do not fit.
_TEXTS = (2_000, 600, 200, 80)
#: Lists that say how a question was asked, or are one thing, not entries of a page.
_WHOLE = frozenset({"follow", "path", "columns"})
_IDS = frozenset(
    {
        "address", "output_address", "copy_of", "original", "root", "chat", "job", "path", "id", "from", "to",
        "a", "b", "digest", "target", "payer", "key", "call_id",
    }
)  # fmt: skip

Json = dict[str, Any]


def fitted(answer: Json, page: int, per_page: int, room: int) -> Json:
    """A page of an answer in at most `room` characters of JSON, with `next` where more follow.

    `answer` holds the lists of page `page` with `per_page` entries each.
    """
    start = (page - 1) * per_page
    for texts in (None, *_TEXTS):
        entries = per_page
        while entries:
            cut = _page(answer, start // entries + 1, entries, texts)
            if length(cut) <= room:
                return cut
            entries = _smaller(start, entries)
            if texts is None and entries < 4 and per_page >= 4:
                break  # rather more entries with shorter texts
    return _page(answer, start + 1, 1, _TEXTS[-1], nested=1)


def fitted_steps(steps: Callable[[int, int], Json], page: int, per_page: int, room: int) -> Json:
    """A page of a path, which `steps` gives by page and number of steps, with `next` where more follow."""
    start, entries = (page - 1) * per_page, per_page
    while True:
        page = start // entries + 1
        answer = steps(page, entries)
        if answer.get("total", 0) > page * entries:
            answer["next"] = {"page": page + 1, "per_page": entries}
        smaller = _smaller(start, entries)
        if length(answer) <= room or not smaller:
            return answer
        entries = smaller


def fitted_rows(answer: Json, room: int) -> Json:
    """An answer of `columns` and `rows` with the rows that fit; `more` says that there are others."""
    for texts in (None, *_TEXTS):
        whole = answer if texts is None else _short(answer, texts, 0)
        rows = whole["rows"]
        if length(whole) <= room:
            return _noted(whole, texts)
        size = length({**whole, "rows": []}) + 120
        kept: list[Any] = []
        for row in rows:
            size += length(row) + 1
            if size > room:
                break
            kept.append(row)
        if kept and (texts is not None or len(kept) >= min(5, len(rows))):
            return _noted({**whole, "rows": kept, "more": True}, texts)
    return {
        **_short(answer, 20, 3),
        "rows": [],
        "more": True,
        "cut": "one row is too long: return less of it",
    }


def fitted_text(text: str, offset: int, room: int) -> Json:
    """A part of a text from `offset` on, with `next_offset` while more follows."""
    entries = min(room, len(text) - offset)
    while True:
        part = text[offset : offset + entries]
        more = offset + entries < len(text)
        answer = {
            "text": part,
            "offset": offset,
            "characters": len(text),
            "next_offset": offset + entries if more else None,
        }
        over = length(answer) - room
        if over <= 0 or entries <= 100:
            return answer
        entries = max(100, entries - max(over, entries // 20))


def length(value: Any) -> int:
    """Characters of its JSON."""
    return len(dumps(value))


def dumps(value: Any) -> str:
    """Compact JSON."""
    return orjson.dumps(value, default=str).decode()


def _smaller(start: int, entries: int) -> int:
    """The next smaller page length that divides `start`: half of it, else 1; 0 after 1."""
    if entries == 1:
        return 0
    half = entries // 2
    return half if start % half == 0 else 1


def _page(answer: Json, page: int, entries: int, texts: int | None, nested: int | None = None) -> Json:
    cut = _cut(answer, page, entries)
    if texts is not None or nested is not None:
        cut = _short(cut, texts or 2_000, nested)
        cut["cut"] = "long texts are shortened: `message` gives one whole"
    if _more(cut, page, entries):
        cut["next"] = {"page": page + 1, "per_page": entries}
    return cut


def _cut(value: Json, page: int, entries: int) -> Json:
    """The answer with its lists (not those inside their entries) cut to a page."""
    made: Json = {}
    for name, inner in value.items():
        if isinstance(inner, dict):
            made[name] = _cut(inner, page, entries)
        elif isinstance(inner, list) and name not in _WHOLE:
            made[name] = inner[:entries]
        elif name in ("page", "per_page"):
            made[name] = page if name == "page" else entries
        else:
            made[name] = inner
    return made


def _more(answer: Json, page: int, entries: int) -> bool:
    return any(total > page * entries for total in _totals(answer))


def _totals(answer: Json) -> Iterator[int]:
    """Numbers of entries behind the lists of an answer."""
    for name, inner in answer.items():
        if isinstance(inner, dict):
            yield from _totals(inner)
        elif isinstance(inner, list) and name not in _WHOLE:
            counts = answer.get("totals")
            total = answer.get("total") if name == "items" else answer.get(f"{name}_total")
            if total is None and isinstance(counts, dict):
                total = counts.get(name)
            if isinstance(total, int):
                yield total


def _short(value: Any, texts: int, nested: int | None, name: str = "") -> Any:
    """Texts shortened to `texts` characters, ids whole; lists inside entries to `nested` entries."""
    if isinstance(value, dict):
        return {key: _short(inner, texts, nested, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [
            _short(inner, texts, nested, name)
            for inner in (value if nested is None else value[: nested or None])
        ]
    if isinstance(value, str) and len(value) > texts and name not in _IDS and not _is_path(value):
        return value[: texts - 1] + "…"
    return value


def _is_path(text: str) -> bool:
    return text.startswith("/") and "\n" not in text and len(text) < 4_096


def _noted(answer: Json, texts: int | None) -> Json:
    return answer if texts is None else {**answer, "cut": f"texts are shortened to {texts} characters"}
