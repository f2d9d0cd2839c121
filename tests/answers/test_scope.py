from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from indexer import Index
from indexer.answers.errors import BadQuestion
from tests.answers.conftest import LoadTold
from tests.answers.scenes import J1, J2, J3, L1, L2, L3, G, cycle, lattice
from tests.support_graph import Told


def test_all(index: Index) -> None:
    assert index.scope(G).to_json() == {
        "root": G,
        "job_refs": "all",
        "follow": ["job", "agent_job", "dependency", "log", "result"],
        "chats": sorted([G, J1, L1, J2, L2, L3]),
        "jobs": sorted([J1, J2, J3]),
        "edges": {"job": 3, "dependency": 0, "log": 3, "result": 2, "agent_job": 1, "context": 1},
        "context": [
            {
                "from": L2,
                "to": J1,
                "relation": "job",
                "basis": "inherited",
                "address": f"{L2}#2",
                "target_in_scope": True,
            }
        ],
        "totals": {
            "chats": 6,
            "jobs": 3,
            "messages": 30,
            # E's question stands here as two copies of an original outside; it counts once.
            "unique_messages": 17,
            "tool_calls": 2,
            "unique_tool_calls": 2,
            "bytes": index.scope(G).totals.bytes,
            "unique_bytes": index.scope(G).totals.unique_bytes,
            "requests": 5,
            "tokens": {"pt": 1650, "ct": 165, "tt": 1815, "cct": 0, "cwt": 0, "rt": 0},
        },
        "context_total": 1,
        "page": 1,
        "per_page": 1000,
    }


def test_own(index: Index) -> None:
    own = index.scope(G, job_refs="own")
    assert own.chats == sorted([G, J2, L2, L3])
    assert own.jobs == sorted([J2, J3])
    assert own.edges.model_dump() == {
        "job": 2, "dependency": 0, "log": 2, "result": 1, "agent_job": 1, "context": 1,
    }  # fmt: skip
    assert [(c.to, c.target_in_scope) for c in own.context] == [(J1, False)]
    assert own.totals.messages == 20
    assert own.totals.unique_messages == 10
    assert own.totals.requests == 3
    assert own.totals.tokens.tt == 1485


def test_bytes_count_each_original_once_at_its_longest(load: LoadTold) -> None:
    told = Told()
    a, b = told.chat("/h/chats/a.chat"), told.chat("/h/var/jobs/F/t/J.files/log/agent.chat", "log")
    job = told.job("/h/var/jobs/F/t/J")
    told.log(job, b)
    told.works(a, job)
    told.first(a)
    outside = told.chat("/h/chats/outside.chat")
    away = told.say(outside, "user", "w" * 70)
    original = told.say(a, "user", "x" * 100)
    told.say(b, "user", "x" * 100 + "  ", copy_of=original, norm_bytes=104, origin="inlined")
    told.say(b, "user", "w" * 60, copy_of=away, norm_bytes=60, origin="inlined")
    told.say(b, "user", "w" * 65, copy_of=away, norm_bytes=65, origin="inherited")
    index = load(told)
    totals = index.scope(a).totals
    assert (totals.messages, totals.unique_messages) == (5, 2)
    assert (totals.bytes, totals.unique_bytes) == (100 + 102 + 60 + 65, 104 + 65)
    own = index.scope(a, job_refs="own").totals
    assert (own.unique_messages, own.unique_bytes) == (2, 104 + 60)


@pytest.mark.parametrize(
    ("follow", "chats", "jobs"),
    [
        (["job"], [G], [J2]),
        (["job", "log"], [G, L1, L2], [J1, J2]),
        (["job", "log", "agent_job"], [G, L1, L2, L3], [J1, J2, J3]),
        (["result"], [G], []),
    ],
)
def test_follow(index: Index, follow: list[str], chats: list[str], jobs: list[str]) -> None:
    found = index.scope(G, follow=follow)
    assert (found.chats, found.jobs) == (sorted(chats), sorted(jobs))
    assert set(found.follow) == set(follow)
    assert sum(found.edges.model_dump().values()) == index.edges(G, follow=follow).total


def test_root_only(index: Index) -> None:
    found = index.scope(G, root_only=True)
    assert (found.chats, found.jobs, found.follow) == ([G], [], [])
    assert found.totals.messages == 4


def test_a_path_that_is_chat_and_job_starts_at_the_job(index: Index) -> None:
    assert index.resolve(J1).kind == "job"
    found = index.scope(J1)
    assert (found.chats, found.jobs) == (sorted([J1, L1]), [J1])


def test_cycles_end(load: LoadTold) -> None:
    told, root = cycle()
    found = load(told).scope(root)
    assert (found.totals.chats, found.totals.jobs) == (1, 2)
    assert found.edges.model_dump() == {
        "job": 2, "dependency": 2, "log": 0, "result": 1, "agent_job": 0, "context": 0,
    }  # fmt: skip


def test_a_lattice_takes_no_time(load: LoadTold) -> None:
    told, root = lattice(40)
    found = load(told)
    scope = found.scope(root)
    path = found.why(root, "Flow/step/39-a").path
    assert scope.totals.jobs == 81
    assert scope.edges.dependency == 2 + 39 * 4
    assert len(path) == 81


def test_a_long_path_comes_in_pages(load: LoadTold) -> None:
    told = Told()
    jobs = [told.job(f"/h/var/jobs/Flow/step/{number:04}") for number in range(1001)]
    for job, dependency in pairwise(jobs):
        told.depends(job, dependency)
    index = load(told)
    whole = index.why(jobs[0], jobs[-1], per_page=1_000)
    assert (len(whole.path), whole.total) == (2001, None)
    first = index.why(jobs[0], jobs[-1])
    assert first.total == 1000
    assert first.per_page is not None
    pages = [index.why(jobs[0], jobs[-1], page=page) for page in range(1, 1000 // first.per_page + 2)]
    joined = [pages[0].path[0], *(step for page in pages for step in page.path[1:])]
    assert joined == whole.path
    past = index.why(jobs[0], jobs[-1], page=99)
    assert (past.path, past.reached, past.total) == ([], True, 1000)


def test_pages_of_a_huge_closure(load: LoadTold) -> None:
    told = Told()
    root = told.chat("/h/chats/root.chat")
    for number in range(1500):
        told.works(
            root, told.job(f"/h/var/jobs/Flow/{'task' * 20}/Default_{number:032x}"), f"{root}#{number}"
        )
    found = load(told)
    first = found.scope(root)
    assert len(str(first.to_json())) < 100_000
    assert first.totals.jobs == 1500
    ids: list[str] = []
    for page in range(1, 1 + -(-1500 // first.per_page)):
        ids += found.scope(root, page=page).jobs
    assert len(ids) == len(set(ids)) == 1500
    assert len(found.scope(root, per_page=5000).jobs) == 1500


def test_wrong_arguments(index: Index) -> None:
    wrong: list[dict[str, Any]] = [
        {"follow": ["jobs"]}, {"follow": ["context"]}, {"job_refs": "mine"}, {"page": 0}, {"per_page": 0},
    ]  # fmt: skip
    for how in wrong:
        with pytest.raises(BadQuestion):
            index.scope(G, **how)
