"""Token usage as providers report it, in the keys of a meta line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexer.formats import ruby

#: Where each count may stand, in the order in which they are looked for; the first that is there wins.
_PLACES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("prompt_tokens",), "pt"),
    (("input_tokens",), "pt"),
    (("completion_tokens",), "ct"),
    (("output_tokens",), "ct"),
    (("total_tokens",), "tt"),
    (("prompt_tokens_details", "cached_tokens"), "cct"),
    (("input_tokens_details", "cached_tokens"), "cct"),
    (("input_tokens_details", "cache_write_tokens"), "cwt"),
    (("completion_tokens_details", "reasoning_tokens"), "rt"),
    (("output_tokens_details", "reasoning_tokens"), "rt"),
    (("cache_read_input_tokens",), "cct"),
    (("cache_creation_input_tokens",), "cwt"),
)


def token_counts(usage: Mapping[str, Any] | None) -> dict[str, int]:
    """The token keys of a provider's `usage` object.

    A missing count is left out; a missing `tt` is the sum of `pt` and `ct` where both are there.
    """
    counts: dict[str, int] = {}
    for path, key in _PLACES:
        if key not in counts:
            value = _dig(usage, path)
            if value is not None and value is not False:
                counts[key] = _count(value)
    if "tt" not in counts and "pt" in counts and "ct" in counts:
        counts["tt"] = counts["pt"] + counts["ct"]
    return counts


def _dig(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def _count(value: Any) -> int:
    if isinstance(value, str):
        return ruby.to_i(value)
    if isinstance(value, float):
        return int(value) if value - value == 0 else 0
    return value if isinstance(value, int) else 0
