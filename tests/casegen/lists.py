"""The lists of a truth: spliced blocks, origins, the comparison of E and G, hard cases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .books import Books
from .chats import Chat
from .closure import closure
from .figures import paid_in, total
from .jobs import Job
from .said import Said


def paths(things: Iterable[Chat | Job]) -> list[str]:
    """Their paths, sorted."""
    return sorted(thing.path for thing in things)


def inlined_of(chat: Chat) -> list[dict[str, Any]]:
    """The spliced job blocks of a chat."""
    entries = []
    for block in chat.blocks:
        text = chat.block_text(block.first, block.last)
        result = block.job.result
        entries.append(
            {
                "host": chat.path,
                "first": block.first,
                "last": block.last,
                "job": block.job.path,
                "bytes": len(text.encode()),
                "host_kind": chat.kind,
                "original_exists": result is not None,
                "identical": result is not None and result.text() == f"\n{text}",
                "content_bytes": sum(p.form.size for p in chat.placed[block.first : block.last + 1]),
            }
        )
    return entries


def origins_of(chat: Chat) -> list[list[Any]]:
    """Per message: [origin's chat, its index, conversation, own | projection | inlined | inherited].

    The synthetic first message has no origin: [null, null, null, "own"].
    """
    found: list[list[Any]] = []
    for placed in chat.placed:
        said = placed.said
        if said is None:
            found.append([None, None, None, "own"])
        else:
            assert said.home is not None
            found.append([said.home[0], said.home[1], said.conversation, placed.how])
    return found


def diff_of(books: Books) -> dict[str, Any]:
    """E and G compared by closure; where E's chat is gone, E's ask job stands for it."""
    first: Chat | Job = books.conversations["E"].root
    if first.path in books.gone:
        first = next(job for job in books.jobs.values() if job.conversation == "E" and job.role == "ask")
    second = books.conversations["G"].root
    chats_a, jobs_a, edges_a = closure(books, first)
    chats_b, jobs_b, edges_b = closure(books, second)
    paid_a, paid_b = ({**m, **r} for m, r in (paid_in(chats_a), paid_in(chats_b)))

    def part(jobs: Any, chats: Any, paid: Any, edges: Any) -> dict[str, Any]:
        return {
            "jobs": paths(jobs),
            "chats": paths(chats),
            "tokens": total(paid),
            "edges": len(edges),
        }

    return {
        "a": first.path,
        "b": second.path,
        "only_in_a": part(
            [j for j in jobs_a if j not in jobs_b],
            [c for c in chats_a if c not in chats_b],
            [p for p in paid_a if p not in paid_b],
            set(edges_a) - set(edges_b),
        ),
        "only_in_b": part(
            [j for j in jobs_b if j not in jobs_a],
            [c for c in chats_b if c not in chats_a],
            [p for p in paid_b if p not in paid_a],
            set(edges_b) - set(edges_a),
        ),
        "in_both": part(
            [j for j in jobs_a if j in jobs_b],
            [c for c in chats_a if c in chats_b],
            [p for p in paid_a if p in paid_b],
            set(edges_a) & set(edges_b),
        ),
    }


def hard_case(books: Books, case: dict[str, Any], on_disk: dict[str, Chat]) -> dict[str, Any]:
    """A hard case with the places of the messages it is about."""
    said: list[Said] = case.get("said", [])
    entry = {key: value for key, value in case.items() if key != "said"}
    if said:
        entry["places"] = [
            [[path, i] for path, chat in on_disk.items() for i, p in enumerate(chat.placed) if p.said is one]
            for one in said
        ]
    return entry
