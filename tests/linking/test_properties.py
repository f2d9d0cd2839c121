"""What holds whatever the chats are: no order shows, nothing unrelated shows, copies are stars."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.linking.facts import ChatFacts, JobFacts
from indexer.linking.records import Links
from tests.linking.scenes import LONG, Said, Scene, assistant, call, marker, meta, output, user
from tests.linking.trees import Tree, read_tree
from tests.support import materialise


def _said(links: Links) -> tuple[dict[str, str], ...]:
    return (
        {id: one.digest() for id, one in links.chats.items()},
        {id: one.digest() for id, one in links.jobs.items()},
        {id: one.digest() for id, one in links.inferences.items()},
        {f"{p.kind}{p.id}{p.problem.index}": p.problem.detail for p in links.problems},
    )


@pytest.fixture(scope="module", params=["case_legacy", "case_modern", "provenance"])
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tree:
    root: Path = materialise(request.param, tmp_path_factory.mktemp("tree"))
    home = root / "home" if (root / "home").exists() else root
    return read_tree(root, cwd=home, home=home)


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_files_does_not_show(tree: Tree, seed: int) -> None:
    expected = _said(tree.link())
    chats, jobs = list(tree.chats.items()), list(tree.jobs.items())
    chance = random.Random(seed)
    chance.shuffle(chats)
    chance.shuffle(jobs)
    fresh = {name: ChatFacts.from_bytes(facts.to_bytes()) for name, facts in chats}
    assert _said(Tree(tree.environment, fresh, dict(jobs)).link()) == expected


def test_caches_do_not_show(tree: Tree) -> None:
    assert _said(tree.link()) == _said(tree.link())


_SAYINGS: list[Said] = [
    user("ok"),
    user("continue"),
    user(LONG),
    user(LONG + "2"),
    assistant("ok"),
    assistant(LONG),
    assistant("No answer yet"),
    marker("x"),
    marker("y"),
    marker("z"),
    meta("i1", tt=5, total=5),
    meta("i2", tt=5, total=10, at="10:30"),
    meta(tt=4),
    meta("i3", at="09:00"),
    call("c1"),
    output("c1"),
    call("c2"),
    ("import", "root"),
    ("continue", "two"),
    output("c2", receipt=["job=Flow/task/y.chat", "pt=1 tt=1 inference_id=i1"], at="10:10"),
]
_CHATS = st.lists(st.sampled_from(_SAYINGS), max_size=12)
_NAMES = ("root", "two", "x/log/agent", "=x", "y/log/agent", "=y", "x/log/society/A/b")
_SCENES = st.fixed_dictionaries(
    {
        "chats": st.dictionaries(st.sampled_from(_NAMES), _CHATS, min_size=1),
        "times": st.booleans(),
        "needs": st.booleans(),
    }
)


def _scene(told: dict[str, object]) -> Scene:
    scene = Scene()
    if told["times"]:
        scene.job("x", issued="10:00", end="11:00", needs=["y"] if told["needs"] else [])
        scene.job("y", issued="09:00", end="10:00", needs=["x"] if told["needs"] else [])
    for name, said in told["chats"].items():  # type: ignore[attr-defined]
        scene.chat(name, *said)
    return scene


@settings(max_examples=150, deadline=None)
@given(_SCENES, st.randoms(use_true_random=False))
def test_any_chats(told: dict[str, object], chance: random.Random) -> None:
    scene = _scene(told).link()
    expected = _said(scene.links)
    # In another order.
    chats, jobs = list(scene.chats.items()), list(scene.jobs.items())
    chance.shuffle(chats)
    chance.shuffle(jobs)
    shuffled = Scene(
        {name: ChatFacts.from_bytes(facts.to_bytes()) for name, facts in chats}, dict(jobs)
    ).link()
    assert _said(shuffled.links) == expected
    # With something unrelated beside it.
    other = _unrelated()
    beside = Scene({**scene.chats, **other.chats}, {**scene.jobs, **other.jobs}).link()
    told_beside = _said(beside.links)
    for mine, theirs in zip(expected, told_beside, strict=True):
        assert {name: theirs[name] for name in mine} == mine
    _holds(scene)


def _unrelated() -> Scene:
    """Another conversation with the same words, other jobs and other requests."""
    scene = Scene()
    scene.chat(
        "a_other",
        user(LONG),
        marker("q"),
        assistant(LONG),
        call("c1"),
        output("c1"),
        user("ok"),
        assistant("ok"),
    )
    scene.chat("q/log/agent", user(LONG), meta("j1", tt=5, total=5), assistant(LONG))
    return scene


def _holds(scene: Scene) -> None:
    """What is true of any outcome."""
    for where, links in scene.links.chats.items():
        facts = scene.chats[where]
        assert len(links.origins) == len(facts)
        assert links.handed_last == -1 or facts.kind == "log"
        assert links.originals == sum(not flag & 32 for flag in facts.flags) - len(links.copies)
        ends = -1
        for block in links.blocks:
            assert ends < block.marker < block.last < len(facts)
            ends = block.last
        for index, address in links.copies.items():
            chat, _, at = address.rpartition("#")
            assert int(at) not in scene.links.chats[chat].copies
            assert (chat, int(at)) != (where, index)
        for reference in links.references:
            assert len(reference.addresses) == len(reference.refs) == len(set(reference.addresses))
    for request in scene.links.inferences.values():
        assert request.payer in {item.chat for item in request.evidence}
        sources = [item.source for item in request.evidence]
        assert sources == sorted(sources)


def test_a_component_may_be_linked_alone(tree: Tree) -> None:
    """Given all chats that share its paid requests, a component comes out the same without the others."""
    whole = tree.link()
    jobs: dict[str, JobFacts] = {}
    chats: dict[str, ChatFacts] = {}
    start = next(name for name in sorted(tree.chats) if tree.chats[name].kind == "root")
    todo = {("chat", start)}
    seen: set[tuple[str, str]] = set()
    while todo:
        kind, name = node = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        if kind == "chat" and name in tree.chats:
            chats[name] = replace(tree.chats[name], cache={})
            todo |= _around_chat(whole, tree, name)
        elif kind == "job":
            if name in tree.jobs:
                jobs[name] = tree.jobs[name]
            todo |= _around_job(whole, name)
    alone = Tree(tree.environment, chats, jobs).link()
    assert 1 < len(chats) < len(tree.chats) or len(chats) in (1, len(tree.chats))
    for mine, all_of_it in zip(_said(alone), _said(whole), strict=True):
        assert {name: all_of_it.get(name) for name in mine} == mine


def _around_chat(links: Links, tree: Tree, name: str) -> set[tuple[str, str]]:
    chat = links.chats[name]
    found = {("job", reference.job) for reference in chat.references}
    found |= {("job", job) for job in chat.receipts.values()}
    found |= {("chat", one.chat) for one in chat.composed}
    found |= {
        ("chat", other) for other, its in links.chats.items() if any(one.chat == name for one in its.composed)
    }
    found |= {("job" if owner.is_job else "chat", owner.id) for owner in tree.chats[name].owners}
    found |= {("chat", sidecar) for sidecar in chat.sidecars}
    if tree.chats[name].kind == "result":
        found.add(("job", name))
    for request in links.inferences.values():
        places = {item.chat for item in request.evidence}
        if name in places:
            found |= {("chat", place) for place in places}
    return found


def _around_job(links: Links, name: str) -> set[tuple[str, str]]:
    job = links.jobs[name]
    found = {("job", other) for other, _ in job.dependencies} | {("chat", log) for log in job.logs}
    found |= {("job", other.id) for other in links.jobs.values() if name in dict(other.dependencies)}
    found |= {
        ("chat", chat.id) for chat in links.chats.values() if any(one.job == name for one in chat.references)
    }
    return found | ({("chat", job.result)} if job.result else set()) | {("chat", name)}
