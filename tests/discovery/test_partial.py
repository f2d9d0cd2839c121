"""Looking again at parts gives for these parts what a walk of all gives."""

import os
from pathlib import Path

import pytest

from indexer.discovery.found import Options
from indexer.discovery.linktable import LinkTable
from indexer.discovery.partial import PartialWalk, Places
from indexer.discovery.vanished import vanished
from indexer.discovery.walk import Walk, walk
from tests.support import touch


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return Path(os.path.realpath(tmp_path / "root"))


def all_of(root: Path, **options: bool) -> tuple[dict[str, str], LinkTable, Walk]:
    looking = walk([str(root)], Options(**options))
    kinds = {file.path: file.kind.value for file in looking}
    return kinds, LinkTable(looking.report.links.items()), looking


def part(root: Path, table: LinkTable, roots: set[str] | None = None, **places: object) -> dict[str, str]:
    looking = PartialWalk(Places(**places), Options(roots=tuple(roots or {str(root)})), table)  # type: ignore[arg-type]
    return {file.path: file.kind.value for file in looking}


def names(*paths: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in paths:
        found.setdefault(str(path.parent), set()).add(path.name)
    return found


JOB = "var/jobs/Flow/ask/Default.chat"
OTHER = "var/jobs/Flow/ask/Other"


def tree(root: Path) -> list[Path]:
    plain = ("a.chat", "notes.txt", "chats/x", "chats/y.json", "sub/deep/b.chat", ".hidden.chat", "z.info")
    jobs = (JOB, f"{JOB}.info", f"{JOB}.files/log/agent.chat", OTHER, f"{OTHER}.info")
    return [touch(root / name) for name in (*plain, *jobs)]


def test_every_place_alone_gives_its_part_of_all(root: Path) -> None:
    files = tree(root)
    whole, table, _ = all_of(root)
    folders = {str(folder) for folder in root.rglob("*") if folder.is_dir()} | {str(root)}
    for folder in folders:
        want = {path: kind for path, kind in whole.items() if os.path.dirname(path) == folder}
        assert part(root, table, folders={folder}) == want
        below = {path: kind for path, kind in whole.items() if path.startswith(f"{folder}/")}
        assert part(root, table, trees={folder}) == below
    for file in files:
        got = part(root, table, names=names(file))
        assert got.items() <= whole.items()
        assert (str(file) in got) == (str(file) in whole)
    # A result is looked at with its info, and the other way round: which of them is read depends on both.
    both = {str(root / OTHER), str(root / f"{OTHER}.info")}
    assert part(root, table, names=names(root / OTHER)).keys() == both
    assert part(root, table, names=names(root / f"{OTHER}.info")).keys() == both


def test_rules_of_the_folders_above_hold(root: Path) -> None:
    tree(root)
    touch(root / ".indexerignore", "deep/\n")
    touch(root / "env/pyvenv.cfg")
    touch(root / "env/lib/c.chat")
    touch(root / ".git/d.chat")
    whole, table, _ = all_of(root)
    for folder in ("sub/deep", "env/lib", ".git", "env"):
        assert part(root, table, folders={str(root / folder)}) == {}
        assert part(root, table, trees={str(root / folder)}) == {}
        assert part(root, table, names=names(root / folder / "b.chat", root / folder / "c.chat")) == {}
    assert (
        part(root, table, names=names(root / ".indexerignore")) == whole
    )  # a rule that changes concerns all below it
    assert part(root, table, names=names(Path("/elsewhere/x.chat")), trees={"/elsewhere"}) == {}


def test_links_that_stand_elsewhere_still_tell(root: Path) -> None:
    tree(root)
    touch(root / "talks/one/t")
    (root / "chats").rename(root / "say")
    (root / "chats").symlink_to("talks")
    (root / "saved.chat").symlink_to("notes.txt")
    whole, table, _ = all_of(root)
    assert whole[str(root / "talks/one/t")] == "candidate"
    assert whole[str(root / "notes.txt")] == "chat"
    assert part(root, table, folders={str(root / "talks/one")}) == {str(root / "talks/one/t"): "candidate"}
    assert part(root, table, names=names(root / "talks/one/t")) == {str(root / "talks/one/t"): "candidate"}
    assert part(root, table, trees={str(root / "talks")}) == {str(root / "talks/one/t"): "candidate"}
    assert part(root, table, trees={str(root)}) == whole
    assert part(root, table, names=names(root / "notes.txt")) == {str(root / "notes.txt"): "chat"}
    assert part(root, LinkTable(), names=names(root / "notes.txt")) == {}


def gone(root: Path, table: LinkTable, known: list[str], **places: object) -> list[str]:
    looking = PartialWalk(Places(**places), Options(roots=(str(root),)), table)  # type: ignore[arg-type]
    seen = {file.path for file in looking}
    return [os.path.relpath(path, root) for path in vanished(known, seen, looking)]


def test_only_what_was_looked_for_is_gone(root: Path) -> None:
    known = [str(path) for path in tree(root)]
    _, table, _ = all_of(root)
    for path in known:
        os.unlink(path)
    touch(root / "keep")
    assert gone(root, table, known, names=names(root / "a.chat")) == ["a.chat"]
    assert gone(root, table, known, folders={str(root / "chats")}) == ["chats/x", "chats/y.json"]
    assert gone(root, table, known, folders={str(root / "sub")}) == []
    assert gone(root, table, known, trees={str(root / "sub")}) == ["sub/deep/b.chat"]
    (root / "sub/deep").rmdir()
    (root / "sub").rmdir()
    assert gone(root, table, known, names=names(root / "sub")) == ["sub/deep/b.chat"]
    assert len(gone(root, table, known, trees={str(root)})) == len(known)


def test_an_emptied_root_proves_nothing(root: Path) -> None:
    known = [str(touch(root / "sub/a.chat"))]
    _, table, _ = all_of(root)
    os.unlink(known[0])
    (root / "sub").rmdir()
    assert gone(root, table, known, trees={str(root / "sub")}) == []
    root.rmdir()
    assert gone(root, table, known, trees={str(root / "sub")}) == []


def test_the_table_follows_the_links(root: Path) -> None:
    touch(root / "one/a.chat")
    touch(root / "two/b.chat")
    (root / "links").mkdir()
    (root / "links/l").symlink_to(root / "one")
    _, table, _ = all_of(root)
    (root / "links/l").unlink()
    (root / "links/l").symlink_to(root / "two")
    (root / "links/m").symlink_to(root / "one")
    looking = PartialWalk(Places(folders={str(root / "links")}), Options(roots=(str(root),)), table)
    assert list(looking) == []
    changes = table.update(looking.links_looked_for(table), dict(looking.report.links.items()))
    assert changes == {
        str(root / "links/l"): (str(root / "one"), str(root / "two")),
        str(root / "links/m"): (None, str(root / "one")),
    }
    assert dict(table.links.items()) == {
        str(root / "links/l"): str(root / "two"),
        str(root / "links/m"): str(root / "one"),
    }
    assert all_of(root)[1].links.spellings(str(root / "one/a.chat")) == table.links.spellings(
        str(root / "one/a.chat")
    )
