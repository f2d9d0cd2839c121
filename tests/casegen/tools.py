"""Tool calls with their outputs (FORMAT.md 4)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .meter import stamp
from .said import Call, Entry, Paid, Said

if TYPE_CHECKING:
    from .books import Books
    from .jobs import Job

_SIZES = (100, 250, 300, 550, 600, 900, 1500)


def compact(value: Any) -> str:
    """JSON as the chats hold it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def call_id(books: Books, style: str, tool: str, arguments: dict[str, Any]) -> str:
    """An id as a provider makes them; `md5` ones are made from the arguments and so come again."""
    if style == "md5":
        return f"{tool}_{hashlib.md5(compact(arguments).encode()).hexdigest()}"
    return f"{style}_{books.rng.getrandbits(96):024x}"


def call(
    books: Books,
    conversation: str,
    tool: str,
    arguments: dict[str, Any],
    ids: str = "call",
    fixed: str | None = None,
) -> Said:
    """A call that no output answers yet."""
    identity = fixed or call_id(books, ids, tool, arguments)
    record = Call(tool, identity, compact(arguments))
    role = "mcp_call" if tool == books.names.tools.docs else "function_call"
    content = compact({"name": tool, "arguments": arguments, "id": identity})
    return books.new(conversation, role, content, call=record, outcome="unknown")


def output(
    books: Books,
    asked: Said,
    content: str,
    begun: datetime,
    ended: datetime,
    *,
    outcome: str = "success",
    error: str | None = None,
    receipt: dict[str, Any] | None = None,
    entries: tuple[Entry, ...] = (),
) -> Said:
    """The output that answers `asked`."""
    assert asked.call is not None
    asked.outcome = outcome
    record: dict[str, Any] = {"name": asked.call.tool, "content": content, "id": asked.call.call_id}
    if error:
        record["error"] = error
    record |= receipt or {}
    if books.settings.message_times:
        record |= {"start_timestamp": stamp(begun), "timestamp": stamp(ended)}
    return books.new(asked.conversation, "function_call_output", compact(record), entries=entries)


def receipt_of(
    books: Books, generation: str, job: tuple[Job, str] | None, paid: Sequence[Paid]
) -> tuple[dict[str, Any], tuple[Entry, ...]]:
    """(keys of the output, entries) of a receipt. The older one names only the job where there is one."""
    if generation == "legacy":
        if job is not None:
            return {"agent_meta": [{"role": "meta", "content": job[0].marker(job[1])}]}, (Entry(job=job[0]),)
        lines = [{"role": "meta", "content": books.lines[p][0]} for p in paid]
        return {"agent_meta": lines}, tuple(Entry(paid=p) for p in paid)
    objects: list[dict[str, Any]] = [books.lines[p][1] for p in paid]
    entries = tuple(Entry(paid=p) for p in paid)
    if job is not None:
        return {"meta": [{"job": job[1]}, *objects]}, (Entry(job=job[0]), *entries)
    return {"meta": objects}, entries


def use(books: Books, conversation: str, at: datetime, ids: str = "call") -> list[Said]:
    """One ordinary call with its output, of any shape."""
    rng, prose, names = books.rng, books.prose, books.names.tools
    path = f"src/{rng.choice(books.stems)}/{rng.choice(books.stems)}_{rng.randrange(1000)}.rb"
    text = prose.lines(rng.choice(_SIZES)) if rng.random() < 0.4 else prose.run(rng.choice(_SIZES))
    shape = rng.random()
    if shape < 0.45:
        arguments: dict[str, Any] = {"cmd": f'grep -n "{rng.choice(books.stems)}" {path}'}
        asked = call(books, conversation, names.shell, arguments, ids)
        code = rng.randint(1, 127) if rng.random() < 0.12 else 0
        content = compact({"exit_status": code, "stdout": text, "stderr": ""})
        return [asked, output(books, asked, content, at, at, outcome="failure" if code else "success")]
    if shape < 0.75:
        first = rng.randrange(2000)
        asked = call(books, conversation, names.read, {"file": path, "start": first, "end": first + 200}, ids)
        return [asked, output(books, asked, text, at, at)]
    if shape < 0.86:
        asked = call(books, conversation, names.save, {"file": path, "content": prose.run(80)}, ids)
        return [asked, output(books, asked, compact({"ok": True, "note": text}), at, at)]
    if shape < 0.95:
        arguments = {"directory": path[:-3], "deep": rng.random() < 0.5}
        asked = call(books, conversation, names.listing, arguments, ids)
        return [asked, output(books, asked, compact([path, text]), at, at)]
    asked = call(books, conversation, names.script, {"code": f"print({rng.randrange(100000)})"}, ids)
    content = compact({"exception": text, "stack": [path]})
    error = "error" if rng.random() < 0.5 else None
    return [asked, output(books, asked, content, at, at, outcome="failure", error=error)]
