"""Bytes of chat files: decompressed by their names, cut into windows of whole lines, freed of invalid UTF-8.

FORMAT.md 1.1: invalid byte sequences are dropped, a BOM stays, `.gz`, `.bgz` and `.zip` names are
decompressed. Nothing here raises for what a file holds; it becomes a `Problem`. Only `OSError` of the file
itself passes through.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from indexer.formats.records import Problem

#: Bytes read at a time: as much as the processor keeps at hand while the text is looked through several
#: times.
CHUNK = 1 << 19

#: A compressed file is read up to this many bytes, and no further than this many times its size on disk.
MAX_UNPACKED = 1 << 30
MAX_RATIO = 100
#: The ratio is not looked at below this size: a small file of blanks may well shrink that much.
RATIO_FROM = 64 << 20

_BROKEN = (
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    LookupError,
    OverflowError,
    struct.error,
)


def scrub(data: bytes | memoryview) -> tuple[str, int, int]:
    """The text of `data` without invalid UTF-8, how many bytes that was, and the first one's offset or -1."""
    try:
        return str(data, "utf-8"), 0, -1
    except UnicodeDecodeError as error:
        text = str(data, "utf-8", "ignore")
        return text, len(data) - len(text.encode("utf-8")), error.start


def utf8(text: str) -> bytes:
    """The UTF-8 bytes of `text`; a lone surrogate, which has none, becomes U+FFFD."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


@dataclass
class Scrubber:
    """Scrubs the windows of one file in order and keeps count, for one `invalid_bytes` problem at the end."""

    dropped: int = 0
    first_line: int = 0
    first_offset: int = -1
    _offset: int = field(default=-1, repr=False)  # the newline that leads the first window is not in the file

    def text(self, window: bytes | memoryview, lines: int = 0) -> str:
        """The text of the next window, before which there are that many `lines`."""
        text, dropped, first = scrub(window)
        if dropped and not self.dropped:
            self.first_line = lines + bytes(window[:first]).count(b"\n")
            self.first_offset = self._offset + first
        self.dropped += dropped
        self._offset += len(window)
        return text

    def problem(self) -> list[Problem]:
        """The problem to report, if a byte was dropped."""
        if not self.dropped:
            return []
        detail = (
            f"{self.dropped} byte(s) that are not UTF-8 left out, the first at offset {self.first_offset}"
        )
        return [Problem("invalid_bytes", detail, self.first_line)]


def windows(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The bytes of `chunks` as windows for the automaton: whole lines, each led by its newline.

    The first line gets a newline of its own. No more is held than one chunk or the longest line.
    """
    held = [b"\n"]
    for chunk in chunks:
        end = chunk.rfind(b"\n")
        if end < 0:
            held.append(chunk)
        else:
            held.append(chunk[:end])
            yield b"".join(held)
            held = [chunk[end:]]
    yield b"".join(held)


def cut(data: bytes, size: int = CHUNK) -> Iterator[bytes | memoryview]:
    """`data` as `windows` gives it, with no more copies than need be."""
    end = len(data)
    at = data.find(b"\n")
    at = end if at < 0 else at
    yield b"\n" + data[:at]
    view = memoryview(data)
    while at < end:
        to = end
        if at + size < end:
            to = data.rfind(b"\n", at + 1, at + size)
            if to < 0:
                to = data.find(b"\n", at + size)
                to = end if to < 0 else to
        yield view[at:to]
        at = to


def closing_tags(windows: Iterable[str]) -> frozenset[str]:
    """The names of all tags whose `</name>` stands anywhere in a file's windows (FORMAT.md 1.2 rule 7)."""
    tags: set[str] = set()
    for window in windows:
        tags.update(_CLOSER.findall(window))
    return frozenset(tags)


_CLOSER = re.compile(r"</(\w++)>", re.ASCII)


def _plain_chunks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    while chunk := stream.read(size):
        yield chunk


def _packed_chunks(stream: BinaryIO, packed: int, size: int, problems: list[Problem]) -> Iterator[bytes]:
    """Chunks of a decompressing stream; ends with a problem where it is broken or grows beyond measure."""
    total = 0
    try:
        while chunk := stream.read(size):
            total += len(chunk)
            if total > MAX_UNPACKED or (total > RATIO_FROM and total > packed * MAX_RATIO):
                detail = f"more than {total - len(chunk)} bytes came out of {packed}: the rest was not read"
                problems.append(Problem("unpacked_too_large", detail))
                return
            yield chunk
    except (*_BROKEN, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the disk's, not the decompressor's
        detail = f"broken compressed file, read as far as it goes ({total} bytes): {error}"
        problems.append(Problem("broken_archive", detail))


def read_chunks(path: str | os.PathLike[str], problems: list[Problem], size: int = CHUNK) -> Iterator[bytes]:
    """The bytes of a file in chunks of about `size`, decompressed by its name. OSError passes through."""
    name = os.fspath(path)
    with open(name, "rb") as raw:
        suffix = name.rpartition(".")[2].lower()
        if suffix in ("gz", "bgz"):
            with gzip.GzipFile(fileobj=raw) as stream:
                packed = os.fstat(raw.fileno()).st_size
                yield from _packed_chunks(cast(BinaryIO, stream), packed, size, problems)
        elif suffix == "zip":
            yield from _zip_chunks(raw, size, problems)
        else:
            yield from _plain_chunks(raw, size)


def _zip_chunks(raw: BinaryIO, size: int, problems: list[Problem]) -> Iterator[bytes]:
    """The first file of a zip archive, as `unzip -p` of a one-file archive gives it."""
    try:
        with zipfile.ZipFile(raw) as archive:
            members = [item for item in archive.infolist() if not item.is_dir()]
            if not members:
                problems.append(Problem("broken_archive", "the zip archive holds no file"))
                return
            if len(members) > 1:
                detail = f"the zip archive holds {len(members)} files: only {members[0].filename!r} was read"
                problems.append(Problem("archive_members", detail))
            packed = max(members[0].compress_size, 1)
            with archive.open(members[0]) as stream:
                yield from _packed_chunks(cast(BinaryIO, stream), packed, size, problems)
    except (*_BROKEN, OSError) as error:  # a damaged directory makes the library seek to places that are none
        problems.append(Problem("broken_archive", f"not a readable zip archive: {error}"))


def decode(data: bytes) -> tuple[str, list[Problem]]:
    """The text of `data` without its invalid bytes, and what was dropped."""
    scrubber = Scrubber()
    text = scrubber.text(b"\n" + data)[1:]
    return text, scrubber.problem()


def open_text(path: str | os.PathLike[str]) -> tuple[str, list[Problem]]:
    """The text of a file, decompressed by its name and scrubbed, and its problems. OSError passes through."""
    problems: list[Problem] = []
    text, dropped = decode(b"".join(read_chunks(path, problems)))
    return text, problems + dropped


def seekable(stream: BinaryIO) -> BinaryIO:
    """`stream` itself, or its whole content in memory where it cannot be read twice."""
    return stream if stream.seekable() else io.BytesIO(stream.read())
