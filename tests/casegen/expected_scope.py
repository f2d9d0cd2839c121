"""The expected scopes, edges, contexts, tokens and differences (see `expect`)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

JobRefs = Literal["all", "own"]
RELATIONS = ("job", "dependency", "log", "result", "agent_job")
COUNTS = ("pt", "ct", "tt", "cct", "cwt", "rt")


def absolute(out: Path | str, paths: Iterable[str]) -> list[str]:
    """The paths under `out`, sorted."""
    return sorted(f"{out}/{path}" for path in paths)


def token_object(figures: dict[str, int]) -> dict[str, int]:
    """The six counts, without the number of events."""
    return {key: figures[key] for key in COUNTS}


def root_path(truth: dict[str, Any], key: str, out: Path | str) -> str:
    """The root's id."""
    return f"{out}/{truth['roots'][key]['root']}"


def members(truth: dict[str, Any], key: str, refs: JobRefs) -> tuple[list[str], list[str]]:
    """(chats, jobs) of a scope, relative paths."""
    root = truth["roots"][key]
    if refs == "own":
        return root["own_chats"], root["own_jobs"]
    return root["closure_all"]["chats"], root["closure_all"]["jobs"]


def distinct_edges(truth: dict[str, Any], key: str) -> set[tuple[Any, ...]]:
    """The edges of the whole closure, each once: a recorded list may hold one twice."""
    listed = truth["roots"][key]["closure_all"]["edge_list"]
    return {tuple(tuple(part) if isinstance(part, list) else part for part in edge) for edge in listed}


def context(truth: dict[str, Any], key: str, out: Path | str) -> list[dict[str, Any]]:
    """The CONTEXT edges that leave own chats: from, to, relation, target_in_scope, basis, addresses.

    One entry for each (from, to, relation). `basis` and `addresses` are there for generated cases only, and
    addresses for receipts only. Where infos carry no times, a block spliced after the history cannot be told
    from own work, and such an edge is left out (`doubtful` lists these).
    """
    return [entry for entry in _context(truth, key, out) if not _untold(truth, entry)]


def doubtful(truth: dict[str, Any], key: str, out: Path | str) -> list[dict[str, Any]]:
    """The edges that are context by the books but not to be known from the files: infos without times."""
    return [entry for entry in _context(truth, key, out) if _untold(truth, entry)]


def _untold(truth: dict[str, Any], entry: dict[str, Any]) -> bool:
    times = truth["arguments"].get("info_times", True)
    return not times and entry.get("basis") in ("interval", "block")


def _context(truth: dict[str, Any], key: str, out: Path | str) -> list[dict[str, Any]]:
    root = truth["roots"][key]
    own = set(root["own_jobs"])
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for name, relation, late in (
        ("context_edges", "job", "interval"),
        ("inherited_own_edges", "job", "interval"),
        ("context_agent_edges", "agent_job", "block"),
        ("inherited_own_agent_edges", "agent_job", "block"),
    ):
        for edge in root.get(name, ()):
            entry = found.setdefault(
                (edge["from"], edge["to"], relation),
                {
                    "from": f"{out}/{edge['from']}",
                    "to": f"{out}/{edge['to']}",
                    "relation": relation,
                    "target_in_scope": edge["to"] in own,
                },
            )
            if "in_history" in edge:
                inherited = edge["in_history"] or entry.get("basis") == "inherited"
                entry["basis"] = "inherited" if inherited else late
            if "address" in edge:
                entry.setdefault("addresses", []).append(tuple(edge["address"]))
    return [found[edge] for edge in sorted(found)]


def edge_counts(truth: dict[str, Any], key: str, refs: JobRefs, out: Path | str = "") -> dict[str, int]:
    """Edges by relation, and `context`.

    all   every relation counts its CONTEXT edges too, as the reference does; `context` counts those once more
    own   edges from own nodes, CONTEXT ones left out; `context` counts those left out
    An agent_job edge counts once for each receipt address, in `context` too.
    """
    edges = distinct_edges(truth, key)
    away = {
        (entry["relation"], _relative(entry["from"], out), _relative(entry["to"], out))
        for entry in context(truth, key, out)
    }
    marked = {edge for edge in edges if edge[:3] in away}
    if refs == "own":
        chats, jobs = members(truth, key, "own")
        edges = {edge for edge in edges if edge[1] in {*chats, *jobs}} - marked
    counted = {relation: sum(1 for edge in edges if edge[0] == relation) for relation in RELATIONS}
    return {**counted, "context": len(marked)}


def _relative(path: str, out: Path | str) -> str:
    return path.removeprefix(f"{out}/")


def totals(truth: dict[str, Any], key: str, refs: JobRefs) -> dict[str, Any]:
    """`totals` of a scope. Byte figures are given where the tree is under the path it was made under."""
    root = truth["roots"][key]
    chats, jobs = members(truth, key, refs)
    found = {
        "chats": len(chats),
        "jobs": len(jobs),
        "messages": root["messages"][refs]["raw"],
        "unique_messages": root["messages"][refs]["unique_by_origin"],
        "tool_calls": root["tool_calls"][refs]["raw"],
        "unique_tool_calls": root["tool_calls"][refs]["unique"],
        "tokens": token_object(root["tokens"][refs]),
    }
    if not truth["out"].startswith("@"):
        found["bytes"] = root["bytes"][refs]["raw"]
        found["unique_bytes"] = root["bytes"][refs]["unique_by_origin"]
    return found


def scope(truth: dict[str, Any], key: str, refs: JobRefs, out: Path | str) -> dict[str, Any]:
    """The scope answer."""
    chats, jobs = members(truth, key, refs)
    return {
        "root": root_path(truth, key, out),
        "job_refs": refs,
        "chats": absolute(out, chats),
        "jobs": absolute(out, jobs),
        "edges": edge_counts(truth, key, refs, out),
        "context": context(truth, key, out),
        "totals": totals(truth, key, refs),
    }


def tokens(truth: dict[str, Any], key: str, refs: JobRefs) -> dict[str, Any]:
    """Totals by scope and the number of events. Generated cases tell all four scopes of `all`."""
    figures = truth["roots"][key]["tokens"]
    found: dict[str, Any] = {
        "totals": {"deduplicated_total": token_object(figures[refs])},
        "events": figures[refs]["events"],
    }
    if refs == "all" and "chat_evidence" in figures:
        for name in ("chat_evidence", "receipt_evidence", "receipt_only"):
            found["totals"][name] = token_object(figures[name])
    return found


def diff(truth: dict[str, Any], out: Path | str) -> dict[str, Any]:
    """The diff answer of E and G over whole closures; `edges` for generated cases only."""
    told = truth["diff"]
    found: dict[str, Any] = {"a": f"{out}/{told['a']}", "b": f"{out}/{told['b']}"}
    for name in ("only_in_a", "only_in_b", "in_both"):
        part = told[name]
        found[name] = {
            "chats": absolute(out, part["chats"]),
            "jobs": absolute(out, part["jobs"]),
            "tokens": token_object(part["tokens"]),
        }
        if "edges" in part:
            found[name]["edges"] = part["edges"]
    return found
