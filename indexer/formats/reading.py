"""Bytes of chat files: compressed names opened transparently, invalid UTF-8 dropped, cut into windows of whole lines.

FORMAT.md 1.1: invalid byte sequences are dropped, a BOM stays, `.gz`, `.bgz` and `.zip` names are decompressed.
Nothing here raises for what a file holds; it becomes a `Problem`. Only `OSError` of the file itself passes through.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from indexer.formats.records import Problem

#: Bytes read at a time; a window is at least this long, or one line.
CHUNK = 1 << 22

#: A compressed file is read up to this many bytes, and no further than this many times its size on disk.
MAX_UNPACKED = 4 << 30
MAX_RATIO = 1000
#: The ratio is not looked at below this size: a small file of blanks may well shrink a thousand times.
RATIO_FROM = 64 << 20

_BROKEN = (zlib.error, zipfile.BadZipFile, gzip.BadGzipFile, EOFError, NotImplementedError, RuntimeError)


def scrub(data: bytes) -> tuple[bytes, int, int]:
    """`data` without its invalid UTF-8 bytes, how many they were, and the offset of the first (-1 without any)."""
    if data.isascii():
        return data, 0, -1
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        clean = data.decode("utf-8", "ignore").encode("utf-8")
        return clean, len(data) - len(clean), error.start
    return data, 0, -1


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
    _lines: int = field(default=0, repr=False)
    _offset: int = field(default=-1, repr=False)  # the newline that leads the first window is not in the file

    def window(self, data: bytes) -> bytes:
        clean, dropped, first = scrub(data)
        if dropped and not self.dropped:
            self.first_line = self._lines + data.count(b"\n", 0, first)
            self.first_offset = self._offset + first
        self.dropped += dropped
        if not self.dropped:
            self._lines += data.count(b"\n")
            self._offset += len(data)
        return clean

    def problem(self) -> list[Problem]:
        """The problem to report, if a byte was dropped."""
        if not self.dropped:
            return []
        detail = f"{self.dropped} byte(s) that are not UTF-8 were left out, the first at offset {self.first_offset}"
        return [Problem("invalid_bytes", detail, self.first_line)]


def windows(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The text of `chunks` as windows for the automaton: whole lines, each led by its newline.

    Newlines at the end of the file are left out (FORMAT.md 1.1: trailing empty pieces are discarded). A window is
    held no longer than its longest line, whatever the size of the chunks.
    """
    held = [b"\n"]
    blank = True  # what is held is newlines only
    for chunk in chunks:
        cut = chunk.rfind(b"\n")
        if cut < 0 or (blank and not chunk.strip(b"\n")):
            held.append(chunk)
            blank = blank and not chunk.strip(b"\n")
            continue
        held.append(chunk[:cut])
        lines = b"".join(held)
        whole = lines.rstrip(b"\n")
        if whole:
            yield whole
        held = [lines[len(whole) :], chunk[cut:]]
        blank = not chunk[cut:].strip(b"\n")
    whole = b"".join(held).rstrip(b"\n")
    if whole:
        yield whole


def closing_tags(chunks: Iterator[bytes]) -> frozenset[bytes]:
    """The names of all tags whose `</name>` stands anywhere in the text (FORMAT.md 1.2 rule 7)."""
    tags: set[bytes] = set()
    tail: list[bytes] = []
    for chunk in chunks:
        if tail and _WORD.fullmatch(chunk):
            tail.append(chunk)
            continue
        text = b"".join((*tail, chunk)) if tail else chunk
        tags.update(_CLOSER.findall(text))
        begun = _BEGUN.search(text, max(text.rfind(b"<"), 0))
        tail = [text[begun.start() :]] if begun else []
    return frozenset(tags)


_CLOSER = re.compile(rb"</(\w++)>")
_BEGUN = re.compile(rb"<(?:/\w*+)?\Z")
_WORD = re.compile(rb"\w*+")


def _plain_chunks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    while chunk := stream.read(size):
        yield chunk


def _packed_chunks(stream: BinaryIO, packed: int, size: int, problems: list[Problem]) -> Iterator[bytes]:
    """Chunks of a decompressing stream, ended with a problem where it is broken or grows beyond all measure."""
    total = 0
    try:
        while chunk := stream.read(size):
            total += len(chunk)
            if total > MAX_UNPACKED or (total > RATIO_FROM and total > packed * MAX_RATIO):
                detail = f"decompressed to more than {total - len(chunk)} bytes from {packed}: the rest was not read"
                problems.append(Problem("unpacked_too_large", detail))
                return
            yield chunk
    except _BROKEN as error:
        detail = f"broken compressed file, read as far as it goes ({total} bytes): {error}"
        problems.append(Problem("broken_archive", detail))


def read_chunks(path: str | os.PathLike[str], problems: list[Problem], size: int = CHUNK) -> Iterator[bytes]:
    """The bytes of a file in chunks of about `size`, decompressed by its name. OSError where it cannot be opened."""
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
    except _BROKEN as error:
        problems.append(Problem("broken_archive", f"not a readable zip archive: {error}"))


def decode(data: bytes) -> tuple[str, list[Problem]]:
    """The text of `data` as the automaton sees it, and what was dropped."""
    scrubber = Scrubber()
    text = scrubber.window(b"\n" + data)[1:].decode("utf-8")
    return text, scrubber.problem()


def open_text(path: str | os.PathLike[str]) -> tuple[str, list[Problem]]:
    """The whole text of a file, decompressed by its name and scrubbed, and its problems. OSError passes through."""
    problems: list[Problem] = []
    text, dropped = decode(b"".join(read_chunks(path, problems)))
    return text, problems + dropped


def stream_chunks(stream: BinaryIO, size: int = CHUNK) -> Iterator[bytes]:
    """The bytes of an open binary file from where it stands."""
    return _plain_chunks(stream, size)


def seekable(stream: BinaryIO) -> BinaryIO:
    """`stream` itself, or its whole content in memory where it cannot be read twice."""
    return stream if stream.seekable() else io.BytesIO(stream.read())
