"""`indexer doctor`: check everything that the program needs, and say what to do."""

from __future__ import annotations

import click
from rich.console import RenderableType

from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, table
from indexer.health import Check, checks


@click.command()
@store_options
def doctor(options: StoreOptions) -> None:
    """Check Java and the server's files, the store, the schema, watch limits, pending files and problems.

    Exit code 1 when something must be done, 3 when the store cannot be used.
    """
    found = list(checks(options.store))
    answer = {
        "ok": all(check.state != "fail" for check in found),
        "checks": [check.as_dict() for check in found],
    }
    emit(answer, options.json, lambda _: _table(found))
    failed = [check for check in found if check.state == "fail"]
    if any(check.name == "store" for check in failed):
        raise click.exceptions.Exit(int(Exit.UNREACHABLE))
    if failed:
        raise click.exceptions.Exit(int(Exit.NO))


def _table(found: list[Check]) -> RenderableType:
    marks = {"ok": "ok", "warn": "look", "fail": "FAIL"}
    rows = [(marks[check.state], check.name, check.detail, check.remedy) for check in found]
    return table(("", "check", "found", "what to do"), rows)
