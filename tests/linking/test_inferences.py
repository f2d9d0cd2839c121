"""Paid requests: identity, canonical evidence, conflicts, and who paid (DESIGN: Tokens)."""

from __future__ import annotations

import pytest

from indexer.linking.inferences import identities
from indexer.linking.records import InferenceLinks
from tests.linking.scenes import LONG, Scene, assistant, call, marker, meta, output, path, user


def _request(scene: Scene, name: str, kind: str = "inference_id") -> InferenceLinks:
    return scene.links.inferences[f"{kind}:{name}"]


def _places(request: InferenceLinks) -> list[str]:
    return [item.address for item in request.evidence]


def test_identity_by_what_there_is() -> None:
    scene = Scene()
    root = scene.chat(
        "root", user("q"), meta("i1", provider_response_id="p1"), meta(provider_response_id="p2"), meta(tt=7),
        call("c1", "ask"), output("c1", receipt=["pt=1 ct=1 tt=2", "pt=1 ct=1 tt=2 inference_id=i3"]),
    )  # fmt: skip
    scene.link()
    found = {request.identity: request for request in scene.links.inferences.values()}
    assert set(found) == {"inference_id", "provider_response_id", "lineage", "receipt"}
    assert _places(_request(scene, "i1")) == [f"{root}#2"]
    assert _request(scene, f"{root}#6/agent_meta/0", "receipt").tokens == (1, 1, 2, 0, 0, 0)
    assert _places(_request(scene, "i3")) == [f"{root}#6/agent_meta/1"]
    assert identities(scene.chats[root]) == set(scene.links.inferences) - {f"receipt:{root}#6/agent_meta/0"}


def test_a_meta_without_tokens_or_with_a_job_is_no_request() -> None:
    scene = Scene()
    scene.chat(
        "root", ("meta", "inference_id=i1 timestamp=2026-09-01T10:00:00.000Z"), ("meta", "tt=5 job=a/b/c")
    )
    scene.link()
    assert scene.links.inferences == {}


def test_the_lineage_joins_copies_of_the_oldest_metas() -> None:
    scene = Scene()
    for name in ("one", "two"):
        scene.chat(name, user("q"), meta(tt=7), assistant("a"))
    scene.chat("three", user("r"), meta(tt=7), assistant("a"))
    scene.link()
    assert sorted(len(request.evidence) for request in scene.links.inferences.values()) == [1, 2]


def test_chat_evidence_comes_first_then_the_order_of_originals() -> None:
    scene = Scene()
    scene.job("x", issued="10:00", end="11:00")
    work = (meta("i1", tt=5, total=5), assistant(LONG))
    scene.chat("=x", marker("x"), *work)
    scene.chat("x/log/agent", user("p"), *work)
    scene.chat("root", user("q"), marker("x"), *work)
    scene.chat("a", user("q"), call("c1", "ask"), output("c1", receipt=["pt=4 ct=1 tt=5 inference_id=i1"]))
    scene.link()
    request = _request(scene, "i1")
    log, result, root, receipt = path("x/log/agent"), path("=x"), path("root"), path("a")
    assert _places(request) == [f"{log}#2", f"{result}#2", f"{root}#3", f"{receipt}#3/agent_meta/0"]
    assert [item.source for item in request.evidence] == ["chat_meta"] * 3 + ["receipt"]
    assert request.payer == log


@pytest.mark.parametrize(
    ("mine", "theirs", "conflict", "incomplete"),
    [
        ("pt=1 ct=1 tt=2", "pt=1 ct=1 tt=2", False, False),
        ("pt=1 ct=1 tt=2", "pt=2 ct=1 tt=2", True, False),
        ("pt=1 ct=1 tt=2", "pt=1 tt=2", True, False),  # a missing count is 0
        ("pt=1 ct=1 tt=2 cct=1 rt=1", "pt=1 ct=1 tt=2", False, False),
        ("tt=2 provider_response_id=p", "tt=2 provider_response_id=q", True, False),
        ("tt=2 provider_response_id=p", "tt=2", False, True),
        ("tt=2", "tt=2 provider_response_id=p", False, True),
    ],
)
def test_conflict_and_incomplete_evidence(mine: str, theirs: str, conflict: bool, incomplete: bool) -> None:
    scene = Scene()
    for name, line in (("one", mine), ("two", theirs)):
        scene.chat(name, user(name), ("meta", f"{line} inference_id=i1"))
    request = _request(scene.link(), "i1")
    assert (request.conflict, request.incomplete) == (conflict, incomplete)


def test_who_paid_is_where_the_running_total_continues() -> None:
    """The replay sorts first and is older by its start; its chat's total does not go on with it."""
    scene = Scene()
    scene.chat(
        "replaying", user("q"), meta("i0", tt=3, total=3, at="06:00"), meta("i2", tt=5, total=15, at="10:01")
    )
    scene.chat(
        "paying", user("q"), meta("i1", tt=10, total=10, at="10:00"), meta("i2", tt=5, total=15, at="10:01")
    )
    request = _request(scene.link(), "i2")
    assert request.payer == path("paying")
    assert {item.chat: item.paid for item in request.evidence} == {
        path("paying"): True,
        path("replaying"): False,
    }


def test_the_first_request_of_a_chat_continues_from_nothing() -> None:
    """Replayed later in a chat that had paid before."""
    scene = Scene()
    scene.chat("a", user("q"), meta("i0", tt=3, total=3, at="06:00"), meta("i1", tt=5, total=5, at="10:00"))
    scene.chat("b", user("q"), meta("i1", tt=5, total=5, at="10:00"))
    assert _request(scene.link(), "i1").payer == path("b")


def test_without_totals_the_first_by_the_order_of_originals_paid() -> None:
    scene = Scene()
    scene.chat("a", user("q"), meta("i0", at="10:00"), meta("i1", at="09:30"))
    scene.chat("b", user("q"), meta("i9", at="09:00"), meta("i1", at="09:30"))
    request = _request(scene.link(), "i1")
    assert request.payer == path("b")
    assert [item.paid for item in request.evidence] == [True, False]


def test_a_replayed_answer_stays_with_who_paid_when_only_copies_of_that_are_left() -> None:
    """The root that paid is gone; a log still holds what it was handed."""
    scene = Scene()
    scene.job("x", issued="12:00")
    history = (
        user("p"),
        meta("i1", tt=10, total=10, at="10:00"),
        meta("i2", tt=5, total=15, at="10:01"),
        assistant("a"),
    )
    scene.chat("x/log/agent", *history, user("now"), meta("i3", tt=4, total=4, at="12:00"))
    scene.chat(
        "replaying", user("q"), meta("i8", tt=9, total=9, at="13:00"), meta("i2", tt=5, total=15, at="10:01")
    )
    scene.link()
    request = _request(scene, "i2")
    assert request.payer == path("x/log/agent")
    assert not any(item.paid for item in request.evidence), "neither the log's own nor the replaying chat's"


def test_evidence_in_handed_history_is_marked_and_paid_by_no_log() -> None:
    scene = Scene()
    history = (user(LONG), meta("i1", tt=10, total=10), assistant("a"))
    scene.chat("root", *history, user(LONG + "2"), marker("x"), assistant("b"))
    scene.chat("x/log/agent", *history, user(LONG + "2"), meta("i2", tt=4, total=4), assistant("b"))
    scene.link()
    request = _request(scene, "i1")
    assert [(item.chat, item.handed, item.paid) for item in request.evidence] == [
        (path("root"), False, True),
        (path("x/log/agent"), True, False),
    ]
    assert _request(scene, "i2").evidence[0].paid, "the log's own total begins anew after what it was handed"


def test_the_metas_of_a_block_are_paid_by_its_job() -> None:
    """In newer layouts an answer brings its metas along."""
    scene = Scene()
    scene.job("x")
    work = (meta("i1", tt=5, total=5), call("c1"), output("c1"), meta("i2", tt=6, total=11), assistant("a"))
    scene.chat("=x", marker("x"), *work)
    scene.chat("x/log/agent", user("p"), *work)
    scene.chat(
        "root", user("q"), meta("i0", tt=1, total=1), marker("x"), *work, user("r"), meta("i3", tt=2, total=3)
    )
    scene.link()
    for name in ("i1", "i2"):
        request = _request(scene, name)
        assert request.payer == path("x/log/agent")
        assert {item.chat for item in request.evidence if item.paid} == {path("x/log/agent"), path("=x")}
    assert _request(scene, "i3").evidence[0].paid, "the root's own total goes on across the block"


def test_of_a_chat_and_its_backup_both_paid() -> None:
    """Whatever their names: no own scope loses what it paid for."""
    scene = Scene()
    for name in ("a_backup", "root"):
        scene.chat(name, user("q"), meta("i1", tt=5, total=5), meta("i2", tt=5, total=10))
    scene.link()
    assert all(item.paid for name in ("i1", "i2") for item in _request(scene, name).evidence)


def test_a_lost_jobs_requests_are_paid_where_they_are_left() -> None:
    scene = Scene()
    scene.chat("root", user("q"), marker("x"), meta("i1", tt=5, total=5), assistant("a"))
    request = _request(scene.link(), "i1")
    assert request.payer == path("root")
    assert request.evidence[0].paid


def test_unrelated_chats_share_the_request_all_the_same() -> None:
    scene = Scene()
    for name in ("one", "two"):
        scene.chat(name, user(name), meta("i1"))
    assert len(_request(scene.link(), "i1").evidence) == 2
