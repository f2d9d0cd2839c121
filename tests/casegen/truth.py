"""The truth of a case, with the keys and meanings of the recorded trees' `truth.json`, and some more keys."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any

from .books import Books
from .chats import Chat
from .closure import Edge, closure, context_of
from .figures import messages, outcomes, paid_in, tokens, tool_calls, total
from .jobs import Job
from .lists import diff_of, hard_case, inlined_of, origins_of, paths

RELATIONS = ("job", "dependency", "log", "result", "agent_job")


def truth_of(books: Books) -> dict[str, Any]:
    """The truth of everything in the books that was written to disk."""
    settings = books.settings
    on_disk = {path: chat for path, chat in books.chats.items() if path not in books.gone}
    chats = list(on_disk.values())
    roots = {
        key: root_truth(books, talk.root)
        for key, talk in books.conversations.items()
        if talk.root.path in on_disk and not key.startswith("K")
    }
    counted, sizes = messages(chats)
    metas, receipts = paid_in(chats)
    return {
        "generator": "casegen",
        "format": 1,
        "arguments": asdict(settings),
        "out": books.out,
        "home": "home",
        "jobs_root": f"home/{settings.jobs_root}",
        "layout": settings.layout,
        "conversations": {key: talk.root.path for key, talk in books.conversations.items()},
        "roots": roots,
        "union": {
            "chats": len(chats),
            "messages": counted,
            "bytes": sizes,
            "tool_calls": tool_calls(chats),
            "tokens": total({**metas, **receipts}),
        },
        "jobs": {path: job_truth(job) for path, job in books.jobs.items()},
        "chats": {chat.path: chat_truth(chat) for chat in chats},
        "instructions": instructions_of(books),
        "inlined": [entry for chat in chats for entry in inlined_of(chat)],
        "inherited": [
            {"host": chat.path, "first": chat.history.first, "last": chat.history.last, "kind": "history"}
            for chat in chats
            if chat.history is not None
        ],
        "diff": diff_of(books),
        "hard_cases": [hard_case(books, case, on_disk) for case in books.hard_cases],
        "gone": sorted(books.gone),
        "backups": sorted(c.path for c in chats if c.kind == "root" and not _is_root(books, c)),
        "origins": {chat.path: origins_of(chat) for chat in chats},
    }


def _is_root(books: Books, chat: Chat) -> bool:
    return any(talk.root is chat for talk in books.conversations.values())


def root_truth(books: Books, root: Chat) -> dict[str, Any]:
    """One root: closure, own and context, figures."""
    key = root.conversation
    chats, jobs, edges = closure(books, root)
    own = [chat for chat in chats if chat.conversation == key]
    all_messages, all_bytes = messages(chats)
    own_messages, own_bytes = messages(own, key)
    return {
        "root": root.path,
        "kind": "chat",
        "conversation": key,
        "closure_all": {
            "chats": paths(chats),
            "jobs": paths(jobs),
            "edges": {r: sum(1 for edge in edges if edge[0] == r) for r in RELATIONS},
            "edge_total": len(edges),
            "edge_list": edge_list(edges),
        },
        "own_jobs": paths(job for job in jobs if job.conversation == key),
        "context_jobs": paths(job for job in jobs if job.conversation != key),
        "dangling_jobs": paths(job for job in jobs if job.status == "missing"),
        "own_chats": paths(own),
        "context_chats": paths(chat for chat in chats if chat.conversation != key),
        **context_of(books, key, own),
        "imports": imports_of(books, root),
        "messages": {"all": all_messages, "own": own_messages},
        "bytes": {"all": all_bytes, "own": own_bytes},
        "tool_calls": {"all": tool_calls(chats), "own": tool_calls(own, key)},
        "outcomes": {"all": outcomes(chats), "own": outcomes(own)},
        "tokens": tokens(chats, key),
    }


def edge_list(edges: list[Edge]) -> list[list[Any]]:
    """The edges, sorted, as JSON has them."""
    return [[list(part) if isinstance(part, tuple) else part for part in edge] for edge in sorted(edges)]


def imports_of(books: Books, root: Chat) -> list[dict[str, Any]]:
    """The import lines of a root chat. `chat` is named also where its file is gone."""
    return [
        {"index": index, "reference": placed.said.content, "chat": books.conversations["E"].root.path}
        for index, placed in enumerate(root.placed)
        if placed.said is not None and placed.said.role == "import"
    ]


def job_truth(job: Job) -> dict[str, Any]:
    """One job."""
    return {
        "short": job.short,
        "conversation": job.conversation,
        "session": job.session,
        "task": job.task,
        "role": job.role,
        "status": job.status,
        "dependencies": [dependency.path for dependency, _ in job.dependencies],
        "logs": [log.path for log in job.logs],
        "result": job.result.path if job.result is not None else None,
    }


def chat_truth(chat: Chat) -> dict[str, Any]:
    """One chat."""
    return {
        "kind": chat.kind,
        "conversation": chat.conversation,
        "job": chat.job.path if chat.job is not None else None,
        **chat.counts(),
        "file_bytes": len(chat.text().encode()),
        "crlf": chat.crlf,
    }


def instructions_of(books: Books) -> list[dict[str, Any]]:
    """The instructions each agent log began with."""
    entries = []
    for head in books.heads:
        digests = [hashlib.sha1(text.encode()).hexdigest() for text in head.systems]
        entries.append(
            {
                "chat": head.chat.path,
                "job": head.chat.job.path if head.chat.job is not None else None,
                "agent": head.agent,
                "session": head.session,
                "version": head.version,
                "instructions_sha1": digests[0],
                "system_sha1": digests,
            }
        )
    return entries
