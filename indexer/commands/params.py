"""Parameters of queries from the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson


def parse_params(given: Iterable[str]) -> dict[str, Any]:
    """`name=value` pairs; a value is read as JSON where it is JSON, else it is a text. Raises ValueError."""
    params: dict[str, Any] = {}
    for pair in given:
        name, mark, value = pair.partition("=")
        if not mark or not name.strip():
            raise ValueError(f"--param {pair!r}: write name=value")
        try:
            params[name.strip().removeprefix("$")] = orjson.loads(value)
        except orjson.JSONDecodeError:
            params[name.strip().removeprefix("$")] = value
    return params
