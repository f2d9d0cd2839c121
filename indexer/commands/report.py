"""`indexer report`: one page about a root, for people."""

from __future__ import annotations

import click

from indexer.commands.answering import FollowingCommand, RootOptions, asking, root_options
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, printable


@click.command("report", cls=FollowingCommand)
@click.argument("root")
@click.option("--html", is_flag=True, help="Self-contained HTML instead of Markdown.")
@click.option("--summary", is_flag=True, help="With --json: the first rows of each table only.")
@root_options
@store_options
def command(root: str, html: bool, summary: bool, scope: RootOptions, options: StoreOptions) -> None:
    """One page about ROOT: own work and context, cost, delegation, failures, copies, problems."""
    with asking(options) as index:
        answer = index.report(root, **scope.how(), summary=summary)
    if options.json:
        emit(answer, True)
    else:
        click.echo(printable(answer.to_html() if html else answer.to_markdown()), nl=False)
