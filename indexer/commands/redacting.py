"""The `--redact` option: which secrets are taken out of texts before anything is stored."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from indexer.commands.exits import Exit
from indexer.commands.output import fail
from indexer.redaction import Redactor, RuleFileError, redactor_for

F = TypeVar("F", bound=Callable[..., Any])


def redact_option(command: F) -> F:
    """Add --redact; the command gets it as `redact`: a Redactor, or None for off."""

    @click.option(
        "--redact",
        "redact_rules",
        default="default",
        show_default=True,
        metavar="off|default|FILE",
        help="Secrets to leave out of what is stored: none, the built-in rules, or those of a file besides.",
    )
    @functools.wraps(command)
    def wrapped(*args: Any, redact_rules: str, **kwargs: Any) -> Any:
        redactor: Redactor | None = None
        if redact_rules != "off":
            try:
                redactor = redactor_for(redact_rules)
            except RuleFileError as error:
                fail(Exit.USAGE, str(error))
        return command(*args, redact=redactor, **kwargs)

    return wrapped  # type: ignore[return-value]
