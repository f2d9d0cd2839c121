"""References to chats: vectors/find_file.json with better answers, and missing targets."""

import json
import os
from pathlib import Path

import pytest

from indexer.discovery.environment import Environment, Index
from indexer.discovery.references import resolve_chat
from tests.support import touch

VECTOR = json.loads((Path(__file__).parents[1] / "vectors/find_file.json").read_text())["find_file"]

LAYOUT = [
    "cwd/dir/main",
    "cwd/dir/sib",
    "cwd/sib",
    "cwd/rootonly",
    "cwd/chats/inchats",
    "home/.scout/chats/userchat",
    "home/.scout/chats/withext.chat",
]

#: (path, missing) where the reference finds nothing, or finds a folder.
BETTER = {
    ("withext", True): ("home/.scout/chats/withext.chat", False),
    ("nope", True): ("cwd/dir/nope", True),
    ("dir", True): ("cwd/dir/dir", True),
    ("~/.scout/chats/userchat", True): ("home/.scout/chats/userchat", False),
}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path))
    for name in LAYOUT:
        touch(root / name)
    return root


@pytest.fixture
def env(base: Path) -> Environment:
    return Environment(f"{base}/cwd", f"{base}/home")


@pytest.mark.parametrize("case", VECTOR, ids=lambda case: f"{case['file']} from {case['original']}")
def test_recorded_lookups(case: dict[str, str | None], base: Path, env: Environment) -> None:
    file, original = str(case["file"]), case["original"]
    referring = original.replace("{BASE}", str(base)) if original else None
    found = resolve_chat(file.replace("{BASE}", str(base)), referring, env)
    if file.startswith("http"):
        assert found is None
        return
    wanted = BETTER.get((file, original is not None))
    if wanted is None:
        recorded = case["found_found"] or case["found"]
        assert recorded is not None
        path = recorded.replace("{BASE}", str(base))
        wanted = (os.path.relpath(os.path.join(base, "cwd", path), base), False)
    assert found is not None
    assert (found.path, found.missing) == (f"{base}/{wanted[0]}", wanted[1])


def test_chat_is_added_only_as_a_last_resort(base: Path, env: Environment) -> None:
    touch(base / "cwd/dir/rootonly.chat")
    found = resolve_chat("rootonly", f"{base}/cwd/dir/main", env)
    assert found is not None
    assert found.path == f"{base}/cwd/rootonly"
    (base / "cwd/rootonly").unlink()
    found = resolve_chat("rootonly", f"{base}/cwd/dir/main", Environment(env.cwd, env.home))
    assert found is not None
    assert (found.path, found.how) == (f"{base}/cwd/dir/rootonly.chat", "suffix")


def test_a_target_that_was_indexed_and_is_gone_is_still_that_chat(base: Path, env: Environment) -> None:
    env.index = Index(chats=[f"{base}/cwd/chats/old"])
    found = resolve_chat("old", f"{base}/cwd/dir/main", env)
    assert found is not None
    assert (found.path, found.missing) == (f"{base}/cwd/chats/old", False)


def test_a_missing_target_stands_beside_the_chat_that_names_it(base: Path, env: Environment) -> None:
    for reference in ("../other/missing_one", "./../other//missing_one"):
        found = resolve_chat(reference, f"{base}/cwd/dir/main", env)
        assert found is not None
        assert (found.path, found.missing) == (f"{base}/cwd/other/missing_one", True)


def test_links_lead_to_the_real_chat(base: Path, env: Environment) -> None:
    (base / "cwd/dir/link.chat").symlink_to("../sib")
    found = resolve_chat("link.chat", f"{base}/cwd/dir/main", env)
    assert found is not None
    assert found.path == f"{base}/cwd/sib"


@pytest.mark.parametrize("reference", ["", "  ", "/", "~", "..", "./"])
def test_nothing_named(reference: str, env: Environment) -> None:
    found = resolve_chat(reference, "/a/b", env)
    assert found is not None
    assert (found.path, found.how) == ("", "empty")


@pytest.mark.parametrize("reference", ["a\0b", "x" * 5000, "\ud800", "x\ny"])
def test_total(reference: str, env: Environment) -> None:
    found = resolve_chat(reference, "/a/b", env)
    assert found is not None
    assert found.missing
    found.path.encode("utf-8")
