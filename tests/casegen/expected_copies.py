"""The expected instructions, spliced blocks, origins and conversations (see `expect`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .expected_scope import JobRefs, members, root_path, token_object, totals


def instructions(truth: dict[str, Any], key: str, refs: JobRefs, out: Path | str) -> dict[str, list[str]]:
    """sha1 of each instructions text that agents of a scope began with, and the logs that did."""
    chats = set(members(truth, key, refs)[0])
    found: dict[str, list[str]] = {}
    for entry in truth["instructions"]:
        if entry["chat"] in chats:
            found.setdefault(entry["instructions_sha1"], []).append(f"{out}/{entry['chat']}")
    return {digest: sorted(logs) for digest, logs in sorted(found.items())}


def session_instructions(truth: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    """By session and agent, the sha1s of its instructions: several where they changed within the session."""
    found: dict[str, dict[str, set[str]]] = {}
    for entry in truth["instructions"]:
        agents = found.setdefault(entry["session"], {})
        agents.setdefault(entry["agent"], set()).add(entry["instructions_sha1"])
    return {
        session: {agent: sorted(digests) for agent, digests in sorted(agents.items())}
        for session, agents in sorted(found.items())
    }


def inlined(truth: dict[str, Any], key: str, refs: JobRefs, out: Path | str) -> list[dict[str, Any]]:
    """The spliced blocks in the chats of a scope: chat, first_index, last_index, job, original, messages.

    Generated cases also tell `bytes`, of the parsed contents; `bytes_on_disk` is what the truth calls bytes.
    """
    chats = set(members(truth, key, refs)[0])
    found = []
    for entry in truth["inlined"]:
        if entry["host"] not in chats:
            continue
        block = {
            "chat": f"{out}/{entry['host']}",
            "first_index": entry["first"],
            "last_index": entry["last"],
            "job": f"{out}/{entry['job']}",
            "original": f"{out}/{entry['job']}" if entry["original_exists"] else None,
            "messages": entry["last"] - entry["first"] + 1,
            "bytes_on_disk": entry["bytes"],
        }
        if "content_bytes" in entry:
            block["bytes"] = entry["content_bytes"]
        found.append(block)
    return sorted(found, key=lambda block: (block["chat"], block["first_index"]))


def dedup(truth: dict[str, Any], key: str, refs: JobRefs, out: Path | str) -> dict[str, Any]:
    """The dedup answer."""
    kept = ("messages", "unique_messages", "tool_calls", "unique_tool_calls", "bytes", "unique_bytes")
    figures = totals(truth, key, refs)
    return {
        "root": root_path(truth, key, out),
        "totals": {name: figures[name] for name in kept if name in figures},
        "inlined": inlined(truth, key, refs, out),
    }


def origins(truth: dict[str, Any], out: Path | str) -> dict[str, tuple[str, str | None]]:
    """By message address: (origin word, address of the original or None where it is the original itself).

    The original of a message first said in a chat that is gone is some copy of it; such a message gives its
    old home all the same. Of generated cases only.
    """
    found: dict[str, tuple[str, str | None]] = {}
    for path, entries in truth["origins"].items():
        for index, (home, place, _, how) in enumerate(entries):
            first = home is None or (home, place) == (path, index)
            found[f"{out}/{path}#{index}"] = (how, None if first else f"{out}/{home}#{place}")
    return found


def conversations(truth: dict[str, Any], key: str, out: Path | str) -> dict[str, Any]:
    """One line of the conversations answer; `shared_jobs` are those that another root reaches too."""
    root = truth["roots"][key]
    others = {job for k, r in truth["roots"].items() if k != key for job in r["closure_all"]["jobs"]}
    return {
        "root": root_path(truth, key, out),
        "own_jobs": len(root["own_jobs"]),
        "context_jobs": len(root["context_jobs"]),
        "shared_jobs": len(others & set(root["closure_all"]["jobs"])),
        "tool_calls": root["tool_calls"]["own"]["raw"],
        "unique_tool_calls": root["tool_calls"]["own"]["unique"],
        "tokens": token_object(root["tokens"]["own"]),
    }
