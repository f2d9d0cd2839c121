"""Files as bytes: compression by name, bombs, damage, and times."""

from __future__ import annotations

import bz2
import gzip
import io
import random
import zipfile
from pathlib import Path

import pytest

from indexer.formats import reading
from indexer.formats.chat import iter_messages
from indexer.formats.records import Problem
from indexer.formats.times import iso_utc

TEXT = "user: zipped\nassistant:\n\n<a>\nuser: x\n</a>\n"


def read(path: Path) -> tuple[list[tuple[str, str]], list[str]]:
    problems: list[Problem] = []
    messages = list(iter_messages(path, problems))
    return [(message.role, message.content) for message in messages][1:], [
        problem.kind for problem in problems
    ]


EXPECTED = [("user", "zipped"), ("assistant", "<a>\nuser: x\n</a>")]


@pytest.mark.parametrize("suffix", ["gz", "bgz", "GZ"])
def test_gzip(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.chat.{suffix}"
    half = len(TEXT) // 2
    path.write_bytes(gzip.compress(TEXT[:half].encode()) + gzip.compress(TEXT[half:].encode()))
    assert read(path) == (EXPECTED, [])
    assert reading.open_text(path) == (TEXT, [])


def test_zip(tmp_path: Path) -> None:
    path = tmp_path / "a.chat.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("folder")
        archive.writestr("folder/a.chat", TEXT)
    assert read(path) == (EXPECTED, [])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("b.chat", "user: other")
    assert read(path) == (EXPECTED, ["archive_members"])
    with zipfile.ZipFile(path, "w") as archive:
        pass
    assert read(path) == ([], ["broken_archive"])


def test_the_name_decides(tmp_path: Path) -> None:
    path = tmp_path / "a.gz.chat"
    path.write_text(TEXT)
    assert read(path) == (EXPECTED, [])


def test_a_file_that_is_not_what_its_name_says(tmp_path: Path) -> None:
    for suffix in ("gz", "bgz", "zip"):
        path = tmp_path / f"a.chat.{suffix}"
        path.write_text(TEXT)
        assert read(path) == ([], ["broken_archive"])
        path.write_bytes(b"")
        assert read(path)[0] == []


def test_a_cut_archive_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "a.chat.gz"
    lines = "".join(f"user: {number} {random.Random(number).random()}\n" for number in range(5000))
    path.write_bytes(gzip.compress(lines.encode())[:-2000])
    problems: list[Problem] = []
    messages = list(iter_messages(path, problems, 1 << 12))
    assert 2000 < len(messages) < 5000
    assert [problem.kind for problem in problems] == ["broken_archive"]


def test_bombs_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "RATIO_FROM", 1 << 17)
    bomb = b"user: x\n" * (1 << 17)
    (tmp_path / "a.gz").write_bytes(gzip.compress(bomb))
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bomb)
    for name in ("a.gz", "a.zip"):
        problems: list[Problem] = []
        messages = list(iter_messages(tmp_path / name, problems, 1 << 16))
        assert 16_000 < len(messages) < 100_000
        assert [problem.kind for problem in problems] == ["unpacked_too_large"]
    monkeypatch.setattr(reading, "MAX_RATIO", 10_000)
    monkeypatch.setattr(reading, "MAX_UNPACKED", 1 << 18)
    problems = []
    assert len(list(iter_messages(tmp_path / "a.gz", problems, 1 << 16))) < 40_000
    assert [problem.kind for problem in problems] == ["unpacked_too_large"]


def test_damaged_archives_are_problems(tmp_path: Path) -> None:
    rng = random.Random(3)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.chat", TEXT * 50)
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.chat", TEXT * 50)
    third = io.BytesIO()
    with zipfile.ZipFile(third, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.chat", TEXT * 50)
    samples = [
        (gzip.compress(TEXT.encode() * 50), "gz"),
        *((file.getvalue(), "zip") for file in (packed, other, third)),
    ]
    for data, suffix in samples:
        path = tmp_path / f"a.{suffix}"
        for _ in range(80):
            damaged = bytearray(data)
            for _ in range(rng.randint(1, 3)):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            path.write_bytes(damaged[: rng.choice((len(damaged), rng.randrange(len(damaged))))])
            read(path)
    path = tmp_path / "b.gz"
    path.write_bytes(bz2.compress(TEXT.encode()))
    assert read(path) == ([], ["broken_archive"])


def test_an_open_file_is_read_from_where_it_stands() -> None:
    stream = io.BytesIO(b"skipped" + TEXT.encode())
    stream.seek(7)
    messages = list(iter_messages(stream, [], 3))
    assert [(message.role, message.content) for message in messages][1:] == EXPECTED


def test_a_stream_that_cannot_seek() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise OSError("illegal seek")

    messages = list(iter_messages(Pipe(TEXT.encode()), [], 3))
    assert [(message.role, message.content) for message in messages][1:] == EXPECTED


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(iter_messages(tmp_path / "none", []))
    with pytest.raises(IsADirectoryError):
        reading.open_text(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-08-01T10:00:00.123Z", "2026-08-01T10:00:00.123000Z"),
        ("2026-08-01T10:00:00Z", "2026-08-01T10:00:00.000000Z"),
        ("2026-08-01 10:00:00 +0200", "2026-08-01T08:00:00.000000Z"),
        ("2026-11-30 23:08:06.551088380 +00:00", "2026-11-30T23:08:06.551088Z"),
        ("2026-11-30 23:08:06 UTC", "2026-11-30T23:08:06.000000Z"),
        (" 2026-11-30t23:08:06-09:30 ", "2026-12-01T08:38:06.000000Z"),
        ("2026-11-30 23:08:06", "2026-11-30T23:08:06.000000Z"),
        ("2026-13-01T10:00:00.123Z", None),
        ("2026-02-30 10:00:00 +0000", None),
        ("0001-01-01 00:00:00 +0500", None),
        ("2026-08-01T10:00:00+99:00", None),
        ("yesterday", None),
        ("", None),
        (None, None),
        (5, None),
    ],
)
def test_times(text: object, expected: str | None) -> None:
    assert iso_utc(text) == expected
