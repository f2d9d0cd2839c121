"""Paid requests and the meta lines that tell of them (FORMAT.md 2)."""

from __future__ import annotations

import random
from datetime import datetime
from typing import TYPE_CHECKING

from .said import Paid, Said

if TYPE_CHECKING:
    from .books import Books

KEYS = ("pt", "ct", "tt", "cct", "cwt", "rt")


def stamp(at: datetime) -> str:
    """A time as chats write it."""
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def meta_value(value: str) -> str:
    """A value as it is serialised: quoted where it holds an equals sign."""
    if "=" not in value:
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def meta_line(numbers: dict[str, int], texts: dict[str, str], reverse: bool) -> str:
    """Numbers first in any order, then texts by length."""
    names = list(numbers)
    if reverse:
        names.reverse()
    parts = [f"{name}={numbers[name]}" for name in names]
    parts += [f"{name}={meta_value(text)}" for name, text in sorted(texts.items(), key=lambda x: len(x[1]))]
    return " ".join(parts)


class Meter:
    """The running totals of one thread. Totals of the chat and of the process run alike here."""

    def __init__(self, books: Books, conversation: str, ids: str = "both") -> None:
        """`ids`: both, provider (no inference id yet), none, or untold (no token keys either)."""
        self._books = books
        self._conversation = conversation
        self._ids = ids
        self._totals = dict.fromkeys(KEYS, 0)
        self._level = books.rng.randint(9000, 12500)
        self.paid: list[Paid] = []

    def request(self, at: datetime, thought: str | None = None) -> Said | None:
        """The meta of one more request; None where nothing at all would be told."""
        books, rng = self._books, self._books.rng
        times = {"timestamp": stamp(at)} if books.settings.message_times else {}
        if self._ids == "untold":
            return books.new(self._conversation, "meta", meta_line({}, times, False)) if times else None
        tokens = _tokens(rng, self._level)
        self._level += rng.randint(0, 60)
        for key in KEYS:
            self._totals[key] += tokens[key]
        numbers = dict(tokens)
        numbers |= {f"{key}_s": self._totals[key] for key in KEYS}
        numbers |= {f"{key}_c": self._totals[key] for key in KEYS}
        texts = dict(times)
        identity = f"{at:%Y%m%d%H%M%S}{rng.getrandbits(64):016x}"
        if self._ids != "none":
            texts["provider_response_id"] = identity
        if self._ids == "both":
            identity = _uuid(rng)
            texts["inference_id"] = identity
        bare = meta_line(numbers, texts, books.reverse_keys)
        full = bare
        if thought:
            full = meta_line(numbers, {**texts, "reas": thought}, books.reverse_keys)
        paid = Paid(identity, self._conversation, tokens)
        self.paid.append(paid)
        books.lines[paid] = (bare, {**numbers, **texts})
        return books.new(self._conversation, "meta", full, bare=bare, paid=paid)


def _tokens(rng: random.Random, level: int) -> dict[str, int]:
    prompt = level + rng.randint(0, 3000)
    completion = rng.randint(50, 900)
    hit = rng.randint(0, prompt)
    return {
        "pt": prompt,
        "ct": completion,
        "tt": prompt + completion,
        "cct": hit,
        "cwt": prompt - hit if rng.random() < 0.3 else 0,
        "rt": rng.randint(1, completion),
    }


def _uuid(rng: random.Random) -> str:
    text = f"{rng.getrandbits(128):032x}"
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"
