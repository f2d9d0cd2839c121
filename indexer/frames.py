"""Answers in notebooks: lists as pandas or polars frames where these are installed, provenance as a picture.

from indexer import Index
from indexer.frames import draw, to_pandas
with Index() as index:
    calls = to_pandas(index.tool_calls("chats/plan.chat", per_page=10_000))
    draw(index, "chats/plan.chat")          # the last line of a cell shows the picture
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from indexer.answers.closure import closure
from indexer.answers.errors import BadQuestion
from indexer.report.fold import Folding, fold
from indexer.report.graph import Picture
from indexer.report.markup import Markup, element
from indexer.report.page import legend
from indexer.report.pictures import provenance
from indexer.report.styles import picture_sheet
from indexer.report.svg import describe
from indexer.report.svg import draw as drawn

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]
    import polars  # type: ignore[import-not-found, unused-ignore]

    from indexer.api import Index

#: The colours are those of the element around the picture, so that a notebook keeps its own.
AROUND = "provenance-indexer"


def records(answer: BaseModel | Sequence[BaseModel], part: str | None = None) -> list[dict[str, Any]]:
    """The rows of a list as flat records: a nested `tokens` becomes `tokens.pt`, `tokens.ct`, ...

    `answer` is a page, a list of rows, or an answer with several lists: then `part` names one (`"events"`
    of tokens, `"inlined"` of dedup). Lists inside a row stay lists. Raises BadQuestion without such a list.
    """
    return [flat(row.model_dump(mode="json", by_alias=True)) for row in _rows(answer, part)]


def to_pandas(answer: BaseModel | Sequence[BaseModel], part: str | None = None) -> pandas.DataFrame:
    """`records` as a pandas frame. Raises ImportError without pandas."""
    import pandas

    return pandas.DataFrame.from_records(records(answer, part))


def to_polars(answer: BaseModel | Sequence[BaseModel], part: str | None = None) -> polars.DataFrame:
    """`records` as a polars frame. Raises ImportError without polars."""
    import polars

    return polars.DataFrame(records(answer, part), infer_schema_length=None)


def draw(
    index: Index,
    root: str,
    job_refs: str = "all",
    follow: Iterable[str] | None = None,
    context: bool = False,
) -> Drawing:
    """The provenance of a root as a picture; `context` unfolds what is only context. Raises AnswerError."""
    found = index.resolve(root)
    picture = provenance(index.runner, found, closure(job_refs, follow))
    return Drawing(found.id, fold(picture, Folding(context=not context)))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture that notebooks show. `svg` is the picture alone."""

    root: str
    picture: Picture

    @property
    def svg(self) -> Markup:
        """The picture, without a stylesheet."""
        return drawn(self.picture, f"Provenance of {self.root}")

    def _repr_html_(self) -> str:
        sheet = Markup(picture_sheet().replace(":root", f".{AROUND}"))
        frame = element("div", self.svg, class_="picture-scroll")
        return element("div", element("style", sheet), legend(), frame, class_=AROUND)

    def __repr__(self) -> str:
        return f"<Provenance of {self.root}: {describe(self.picture)}>"


def flat(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A record without records inside."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def _rows(answer: BaseModel | Sequence[BaseModel], part: str | None) -> Sequence[BaseModel]:
    if not isinstance(answer, BaseModel):
        return answer
    name = part or "items"
    found = getattr(answer, name, None)
    if isinstance(found, BaseModel) and part is not None:
        found = getattr(found, "items", None)
    if not isinstance(found, list) or not all(isinstance(row, BaseModel) for row in found):
        lists = [
            field
            for field in type(answer).model_fields
            if isinstance(getattr(answer, field), list | BaseModel)
        ]
        raise BadQuestion(f"{type(answer).__name__} has no list {name}: name one of {', '.join(lists)}")
    return found
