"""A report as one HTML file that needs nothing else: no script, no request, good on paper and in the dark."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.report.content import Card, Cell, Content, Table, number
from indexer.report.fold import Folding, fold
from indexer.report.graph import Picture
from indexer.report.markup import Markup, element, text
from indexer.report.styles import report_sheet
from indexer.report.svg import draw

#: Nothing may be fetched and nothing run, whatever text of chats stands in the page.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
#: A table with more rows is closed at first; a cell with more letters may break anywhere.
OPEN = 12
LONG = 30
LEGEND = (
    ("own", "solid border: own work"),
    ("shared", "double border: own, and own work of another conversation too"),
    ("context", "dashed border: only context"),
    ("hatched", "hatched corner: the result stands inlined in a chat"),
)


def to_html(page: Content, picture: Picture | None = None, *, version: str = "") -> str:
    """The whole file."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"Provenance of {page.title}"),
        element("style", Markup(report_sheet())),
    )
    body = element("body", element("main", list(_parts(page, picture, version))))
    return "<!doctype html>\n" + element("html", head, body, lang="en") + "\n"


def legend() -> Markup:
    """What the borders in a picture mean."""
    return element("ul", [element("li", swatch(look), words) for look, words in LEGEND], class_="legend")


def swatch(look: str) -> Markup:
    """A small box as it looks in a picture."""
    shapes = [element("rect", class_="frame", x=1, y=1, width=26, height=16, rx=3)]
    if look == "shared":
        shapes.append(element("rect", class_="inner", x=4, y=4, width=20, height=10, rx=2))
    if look == "hatched":
        lines = "M8 14L20 3M13 15L23 6M6 9L12 3"
        shapes.append(element("path", d=lines, class_="hatch"))
    inside = element("g", shapes, class_=look if look != "hatched" else "own")
    return element(
        "svg", inside, class_="picture", width=28, height=18, viewBox="0 0 28 18", aria_hidden="true"
    )


def card(given: Card) -> Markup:
    """One card."""
    return element(
        "section",
        element("h2", given.title),
        element("p", element("span", number(given.figure), class_="figure"), " ", given.unit),
        [element("p", line) for line in given.lines],
        class_=f"card {given.look}-card" if given.look else "card",
    )


def table(given: Table) -> Markup:
    """One table with its heading; a long one is closed until it is asked for."""
    shown = f"{len(given.rows):,} of {given.total:,}" if len(given.rows) < given.total else f"{given.total:,}"
    whole = grid(given, f"{given.note} {shown} shown.".strip())
    command = element("p", "The whole list: ", element("code", given.command), class_="muted")
    summary = element("summary", element("h2", given.title), " ", element("span", shown, class_="muted"))
    return element(
        "details", summary, whole, command if given.command else None, open=len(given.rows) <= OPEN
    )


def grid(given: Table, caption: str | None) -> Markup:
    """The table alone, in a frame that scrolls and that a keyboard reaches."""
    columns = [
        element("th", _name(column), scope="col", class_=_class(column, None)) for column in given.columns
    ]
    rows = [
        element(
            "tr",
            [
                element("td", _cell(cell), class_=_class(name, cell))
                for name, cell in zip(given.columns, row, strict=True)
            ],
        )
        for row in given.rows
    ]
    head = element("thead", element("tr", columns))
    inside = element("table", element("caption", caption) if caption else None, head, element("tbody", rows))
    return element(
        "div", inside, class_="scroll", tabindex="0", role="region", aria_label=f"Table: {given.title}"
    )


def _parts(page: Content, picture: Picture | None, version: str) -> Iterator[Markup]:
    yield element("h1", f"Provenance of {page.title}")
    yield element("p", f"Root {page.kind}: ", element("code", page.root))
    if page.base:
        yield element("p", "Paths are below ", element("code", page.base), class_="muted")
    yield element("div", [card(given) for given in page.cards], class_="cards")
    if page.warnings:
        listed = element("ul", [element("li", line) for line in page.warnings], class_="warnings")
        yield element("section", element("h2", "Before you rely on this"), listed)
    if picture is not None and picture.boxes:
        yield from _picture(picture, page.title)
    for given in page.tables:
        yield table(given)
    yield element(
        "footer", [element("p", remark, class_="muted") for remark in page.remarks], _made_by(version)
    )


def _picture(picture: Picture, title: str) -> Iterator[Markup]:
    drawn = draw(fold(picture, Folding()), f"Provenance of {title}")
    yield element("h2", "Who asked whom")
    yield element(
        "p", "Left to right: the root, the jobs it led to, and the jobs these led to.", class_="muted"
    )
    yield legend()
    yield element(
        "div",
        drawn,
        class_="picture-scroll",
        tabindex="0",
        role="region",
        aria_label="Picture of the provenance",
    )


def _made_by(version: str) -> Markup:
    return element("p", f"Made by provenance-indexer {version}.", class_="muted") if version else text(None)


def _name(column: str) -> str:
    return column.removeprefix("#")


def _class(column: str, cell: Cell) -> str | None:
    if column.startswith("#"):
        return "num"
    return "long" if isinstance(cell, str) and len(cell) > LONG else None


def _cell(value: Cell) -> Markup:
    if isinstance(value, bool):
        return text("yes" if value else "no")
    return text(number(value) if isinstance(value, int | float) else value)
