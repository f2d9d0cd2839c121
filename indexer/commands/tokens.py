"""`indexer tokens`: what a root cost."""

from __future__ import annotations

from typing import get_args

import click
from rich.console import RenderableType

from indexer.answers.base import Tokens
from indexer.answers.tokens import By, TokenAnswer, TokenScopes
from indexer.commands.answering import FollowingCommand, RootOptions, asking, remaining, root_options
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table

SIX = tuple(f"#{name}" for name in Tokens.model_fields)


@click.command("tokens", cls=FollowingCommand)
@click.argument("root")
@click.option("--by", type=click.Choice(get_args(By)), help="Group by this.")
@root_options
@page_options
@store_options
def command(
    root: str, by: str | None, scope: RootOptions, paging: PageOptions, options: StoreOptions
) -> None:
    """Tokens of what ROOT reaches, each paid request once: totals by scope of evidence, events, groups."""
    with asking(options) as index:
        answer = index.tokens(root, by, **scope.how(paging))
    emit(answer, options.json, _tables)
    if not options.json:
        listed = answer.groups or answer.events
        remaining(listed.page, listed.per_page, listed.total, f"by {by}" if by else "requests")


def _tables(answer: TokenAnswer) -> list[RenderableType]:
    totals = [(name, *_six(getattr(answer.totals, name))) for name in TokenScopes.model_fields]
    parts: list[RenderableType] = [table(("scope", *SIX), totals, answer.root)]
    parts.append(
        table(
            ("#requests", "#conflicts", "#incomplete evidence", "#without token fields"),
            [(answer.events.total, answer.conflicts, answer.incomplete_evidence, answer.unknown)],
        )
    )
    if answer.groups is not None:
        rows = [(group.key, group.requests, *_six(group.tokens)) for group in answer.groups.items]
        parts.append(table((str(answer.by), "#requests", *SIX), rows))
    else:
        events = [
            (e.id, e.payer, *_six(e.tokens), "conflict" if e.conflict else "") for e in answer.events.items
        ]
        parts.append(table(("request", "payer", *SIX, ""), events))
    return parts


def _six(tokens: Tokens) -> tuple[int, ...]:
    return tuple(tokens.model_dump().values())
