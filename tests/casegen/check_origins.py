"""Check the books of origins against what the chats say."""

from __future__ import annotations

from typing import Any

from .literal import Message, call_key, meta, normalise
from .survey import Tree


def check_origins(tree: Tree, truth: dict[str, Any]) -> list[str]:
    """Disagreements between `origins` and the tree."""
    found: list[str] = []
    origins = truth["origins"]
    spans = {entry["host"]: entry for entry in truth["inherited"]}
    blocks: dict[str, list[tuple[int, int]]] = {}
    for entry in truth["inlined"]:
        blocks.setdefault(entry["host"], []).append((entry["first"], entry["last"]))
    for path, entries in origins.items():
        messages = tree.chats[path].messages
        if len(messages) != len(entries):
            found.append(f"origins of {path}: {len(entries)} entries, {len(messages)} messages")
            continue
        for index, (home, place, _, how) in enumerate(entries):
            address = f"{path}#{index}"
            if home is None:
                if index or messages[0].content:
                    found.append(f"{address}: no origin")
                continue
            span = spans.get(path)
            handed = span is not None and span["first"] <= index <= span["last"]
            spliced = any(first <= index <= last for first, last in blocks.get(path, ()))
            if how not in _ways(
                handed, spliced, truth["chats"][path]["kind"], (home, place) == (path, index)
            ):
                found.append(f"{address}: {how} in the wrong place")
            if home in tree.chats and not _alike(tree.chats[home].messages[place], messages[index], tree):
                found.append(f"{address}: not what {home}#{place} says")
            if home in origins and origins[home][place][:2] != [home, place]:
                found.append(f"{address}: its origin {home}#{place} is itself a copy")
    found += _counts(truth)
    return found


def _ways(handed: bool, spliced: bool, kind: str, first: bool) -> tuple[str, ...]:
    """The words that fit a place."""
    if first:
        return ("inlined",) if spliced else ("own",)
    if handed:
        return ("inherited",)
    if spliced:
        return ("inlined",)
    return ("projection",) if kind == "result" else ("own",)


def _alike(original: Message, copy: Message, tree: Tree) -> bool:
    """Whether two messages say the same: by text, or a meta by its ids, or a marker by its job."""
    if original.role != copy.role:
        return False
    if original.role == "meta":
        one, other = meta(original.content), meta(copy.content)
        if "job" in one:
            return "job" in other and tree.job(one["job"]) == tree.job(other["job"])
        return {**one, "reas": ""} == {**other, "reas": ""}
    if original.role in ("function_call", "mcp_call"):
        return call_key(original.content) == call_key(copy.content)
    return normalise(original.content) == normalise(copy.content)


def _counts(truth: dict[str, Any]) -> list[str]:
    """The unique figures once more, from the origins."""
    found = []
    origins = truth["origins"]
    scopes = [("union", list(truth["chats"]), None, truth["union"]["messages"])]
    for key, root in truth["roots"].items():
        scopes.append((f"{key} all", root["closure_all"]["chats"], None, root["messages"]["all"]))
        scopes.append((f"{key} own", root["own_chats"], root["conversation"], root["messages"]["own"]))
    for what, chats, conversation, expected in scopes:
        entries = [entry for path in chats for entry in origins[path] if entry[0] is not None]
        own = [entry for entry in entries if conversation in (None, entry[2])]
        unique = len({(entry[0], entry[1]) for entry in own})
        if unique != expected["unique_by_origin"]:
            found.append(f"{what}: {unique} origins, not {expected['unique_by_origin']}")
        if conversation is not None and len(entries) - len(own) != expected["inherited"]:
            found.append(f"{what}: {len(entries) - len(own)} inherited, not {expected['inherited']}")
    return found
