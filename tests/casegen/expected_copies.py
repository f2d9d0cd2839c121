"""The expected instructions, spliced blocks, origins and conversations (see `expect`)."""

from __future__ import annotations

from collections.abc import Mapping
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


def origins(truth: dict[str, Any], out: Path | str) -> dict[str, tuple[str, str]]:
    """By message address: (own, projection, inlined or inherited; address where it was first said).

    That address is the same for all copies of one message, and the message's own where it is the original. It
    may lie in a chat that is gone: then some copy has to stand for the original. Of generated cases only.
    """
    found: dict[str, tuple[str, str]] = {}
    for path, entries in truth["origins"].items():
        for index, (home, place, _, how) in enumerate(entries):
            first = f"{out}/{path}#{index}" if home is None else f"{out}/{home}#{place}"
            found[f"{out}/{path}#{index}"] = (how, first)
    return found


def wrong_copies(originals: Mapping[str, str], truth: dict[str, Any], out: Path | str) -> list[str]:
    """What is wrong with (message address -> address of its original, or its own) as the program gives it.

    Copies of one message must have one original, among themselves, and other messages another. Which of the
    equals is the original is compared where it can be known: not where the first chat is gone, nor for a chat
    with a backup.
    """
    wrong = []
    free = {f"{out}/{path}" for path in truth["gone"]}
    for path in truth["backups"]:
        free |= {f"{out}/{path}", f"{out}/{truth['conversations'][truth['chats'][path]['conversation']]}"}
    by_home: dict[str, set[str]] = {}
    by_original: dict[str, set[str]] = {}
    for address, (_, home) in origins(truth, out).items():
        original = originals[address]
        by_home.setdefault(home, set()).add(original)
        by_original.setdefault(original, set()).add(home)
        if home.rpartition("#")[0] not in free and original != home:
            wrong.append(f"{address}: original {original}, not {home}")
    wrong += [
        f"{home}: several originals {sorted(found)}" for home, found in by_home.items() if len(found) > 1
    ]
    wrong += [f"{one}: original of {sorted(found)}" for one, found in by_original.items() if len(found) > 1]
    return wrong


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
