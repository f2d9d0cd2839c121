"""Options that commands share, each as a decorator that hands the command one typed object."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from indexer.commands.output import fail, set_verbosity
from indexer.store.errors import StoreError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """`--store`, `--json`, `-v` and `-q`. `store` is None where the environment decides."""

    store: str | None
    json: bool
    verbosity: int


@dataclass(frozen=True, slots=True)
class PageOptions:
    """`--page`, `--per-page`, `--summary`. `per_page` is None where it was not asked for."""

    page: int
    per_page: int | None
    summary: bool


def store_options(command: F) -> F:
    """Add --store/--json/-v/-q; the command gets them as `options: StoreOptions`.

    A StoreError that leaves the command becomes one line on stderr and its exit code.
    """

    @click.option(
        "--store",
        metavar="ADDRESS",
        help="local:, local:/folder, or a Neo4j address. Default: NEO4J_URI, else local:",
    )
    @click.option("--json", "as_json", is_flag=True, help="The answer as JSON on stdout.")
    @click.option("-v", "--verbose", count=True, help="Say more on stderr; twice for everything.")
    @click.option("-q", "--quiet", is_flag=True, help="Say only errors on stderr.")
    @functools.wraps(command)
    def wrapped(
        *args: Any, store: str | None, as_json: bool, verbose: int, quiet: bool, **kwargs: Any
    ) -> Any:
        options = StoreOptions(store, as_json, -1 if quiet else verbose)
        set_verbosity(options.verbosity)
        try:
            return command(*args, options=options, **kwargs)
        except StoreError as error:
            fail(error.exit_code, str(error))

    return wrapped  # type: ignore[return-value]


def page_options(command: F) -> F:
    """Add --page/--per-page/--summary; the command gets them as `paging: PageOptions`."""

    @click.option("--page", type=click.IntRange(1), default=1, show_default=True, help="Page of the lists.")
    @click.option(
        "--per-page",
        type=click.IntRange(1),
        help="Entries of a page. Default: 100, or fewer where they would make too long an answer.",
    )
    @click.option("--summary", is_flag=True, help="Totals and the first few entries only.")
    @functools.wraps(command)
    def wrapped(*args: Any, page: int, per_page: int | None, summary: bool, **kwargs: Any) -> Any:
        return command(*args, paging=PageOptions(page, per_page, summary), **kwargs)

    return wrapped  # type: ignore[return-value]
