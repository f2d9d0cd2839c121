"""What pages offer to copy: each command runs and says the page's figure; so does each Cypher text, unchanged."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from indexer.cli import main
from indexer.dashboard.links import page
from indexer.dashboard.rows import LISTS
from indexer.store.connection import Store
from tests.conftest import ServerUnderTest
from tests.dashboard.conftest import Shown
from tests.dashboard.reading import Reading, flat

Rows = list[dict[str, Any]]


def addresses(shown: Shown) -> dict[str, str]:
    """Pages, each with what it asks; own scopes and filters too."""
    root, own = shown.analysis, {"root": shown.analysis, "job_refs": "own"}
    step = shown.index.scope(root).jobs[0]
    return {
        "conversations": "/",
        "provenance": page("/root", id=root),
        "provenance, some relations": page("/root", id=root, job_refs="own", follow=["job", "log"]),
        "what is new": page("/diff", b=root),
        "what is new, own": page("/diff", a=shown.review, b=root, job_refs="own"),
        **{f"cost by {by}": page("/cost", id=root, by=by) for by in ("agent", "job", "chat", "tool", "day")},
        "transcript": page("/chat", id=root),
        "message": page("/message", address=f"{root}#2", whole=1),
        "node": page("/node", kind="job", id=step, root=root),
        "why": page("/why", root=root, target=step),
        "search": page("/search", q="site"),
        "search below": page("/search", q="site", root=root),
        "search, no word": page("/search", q="ulch", originals="true"),
        "search, a hyphen": page("/search", q="-- bare", root=root),
        "health": "/health",
        "problems": page("/problems", kind="dangling_reference"),
        **{f"rows {name}": page(f"/rows/{name}", **own) for name in LISTS},
        "rows filtered": page("/rows/tool-calls", root=root, status="success"),
    }


def asked(shown: Shown, address: str) -> Iterator[tuple[str, str]]:
    """Commands and Cypher texts of a page; the text is empty where a command has none."""
    reading = Reading(shown.text(address))
    codes = {e.attributes.get("id"): e.words for e in reading.all("code")}
    number = 1
    while f"command-{number}" in codes:
        yield codes[f"command-{number}"], codes.get(f"cypher-{number}", "")
        number += 1


def run_cypher(store: Store, text: str) -> Rows:
    """Run a text as cypher-shell does: `:param name => expression;` lines, then one statement."""
    lines = text.splitlines()
    params: dict[str, Any] = {}
    while lines and lines[0].startswith(":param "):
        found = re.fullmatch(r":param (\w+) => (.*);", lines.pop(0))
        assert found
        params |= store.read(f"RETURN {found[2]} AS {found[1]}")[0].data()  # type: ignore[arg-type]
    statement = "\n".join(lines).strip()
    assert statement.endswith(";")
    assert ";" not in re.sub(r"//[^\n]*", "", statement)[:-1]
    return [row.data() for row in store.read(statement, params)]


def run_command(server: ServerUnderTest, line: str) -> Any:
    words = shlex.split(line)
    assert words[0] == "indexer"
    end = words.index("--") if "--" in words else len(words)
    done = CliRunner().invoke(main, [*words[1:end], "--json", "--store", server.address, *words[end:]])
    # 1: nothing was found.
    assert done.exit_code in (0, 1), (line, done.output)
    return json.loads(done.stdout)


def test_every_page_says_what_it_asked(shown: Shown) -> None:
    for name, address in addresses(shown).items():
        assert list(asked(shown, address)), name


def test_copied_texts_and_commands_agree(shown: Shown, neo4j_server: ServerUnderTest) -> None:
    store: Store = shown.client.app.state.store  # type: ignore[attr-defined]
    seen: set[str] = set()
    compared = 0
    for name, address in addresses(shown).items():
        for command, cypher in asked(shown, address):
            if command in seen and name != "provenance":
                continue
            seen.add(command)
            answer = run_command(neo4j_server, command)
            if not cypher:
                continue
            rows = run_cypher(store, cypher)
            kind = shlex.split(command)[1]
            if rows and "total" in rows[0]:
                told = total(answer, kind, rows)
                assert told == rows[0]["total"], (name, command)
                compared += 1
            elif kind in ("dedup", "scope"):
                assert answer["totals"]["messages"] == rows[0]["messages"], name
                compared += 1
            elif kind == "diff":
                for row in rows:
                    assert answer[row["place"]]["jobs_total"] == row["jobs_total"], name
                    assert answer[row["place"]]["tokens"]["tt"] == row["tt"], name
                    compared += 1
            elif kind == "tokens":
                assert answer["totals"]["deduplicated_total"]["tt"] in [
                    v for r in rows for v in r.values()
                ], name
                compared += 1
            elif kind in ("message", "why"):
                assert rows, name
                compared += 1
            else:
                assert not rows or kind in ("query",), (name, command)
    assert compared > 30


def total(answer: Any, kind: str, rows: Rows) -> int:
    """The number of rows that a command tells of."""
    if isinstance(answer, list):  # a query's rows
        return int(answer[0]["total"])
    columns = set(rows[0])
    if kind == "overview":
        return int(answer["chats" if "kind" in columns and "messages" in columns else "jobs"]["total"])
    if kind == "tokens":
        return int(answer["groups" if "key" in columns else "events"]["total"])
    if kind == "dedup":
        return int(answer["inlined_total"])
    if "rows" in answer:
        return int(answer["rows"][0]["total"])
    return int(answer["total"])


def test_a_figure_of_a_list_is_that_of_its_texts(shown: Shown) -> None:
    store: Store = shown.client.app.state.store  # type: ignore[attr-defined]
    for name in LISTS:
        address = page(f"/rows/{name}", root=shown.analysis, job_refs="own")
        status = next(
            flat(e.words)
            for e in Reading(shown.text(address)).all("p")
            if e.attributes.get("role") == "status" and "row" in e.words
        )
        ((_, cypher),) = asked(shown, address)
        rows = run_cypher(store, cypher)
        assert status.startswith(f"{rows[0]['total'] if rows else 0:,} row"), name


@pytest.mark.parametrize(
    "value",
    [
        'it\'s "quoted"',
        "back\\slash",
        "línea\nnueva",
        "日本語 👩‍👩‍👧",
        "$x {y} `z`",
        True,
        None,
        7,
        ["a", "b'"],
    ],
)
def test_any_value_can_be_a_parameter(shown: Shown, value: object) -> None:
    from indexer.dashboard.asked import literal

    store: Store = shown.client.app.state.store  # type: ignore[attr-defined]
    written = literal(value)
    assert "\n" not in written
    assert store.read(f"RETURN {written} AS x")[0]["x"] == value  # type: ignore[arg-type]
