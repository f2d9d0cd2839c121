"""The query files: their text, and what their first comment says of parameters and columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from indexer.answers.errors import BadQuestion

_FIELD = re.compile(r"^//   (\S+) +([A-Z][A-Z<>]*) +(\S.*)$")
_MORE = re.compile(r"^// {4,}(\S.*)$")


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter or a column: its name, its Cypher type, what it means."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class QueryFile:
    """One file of `queries/`. `text` is the whole file, comment included: it runs as it is."""

    name: str
    title: str
    parameters: tuple[Field, ...]
    columns: tuple[Field, ...]
    example: tuple[str, ...]
    text: str


@cache
def names() -> tuple[str, ...]:
    """Names of all query files, sorted."""
    found = (entry.name for entry in files("indexer.queries").iterdir())
    return tuple(sorted(name.removesuffix(".cypher") for name in found if name.endswith(".cypher")))


@cache
def load(name: str) -> QueryFile:
    """One query file. Raises BadQuestion for a name that there is not."""
    if name not in names():
        raise BadQuestion(f"there is no query named {name}: `indexer queries` lists them")
    text = files("indexer.queries").joinpath(f"{name}.cypher").read_text(encoding="utf-8")
    return read(name, text)


def read(name: str, text: str) -> QueryFile:
    """A query file from its text."""
    sections: dict[str, list[str]] = {"title": [], "Parameters": [], "Columns": [], "Example": []}
    section = "title"
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        heading = line.removeprefix("// ").partition(":")[0]
        if heading in sections and line.startswith("// ") and not line.startswith("//  "):
            section = heading
        else:
            sections[section].append(line)
    return QueryFile(
        name=name,
        title=sections["title"][0].removeprefix("// ") if sections["title"] else "",
        parameters=_fields(sections["Parameters"]),
        columns=_fields(sections["Columns"]),
        example=tuple(line.removeprefix("//").strip() for line in sections["Example"]),
        text=text,
    )


def _fields(lines: list[str]) -> tuple[Field, ...]:
    found: list[Field] = []
    for line in lines:
        if match := _FIELD.match(line):
            found.append(Field(match[1], match[2], match[3]))
        elif found and (more := _MORE.match(line)):
            last = found[-1]
            found[-1] = Field(last.name, last.type, f"{last.meaning} {more[1]}")
    return tuple(found)
