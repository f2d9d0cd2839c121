"""What can be wrong with an export, and how its libraries are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class ExportError(Exception):
    """The export cannot be made; one line says why and what to do."""

    exit_code = 2


class MissingLibrary(ExportError):
    """A library that this format needs is not installed."""


def library(module: str, package: str, extra: str = "export") -> Any:
    """Import an optional library. Raises MissingLibrary with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingLibrary(
            f"this needs the package {package}: python -m pip install 'provenance-indexer[{extra}]'"
        ) from error
