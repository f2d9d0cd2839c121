import hashlib
import os
import socket
import threading
import time
from pathlib import Path
from typing import BinaryIO

import pytest

from indexer.discovery.found import Stamp
from indexer.discovery.stamps import read_stable, stamp_of
from tests.support import touch


def whole(file: BinaryIO) -> bytes:
    return file.read()


def test_an_unchanged_file(tmp_path: Path) -> None:
    path = touch(tmp_path / "a.chat", "user: hello")
    reading = read_stable(str(path), whole)
    status = path.stat()
    assert reading.value == b"user: hello"
    assert reading.stamp == Stamp(11, status.st_mtime_ns, status.st_ino) == stamp_of(str(path))
    assert reading.digest == hashlib.blake2b(b"user: hello", digest_size=16).hexdigest()
    assert reading.problem is None


def test_the_digest_covers_what_the_reader_leaves(tmp_path: Path) -> None:
    data = os.urandom(1_000_000)
    path = tmp_path / "big.chat"
    path.write_bytes(data)
    reading = read_stable(str(path), lambda file: file.read(10))
    assert reading.value == data[:10]
    assert reading.digest == hashlib.blake2b(data, digest_size=16).hexdigest()


def test_lines_and_name(tmp_path: Path) -> None:
    path = touch(tmp_path / "a.chat", "one\ntwo\n")
    assert read_stable(str(path), lambda file: (file.name, list(file))).value == (
        str(path),
        [b"one\n", b"two\n"],
    )


def test_a_file_that_changes_once_is_read_again(tmp_path: Path) -> None:
    path = touch(tmp_path / "a.chat", "old")
    seen = []

    def reader(file: BinaryIO) -> bytes:
        data = file.read()
        seen.append(data)
        if len(seen) == 1:
            path.write_text("newer")
        return data

    reading = read_stable(str(path), reader)
    assert seen == [b"old", b"newer"]
    assert (reading.value, reading.problem, reading.stamp) == (b"newer", None, stamp_of(str(path)))


def test_a_file_replaced_while_read_is_read_again(tmp_path: Path) -> None:
    """An atomic save: same size, another inode."""
    path = touch(tmp_path / "a.chat", "old")
    seen = []

    def reader(file: BinaryIO) -> bytes:
        seen.append(file.read())
        if len(seen) == 1:
            os.replace(touch(tmp_path / "a.tmp", "new"), path)
        return seen[-1]

    assert read_stable(str(path), reader).value == b"new"


def test_a_file_that_never_rests_is_accepted_and_told(tmp_path: Path) -> None:
    path = touch(tmp_path / "a.chat", "")
    count = 0

    def reader(file: BinaryIO) -> int:
        nonlocal count
        count += 1
        with path.open("a") as more:
            more.write("x")
        return count

    reading = read_stable(str(path), reader)
    assert reading.value == count == 3
    assert reading.problem is not None
    assert reading.problem.kind == "changed_while_read"
    assert reading.stamp != stamp_of(str(path))  # so the next scan reads it again


def test_a_rewrite_right_after_reading_shows_in_the_stamp(tmp_path: Path) -> None:
    """Same size, same inode, at once: only the time can tell, and it counts in ticks."""
    path = tmp_path / "a.chat"
    for round_ in range(20):
        path.write_text(f"{round_:04}")
        reading = read_stable(str(path), whole)
        path.write_text(f"{round_ + 1000:04}")
        assert reading.value == f"{round_:04}".encode()
        assert reading.stamp != stamp_of(str(path))


def test_special_files_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.chat")
    (tmp_path / "link.chat").symlink_to("pipe.chat")
    (tmp_path / "folder.chat").mkdir()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "sock.chat"))
    for name in ("pipe.chat", "link.chat", "folder.chat", "sock.chat"):
        reading = read_stable(str(tmp_path / name), whole)
        assert reading.value is None
        assert reading.problem is not None
        assert reading.problem.kind == "not_a_regular_file", name
        assert stamp_of(str(tmp_path / name)) is None
    listening.close()


@pytest.mark.parametrize("path", ["/nope/a.chat", "a\0b"])
def test_a_file_that_is_gone(path: str) -> None:
    reading = read_stable(path, whole)
    assert reading.value is None
    assert reading.problem is not None
    assert reading.problem.kind == "unreadable_file"
    assert stamp_of(path) is None


def test_permission_denied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = touch(tmp_path / "a.chat")

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    reading = read_stable(str(path), whole)
    assert reading.problem is not None
    assert (reading.problem.kind, reading.problem.detail) == ("unreadable_file", "Permission denied")


def test_a_name_of_any_bytes(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/caf\xe9.chat", "wb") as file:
        file.write(b"x")
    assert read_stable(f"{tmp_path}/caf%E9.chat", whole).value == b"x"


def test_a_chat_that_grows_under_a_writer(tmp_path: Path) -> None:
    path = touch(tmp_path / "a.chat", "")
    stop = threading.Event()

    def write() -> None:
        with path.open("ab", buffering=0) as file:
            while not stop.is_set():
                file.write(b"x" * 100)
                time.sleep(0.001)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(3):
            reading = read_stable(str(path), whole)
            assert reading.value is not None
            assert set(reading.value) <= {ord("x")}
    finally:
        stop.set()
        writer.join()
    assert read_stable(str(path), whole).problem is None
