"""`indexer message`: one message with its text."""

from __future__ import annotations

import click
from rich.console import RenderableType

from indexer.answers.messages import WholeMessage
from indexer.commands.answering import asking
from indexer.commands.options import StoreOptions, store_options
from indexer.commands.output import emit, note, printable, table


@click.command("message")
@click.argument("address")
@click.option("--offset", type=click.IntRange(0), default=0, help="Characters of the text to leave out.")
@click.option("--limit", type=click.IntRange(0), help="Characters at most. Default: as many as fit.")
@click.option("--summary", is_flag=True, help="The beginning of the text only.")
@store_options
def command(address: str, offset: int, limit: int | None, summary: bool, options: StoreOptions) -> None:
    """One message by its ADDRESS (chat#index), with its text and what it belongs to."""
    with asking(options) as index:
        answer = index.message(address, offset, limit, summary)
    emit(answer, options.json, _parts)
    if not options.json and answer.next_offset is not None:
        note(f"{answer.characters:,} characters in all: --offset {answer.next_offset} gives more.")


def _parts(answer: WholeMessage) -> list[RenderableType]:
    told = answer.model_dump(exclude={"content", "cut"}, exclude_none=True)
    return [table(("", ""), [(name, value) for name, value in told.items()]), "", printable(answer.content)]
