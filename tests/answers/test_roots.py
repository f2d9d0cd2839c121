"""What a person may write for a chat or a job."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from indexer import Index
from indexer.answers.errors import NotInGraph
from tests.answers.conftest import LoadTold
from tests.answers.scenes import J1, J3, L1, G
from tests.support_graph import Told


@pytest.mark.parametrize(
    ("text", "id_", "kind"),
    [
        (G, G, "chat"),
        ("g.chat", G, "chat"),
        ("g", G, "chat"),
        ("/h/chats/../chats/g.chat", G, "chat"),
        ("Flow/ask/E1.chat", J1, "job"),
        ("E1.chat", J1, "job"),
        (f"{J1}.info", J1, "job"),
        ("/another/machine/var/jobs/Review/gate/C1", J3, "job"),
        (L1, L1, "chat"),
        ("ask/E1.chat.files", L1, "chat"),
        ("REVIEW/GATE/C1.files", f"{J3}.files/log/agent.chat", "chat"),
    ],
)
def test_names(index: Index, text: str, id_: str, kind: str) -> None:
    found = index.resolve(text)
    assert (found.id, found.kind) == (id_, kind)


def test_several_are_meant(index: Index) -> None:
    with pytest.raises(NotInGraph) as caught:
        index.resolve("agent.chat")
    assert len(caught.value.candidates) == 3
    assert "names 3" in str(caught.value)
    with pytest.raises(NotInGraph) as caught:
        index.resolve("Flow/ask")
    assert J1 in caught.value.candidates


@pytest.mark.parametrize("text", ["", " ", "/", "."])
def test_nothing_is_meant(index: Index, text: str) -> None:
    with pytest.raises(NotInGraph):
        index.resolve(text)


def test_near_names_are_listed(index: Index) -> None:
    with pytest.raises(NotInGraph) as caught:
        index.resolve("Review/gate/C2")
    assert caught.value.exit_code == 4
    with pytest.raises(NotInGraph) as caught:
        index.resolve("chats/agent-7.chat")
    assert L1 in caught.value.candidates


def test_relative_paths_links_and_home(
    load: LoadTold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path(os.path.realpath(tmp_path))
    (home / "chats").mkdir()
    real = home / "chats" / "plan.chat"
    real.write_text("user: hi")
    (home / "link.chat").symlink_to(real)
    told = Told()
    told.chat(str(real))
    told.chat(str(home / "chats" / "other plan.chat"))
    index = load(told)
    monkeypatch.chdir(home)
    monkeypatch.setenv("HOME", str(home))
    for text in (
        "chats/plan.chat",
        "chats/plan",
        "plan",
        "plan.chat",
        "link.chat",
        "~/chats/plan.chat",
        "./link",
    ):
        assert index.resolve(text).id == str(real), text
    (home / "new.chat").write_text("user: hi")
    with pytest.raises(NotInGraph, match="indexer scan"):
        index.resolve("new.chat")


def test_a_path_of_chat_and_job(load: LoadTold) -> None:
    """FORMAT.md 1.6: it is a job where it has an info."""
    told = Told()
    told.chat("/h/chats/a.chat")
    told.job("/h/chats/a.chat", status="noinfo", missing=True)
    told.chat("/h/chats/b.chat", "result")
    told.job("/h/chats/b.chat", status="done")
    index = load(told)
    assert index.resolve("/h/chats/a.chat").kind == "chat"
    assert index.resolve("/h/chats/b.chat").kind == "job"
