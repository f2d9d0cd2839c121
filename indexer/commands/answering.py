"""Options of commands that ask about a root, and opening the index for them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from indexer.answers.closure import RELATIONS
from indexer.answers.errors import AnswerError
from indexer.api import Index
from indexer.commands.options import PageOptions, StoreOptions
from indexer.commands.output import fail, note

F = TypeVar("F", bound=Callable[..., Any])


class FollowingCommand(click.Command):
    """A command whose `--follow` takes several relations: repeated, with commas, or one after another."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `--follow job log` as `--follow job --follow log`."""
        spread: list[str] = []
        following = False
        for arg in args:
            if following and spread[-1] != "--follow" and arg in RELATIONS:
                spread.append("--follow")
            spread.append(arg)
            following = arg == "--follow" or (following and arg in RELATIONS)
        return super().parse_args(ctx, spread)


@dataclass(frozen=True, slots=True)
class RootOptions:
    """`--job-refs`, `--follow`, `--root-only`; `follow` is None where every relation is followed."""

    job_refs: str
    follow: tuple[str, ...] | None
    root_only: bool

    def how(self, paging: PageOptions | None = None) -> dict[str, Any]:
        """Keyword arguments of the methods of `Index`."""
        found: dict[str, Any] = {
            "job_refs": self.job_refs,
            "follow": self.follow,
            "root_only": self.root_only,
        }
        return found if paging is None else {**found, **pages(paging)}


def pages(paging: PageOptions) -> dict[str, Any]:
    """Keyword arguments of the methods of `Index` that give lists."""
    return {"page": paging.page, "per_page": paging.per_page, "summary": paging.summary}


def root_options(command: F) -> F:
    """Add --job-refs/--follow/--root-only; the command gets them as `scope: RootOptions`."""

    @click.option(
        "--job-refs",
        type=click.Choice(["all", "own"]),
        default="all",
        show_default=True,
        help="own leaves out what is only context.",
    )
    @click.option(
        "--follow",
        multiple=True,
        metavar="RELATION...",
        help=f"Follow only these: {', '.join(RELATIONS)}. Default: all of them.",
    )
    @click.option("--root-only", is_flag=True, help="The root alone; follow nothing.")
    @functools.wraps(command)
    def wrapped(*args: Any, job_refs: str, follow: tuple[str, ...], root_only: bool, **kwargs: Any) -> Any:
        relations = tuple(name.strip() for text in follow for name in text.split(",") if name.strip())
        scope = RootOptions(job_refs, relations or None, root_only)
        return command(*args, scope=scope, **kwargs)

    return wrapped  # type: ignore[return-value]


@contextmanager
def asking(options: StoreOptions) -> Iterator[Index]:
    """The index of `--store`; a question that cannot be answered ends the command with its exit code."""
    with Index(options.store) as index:
        try:
            yield index
        except AnswerError as error:
            fail(error.exit_code, str(error))


def remaining(page: int, per_page: int, total: int, what: str = "entries") -> None:
    """Say on stderr that there are more pages."""
    last = -(-total // per_page)
    if page < last:
        note(f"Page {page} of {last} ({total:,} {what}): --page {page + 1} gives more.")
    elif page > last and total:
        note(f"There are only {last} pages ({total:,} {what}).")
