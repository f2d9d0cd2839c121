"""Ruby Marshal (bytes `04 08`) as plain values, for the job infos of older producers.

The library reads data only: no class is looked up by name outside its own registry and nothing is executed. What it
does not know is added here: strings that carry a module or a subclass, as paths do. Objects other than times, strings
and symbols become None.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from rubymarshal.classes import RubyObject, RubyString, Symbol, UserDef
from rubymarshal.constants import TYPE_EXTENDED
from rubymarshal.reader import Reader

from indexer.formats.jsontext import clean_text
from indexer.formats.times import iso

MAGIC = b"\x04\x08"
_TYPE_SUBCLASS = b"C"
_MAX_DEPTH = 60

#: Everything the library raises for truncated or foreign bytes.
_ERRORS = (
    ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError, OverflowError, MemoryError, re.error,
)  # fmt: skip


class Unmarshalable(Exception):
    """The bytes are no Marshal dump that can be read to its end."""


class _Reader(Reader):  # type: ignore[misc]
    """The library's reader, which also takes strings extended by a module or of a subclass (a path is one)."""

    def read(self, in_ivar: bool = False) -> Any:
        token = self.fd.read(1)
        while token in (TYPE_EXTENDED, _TYPE_SUBCLASS):
            super().read()  # the name of the module or class
            token = self.fd.read(1)
        if not token:
            raise Unmarshalable("the dump ends early")
        self.fd.seek(-1, io.SEEK_CUR)
        return super().read(in_ivar)

    def read_blob(self) -> bytes:
        size = self.read_long()
        blob: bytes = self.fd.read(size) if size >= 0 else b""
        if len(blob) != size:
            raise Unmarshalable("the dump ends early")
        return blob


def loads(data: bytes) -> Any:
    """The value of a dump: dicts, lists, str, numbers, bools, None; times as ISO UTC. Raises only `Unmarshalable`."""
    stream = io.BytesIO(data)
    if stream.read(2) != MAGIC:
        raise Unmarshalable("no Marshal dump of version 4.8")
    try:
        return _plain(_Reader(stream).read(), _MAX_DEPTH)
    except _ERRORS as error:
        raise Unmarshalable(f"unreadable Marshal dump: {error}") from error


def _plain(value: Any, depth: int) -> Any:
    if depth <= 0:
        return None
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Symbol):
        return clean_text(value.name)
    if isinstance(value, (str, RubyString)):
        return clean_text(str(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", "ignore")
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth - 1) for item in value]
    if isinstance(value, Mapping):
        return {str(_plain(key, depth - 1)): _plain(item, depth - 1) for key, item in value.items()}
    if isinstance(value, UserDef) and value.ruby_class_name == "Time":
        return _time(value)
    return _plain(value.attributes, depth - 1) if isinstance(value, RubyObject) else None


def _time(value: UserDef) -> str | None:
    """A dumped Time: two little-endian words hold its UTC fields, bit 31 of the first marks this form."""
    packed = value._private_data
    if not isinstance(packed, bytes) or len(packed) < 8:
        return None
    first, second = int.from_bytes(packed[:4], "little"), int.from_bytes(packed[4:8], "little")
    if not first >> 31:  # the oldest form: seconds and microseconds
        return iso(datetime.fromtimestamp(first, UTC).replace(microsecond=second % 1_000_000))
    return iso(
        datetime(
            1900 + (first >> 14 & 0xFFFF),
            1 + (first >> 10 & 0xF),
            first >> 5 & 0x1F,
            first & 0x1F,
            second >> 26,
            second >> 20 & 0x3F,
            second & 0xFFFFF,
            UTC,
        )
    )
