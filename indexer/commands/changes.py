"""`indexer changes`: what of a closure is no longer as it was indexed."""

from __future__ import annotations

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.changes import Change
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.command("changes", cls=FollowingCommand)
@click.argument("root")
@root_options
@page_options
@store_options
def command(root: str, scope: RootOptions, paging: PageOptions, options: StoreOptions) -> None:
    """Chats and jobs of the closure of ROOT that were rewritten, or went away, after they were indexed."""
    with asking(options) as index:
        answer = index.changes(root, **scope.how(paging))
    emit(answer, options.json, _table)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "changes")


def _table(answer: Page[Change]) -> RenderableType:
    rows = [(x.at, x.change, x.kind, x.path, x.previous_fingerprint, x.fingerprint) for x in answer.items]
    return table(("seen", "change", "kind", "path", "fingerprint before", "now"), rows)
