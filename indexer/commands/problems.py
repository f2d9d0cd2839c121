"""`indexer problems`: what could not be read or resolved."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.problems import Problem
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.exits import Exit
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, fail, table


@click.command("problems", cls=FollowingCommand)
@click.argument("root", required=False)
@click.option("--kind", help="Only this kind.")
@click.option("--path", help="Only of this file, or below this folder.")
@click.option("--strict", is_flag=True, help="End with exit code 1 where there are any.")
@root_options
@page_options
@store_options
def command(
    root: str | None,
    kind: str | None,
    path: str | None,
    strict: bool,
    scope: RootOptions,
    paging: PageOptions,
    options: StoreOptions,
) -> None:
    """What could not be read or resolved: in all that is indexed, or in the closure of ROOT."""
    with asking(options) as index:
        answer = index.problems(root, kind, path, **scope.how(paging))
    emit(answer, options.json, _table)
    if strict and answer.total:
        fail(Exit.NO, f"{answer.total:,} problems")
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "problems")


def _table(answer: Page[Problem]) -> RenderableType:
    rows: list[list[Any]] = [[x.kind, x.address, x.line, x.detail] for x in answer.items]
    return table(("kind", "place", "#line", "what"), rows)
