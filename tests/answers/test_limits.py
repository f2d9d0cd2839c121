"""No answer is too long, whatever the graph holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indexer import Index
from indexer.answers.base import Answer
from indexer.answers.limits import MAX_ANSWER, MAX_SUMMARY, length
from tests.answers.conftest import LoadTold
from tests.support_graph import Told, at

ROOT = "/h/chats/long.chat"
DEEP = "/home/" + "/".join(f"a-rather-long-folder-name-{n}" for n in range(16))

QUESTIONS: dict[str, Callable[..., Answer]] = {
    "scope": lambda i, **how: i.scope(ROOT, **how),
    "own": lambda i, **how: i.scope(ROOT, job_refs="own", **how),
    "context": lambda i, **how: i.context(ROOT, **how),
    "edges": lambda i, **how: i.edges(ROOT, **how),
    "diff": lambda i, **how: i.diff(ROOT, f"{DEEP}/jobs/Flow/task/Default_000", **how),
    "dedup": lambda i, **how: i.dedup(ROOT, **how),
    "tokens": lambda i, **how: i.tokens(ROOT, **how),
    "tokens by chat": lambda i, **how: i.tokens(ROOT, by="chat", **how),
    "messages": lambda i, **how: i.messages(ROOT, **how),
    "tool_calls": lambda i, **how: i.tool_calls(ROOT, **how),
    "receipts": lambda i, **how: i.receipts(ROOT, **how),
    "evidence": lambda i, **how: i.evidence(ROOT, **how),
    "changes": lambda i, **how: i.changes(ROOT, **how),
    "earlier": lambda i, **how: i.earlier(ROOT, **how),
    "reasoning": lambda i, **how: i.reasoning(ROOT, **how),
    "agents": lambda i, **how: i.agents(ROOT, **how),
    "instructions": lambda i, **how: i.instructions(ROOT, **how),
    "overview": lambda i, **how: i.overview(ROOT, **how),
    "delegations": lambda i, **how: i.delegations(ROOT, **how),
    "accounting": lambda i, **how: i.accounting(ROOT, **how),
    "report": lambda i, **how: i.report(ROOT, **how),
    "conversations": lambda i, **how: i.conversations(**how),
    "find": lambda i, **how: i.find("text", **how),
    "problems": lambda i, **how: i.problems(**how),
    "shared_jobs": lambda i, **how: i.shared_jobs(**how),
    "orphan_jobs": lambda i, **how: i.orphan_jobs(**how),
    "stale_jobs": lambda i, **how: i.stale_jobs(**how),
    "copied_blocks": lambda i, **how: i.copied_blocks(**how),
    "replayed_answers": lambda i, **how: i.replayed_answers(**how),
}


def long_paths() -> Told:
    """Sixty jobs under paths of 450 characters, with texts full of what JSON must escape."""
    told = Told()
    told.chat(ROOT, agent="Lead")
    told.chat(f"{ROOT}2")
    told.first(ROOT)
    for n in range(60):
        job = told.job(f"{DEEP}/jobs/Flow/task/Default_{n:03}", status="start", issued=at(n))
        log = told.chat(f"{job}.files/log/agent.chat", "log", agent=f"Agent {n}")
        told.log(job, log)
        told.works(ROOT, job, told.meta(ROOT, job_ref=job, block_last=2 * n + 2, block_bytes=9))
        told.works(f"{ROOT}2", job)
        told.say(ROOT, "assistant", "text")
        told.context(log, job, *(f"{log}#{k}" for k in range(50)), relation="agent_job")
        original = told.meta(log, f"r{n}", (1, 1, 2), reas="\x01" * 400)
        told.meta(f"{ROOT}2", f"r{n}", (1, 1, 2))
        told.meta(log, f"r{n}", (1, 1, 2), copy_of=original)
        call = told.call(log, "t" * 50, f"call-{n}", status="failure", status_reason="exception")
        output = told.output(log, call, "\x02\n\t" * 60)
        told.receipt(call, output, job=job)
        told.ran_with(log, f"digest {n}", f"Agent {n}", "\x03" * 150)
        for k in range(3):
            told.problem(f"kind {k}", ("Chat", log), "detail " * 200, line=k)
    return told


@pytest.fixture(scope="module")
def long_index(neo4j_store) -> Index:  # type: ignore[no-untyped-def]
    from tests.conftest import empty

    empty(neo4j_store)
    long_paths().load(neo4j_store)
    return Index(neo4j_store)


@pytest.mark.parametrize("question", QUESTIONS)
def test_length(long_index: Index, question: str) -> None:
    ask = QUESTIONS[question]
    assert length(ask(long_index).to_json()) <= MAX_ANSWER
    assert length(ask(long_index, page=2).to_json()) <= MAX_ANSWER
    short = ask(long_index, summary=True)
    assert length(short.to_json()) < MAX_SUMMARY
    assert type(short) is type(ask(long_index))


def test_pages_fit_without_being_cut(long_index: Index) -> None:
    """Where paths are long pages get smaller, and all pages of one question are of one size."""
    first = long_index.context(ROOT)
    assert first.cut is None
    assert first.total == 3000
    assert first.per_page < 100
    second = long_index.context(ROOT, page=2)
    assert second.per_page == first.per_page
    assert not {c.address for c in first.items} & {c.address for c in second.items}


def test_asked_for_lengths_are_given(long_index: Index) -> None:
    assert len(long_index.context(ROOT, per_page=3000).items) == 3000


def test_what_is_cut_says_so(load: LoadTold) -> None:
    told = Told()
    for n in range(50):
        told.say(told.chat("/h/" + f"{n:02}" + "x" * 4000 + ".chat"), "user", "a word")
    found = load(told).find("word")
    assert found.cut
    assert found.total == 50
    assert 0 < len(found.items) < 50
