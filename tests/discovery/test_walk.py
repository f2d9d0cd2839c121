import os
import random
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.discovery.found import Options
from indexer.discovery.kinds import Kind
from indexer.discovery.paths import native
from indexer.discovery.walk import Walk, walk
from tests.support import materialise, touch


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return Path(os.path.realpath(tmp_path / "root"))


def kinds(walked: Walk, root: Path) -> dict[str, str]:
    found = {}
    for file in walked:
        found[os.path.relpath(file.path, root)] = str(file.kind)
    return found


def problems(walked: Walk, root: Path) -> set[tuple[str, str]]:
    return {(os.path.relpath(path, root), kind) for path, kind in walked.report.problems}


def test_every_kind_in_its_place(root: Path) -> None:
    for name in (
        "chats/a.chat",
        "chats/chain_a",
        "chats/notes.md",
        "Agent/start_chat",
        "var/jobs/W/t/N.chat",
        "var/jobs/W/t/N.chat.info",
        "var/jobs/W/t/N.chat.files/log/agent.chat",
        "var/jobs/W/t/N.chat.files/log/notes.txt",
        "var/jobs/W/t/D.tsv",
        "copied/W/t/D.info",
        "code/main.py",
    ):
        touch(root / name)
    walked = walk([str(root)])
    assert kinds(walked, root) == {
        "chats/a.chat": "chat",
        "chats/chain_a": "candidate",
        "Agent/start_chat": "chat",
        "var/jobs/W/t/N.chat": "chat",
        "var/jobs/W/t/N.chat.info": "info",
        "var/jobs/W/t/N.chat.files/log/agent.chat": "chat",
        "var/jobs/W/t/D.tsv": "job_result",
        "copied/W/t/D.info": "maybe_info",
    }
    assert walked.report.ignored == {"no chat or job by its name": 3}
    assert not walked.report.problems


def test_stamps_are_those_of_the_file(root: Path) -> None:
    path = touch(root / "a.chat", "user: x")
    (found,) = walk([str(root)])
    status = path.stat()
    assert (found.path, found.stamp, found.dev) == (
        str(path),
        (7, status.st_mtime_ns, status.st_ino),
        status.st_dev,
    )


def test_hidden_folders_are_walked_and_tools_are_not(root: Path) -> None:
    for name in (
        ".scout/var/jobs/W/t/N.chat",
        ".rbbt/var/jobs/W/t/N.chat",
        ".files/a.chat",
        ".git/a.chat",
        "node_modules/x/a.chat",
        ".ssh/a.chat",
        "venv/pyvenv.cfg",
        "venv/lib/a.chat",
        "neo/neostore",
        "neo/a.chat",
        ".scout/tmp/persist_locks/a.chat",
        ".scout/tmp/sensible_write/a.chat",
        ".a.chat",
        "a.chat.lock",
    ):
        touch(root / name)
    walked = walk([str(root)])
    assert sorted(kinds(walked, root)) == [
        ".files/a.chat",
        ".rbbt/var/jobs/W/t/N.chat",
        ".scout/var/jobs/W/t/N.chat",
    ]
    left_out = {os.path.relpath(path, root): reason for path, reason in walked.report.left_out.items()}
    assert left_out == {
        ".git": "version control",
        "node_modules": "tool folder",
        ".ssh": "credentials",
        "venv": "virtual environment",
        "neo": "database of a Neo4j server",
        ".scout/tmp/persist_locks": "locks",
        ".scout/tmp/sensible_write": "temporary",
    }
    assert walked.report.ignored["hidden or temporary"] == 1
    assert walked.report.ignored["lock"] == 1


def test_transient_files_of_a_job_are_left_out(root: Path) -> None:
    """FORMAT.md 4: `.jobs`, `.inbox/`, `.inbox_removed/`, `resets/` are not logs."""
    job = root / "var/jobs/W/t/N.chat.files"
    for name in (
        "agent.jobs",
        "agent.inbox/1.chat",
        "agent.inbox_removed/1.chat",
        "resets/2026.chat",
        "agent.chat",
    ):
        touch(job / name)
    touch(root / "chats/resets/mine.chat")  # a folder like any other
    assert sorted(kinds(walk([str(root)]), root)) == [
        "chats/resets/mine.chat",
        "var/jobs/W/t/N.chat.files/agent.chat",
    ]


def test_exclude_is_never_entered(root: Path) -> None:
    touch(root / "data/a.chat")
    touch(root / "b.chat")
    walked = walk([str(root)], Options(exclude=(str(root / "data"),)))
    assert sorted(kinds(walked, root)) == ["b.chat"]


def test_special_files_are_never_touched(root: Path) -> None:
    os.mkfifo(root / "pipe.chat")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(root / "s.chat"))
        if os.geteuid() == 0:
            os.mknod(root / "null.chat", stat.S_IFCHR | 0o666, os.makedev(1, 3))
        walked = walk([str(root)])
        assert list(walked) == []
    assert walked.report.ignored["fifo, socket or device"] >= 2


def test_links_in_circles_and_to_the_top(root: Path) -> None:
    touch(root / "a/x.chat")
    (root / "a/up").symlink_to("..")
    (root / "a/self").symlink_to("self")
    (root / "b").symlink_to("a")
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    walked = walk([str(root)], Options(follow_links=True))
    assert kinds(walked, root) == {"a/x.chat": "chat"}
    assert problems(walked, root) == {
        ("a/self", "dangling_link"),
        ("one", "dangling_link"),
        ("two", "dangling_link"),
    }
    assert walked.report.links.spellings(f"{root}/a/x.chat") == (f"{root}/a/x.chat", f"{root}/b/x.chat")


def test_a_linked_chat_is_found_once_by_its_real_path(root: Path) -> None:
    touch(root / "saved.chat")
    (root / "link.chat").symlink_to("saved.chat")
    assert kinds(walk([str(root)]), root) == {"saved.chat": "chat"}


def test_the_name_of_a_link_can_tell_more_than_that_of_its_target(root: Path) -> None:
    touch(root / "blobs/0001")
    touch(root / "chats/plan")
    (root / "x.chat").symlink_to("blobs/0001")
    (root / "y.txt").symlink_to("blobs/0001")
    (root / "z.chat").symlink_to("chats/plan")
    assert kinds(walk([str(root)]), root) == {"blobs/0001": "chat", "chats/plan": "chat"}


def test_links_out_of_the_roots(root: Path, tmp_path: Path) -> None:
    far = Path(os.path.realpath(tmp_path)) / "far"
    touch(far / "talks/plan")
    touch(far / "talks/deep/more.chat")
    touch(far / "one.chat")
    touch(far / "next/n.chat")
    (far / "talks/on").symlink_to("../next")
    (root / "chats").symlink_to(far / "talks")
    (root / "again").symlink_to(far / "talks/deep")
    (root / "one.chat").symlink_to(far / "one.chat")
    walked = walk([str(root)])
    assert list(walked) == []
    assert walked.report.ignored == {"link out of the roots": 3}
    walked = walk([str(root)], Options(follow_links=True))
    assert kinds(walked, far) == {
        "talks/plan": "candidate",  # below chats/ by the link's name
        "talks/deep/more.chat": "chat",
        "one.chat": "chat",
        "next/n.chat": "chat",
    }


def test_a_link_called_chats_inside_the_roots(root: Path) -> None:
    touch(root / "store/plan")
    touch(root / "store/a.chat")
    (root / "chats").symlink_to("store")
    walked = walk([str(root)])
    assert sorted((os.path.relpath(file.path, root), str(file.kind)) for file in walked) == [
        ("store/a.chat", "chat"),
        ("store/plan", "candidate"),
    ]


def test_a_dangling_chats_link_is_a_problem_and_hides_nothing(root: Path) -> None:
    (root / "chats").symlink_to("/mnt/gone/chats")
    (root / ".#lock").symlink_to("user@host.123")
    (root / "lib.so").symlink_to("lib.so.1")
    walked = walk([str(root)])
    assert list(walked) == []
    assert problems(walked, root) == {("chats", "dangling_link")}
    assert {f"{root}/chats", "/mnt/gone/chats"} <= walked.report.unread


def test_unreadable_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(root / "open/a.chat")
    touch(root / "shut/b.chat")
    scandir = os.scandir

    def refusing(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("/shut"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    walked = walk([str(root)])
    assert kinds(walked, root) == {"open/a.chat": "chat"}
    assert problems(walked, root) == {("shut", "unreadable_folder")}
    assert walked.report.unread == {f"{root}/shut"}


def test_names_of_any_bytes(root: Path) -> None:
    raw = os.fsencode(root) + b"/caf\xe9"
    os.mkdir(raw)
    for name in (b"\xff\xfe.chat", b"a\nb.chat", "niño.chat".encode(), b"100%.chat", b"%E9.chat"):
        with open(raw + b"/" + name, "wb"):
            pass
    walked = walk([str(root)])
    found = [file.path for file in walked]
    folder = f"{root}/caf%E9"
    assert sorted(found) == sorted(
        [
            f"{folder}/%FF%FE.chat",
            f"{folder}/a\nb.chat",
            f"{folder}/niño.chat",
            f"{folder}/100%.chat",
            f"{folder}/%25E9.chat",
        ]
    )
    for path in found:
        path.encode("utf-8")
        assert os.path.exists(native(path))
    assert kinds(walk([folder]), root) == kinds(walk([str(root)]), root)


def test_a_single_chat_with_its_companions(root: Path) -> None:
    for name in ("a.chat", "a.chat.files/agent.society/X/c/agent.chat", "b.chat", "plain"):
        touch(root / name)
    assert kinds(walk([f"{root}/a.chat"]), root) == {
        "a.chat": "chat",
        "a.chat.files/agent.society/X/c/agent.chat": "chat",
    }
    assert kinds(walk([f"{root}/plain"]), root) == {"plain": "candidate"}


@pytest.mark.parametrize("named", ["N.chat", "N.chat.info"])
def test_a_single_job_with_its_companions(root: Path, named: str) -> None:
    task = root / "var/jobs/W/t"
    for name in ("N.chat", "N.chat.info", "N.chat.files/log/agent.chat", "M.chat"):
        touch(task / name)
    wanted = {"N.chat": "chat", "N.chat.info": "info", "N.chat.files/log/agent.chat": "chat"}
    assert kinds(walk([f"{task}/{named}"]), task) == wanted
    if named == "N.chat":  # also when the result is gone or is a folder
        (task / "N.chat").unlink()
        del wanted["N.chat"]
        assert kinds(walk([f"{task}/N.chat"]), task) == wanted


def test_a_root_that_is_not_there(root: Path) -> None:
    walked = walk([f"{root}/nope"])
    assert list(walked) == []
    assert problems(walked, root) == {("nope", "root_not_found")}
    (root / "chats").symlink_to("/mnt/gone")
    walked = walk([f"{root}/chats"])
    assert list(walked) == []
    assert problems(walked, root) == {("chats", "dangling_link")}


def test_roots_within_roots_are_walked_once(root: Path) -> None:
    touch(root / "a/b/x.chat")
    touch(root / "a/y.chat")
    walked = walk([str(root), f"{root}/a/b", f"{root}/a", f"{root}/a/../a/b"])
    assert sorted(os.path.relpath(file.path, root) for file in walked) == ["a/b/x.chat", "a/y.chat"]


def test_a_root_that_is_a_link_called_chats(root: Path) -> None:
    touch(root / "talks/plan")
    (root / "chats").symlink_to("talks")
    assert kinds(walk([f"{root}/chats"]), root) == {"talks/plan": "candidate"}


def test_one_dirty_folder_gives_what_a_whole_walk_gives_there(tmp_path: Path) -> None:
    """What a watcher does: every folder on its own, not recursively, with the roots' rules."""
    root = materialise("case_modern", tmp_path)
    touch(root / ".indexerignore", "review/\n*.tsv\n")
    touch(root / "home/.rbbt/var/jobs/Deskwork/extra/x.tsv")
    whole = sorted(walk([str(root)]))
    options = Options(roots=(str(root),), recursive=False)
    parts = [file for folder, _, _ in os.walk(root) for file in walk([folder], options)]
    assert sorted(parts) == whole
    assert any("/Deskwork/answer/" in file.path for file in whole)
    assert not any("/Deskwork/review/" in file.path for file in whole)


@given(st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_the_order_of_roots_and_entries_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, shuffler: random.Random
) -> None:
    root = Path(os.path.realpath(tmp_path_factory.mktemp("shuffled")))
    names = [f"{a}/{b}/{c}" for a in "pq" for b in ("chats", "r") for c in ("x.chat", "y", "z.info")]
    for name in names:
        touch(root / name)
    (root / "p/r/chats").symlink_to("../../q/r")
    (root / "q/r/back").symlink_to("../../p")
    roots = [str(root / "p"), str(root / "q"), str(root / "p/r")]
    wanted = dict.fromkeys(file for file in walk(roots))
    shuffler.shuffle(roots)
    scandir = os.scandir

    class Shuffled:
        def __init__(self, path: str) -> None:
            with scandir(path) as listing:
                self.entries = list(listing)
            shuffler.shuffle(self.entries)

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self.entries)

        def __exit__(self, *_: object) -> None:
            return None

    os.scandir = Shuffled  # type: ignore[assignment]
    try:
        found = dict.fromkeys(file for file in walk(roots))
    finally:
        os.scandir = scandir
    assert found.keys() == wanted.keys()
    assert {file.kind for file in found} == {Kind.CHAT, Kind.CANDIDATE, Kind.MAYBE_INFO}
