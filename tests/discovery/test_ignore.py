import os
from pathlib import Path

import pytest

from indexer.discovery.ignore import IgnoreRules
from indexer.discovery.walk import walk
from tests.support import touch


def found(*roots: Path) -> list[str]:
    base = roots[0]
    return sorted(os.path.relpath(file.path, base) for file in walk([str(root) for root in roots]))


def test_patterns_of_gitignore(tmp_path: Path) -> None:
    touch(
        tmp_path / ".indexerignore",
        "# drafts\n*.draft.chat\n/only_here/\n!keep.draft.chat\ndeep/**/z.chat\r\n",
    )
    for name in (
        "a.chat",
        "a.draft.chat",
        "sub/keep.draft.chat",
        "only_here/a.chat",
        "sub/only_here/a.chat",
        "deep/1/2/z.chat",
        "deep/1/2/y.chat",
    ):
        touch(tmp_path / name)
    assert found(tmp_path) == ["a.chat", "deep/1/2/y.chat", "sub/keep.draft.chat", "sub/only_here/a.chat"]


def test_deeper_files_have_the_last_word(tmp_path: Path) -> None:
    touch(tmp_path / ".indexerignore", "*.chat\n")
    touch(tmp_path / "sub/.indexerignore", "!mine.chat\n")
    for name in ("a.chat", "sub/a.chat", "sub/mine.chat", "sub/deep/mine.chat"):
        touch(tmp_path / name)
    assert found(tmp_path) == ["sub/deep/mine.chat", "sub/mine.chat"]


def test_built_in_rules_can_be_undone(tmp_path: Path) -> None:
    touch(tmp_path / ".indexerignore", "!node_modules/\n!.hidden.chat\n!venv/\n")
    for name in ("node_modules/a.chat", ".hidden.chat", "venv/pyvenv.cfg", "venv/a.chat", ".git/a.chat"):
        touch(tmp_path / name)
    assert found(tmp_path) == [".hidden.chat", "node_modules/a.chat", "venv/a.chat"]


def test_a_folder_left_out_takes_all_with_it(tmp_path: Path) -> None:
    touch(tmp_path / ".indexerignore", "out/\n!out/a.chat\n")
    touch(tmp_path / "out/a.chat")
    touch(tmp_path / "out/.indexerignore", "!a.chat\n")
    assert found(tmp_path) == []


def test_a_root_named_is_walked_whatever_is_above_it(tmp_path: Path) -> None:
    touch(tmp_path / ".indexerignore", "sub/\n")
    touch(tmp_path / "sub/a.chat")
    touch(tmp_path / "node_modules/b.chat")
    assert found(tmp_path / "sub") == ["a.chat"]
    assert found(tmp_path, tmp_path / "sub", tmp_path / "node_modules") == [
        "node_modules/b.chat",
        "sub/a.chat",
    ]


def test_lines_that_are_no_patterns_are_told_and_the_others_hold(tmp_path: Path) -> None:
    touch(tmp_path / ".indexerignore", "[z-a]\n!\n*.x.chat\n")
    touch(tmp_path / "a.x.chat")
    touch(tmp_path / "a.chat")
    walked = walk([str(tmp_path)])
    assert [os.path.basename(file.path) for file in walked] == ["a.chat"]
    ((path, kind),) = walked.report.problems
    assert (os.path.basename(path), kind) == (".indexerignore", "bad_ignore_line")


def test_an_ignore_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / ".indexerignore").mkdir()
    touch(tmp_path / "a.chat")
    walked = walk([str(tmp_path)])
    assert [os.path.basename(file.path) for file in walked] == ["a.chat"]
    assert [kind for _, kind in walked.report.problems] == ["unreadable_ignore_file"]


def test_an_ignore_file_that_is_a_fifo_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".indexerignore")
    touch(tmp_path / "a.chat")
    assert found(tmp_path) == ["a.chat"]


@pytest.mark.parametrize(
    ("path", "folder", "said"), [("/r/a.x", False, True), ("/r/k.x", False, False), ("/r/b", True, None)]
)
def test_verdicts(path: str, folder: bool, said: bool | None) -> None:
    rules, bad = IgnoreRules().below("/r", ["*.x", "!k.x"])
    assert bad == []
    assert rules.verdict(path, folder) is said
