import os
import shutil
from pathlib import Path

import pytest

from indexer.discovery.found import Options
from indexer.discovery.vanished import is_there, vanished
from indexer.discovery.walk import walk
from tests.support import touch


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return Path(os.path.realpath(tmp_path / "root"))


def known(root: Path, *names: str) -> list[str]:
    for name in names:
        touch(root / name)
    return [str(root / name) for name in names]


def gone(paths: list[str], root: Path, starts: list[Path] | None = None, **options: bool) -> list[str]:
    walked = walk([str(start) for start in starts or [root]], Options(roots=(str(root),), **options))
    seen = {file.path for file in walked}
    return [os.path.relpath(path, root) for path in vanished(paths, seen, walked)]


def test_files_and_folders_that_are_gone(root: Path) -> None:
    paths = known(root, "a.chat", "b.chat", "sub/c.chat", "sub/deep/d.chat")
    assert gone(paths, root) == []
    (root / "a.chat").unlink()
    shutil.rmtree(root / "sub")
    assert gone(paths, root) == ["a.chat", "sub/c.chat", "sub/deep/d.chat"]


def test_what_is_out_of_scope_is_not_judged(root: Path) -> None:
    paths = known(root, "one/a.chat", "one/deep/b.chat", "two/c.chat")
    shutil.rmtree(root / "one")
    shutil.rmtree(root / "two")
    touch(root / "rest")
    assert gone(paths, root, [root / "one"]) == ["one/a.chat", "one/deep/b.chat"]
    (root / "one").mkdir()
    assert gone(paths, root, [root / "one"], recursive=False) == ["one/a.chat"]
    assert gone(["/elsewhere/x.chat"], root) == []


def test_a_file_that_is_now_ignored_is_not_gone(root: Path) -> None:
    paths = known(root, "a.chat", "b.chat")
    touch(root / ".indexerignore", "a.chat\n")
    assert gone(paths, root) == []


def test_an_empty_mount_proves_nothing(root: Path) -> None:
    paths = known(root, "sub/a.chat")
    shutil.rmtree(root / "sub")
    assert gone(paths, root) == []
    assert gone(paths, root, [root / "sub"]) == []
    root.rmdir()
    assert gone(paths, root) == []


def test_a_dangling_link_proves_nothing(root: Path) -> None:
    paths = known(root, "mnt/chats/a.chat", "b.chat")
    (root / "chats").symlink_to("mnt/chats")
    assert gone(paths, root) == []
    shutil.rmtree(root / "mnt")
    assert gone(paths, root) == []


def test_an_unreadable_folder_proves_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = known(root, "shut/a.chat", "b.chat")
    scandir = os.scandir

    def refusing(path: str):  # type: ignore[no-untyped-def]
        if path.endswith("/shut"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    (root / "shut/a.chat").unlink()
    (root / "b.chat").unlink()
    assert gone(paths, root) == ["b.chat"]


def test_a_single_job_whose_files_go(root: Path) -> None:
    paths = known(root, "W/t/N.chat", "W/t/N.chat.info", "W/t/N.chat.files/log/agent.chat")
    (root / "W/t/N.chat").unlink()
    shutil.rmtree(root / "W/t/N.chat.files")
    assert gone(paths, root, [root / "W/t/N.chat"]) == ["W/t/N.chat", "W/t/N.chat.files/log/agent.chat"]


def test_a_folder_in_its_place_does_not_keep_a_file(root: Path) -> None:
    paths = known(root, "a.chat", "b.chat", "c.chat")
    for path in paths:
        Path(path).unlink()
    (root / "a.chat").mkdir()
    (root / "b.chat").symlink_to(touch(root / "elsewhere.txt"))
    os.mkfifo(root / "c.chat")
    assert gone(paths, root) == ["a.chat", "b.chat", "c.chat"]


def test_a_dangling_link_does_not_keep_what_was_removed(root: Path) -> None:
    paths = known(root, "one/a.chat", "one/b.chat", "two/c.chat", "keep.chat")
    (root / "link.chat").symlink_to("one/a.chat")
    (root / "chats").symlink_to("two")
    (root / "one/a.chat").unlink()
    shutil.rmtree(root / "two")
    assert gone(paths, root) == ["one/a.chat", "two/c.chat"]


def test_a_link_in_place_of_a_folder_does_not_keep_what_was_in_it(root: Path) -> None:
    paths = known(root, "one/a.chat", "two/a.chat")
    shutil.rmtree(root / "one")
    (root / "one").symlink_to("two")
    assert gone(paths, root) == ["one/a.chat"]
    assert not is_there(str(root / "one/a.chat"))
    assert is_there(str(root / "two/a.chat"))
