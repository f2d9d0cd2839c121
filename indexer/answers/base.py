"""What all answers are made of: rows, pages, tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

R = TypeVar("R", bound="Row")


class Row(BaseModel):
    """A part of an answer. Field names are a contract; `by_alias` gives them where Python has a keyword."""

    model_config = ConfigDict(populate_by_name=True, frozen=True)


class Answer(Row):
    """A whole answer. `cut` is there only where lists or texts had to be shortened, and says so."""

    cut: str | None = None

    @model_serializer(mode="wrap")
    def _without_empty_cut(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        found: dict[str, Any] = handler(self)
        if self.cut is None:
            found.pop("cut", None)
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain values under the contract's names (DESIGN 6)."""
        return self.model_dump(mode="json", by_alias=True)


class Page(Answer, Generic[R]):
    """One page of a list: `page` from 1, `total` entries in all."""

    page: int
    per_page: int
    total: int
    items: list[R]


class Tokens(Row):
    """The six token counts: prompt, completion, total, cache hit, cache write, reasoning."""

    pt: int = 0
    ct: int = 0
    tt: int = 0
    cct: int = 0
    cwt: int = 0
    rt: int = 0


def tokens(row: Mapping[str, Any], prefix: str = "") -> Tokens:
    """The six columns of a row; an absent count is 0."""
    return Tokens(**{name: row.get(prefix + name) or 0 for name in Tokens.model_fields})


def with_tokens(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with its six columns gathered in `tokens`."""
    rest = {name: value for name, value in row.items() if name not in Tokens.model_fields}
    return {**rest, "tokens": tokens(row)}


def part_of(part: int, whole: int) -> float:
    """A part of a whole from 0 to 1, to four digits; 0 of nothing."""
    return round(part / whole, 4) if whole else 0.0
