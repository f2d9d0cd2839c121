"""The case study in both layouts: every figure equals the books of the generator that wrote the files."""

from __future__ import annotations

from hashlib import sha1

import pytest

from tests.linking.books import Case
from tests.linking.trees import closure
from tests.support import materialise


@pytest.fixture(scope="module", params=["case_legacy", "case_modern"])
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(materialise(request.param, tmp_path_factory.mktemp("case")))


ROOTS = ("E", "G", "U")
BOTH = pytest.mark.parametrize("scope", ["all", "own"])


@pytest.mark.parametrize("key", ROOTS)
def test_closure_all(case: Case, key: str) -> None:
    reached, truth = case.closure(key), case.truth["roots"][key]["closure_all"]
    assert sorted(map(case.short, reached.chats)) == sorted(truth["chats"])
    assert sorted(map(case.short, reached.jobs)) == sorted(truth["jobs"])
    # Edges are distinct; the modern truth lists the logs of society chats twice, and counts them so.
    told = {(*edge[:3], tuple(edge[3])) if len(edge) > 3 else tuple(edge) for edge in truth["edge_list"]}
    assert sorted(case.edge(edge) for edge in reached.edges) == sorted(told)
    repeated = len(truth["edge_list"]) - len(told)
    counts = {name: reached.counts()[name] for name in truth["edges"]}
    assert {**counts, "log": counts["log"] + repeated} == truth["edges"]
    assert repeated == 0 or (case.truth["layout"], key) == ("modern", "G")


@pytest.mark.parametrize("key", ROOTS)
def test_closure_own(case: Case, key: str) -> None:
    own, truth = case.closure(key, own=True), case.truth["roots"][key]
    assert sorted(map(case.short, own.jobs)) == sorted(truth["own_jobs"])
    assert sorted(map(case.short, own.chats)) == sorted(truth["own_chats"])
    beyond, within = case.context(own)
    assert beyond == {(edge["from"], edge["to"]) for edge in truth["context_edges"]}
    assert within == {(edge["from"], edge["to"]) for edge in truth["inherited_own_edges"]}


@BOTH
@pytest.mark.parametrize("key", ROOTS)
def test_messages_and_calls(case: Case, key: str, scope: str) -> None:
    own, truth = scope == "own", case.truth["roots"][key]
    chats = case.closure(key, own).chats
    messages = case.figures.messages(chats, own)
    assert messages == {name: truth["messages"][scope][name] for name in messages}
    calls = case.figures.calls(chats, own)
    assert calls == {name: truth["tool_calls"][scope][name] for name in calls}


@pytest.mark.parametrize("key", ROOTS)
def test_tokens(case: Case, key: str) -> None:
    truth = case.truth["roots"][key]["tokens"]
    everything, own = case.closure(key).chats, case.closure(key, own=True).chats
    total = case.figures.tokens(everything)
    mine = case.figures.tokens(everything, own)
    assert total == truth["all"]
    assert mine == truth["own"]
    assert case.figures.tokens(everything, own, stored=True) == truth["own_stored"]
    assert {name: total[name] - mine[name] for name in total} == truth["context"]
    replayed = [
        inference.id.removeprefix("inference_id:")
        for inference in case.links.inferences.values()
        if any(item.chat in own and not item.handed for item in inference.evidence)
        and inference.payer not in own
    ]
    assert replayed == truth["replayed"]


def test_union(case: Case) -> None:
    chats, truth = set(case.tree.chats), case.truth["union"]
    assert len(chats) == truth["chats"]
    messages, calls = case.figures.messages(chats, False), case.figures.calls(chats, False)
    assert messages == {name: truth["messages"][name] for name in messages}
    assert calls == {name: truth["tool_calls"][name] for name in calls}
    assert case.figures.tokens(chats) == truth["tokens"]


def test_diff(case: Case) -> None:
    truth = case.truth["diff"]
    a, b = (closure(case.links, ("chat", case.path(truth[side]))) for side in "ab")
    for name, chats, jobs in (
        ("only_in_a", a.chats - b.chats, a.jobs - b.jobs),
        ("only_in_b", b.chats - a.chats, b.jobs - a.jobs),
        ("in_both", a.chats & b.chats, a.jobs & b.jobs),
    ):
        assert sorted(map(case.short, chats)) == sorted(truth[name]["chats"])
        assert sorted(map(case.short, jobs)) == sorted(truth[name]["jobs"])
    in_a, in_b = (case.figures.requests(one.chats) for one in (a, b))
    assert case.figures.sum(in_a - in_b) == truth["only_in_a"]["tokens"]
    assert case.figures.sum(in_b - in_a) == truth["only_in_b"]["tokens"]
    assert case.figures.sum(in_a & in_b) == truth["in_both"]["tokens"]


def test_inlined_blocks(case: Case) -> None:
    found = {
        (case.short(chat), block.marker, block.last, case.short(block.job))
        for chat, links in case.links.chats.items()
        for block in links.blocks
    }
    truth = case.truth["inlined"]
    assert found == {(block["host"], block["first"], block["last"], block["job"]) for block in truth}
    for chat, links in case.links.chats.items():
        for block in links.blocks:
            records = case.tree.records[chat][block.marker : block.last + 1]
            assert block.bytes == sum(record.bytes for record in records)


def test_inherited_spans(case: Case) -> None:
    """Exactly the truth's spans, but for those of jobs that a receipt launched.

    Their prompt stands nowhere else, so nothing tells that it was handed; it is a message of the log as
    well.
    """
    found = {case.short(chat): links.handed_last for chat, links in case.links.chats.items()}
    spans = {span["host"]: span["last"] for span in case.truth["inherited"]}
    prompts = {host for host in spans if case.launched(host)}
    assert {host: last for host, last in found.items() if last >= 0} == {
        host: last for host, last in spans.items() if host not in prompts
    }
    for host in prompts:
        assert case.links.chats[case.path(host)].copies.get(spans[host]) is None


def test_instructions(case: Case) -> None:
    truth = case.truth["instructions"]
    versions: dict[tuple[str, int], set[str]] = {}
    for told in truth:
        links = case.links.chats[case.path(told["chat"])]
        first = next(r for r in case.tree.records[case.path(told["chat"])] if r.role == "system")
        assert sha1(first.content.replace("\r\n", "\n").encode()).hexdigest() == told["instructions_sha1"]
        assert links.instructions is not None
        assert links.instructions.text_key == told["instructions_sha1"]
        assert links.agent == links.instructions.agent == told["agent"]
        versions.setdefault((told["agent"], told["version"]), set()).add(links.instructions.digest)
    assert all(len(digests) == 1 for digests in versions.values())
    assert len(set.union(*versions.values())) == len(versions)
    silent = set(case.links.chats) - {case.path(told["chat"]) for told in truth}
    assert not [chat for chat in silent if case.links.chats[chat].instructions]


def test_conversations(case: Case) -> None:
    roots = {case.path(root): key for key, root in case.truth["conversations"].items()}
    for chat, told in case.truth["chats"].items():
        conversation = case.links.chats[case.path(chat)].conversation
        assert conversation is not None
        assert roots[conversation] == told["conversation"]


def test_composition_and_missing_jobs(case: Case) -> None:
    for key in ROOTS:
        truth = case.truth["roots"][key]
        composed = case.links.chats[case.path(truth["root"])].composed
        assert [
            {"index": index, "reference": ref, "chat": case.short(one.chat)}
            for one in composed
            for index, ref in zip(one.indexes, one.refs, strict=True)
        ] == truth["imports"]
        dangling = {job for job in case.closure(key).jobs if case.links.jobs[job].missing}
        assert sorted(map(case.short, dangling)) == sorted(truth["dangling_jobs"])


def test_nothing_else_differs(case: Case) -> None:
    assert case.differences() == []
