"""Closures and token events of the hand-made tree, as the reference recorded them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from indexer.linking.records import Links
from tests.linking.trees import TOKENS, Figures, Tree, closure, read_tree
from tests.support import TREES, materialise

VECTORS = json.loads((TREES.parent / "vectors" / "provenance.json").read_text())


class Provenance:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.tree: Tree = read_tree(root, cwd=root, home=root)
        self.links: Links = self.tree.link()

    def path(self, told: str) -> str:
        return os.path.realpath(told.replace("{ROOT}", str(self.root)))

    def own_tokens(self, chat: str) -> tuple[int, int]:
        """Total tokens of a root chat: everything, and its own."""
        node = ("chat", f"{self.root}/chats/{chat}")
        figures = Figures(self.tree, self.links)
        everything, own = closure(self.links, node).chats, closure(self.links, node, own=True).chats
        return figures.tokens(everything)["tt"], figures.tokens(everything, own)["tt"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Provenance:
    return Provenance(materialise("provenance", tmp_path_factory.mktemp("tree")))


def _address(tree: Provenance, told: list[Any]) -> str:
    chat, index, *rest = told
    return f"{tree.path(chat)}#{index}" + "".join(f"/{part}" for part in rest)


@pytest.mark.parametrize("told", VECTORS["roots"], ids=lambda told: told["root"].removeprefix("{ROOT}/"))
def test_root(tree: Provenance, told: dict[str, Any]) -> None:
    reached = closure(tree.links, (told["root_type"], tree.path(told["root"])))
    edges = set()
    for edge in told["edges"]:
        evidence = edge.get("detail", {}).get("evidence_address") or edge.get("evidence_address")
        ends = (edge["relation"], tree.path(edge["from"]), tree.path(edge["to"]))
        edges.add((*ends, _address(tree, evidence)) if evidence else ends)
    chats = {tree.path(path) for path in told["chat_files"]}
    events = {_identity(tree, event): _event(tree, event) for event in told["token_events"]}
    if told["root"].endswith("/receipts.chat"):
        # The vectors' note: a modern receipt gives one more edge and one more event.
        chat = tree.path(told["root"])
        edges.add(
            (
                "agent_job",
                chat,
                tree.path("{ROOT}/var/jobs/Critic/ask/Default_c.chat"),
                f"{chat}#22/meta/1",
            )
        )
        events["inference_id:modern1"] = (
            (11, 1, 12, 0, 0, 0),
            False,
            False,
            [("receipt", f"{chat}#22/meta/0")],
        )
    if told["root"].endswith("/link.chat"):
        # A file is one node however it is named, so its sidecar is found by the link, too (REPORTS 35).
        sidecar = tree.path("{ROOT}/chats/saved.chat.files/agent.society/Critic/c/agent.chat")
        edges.add(("log", tree.path("{ROOT}/chats/saved.chat"), sidecar))
        chats.add(sidecar)
        events["inference_id:s2"] = ((9, 9, 18, 0, 0, 0), False, False, [("chat_meta", f"{sidecar}#2")])
    assert reached.edges == edges
    assert reached.chats == chats
    assert reached.jobs == {tree.path(job["path"]) for job in told["jobs"]}
    assert _events(tree.links, reached.chats) == events
    if not told["root"].endswith(("/receipts.chat", "/link.chat")):
        assert _totals(events) == told["totals"]


def _identity(tree: Provenance, event: dict[str, Any]) -> str:
    if event["deduplication"] == "receipt_unresolved":
        return f"receipt:{_address(tree, event['identity'][1])}"
    return f"{event['deduplication']}:{event['identity'][1]}"


def _event(tree: Provenance, event: dict[str, Any]) -> tuple[Any, ...]:
    evidence = [
        ("chat_meta" if item["origin"] == "chat_meta" else "receipt", _address(tree, item["address"]))
        for item in event["evidence"]
    ]
    tokens = tuple(event["tokens"][key] for key in TOKENS)
    return tokens, event["conflict"], event["incomplete_evidence"], evidence


def _events(links: Links, chats: set[str]) -> dict[str, tuple[Any, ...]]:
    """The token events with evidence in `chats`, judged by that evidence alone."""
    found = {}
    for inference in links.inferences.values():
        evidence = [item for item in inference.evidence if item.chat in chats]
        if evidence:
            providers = {item.provider for item in evidence}
            conflict = len({item.tokens[:3] for item in evidence}) > 1 or len({*providers} - {None}) > 1
            incomplete = len(providers) > 1 and None in providers
            found[inference.id] = (
                evidence[0].tokens,
                conflict,
                incomplete,
                [(item.source, item.address) for item in evidence],
            )
    return found


def _totals(events: dict[str, tuple[Any, ...]]) -> dict[str, dict[str, int]]:
    def total(wanted: Any) -> dict[str, int]:
        chosen = [tokens for tokens, _, _, evidence in events.values() if wanted({s for s, _ in evidence})]
        return {key: sum(tokens[at] for tokens in chosen) for at, key in enumerate(TOKENS)}

    return {
        "deduplicated_total": total(lambda sources: True),
        "chat_evidence": total(lambda sources: "chat_meta" in sources),
        "receipt_evidence": total(lambda sources: "receipt" in sources),
        "receipt_only": total(lambda sources: sources == {"receipt"}),
    }


def test_conflicts_are_judged_over_all_evidence(tree: Provenance) -> None:
    inferences = tree.links.inferences
    assert inferences["inference_id:dup1"].conflict
    assert not inferences["inference_id:dup3"].conflict  # only cct differs
    assert inferences["inference_id:dup2"].incomplete
    assert inferences["inference_id:c1"].incomplete


def test_two_sessions_share_the_earlier_one_as_context(tree: Provenance) -> None:
    """REPORTS 37: 660 tokens of which 110 are context, for either session; 1,210 for both together."""
    assert tree.own_tokens("session_a.chat") == (660, 550)
    assert tree.own_tokens("session_b.chat") == (660, 550)
    assert tree.own_tokens("earlier.chat") == (110, 110)
    both = [closure(tree.links, ("chat", f"{tree.root}/chats/session_{x}.chat")).chats for x in "ab"]
    assert Figures(tree.tree, tree.links).tokens(both[0] | both[1])["tt"] == 1210


def test_sidecars_of_saved_chats(tree: Provenance) -> None:
    """Below a society always; at the top unless the file only repeats the chat."""
    chats = f"{tree.root}/chats"
    assert tree.links.chats[f"{chats}/saved.chat"].sidecars == (
        f"{chats}/saved.chat.files/agent.society/Critic/c/agent.chat",
    )
    assert tree.links.chats[f"{chats}/transcript.chat"].sidecars == (
        f"{chats}/transcript.chat.files/agent.chat",
    )


def test_references_to_nothing(tree: Provenance) -> None:
    """A meta's job is a node without files; a receipt's is a problem and no relationship (FORMAT.md 3.3)."""
    told = {(p.kind, p.id.removeprefix(f"{tree.root}/"), p.problem.index) for p in tree.links.problems}
    assert told == {
        ("chat", "chats/receipts.chat", 16),
        ("chat", "chats/top.chat", 6),
        ("job", "var/jobs/Top/ask/Default_t.chat", None),
    }
    top, receipts = (tree.links.chats[f"{tree.root}/chats/{name}.chat"] for name in ("top", "receipts"))
    assert any(tree.links.jobs[reference.job].missing for reference in top.references)
    assert not any(tree.links.jobs[reference.job].missing for reference in receipts.references)
    assert tree.links.jobs[receipts.receipts[f"{tree.root}/chats/receipts.chat#16/agent_meta/0"]].missing
