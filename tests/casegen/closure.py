"""Closures by the books: what the traversal of FORMAT.md 5 reaches, and which of its edges are context."""

from __future__ import annotations

from collections import deque
from typing import Any

from .books import Books
from .chats import Chat
from .jobs import Job
from .said import CALL_ROLES

Edge = tuple[Any, ...]


def chat_edges(chat: Chat) -> list[tuple[Edge, Job]]:
    """The edges of a chat with their ends: one `job` edge per job, one `agent_job` edge per receipt entry."""
    found: dict[Edge, Job] = {}
    for index, placed in enumerate(chat.placed):
        said = placed.said
        if said is None:
            continue
        if said.job is not None:
            found.setdefault(("job", chat.path, said.job.path), said.job)
        for number, entry in enumerate(said.entries):
            if entry.job is not None:
                found[("agent_job", chat.path, entry.job.path, (index, number))] = entry.job
    return list(found.items())


def closure(books: Books, root: Chat | Job) -> tuple[list[Chat], list[Job], list[Edge]]:
    """Everything that `root` reaches; imports are never followed."""
    chats: dict[str, Chat] = {}
    jobs: dict[str, Job] = {}
    edges: dict[Edge, None] = {}
    waiting: deque[Chat | Job] = deque([root])
    while waiting:
        node = waiting.popleft()
        known: dict[str, Any] = chats if isinstance(node, Chat) else jobs
        if node.path in known:
            continue
        known[node.path] = node
        steps: list[tuple[Edge, Chat | Job]] = []
        if isinstance(node, Chat):
            steps += chat_edges(node)
            steps += [(("log", node.path, sidecar.path), sidecar) for sidecar in node.sidecars]
        else:
            steps += [(("dependency", node.path, job.path), job) for job, _ in node.dependencies]
            steps += [(("log", node.path, log.path), log) for log in node.logs]
            if node.result is not None:
                steps.append((("result", node.path, node.result.path), node.result))
        for edge, end in steps:
            edges[edge] = None
            waiting.append(end)
    return list(chats.values()), list(jobs.values()), list(edges)


def call_count(chats: list[Chat], conversation: str | None = None) -> int:
    """Call records in the chats, or only those whose origin is another conversation."""
    return sum(
        1
        for chat in chats
        for placed in chat.placed
        if placed.said is not None
        and placed.said.role in CALL_ROLES
        and (conversation is None or placed.said.conversation != conversation)
    )


def context_of(books: Books, conversation: str, chats: list[Chat]) -> dict[str, list[dict[str, Any]]]:
    """The edges of own chats that are context, by where they come from.

    context_edges              job edges to another conversation's jobs
    inherited_own_edges        job edges of a log that came with earlier sessions of this conversation
    context_agent_edges, inherited_own_agent_edges    the same by receipts, one for each receipt address

    `in_history` says that a reference stands in the handed history; the others stand in a block after it.
    """
    found: dict[str, list[dict[str, Any]]] = {
        "context_edges": [],
        "inherited_own_edges": [],
        "context_agent_edges": [],
        "inherited_own_agent_edges": [],
    }
    for chat in chats:
        for edge, job in chat_edges(chat):
            other = job.conversation != conversation
            earlier = chat.job is not None and job.session != chat.job.session
            if not (other or earlier):
                continue
            kind = ("context" if other else "inherited_own") + (
                "_edges" if edge[0] == "job" else "_agent_edges"
            )
            entry: dict[str, Any] = {"from": chat.path, "to": job.path}
            if edge[0] == "job":
                entry["in_history"] = any(
                    p.said is not None and p.said.job is job and p.how == "inherited" for p in chat.placed
                )
            else:
                index, number = edge[3]
                entry["in_history"] = chat.placed[index].how == "inherited"
                entry["address"] = [index, number]
            found[kind].append(entry)
    for entries in found.values():
        entries.sort(key=lambda e: (e["from"], e["to"], e.get("address", [])))
    return found
