"""What a chat says of itself outside what was handed or spliced into it, and whose it is."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from indexer.linking.facts import ChatFacts
from indexer.linking.instructions import instructions_digest
from indexer.linking.records import ChatLinks, InstructionsLink
from indexer.linking.strand import IN_BLOCK, Strand
from indexer.linking.topology import Topology


def own_word(strand: Strand, field: str) -> str | None:
    """The first `agent`, `conversation` or `instructions` that the chat's own meta lines name.

    A marker speaks of the job that it names, so it counts only in that job's own chats.
    """
    for named in strand.facts.named:
        value: str | None = getattr(named, field)
        if value is None or named.at <= strand.handed_last or strand.inside[named.at] == IN_BLOCK:
            continue
        if strand.markers.get(named.at, strand.job) == strand.job:
            return value
    return None


def agents(strands: Iterable[Strand], topology: Topology) -> dict[str, str]:
    """Chat -> agent.

    By `agent=`, by the path, by the receipt of the call that launched its job, by its instructions. A
    result speaks with the voice of its job's log.
    """
    called: dict[str, str] = {}
    for chat in sorted(topology.namings):
        for naming in topology.namings[chat]:
            if naming.agent is not None:
                called.setdefault(naming.job, naming.agent)
    found: dict[str, str] = {}
    results = []
    for strand in strands:
        facts = strand.facts
        agent = own_word(strand, "agent") or facts.agent
        if agent is None and strand.job is not None and not _in_society(facts):
            agent = called.get(strand.job)
        if agent is None and facts.kind in ("log", "sidecar") and facts.head is not None:
            agent = facts.head.agent
        if agent is not None:
            found[facts.path] = agent
        elif strand.is_result:
            results.append(strand)
    for strand in results:
        logs = [log for log in topology.logs.get(strand.path, ()) if log in found]
        voices = {found[log] for log in logs if not _in_society(topology.chats[log])}
        if len(voices) == 1:
            found[strand.path] = voices.pop()
    return found


def _in_society(facts: ChatFacts) -> bool:
    """True for the log of an agent that the job's own agent talked to: its path names the agent."""
    return any(
        owner.place == "society" or (owner.place == "log" and facts.agent is not None)
        for owner in facts.owners
    )


def instructions(strand: Strand, agent: str | None) -> InstructionsLink | None:
    """What an agent's log or sidecar ran with; any chat but a result that says so itself."""
    if strand.is_result:
        return None
    said = own_word(strand, "instructions")
    head = strand.facts.head if strand.facts.kind in ("log", "sidecar") else None
    if head is None:
        return None if said is None else InstructionsLink(said, agent, explicit=True)
    digest = said or instructions_digest(agent, head.sha1)
    return InstructionsLink(digest, agent, head.sha1, head.preview, head.bytes, said is not None)


def conversations(
    topology: Topology, links: Mapping[str, ChatLinks], spoken: Mapping[str, str]
) -> dict[str, str]:
    """Chat -> conversation, by `conversation=`, else of the single root chat whose own closure holds it.

    A root names its conversation by its meta lines or by its own id. Every node passes on at most two
    roots, so the cost is that of walking the graph twice.
    """
    owners: dict[tuple[str, str], set[str]] = defaultdict(set)
    queue: deque[tuple[tuple[str, str], str]] = deque()
    for chat in sorted(links):
        if topology.chats[chat].kind == "root":
            queue.append((("chat", chat), chat))
    while queue:
        node, root = queue.popleft()
        held = owners[node]
        if root in held or len(held) > 1:
            continue
        held.add(root)
        queue.extend((following, root) for following in _own_steps(topology, links, node))
    found = dict(spoken)
    for (kind, name), roots in owners.items():
        if kind == "chat" and name not in found and len(roots) == 1:
            (root,) = roots
            found[name] = spoken.get(root, root)
    return found


def _own_steps(
    topology: Topology, links: Mapping[str, ChatLinks], node: tuple[str, str]
) -> Iterable[tuple[str, str]]:
    kind, name = node
    if kind == "chat":
        chat = links.get(name)
        for reference in chat.references if chat else ():
            if reference.own:
                yield "job", reference.job
        for sidecar in topology.sidecars.get(name, ()):
            yield "chat", sidecar
        return
    for dependency in topology.dependencies.get(name, ()):
        yield "job", dependency
    for log in topology.logs.get(name, ()):
        yield "chat", log
    if name in topology.results:
        yield "chat", topology.results[name]
