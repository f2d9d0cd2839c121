"""The figures that `examples/README.md` names are those of the files beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.linking.trees import Figures, Tree, closure, read_tree

EXAMPLES = Path(__file__).parents[2] / "examples"
README = (EXAMPLES / "README.md").read_text()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The examples, read from a folder that has nothing to do with them."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    return read_tree(EXAMPLES, cwd=elsewhere, home=elsewhere)


def _told(command: str) -> list[int]:
    """The numbers that the README tells beside a command."""
    line = next(line for line in README.splitlines() if re.match(rf" +indexer {command} +#", line))
    return [int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", line.partition("#")[2])]


@pytest.mark.parametrize("own", [False, True])
def test_scopes(tree: Tree, own: bool) -> None:
    links = tree.link()
    figures = Figures(tree, links)
    root = ("chat", f"{EXAMPLES}/chats/analysis.chat")
    reached, full = closure(links, root, own), closure(links, root)
    calls = figures.calls(reached.chats, own)
    tokens = figures.tokens(full.chats, reached.chats) if own else figures.tokens(full.chats)
    counted = [len(reached.chats), len(reached.jobs), calls["raw"], tokens["tt"]]
    assert counted == _told("scope examples/chats/analysis.chat" + (" --job-refs own" if own else ""))
    if own:
        context = [(relation, Path(job).relative_to(EXAMPLES)) for relation, _, job in reached.context]
        assert context == [("job", Path("var/jobs/Library/review/mulch.chat"))]
    else:
        messages = figures.messages(reached.chats, own)
        assert [calls["raw"], calls["unique"], messages["raw"], messages["unique_by_origin"]] == _told(
            "dedup examples/chats/analysis.chat"
        )


def test_nothing_is_missing_and_the_librarian_changed(tree: Tree) -> None:
    links = tree.link()
    assert not list(links.problems)
    assert not [job for job, linked in links.jobs.items() if linked.missing]
    versions = {
        chat.instructions.digest
        for chat in links.chats.values()
        if chat.instructions is not None and chat.instructions.agent == "Librarian"
    }
    assert len(versions) == 2


def test_no_path_of_this_machine() -> None:
    for path in EXAMPLES.rglob("*"):
        if path.is_file():
            text = path.read_text()
            assert str(EXAMPLES) not in text
            assert not re.search(r"/(?:home|Users|root)/(?!ada/garden)", text)
