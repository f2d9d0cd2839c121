"""`indexer report`: one page about a root, to read or to hand on."""

from __future__ import annotations

import os
import stat
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from indexer.commands.answering import FollowingCommand, RootOptions, asking, root_options
from indexer.commands.exits import Exit
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, fail, note, printable

PAGES = (".html", ".htm")


@click.command("report", cls=FollowingCommand)
@click.argument("root")
@click.option("--html", is_flag=True, help="One HTML file that needs nothing else, instead of Markdown.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write it there; a name that ends in .html means --html."
)
@click.option("--rows", type=click.IntRange(1), default=50, show_default=True, help="Rows of each table.")
@click.option("--summary", is_flag=True, help="With --json: the first rows of each table only.")
@root_options
@store_options
def command(
    root: str,
    html: bool,
    output: str | None,
    rows: int,
    summary: bool,
    scope: RootOptions,
    options: StoreOptions,
) -> None:
    """One page about ROOT to hand on: own work, context, copies and cost, each with its rows and a picture.

    Own work and all that is reached stand side by side, so --job-refs only matters with --json.
    """
    from indexer.report import gather
    from indexer.report.markdown import to_markdown
    from indexer.report.page import to_html

    with asking(options) as index:
        if options.json:
            emit(index.report(root, **scope.how(), summary=summary), True)
            return
        found = gather.figures(index, root, () if scope.root_only else scope.follow, rows)
    page = gather.content(found)
    as_page = html or (output is not None and Path(output).suffix.lower() in PAGES)
    written = (
        to_html(page, found.picture, version=_version()) if as_page else to_markdown(page, version=_version())
    )
    if output is None:
        sys.stdout.write(printable(written))
        return
    try:
        with open(output, "w", encoding="utf-8", opener=_private) as file:
            file.write(written)
    except OSError as error:
        fail(Exit.USAGE, f"{output}: {error.strerror}")
    note(f"Wrote {output}")


def _private(path: str, flags: int) -> int:
    """Open a file that is for its owner alone, also where it was there before."""
    descriptor = os.open(path, flags, 0o600)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.fchmod(descriptor, 0o600)
    return descriptor


def _version() -> str:
    try:
        return version("provenance-indexer")
    except PackageNotFoundError:
        return ""
