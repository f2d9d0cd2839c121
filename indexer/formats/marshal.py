"""Ruby Marshal (bytes `04 08`) as plain values, for the job infos of older producers.

A library reads the common types. Around it stands what dumps of real jobs need besides (paths, which are
strings with a module; hashes with a default; structs; links to what is still being read) and what must not
happen (no class is made, no regular expression compiled). Objects other than times become None.
"""

from __future__ import annotations

import io
import re
import struct
from datetime import UTC, datetime
from typing import Any

from rubymarshal.classes import RubyString, Symbol, UserDef
from rubymarshal.constants import (
    TYPE_CLASS,
    TYPE_EXTENDED,
    TYPE_LINK,
    TYPE_MODULE,
    TYPE_REGEXP,
    TYPE_STRUCT,
    TYPE_SYMBOL,
)
from rubymarshal.reader import Reader

from indexer.formats.jsontext import clean_text
from indexer.formats.times import iso

MAGIC = b"\x04\x08"
_TYPE_SUBCLASS = b"C"
_TYPE_DEFAULT_HASH = b"}"
_TYPE_OLD_MODULE = b"M"
_OWN = (_TYPE_DEFAULT_HASH, TYPE_STRUCT, TYPE_REGEXP, TYPE_CLASS, TYPE_MODULE, _TYPE_OLD_MODULE)
_MAX_DEPTH = 60
#: A dump may name one object many times; spelled out it must stay below this many values.
_MAX_VALUES = 200_000

#: Everything the library raises for truncated or foreign bytes.
_ERRORS = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    AssertionError,
    RecursionError,
    OverflowError,
    MemoryError,
    re.error,
    struct.error,
)


class Unmarshalable(Exception):
    """The bytes are no Marshal dump that can be read to its end."""


class _Reader(Reader):  # type: ignore[misc]
    """The library's reader, with the types that it lacks and with those that it would do more than read."""

    def read(self, in_ivar: bool = False) -> Any:
        token = self.fd.read(1)
        while token in (TYPE_EXTENDED, _TYPE_SUBCLASS):
            super().read()  # the name of the module or class
            token = self.fd.read(1)
        if not token:
            raise Unmarshalable("the dump ends early")
        if token == TYPE_LINK:
            link = self.read_long()
            return self.objects[link] if 0 <= link < len(self.objects) else None
        if token in _OWN:
            value = self._own(token)
        elif token == TYPE_SYMBOL:
            value = self.read_symreal()
        else:
            self.fd.seek(-1, io.SEEK_CUR)
            return super().read(in_ivar)
        if in_ivar:
            self.read_attributes()
        return value

    def _own(self, token: bytes) -> Any:
        """A value of a type that the library does not know, or would do more with than read it."""
        index = len(self.objects)
        self.objects.append(None)
        value: Any = None
        if token == _TYPE_DEFAULT_HASH:
            value = self._pairs()
            super().read()
        elif token == TYPE_STRUCT:
            super().read()
            value = self._pairs()
        else:
            self.read_blob()
            if token == TYPE_REGEXP:
                self.fd.read(1)
        self.objects[index] = value
        return value

    def _pairs(self) -> dict[Any, Any]:
        """What a hash or struct holds."""
        pairs: dict[Any, Any] = {}
        for _ in range(self.read_long()):
            key = self.ensure_hashable(self.read())
            pairs[key] = self.read()
        return pairs

    def read_blob(self) -> bytes:
        size = self.read_long()
        blob: bytes = self.fd.read(size) if size >= 0 else b""
        if len(blob) != size:
            raise Unmarshalable("the dump ends early")
        return blob

    def ensure_hashable(self, value: Any) -> Any:
        """Keys that are structures all become one: no info has them, and hashing one may take for ever."""
        return (
            value if isinstance(value, (str, int, float, Symbol, RubyString, type(None))) else "(structure)"
        )


def loads(data: bytes) -> Any:
    """The value of a dump: dicts, lists, str, numbers, None; times as ISO UTC. Raises `Unmarshalable`."""
    stream = io.BytesIO(data)
    if stream.read(2) != MAGIC:
        raise Unmarshalable("no Marshal dump of version 4.8")
    try:
        return _Plain().value(_Reader(stream).read(), _MAX_DEPTH)
    except _ERRORS as error:
        raise Unmarshalable(f"unreadable Marshal dump: {error}") from error


class _Plain:
    """Turns what the library read into plain values, within bounds."""

    def __init__(self) -> None:
        self._left = _MAX_VALUES

    def value(self, read: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise Unmarshalable("the dump spells out to too many values")
        if depth <= 0:
            return None
        if read is None or isinstance(read, (bool, int, float)):
            return read
        if isinstance(read, Symbol):
            return clean_text(read.name)
        if isinstance(read, (str, RubyString)):
            return clean_text(str(read))
        if isinstance(read, bytes):
            return read.decode("utf-8", "ignore")
        if isinstance(read, (list, tuple)):
            return [self.value(item, depth - 1) for item in read]
        if isinstance(read, dict):
            return {
                str(self.value(key, depth - 1)): self.value(item, depth - 1) for key, item in read.items()
            }
        if isinstance(read, UserDef) and read.ruby_class_name == "Time":
            return _time(read)
        return None


def _time(value: UserDef) -> str | None:
    """A dumped Time: two little-endian words hold its UTC fields; bit 31 of the first marks this form."""
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
