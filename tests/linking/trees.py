"""Trees of files to facts and links, without a store; and a closure over links in plain Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from indexer.discovery.environment import Environment, FileSystem, Index
from indexer.discovery.kinds import Kind
from indexer.discovery.layout import INFO
from indexer.discovery.references import Resolver
from indexer.discovery.walk import walk
from indexer.formats.chat import iter_messages
from indexer.formats.info import read_info
from indexer.formats.messages import derive
from indexer.formats.records import Call, MessageRecord
from indexer.ingest.belonging import settle
from indexer.linking.collect import chat_facts, job_facts
from indexer.linking.facts import LEFT_OUT, ChatFacts, JobFacts
from indexer.linking.link import link
from indexer.linking.records import Links


@dataclass
class Tree:
    """Everything read below a folder."""

    environment: Environment
    chats: dict[str, ChatFacts] = field(default_factory=dict)
    jobs: dict[str, JobFacts] = field(default_factory=dict)
    records: dict[str, list[MessageRecord]] = field(default_factory=dict)

    def link(self, boundary: str | None = None) -> Links:
        """Link all of it, in whatever order the mappings are."""
        resolver = Resolver(self.environment)

        def resolve_chat(reference: str, referring: str) -> str | None:
            found = resolver.chat(reference, referring)
            return None if found is None or found.missing else found.path

        return link(
            self.chats, self.jobs, lambda ref, at: resolver.job(ref, at).path, resolve_chat, boundary,
            lambda job: not resolver.job(job).missing,
        )  # fmt: skip


def read_tree(*folders: Path, cwd: Path | None = None, home: Path | None = None) -> Tree:
    """Read all chats and infos below `folders`."""
    where = str(cwd or folders[0])
    env = Environment(where, str(home or where), (), FileSystem(), Index())
    tree = Tree(env)
    walked = walk([str(folder) for folder in folders])
    for found in walked:
        if found.kind in (Kind.CHAT, Kind.CANDIDATE):
            records = tree.records[found.path] = list(derive(iter_messages(found.path, [])))
            tree.chats[found.path] = chat_facts(found.path, records)
            env.index.add_chat(found.path)
        elif found.kind == Kind.INFO:
            job = found.path.removesuffix(INFO)
            tree.jobs[job] = job_facts(job, read_info(Path(found.path).read_bytes()))
            env.index.add_job(job)
        elif found.kind == Kind.RESULT:
            tree.jobs.setdefault(found.path, JobFacts(found.path))
    for facts in tree.chats.values():
        settle(facts, (), env)
    return tree


Node = tuple[str, str]
Edge = tuple[str, ...]


@dataclass
class Closure:
    """What is reached from a root: nodes, and edges as (relation, from, to[, address])."""

    chats: set[str]
    jobs: set[str]
    edges: set[Edge]
    context: set[tuple[str, str, str]]
    """(relation, from, to) of the CONTEXT relationships of the reached chats, followed or not."""

    def counts(self) -> Counter[str]:
        return Counter(edge[0] for edge in self.edges)


def closure(links: Links, root: Node, own: bool = False) -> Closure:
    """Breadth first from a root over all relations but imports; `own` leaves out CONTEXT."""
    seen: dict[Node, None] = {root: None}
    edges: set[Edge] = set()
    context: set[tuple[str, str, str]] = set()
    queue = [root]
    while queue:
        kind, name = queue.pop(0)
        steps: list[tuple[str, Node, tuple[str, ...]]] = []
        if kind == "chat":
            chat = links.chats[name]
            for reference in chat.references:
                if not reference.own:
                    context.add((reference.relation, name, reference.job))
                    if own:
                        continue
                many = reference.addresses if reference.relation == "agent_job" else ()
                steps.append((reference.relation, ("job", reference.job), many))
            steps += [("log", ("chat", sidecar), ()) for sidecar in chat.sidecars]
        else:
            job = links.jobs[name]
            steps += [("dependency", ("job", other), ()) for other, _ in job.dependencies]
            steps += [("log", ("chat", log), ()) for log in job.logs]
            steps += [("result", ("chat", job.result), ())] if job.result else []
        for relation, node, addresses in steps:
            edges |= {(relation, name, node[1], address) for address in addresses} or {
                (relation, name, node[1])
            }
            if node not in seen:
                seen[node] = None
                queue.append(node)
    chats = {name for kind, name in seen if kind == "chat"}
    jobs = {name for kind, name in seen if kind == "job"}
    return Closure(chats, jobs, edges, context)


TOKENS = ("pt", "ct", "tt", "cct", "cwt", "rt")


@dataclass
class Figures:
    """Counts over chats, as DESIGN counts."""

    tree: Tree
    links: Links

    def messages(self, chats: set[str], own: bool) -> dict[str, int]:
        raw = synthetic = 0
        unique = set()
        for chat in chats:
            facts, links = self.tree.chats[chat], self.links.chats[chat]
            raw += len(facts)
            records = self.tree.records[chat]
            synthetic += sum(record.synthetic for record in records)
            for index, record in enumerate(records):
                if not record.synthetic and not (own and self._handed(chat, index)):
                    unique.add(links.copies.get(index, f"{chat}#{index}"))
        return {"raw": raw, "synthetic": synthetic, "unique_by_origin": len(unique)}

    def _handed(self, chat: str, index: int) -> bool:
        return (
            index <= self.links.chats[chat].handed_last and not self.tree.chats[chat].flags[index] & LEFT_OUT
        )

    def calls(self, chats: set[str], own: bool) -> dict[str, int]:
        raw = 0
        unique = set()
        for chat in chats:
            for index, record in enumerate(self.tree.records[chat]):
                if isinstance(record.body, Call) or record.role in ("function_call", "mcp_call"):
                    raw += 1
                    if not (own and self._handed(chat, index)):
                        unique.add(self.links.chats[chat].copies.get(index, f"{chat}#{index}"))
        return {"raw": raw, "unique": len(unique)}

    def requests(self, chats: set[str]) -> set[str]:
        """Ids of the paid requests with evidence in `chats`."""
        found = self.links.inferences.values()
        return {inference.id for inference in found if any(item.chat in chats for item in inference.evidence)}

    def tokens(self, chats: set[str], own: set[str] | None = None, stored: bool = False) -> dict[str, int]:
        """Sum over the paid requests with evidence in `chats`.

        With `own`, over those evidenced there outside handed history and (unless `stored`) paid there.
        """
        if own is None:
            return self.sum(self.requests(chats))
        return self.sum(
            {
                inference.id
                for inference in self.links.inferences.values()
                if any(
                    item.chat in own and not item.handed and (stored or item.paid)
                    for item in inference.evidence
                )
            }
        )

    def sum(self, requests: set[str]) -> dict[str, int]:
        """Tokens of paid requests by their canonical evidence, and their number."""
        total = Counter(dict.fromkeys(TOKENS, 0))
        for request in requests:
            total.update(dict(zip(TOKENS, self.links.inferences[request].tokens, strict=True)))
        return {**total, "events": len(requests)}
