"""A tree with the truth of who wrote it, read and linked once, and every figure compared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indexer.linking.records import Links
from tests.linking.trees import Closure, Figures, Tree, closure, read_tree

Difference = tuple[str, Any, Any]


class Case:
    """`root` holds home/; `truth` is its truth.json."""

    def __init__(self, root: Path, truth: dict[str, Any] | None = None) -> None:
        self.root = root
        self.tree: Tree = read_tree(root, cwd=root / "home", home=root / "home")
        self.links: Links = self.tree.link()
        self.truth = json.loads((root / "truth.json").read_text()) if truth is None else truth
        self.figures = Figures(self.tree, self.links)

    def short(self, path: str) -> str:
        return path.removeprefix(f"{self.root}/")

    def path(self, short: str) -> str:
        return f"{self.root}/{short}"

    def closure(self, key: str, own: bool = False) -> Closure:
        return closure(self.links, ("chat", self.path(self.truth["roots"][key]["root"])), own)

    def edge(self, edge: tuple[str, ...]) -> tuple[Any, ...]:
        """An edge as the truth writes it: a receipt's address as (output, position)."""
        ends = (edge[0], self.short(edge[1]), self.short(edge[2]))
        if len(edge) == 3:
            return ends
        found = re.fullmatch(r".*#(\d+)/(?:agent_)?meta/(\d+)", edge[3], re.DOTALL)
        assert found
        return (*ends, (int(found[1]), int(found[2])))

    def context(self, own: Closure) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
        """`job` references of an own closure that are context: to jobs beyond it, to jobs within it."""
        pairs = {
            (self.short(chat), self.short(job), job in own.jobs)
            for relation, chat, job in own.context
            if relation == "job"
        }
        return {(a, b) for a, b, within in pairs if not within}, {(a, b) for a, b, within in pairs if within}

    def launched(self, host: str) -> bool:
        """True for a log whose job was launched by a receipt: what it was told may stand nowhere else."""
        job = self.truth["chats"][host]["job"]
        return job is not None and self.truth["jobs"][job]["role"] in ("critic", "search")

    # ------------------------------------------------------------ everything

    def differences(self) -> list[str]:
        """What differs from the truth, named; [] when all is equal."""
        return [f"{what}: {mine} != {told}" for what, mine, told in self._compared() if mine != told]

    def _compared(self) -> Iterator[Difference]:
        for key in self.truth["roots"]:
            for what, mine, told in self._root(key):
                yield f"{key} {what}", mine, told
        yield from self._all_chats()
        yield from self._origins()

    def _root(self, key: str) -> Iterator[Difference]:
        truth = self.truth["roots"][key]
        reached, own = self.closure(key), self.closure(key, own=True)
        told = {
            (*edge[:3], tuple(edge[3])) if len(edge) > 3 else tuple(edge)
            for edge in truth["closure_all"]["edge_list"]
        }
        yield "chats", sorted(map(self.short, reached.chats)), sorted(truth["closure_all"]["chats"])
        yield "jobs", sorted(map(self.short, reached.jobs)), sorted(truth["closure_all"]["jobs"])
        yield "edges", {self.edge(edge) for edge in reached.edges} ^ told, set()
        yield "own jobs", sorted(map(self.short, own.jobs)), sorted(truth["own_jobs"])
        yield "own chats", sorted(map(self.short, own.chats)), sorted(truth["own_chats"])
        beyond, within = self.context(own)
        yield "context", beyond, {(edge["from"], edge["to"]) for edge in truth["context_edges"]}
        inherited = {(edge["from"], edge["to"]) for edge in truth["inherited_own_edges"]}
        if self.truth["arguments"].get("info_times", True):
            yield "inherited own", within, inherited
        else:  # an older job's answer that no handed history holds is known for older by times alone
            yield "inherited own", within - inherited, set()
        for scope, chats in (("all", reached.chats), ("own", own.chats)):
            messages = self.figures.messages(chats, scope == "own")
            yield f"{scope} messages", messages, {k: truth["messages"][scope][k] for k in messages}
            calls = self.figures.calls(chats, scope == "own")
            yield f"{scope} calls", calls, {k: truth["tool_calls"][scope][k] for k in calls}
        tokens = self.figures.tokens
        yield "tokens", tokens(reached.chats), truth["tokens"]["all"]
        yield "own tokens", tokens(reached.chats, own.chats), truth["tokens"]["own"]
        yield "stored tokens", tokens(reached.chats, own.chats, stored=True), truth["tokens"]["own_stored"]

    def _all_chats(self) -> Iterator[Difference]:
        chats, union = set(self.tree.chats), self.truth["union"]
        messages, calls = self.figures.messages(chats, False), self.figures.calls(chats, False)
        yield "union messages", messages, {k: union["messages"][k] for k in messages}
        yield "union calls", calls, {k: union["tool_calls"][k] for k in calls}
        yield "union tokens", self.figures.tokens(chats), union["tokens"]
        blocks = {
            (self.short(chat), block.marker, block.last, self.short(block.job))
            for chat, links in self.links.chats.items()
            for block in links.blocks
        }
        told = {(b["host"], b["first"], b["last"], b["job"]) for b in self.truth["inlined"]}
        yield "blocks", blocks ^ told, set()
        spans = {span["host"]: span["last"] for span in self.truth["inherited"]}
        handed = {
            self.short(chat): links.handed_last
            for chat, links in self.links.chats.items()
            if links.handed_last >= 0 or self.short(chat) in spans
        }
        for host, last in handed.items():
            if last >= 0 or not self.launched(host):
                yield f"handed to {host}", last, spans.get(host)
        for entry in self.truth["instructions"]:
            links = self.links.chats[self.path(entry["chat"])]
            mine = links.instructions and (links.instructions.text_key, links.instructions.agent)
            yield f"instructions of {entry['chat']}", mine, (entry["instructions_sha1"], entry["agent"])

    def _origins(self) -> Iterator[Difference]:
        """Each message by itself, where the truth tells of them: the classes of copies are the truth's."""
        mine: dict[tuple[str, int], set[str]] = {}
        for chat, told in self.truth.get("origins", {}).items():
            links = self.links.chats[self.path(chat)]
            for index, (where, at, *_) in enumerate(told):
                if where is not None:
                    original = links.copies.get(index, f"{self.path(chat)}#{index}")
                    mine.setdefault((where, at), set()).add(original)
        yield "origins told apart", [origin for origin, found in mine.items() if len(found) > 1], []
        originals = [original for found in mine.values() for original in found]
        yield "origins taken for one", len(set(originals)), len(originals)
