"""`indexer copies blocks|replayed`: what is copied most in the whole graph."""

from __future__ import annotations

from typing import Any

import click
from rich.console import RenderableType

from indexer.answers.base import Page
from indexer.answers.copies import CopiedBlock, ReplayedAnswer
from indexer.commands.answering import asking, pages, remaining
from indexer.commands.options import PageOptions, StoreOptions, page_options, store_options
from indexer.commands.output import emit, table


@click.group("copies")
def command() -> None:
    """Results that are inlined most, and paid answers that a cache gave elsewhere."""


@command.command("blocks")
@page_options
@store_options
def blocks(paging: PageOptions, options: StoreOptions) -> None:
    """Jobs whose results stand inlined in other chats, by the bytes they take there."""
    with asking(options) as index:
        answer = index.copied_blocks(**pages(paging))
    emit(answer, options.json, _blocks)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "jobs")


@command.command("replayed")
@page_options
@store_options
def replayed(paging: PageOptions, options: StoreOptions) -> None:
    """Paid requests that several chats tell of without copying each other."""
    with asking(options) as index:
        answer = index.replayed_answers(**pages(paging))
    emit(answer, options.json, _replayed)
    if not options.json:
        remaining(answer.page, answer.per_page, answer.total, "answers")


def _blocks(answer: Page[CopiedBlock]) -> RenderableType:
    rows: list[list[Any]] = [[x.job, x.blocks, x.chats, x.messages, x.bytes] for x in answer.items]
    return table(("result of", "#blocks", "#chats", "#messages", "#bytes"), rows)


def _replayed(answer: Page[ReplayedAnswer]) -> RenderableType:
    rows: list[list[Any]] = [[x.inference, x.payer, x.places_total, x.tt] for x in answer.items]
    return table(("request", "payer", "#places", "#tt"), rows)
