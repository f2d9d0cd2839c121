"""What an answer costs depends on the closure, not on what else the graph holds."""

from __future__ import annotations

from typing import Any

from indexer.answers.catalogue import load
from indexer.store.connection import Store
from tests.support_case import case
from tests.support_graph import Told

QUESTIONS = (
    "scope",
    "diff",
    "dedup",
    "context",
    "inlined",
    "tokens",
    "edges",
    "messages",
    "tool_calls",
    "why",
)


def hits(store: Store, name: str, root: str, job_refs: str) -> int:
    """Accesses to the store that a question needs."""
    job = root.replace("/chats/home.chat", f"/var/jobs/Deskwork/task1/main_{1:032x}.chat")
    file = load(name)
    values: dict[str, Any] = {field.name: None for field in file.parameters}
    values |= {"root": root, "a": root, "b": job, "target": job, "job_refs": job_refs, "skip": 0, "limit": 50}
    values |= {"follow": ["job", "agent_job", "dependency", "log", "result"], "exclude_inlined": False}

    def work(tx: Any) -> int:
        plan = tx.run("PROFILE " + file.text, values).consume().profile
        return total(plan)

    return store.read(work)


def total(plan: dict[str, Any]) -> int:
    return plan.get("dbHits", 0) + sum(total(child) for child in plan.get("children", []))


def test_unrelated_conversations_cost_nothing(store: Store) -> None:
    told = Told()
    root = case(told, "home", jobs=5, rounds=12)
    for n in range(8):
        case(told, f"elsewhere{n}", jobs=5, rounds=12)
    told.load(store)
    store.implicit("CALL db.resampleOutdatedIndexes()")
    questions = [(name, refs) for name in QUESTIONS for refs in ("all", "own")]
    among_others = {question: hits(store, question[0], root, question[1]) for question in questions}
    store.write("MATCH (c:Chat) WHERE c.conversation <> 'home' MATCH (c)-[:HAS_MESSAGE]->(m) DETACH DELETE m")
    store.write(
        "MATCH (n:Chat|Job|Inference) "
        "WHERE NOT n.id CONTAINS ':home-' AND NOT n.id CONTAINS '/projects/home/' DETACH DELETE n"
    )
    alone = {question: hits(store, question[0], root, question[1]) for question in questions}
    assert min(alone.values()) > 0
    for question, cost in among_others.items():
        assert cost <= alone[question] * 1.1 + 20, question


def test_dedup_visits_no_message_where_all_originals_are_inside(store: Store) -> None:
    told = Told()
    small, large = case(told, "small", jobs=4, rounds=4), case(told, "large", jobs=4, rounds=40)
    told.load(store)
    few, many = (hits(store, "dedup", root, "all") for root in (small, large))
    assert 0 < many <= few * 1.1
