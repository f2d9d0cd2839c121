"""Stylesheets as text: the picture's, which pages, the report and notebooks share, and the report's own."""

from __future__ import annotations

from importlib.resources import files

from indexer.report.palette import variables


def sheet(name: str) -> str:
    """A stylesheet of this package."""
    return files("indexer.report").joinpath(f"{name}.css").read_text(encoding="utf-8")


def report_sheet() -> str:
    """All that the self-contained report needs."""
    return variables() + sheet("base") + sheet("picture") + sheet("print")


def picture_sheet() -> str:
    """All that the picture alone needs."""
    return variables() + sheet("picture")
