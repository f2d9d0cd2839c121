"""`indexer report`, `indexer serve` and notebook use over the scanned examples."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer import Index
from indexer.answers.errors import BadQuestion
from indexer.commands.report import command
from indexer.frames import draw, records, to_pandas, to_polars
from indexer.ingest.scan import Scanner
from indexer.report import gather
from indexer.store.connection import Store
from tests.conftest import ServerUnderTest, empty
from tests.dashboard.reading import Reading, flat

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def analysis(neo4j_store: Store, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The id of the example that takes up a review, scanned."""
    place = tmp_path_factory.mktemp("reported") / "garden"
    shutil.copytree(EXAMPLES, place)
    empty(neo4j_store)
    Scanner(neo4j_store).scan([str(place)])
    return str(place.resolve() / "chats" / "analysis.chat")


@pytest.fixture
def index(neo4j_store: Store) -> Index:
    return Index(neo4j_store)


def run(server: ServerUnderTest, *words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(command, [*words, "--store", server.address])
    return done.exit_code, done.stdout, done.stderr


def test_cards_hold_the_figures_of_the_answers(index: Index, analysis: str) -> None:
    own, every = index.scope(analysis, job_refs="own").totals, index.scope(analysis).totals
    dedup, tokens = (
        index.dedup(analysis).totals,
        index.tokens(analysis, job_refs="own").totals.deduplicated_total,
    )
    cards = gather.content(gather.figures(index, analysis)).cards
    assert [card.figure for card in cards] == [
        own.jobs,
        every.jobs - own.jobs,
        dedup.messages - dedup.unique_messages,
        tokens.tt,
    ]
    # The examples' README tells these.
    assert (own.jobs, every.jobs, dedup.messages, dedup.unique_messages, tokens.tt) == (5, 7, 125, 65, 11_356)


def test_tables_hold_the_rows_of_the_answers(index: Index, analysis: str) -> None:
    page = gather.content(gather.figures(index, analysis))
    totals = {table.title: table.total for table in page.tables}
    assert totals["Jobs"] == index.overview(analysis).jobs.total
    assert totals["Chats"] == index.overview(analysis).chats.total
    assert totals["Inlined blocks"] == index.dedup(analysis).inlined_total
    assert totals["Instructions"] == index.instructions(analysis).total
    spent = next(table for table in page.tables if table.title == "Who spent what")
    assert sum(int(row[4] or 0) for row in spent.rows) == index.tokens(analysis).totals.deduplicated_total.tt
    assert (
        sum(int(row[2] or 0) for row in spent.rows)
        == index.tokens(analysis, job_refs="own").totals.deduplicated_total.tt
    )
    assert any("ended with error" in line for line in page.warnings)


def test_a_short_table_says_how_many_there_are(index: Index, analysis: str) -> None:
    page = gather.content(gather.figures(index, analysis, rows=2))
    jobs = next(table for table in page.tables if table.title == "Jobs")
    assert (len(jobs.rows), jobs.total) == (2, 7)


def test_command(neo4j_server: ServerUnderTest, analysis: str, tmp_path: Path) -> None:
    code, out, _ = run(neo4j_server, analysis)
    assert code == 0
    assert out.startswith("# Provenance of analysis.chat\n")
    target = tmp_path / "page.html"
    code, out, err = run(neo4j_server, analysis, "-o", str(target))
    assert (code, out) == (0, "")
    assert "Wrote" in err
    reading = Reading(target.read_text().removeprefix("<!doctype html>\n"))
    assert flat(reading.all("h1")[0].words) == "Provenance of analysis.chat"
    assert not reading.all("script")
    code, out, _ = run(neo4j_server, analysis, "--json")
    assert json.loads(out)["root"] == analysis


def test_the_same_twice(neo4j_server: ServerUnderTest, analysis: str) -> None:
    assert run(neo4j_server, analysis, "--html") == run(neo4j_server, analysis, "--html")


def test_failures_of_the_command(neo4j_server: ServerUnderTest, analysis: str, tmp_path: Path) -> None:
    assert run(neo4j_server, "no such chat anywhere")[0] == 4
    assert run(neo4j_server, analysis, "--follow", "nonsense")[0] == 2
    assert run(neo4j_server, analysis, "-o", str(tmp_path / "no" / "folder" / "x.md"))[0] == 2


def test_records_and_frames(index: Index, analysis: str) -> None:
    calls = index.tool_calls(analysis, per_page=1000)
    rows = records(calls)
    assert len(rows) == calls.total
    assert rows[0]["address"] == calls.items[0].address
    events = records(index.tokens(analysis, per_page=1000), "events")
    assert sum(row["tokens.tt"] or 0 for row in events) == index.tokens(analysis).totals.deduplicated_total.tt
    assert records(index.dedup(analysis), "inlined")[0]["bytes"] > 0
    with pytest.raises(BadQuestion, match="events"):
        records(index.tokens(analysis))


def test_pandas(index: Index, analysis: str) -> None:
    import pandas

    frame = to_pandas(index.conversations(per_page=100))
    assert isinstance(frame, pandas.DataFrame)
    assert frame["own_jobs"].sum() == sum(row.own_jobs for row in index.conversations(per_page=100).items)


def test_polars(index: Index, analysis: str) -> None:
    import polars

    frame = to_polars(index.conversations(per_page=100))
    assert isinstance(frame, polars.DataFrame)
    assert frame.height == 2


def test_a_notebook_shows_the_picture(index: Index, analysis: str) -> None:
    drawing = draw(index, analysis)
    html = drawing._repr_html_()
    reading = Reading(html)
    assert reading.elements[0].attributes["class"] == "provenance-indexer"
    assert ":root" not in html
    assert not reading.all("script")
    assert len([e for e in reading.all("svg") if e.attributes.get("role") == "group"]) == 1
    assert "5 own" in repr(drawing) or "own" in repr(drawing)
    assert draw(index, analysis, job_refs="own").picture.nodes == 11


def test_a_picture_in_a_notebook_leaves_the_rest_of_it_alone(index: Index, analysis: str) -> None:
    (style,) = Reading(draw(index, analysis)._repr_html_()).all("style")
    rules = re.sub(r"@media[^{]*\{|/\*.*?\*/", "", style.words)
    selectors = [one.strip() for block in re.findall(r"([^{}]+)\{", rules) for one in block.split(",")]
    assert len(selectors) > 20
    for selector in selectors:
        assert selector.startswith((".provenance-indexer", ".picture", ".legend")), selector
