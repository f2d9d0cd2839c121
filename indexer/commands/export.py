"""`indexer export`: the graph, a scope or any answer in the formats of other programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import click
from neo4j import ManagedTransaction

from indexer.answers.asking import Rooted, closure_of
from indexer.answers.closure import RELATIONS, Closure
from indexer.answers.errors import AnswerError
from indexer.answers.roots import Root, resolve_root
from indexer.answers.runner import StoreRunner
from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, fail, note
from indexer.commands.params import parse_params
from indexer.exports.errors import ExportError
from indexer.exports.files import STDOUT, to_file, to_folder
from indexer.exports.scope import ScopeGraph, read_scope
from indexer.store.connection import Store, open_store

#: Format -> what it is, as `--help` says it. Those of a scope need ROOT.
FORMATS = {
    "prov-json": "W3C PROV as PROV-JSON",
    "prov-n": "W3C PROV as PROV-N",
    "run-crate": "Provenance Run Crate of the jobs (a folder)",
    "openlineage": "OpenLineage events of the jobs (JSON lines)",
    "otel": "OpenTelemetry GenAI spans (OTLP JSON lines)",
    "mermaid": "a Mermaid flowchart",
    "dot": "a Graphviz picture",
    "csv": "rows of --query or --cypher",
    "parquet": "the same as Parquet",
    "neo4j-csv": "the whole graph for `neo4j-admin database import` (a folder)",
}
_SCOPES: dict[str, tuple[str, str]] = {
    "prov-json": ("indexer.exports.prov_document", "write_json"),
    "prov-n": ("indexer.exports.prov_document", "write_n"),
    "openlineage": ("indexer.exports.openlineage", "write_events"),
    "mermaid": ("indexer.exports.pictures", "write_mermaid"),
    "dot": ("indexer.exports.pictures", "write_dot"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What to export, and where to."""

    form: str
    output: str
    root: Root | None
    closure: Closure
    query: str | None
    cypher: str | None
    params: dict[str, Any]


@click.command(epilog="Formats: " + "; ".join(f"{name}: {what}" for name, what in FORMATS.items()) + ".")
@click.argument("form", metavar="FORMAT", type=click.Choice(list(FORMATS)))
@click.argument("root", required=False)
@click.option(
    "-o", "--output", default=STDOUT, metavar="FILE", help="File or folder to write. Default: stdout."
)
@click.option(
    "--job-refs",
    type=click.Choice(["all", "own"]),
    default="all",
    show_default=True,
    help="own: skip context.",
)
@click.option(
    "--follow", multiple=True, type=click.Choice(RELATIONS), help="Relations to follow. Default: all."
)
@click.option("--root-only", is_flag=True, help="ROOT alone.")
@click.option(
    "--query", metavar="NAME", help="csv, parquet: a query file (`indexer queries`). Default: edges."
)
@click.option("--cypher", metavar="TEXT", help="csv, parquet: read-only Cypher instead.")
@click.option(
    "--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter of it; JSON or text."
)
@store_options
def command(
    form: str,
    root: str | None,
    output: str,
    job_refs: str,
    follow: tuple[str, ...],
    root_only: bool,
    query: str | None,
    cypher: str | None,
    params: tuple[str, ...],
    options: StoreOptions,
) -> None:
    """Write ROOT's scope, any answer or the whole graph in FORMAT, for other programs.

    prov-json, prov-n, run-crate, openlineage, csv and parquet may need `pip install
    'provenance-indexer[export]'`.
    """
    table = form in ("csv", "parquet")
    if root is None and not table and form != "neo4j-csv":
        fail(Exit.USAGE, f"{form} is about a chat or job: name it as ROOT")
    if (query or cypher or params) and not table:
        fail(Exit.USAGE, f"--query, --cypher and --param are for csv and parquet, not for {form}")
    if query and cypher:
        fail(Exit.USAGE, "give --query or --cypher, not both")
    how = Rooted(job_refs=job_refs, follow=follow or None, root_only=root_only)
    try:
        values = parse_params(params)
        with open_store(options.store) as store:
            place = None if root is None else resolve_root(StoreRunner(store), root)
            told = run(store, Asked(form, output, place, closure_of(how), query, cypher, values))
    except ValueError as error:
        fail(Exit.USAGE, str(error))
    except (ExportError, AnswerError) as error:
        fail(error.exit_code, str(error))
    if options.json and output != STDOUT:
        emit({"format": form, "output": output, **told}, True)
    elif output != STDOUT:
        note(f"Wrote {output}")
    for remark in told.get("notes", []):
        note(remark)


def run(store: Store, asked: Asked) -> dict[str, Any]:
    """Make one export; gives what it counted. Raises ExportError, AnswerError, StoreError."""
    if asked.form == "neo4j-csv":
        from indexer.exports.admin_csv import write_graph

        counts = to_folder(store, asked.output, write_graph)
        return {"rows": counts, "notes": [_import_hint(asked.output)]}
    if asked.form in ("csv", "parquet"):
        from indexer.exports.asked_rows import write_table

        return write_table(store, asked)
    assert asked.root is not None
    if asked.form == "run-crate":
        from indexer.exports.crate import write_crate

        to_folder(store, asked.output, lambda tx, folder: write_crate(_scope(tx, asked), folder))
        return {}
    if asked.form == "otel":
        return {"spans": to_file(store, asked.output, lambda tx, file: _spans(tx, asked, file))}
    return _of_scope(store, asked)


def _of_scope(store: Store, asked: Asked) -> dict[str, Any]:
    from importlib import import_module

    module, name = _SCOPES[asked.form]
    write: Callable[[ScopeGraph, IO[bytes]], Any] = getattr(import_module(module), name)
    told = to_file(store, asked.output, lambda tx, file: write(_scope(tx, asked), file))
    notes = []
    if asked.form == "mermaid" and told is False:
        notes.append(
            "larger than Mermaid shows by default: raise its maxEdges and maxTextSize, or export dot"
        )
    if asked.form == "openlineage" and told:
        notes.append(f"{told} jobs are left out: nothing tells when they ran")
    return {"notes": notes}


def _spans(tx: ManagedTransaction, asked: Asked, file: IO[bytes]) -> int:
    from indexer.exports.otel import write_spans
    from indexer.exports.scope import calls, requests

    assert asked.root is not None
    scope = _scope(tx, asked)
    return write_spans(
        scope, requests(tx, asked.root, asked.closure), calls(tx, asked.root, asked.closure), file
    )


def _scope(tx: ManagedTransaction, asked: Asked) -> ScopeGraph:
    assert asked.root is not None
    return read_scope(tx, asked.root, asked.closure)


def _import_hint(folder: str) -> str:
    whole = Path(folder).resolve()
    return f"In {whole}: neo4j-admin database import full neo4j @import.args, then `indexer schema apply`"
