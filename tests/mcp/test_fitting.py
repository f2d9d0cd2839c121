"""Fitting: pages line up, nothing is lost, ids are whole."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from indexer.mcp.fitting import MOST, PER_PAGE, ROOM, fitted, fitted_rows, fitted_steps, fitted_text, length


def page_of(rows: list[Any], page: int, per_page: int) -> dict[str, Any]:
    start = (page - 1) * per_page
    return {"page": page, "per_page": per_page, "total": len(rows), "items": rows[start : start + per_page]}


sizes = st.lists(st.integers(0, 3000), max_size=60)


@given(sizes, st.integers(1, 40), st.integers(1000, ROOM))
def test_pages_as_next_says_give_every_entry_once(texts: list[int], per_page: int, room: int) -> None:
    rows = [{"id": f"/chats/{i}.chat#{i}", "preview": "x" * size} for i, size in enumerate(texts)]
    seen: list[str] = []
    asked: dict[str, int] | None = {"page": 1, "per_page": per_page}
    while asked:
        answer = fitted(page_of(rows, **asked), asked["page"], asked["per_page"], room)
        assert length(answer) <= room
        assert answer["total"] == len(rows)
        seen += [row["id"] for row in answer["items"]]
        asked = answer.get("next")
    assert seen == [row["id"] for row in rows]


@given(sizes, st.integers(1, 40), st.integers(4000, ROOM))
def test_pages_of_a_path_give_every_step_once(texts: list[int], per_page: int, room: int) -> None:
    def steps(page: int, per_page: int) -> dict[str, Any]:
        start = (page - 1) * per_page
        return {"path": texts[start : start + per_page], "total": len(texts), "of": "x" * texts[start]}

    seen: list[int] = []
    asked: dict[str, int] | None = {"page": 1, "per_page": per_page} if texts else None
    while asked:
        answer = fitted_steps(steps, asked["page"], asked["per_page"], room)
        assert length(answer) <= room
        seen += answer["path"]
        asked = answer.get("next")
    assert seen == texts


def test_several_lists_share_a_page_and_their_totals_count() -> None:
    answer = {
        "root": "/r",
        "follow": ["job"] * 40,
        "chats": ["c" * 90] * 16,
        "jobs": ["j" * 90] * 3,
        "context": [],
        "context_total": 0,
        "totals": {"chats": 500, "jobs": 3},
        "page": 1,
        "per_page": 16,
    }
    cut = fitted(answer, 1, 16, 1700)
    assert len(cut["chats"]) == cut["per_page"] == 8
    assert cut["next"] == {"page": 2, "per_page": 8}
    assert len(cut["follow"]) == 40
    assert "next" not in fitted({**answer, "totals": {"chats": 16, "jobs": 3}}, 1, 16, MOST)


def test_ids_are_never_cut() -> None:
    path = "/" + "d" * 500 + "#1"
    answer = {"page": 1, "per_page": PER_PAGE, "total": 1, "items": [{"address": path, "detail": "d" * 9000}]}
    cut = fitted(answer, 1, PER_PAGE, ROOM)
    assert cut["items"][0]["address"] == path
    assert cut["items"][0]["detail"].endswith("…")
    assert "cut" in cut


@given(st.text(max_size=5000), st.integers(1000, 3000))
def test_parts_of_a_text_make_the_whole(text: str, room: int) -> None:
    parts, offset = [], 0
    while offset is not None:
        answer = fitted_text(text, offset, room)
        parts.append(answer["text"])
        offset = answer["next_offset"]
    assert "".join(parts) == text


def test_rows_that_do_not_fit_are_told() -> None:
    answer = {"columns": ["n"], "rows": [["x" * 300] for _ in range(100)], "more": False}
    cut = fitted_rows(answer, 4000)
    assert length(cut) <= 4000
    assert cut["more"]
    assert len(cut["rows"]) > 5
    huge = fitted_rows(
        {"columns": ["n"], "rows": [[{str(i): "y" * 100 for i in range(1000)}]], "more": False}, 4000
    )
    assert length(huge) <= 4000
    assert huge["more"]
