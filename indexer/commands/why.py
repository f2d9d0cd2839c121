"""`indexer why`: how a root reaches something."""

from __future__ import annotations

import click
from rich.console import RenderableType

from indexer.answers.why import Why
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.exits import Exit
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, fail, table


@click.command("why", cls=FollowingCommand)
@click.argument("root")
@click.argument("target")
@root_options
@page_options
@store_options
def command(root: str, target: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """The path by which TARGET (a chat, job or message) is in the closure of ROOT. Exit code 1: it is not."""
    with asking(options) as index:
        answer = index.why(root, target, **scope.how(paging))
    emit(answer, options.json, _table)
    if answer.total and not options.json:
        remaining(answer.page or 1, answer.per_page or answer.total, answer.total, "steps")
    if not answer.reached:
        fail(Exit.NO, f"{root} does not reach {target}")


def _table(answer: Why) -> RenderableType:
    rows = [
        (step["kind"], step["id"], "")
        if "id" in step
        else (f"  {step['relation']}", step.get("address"), step.get("basis"))
        for step in answer.path
    ]
    return table(("", "path", "basis"), rows)
