"""Finding the chat or job that a person means: a path, a short reference, or a unique part of a name.

The graph decides, not the disk: a root whose file is gone is found as well as one that is there. The disk
only helps to read relative paths and links (FORMAT.md 1.6 and 3.3).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from indexer.answers.errors import NotInGraph
from indexer.answers.runner import Runner
from indexer.discovery.environment import Environment
from indexer.discovery.paths import storable
from indexer.discovery.references import Resolver

#: Ranks of `lookup` from which on a row is no id, but a reference or a name.
BY_REFERENCE = 1000
NEAR = 10


@dataclass(frozen=True, slots=True)
class Root:
    """A chat or job of the graph: its id, and which of the two its closure starts with."""

    id: str
    kind: str


def resolve_root(runner: Runner, text: str, environment: Environment | None = None) -> Root:
    """The chat or job that `text` names. Raises NotInGraph with candidates, also where several are meant."""
    if text != text.encode("utf-8", "replace").decode():  # bytes of a file name that are no UTF-8
        text = storable(text)
    wanted = text.strip()
    if wanted in ("", ".", "/"):
        raise NotInGraph("an empty name means no chat or job")
    env = environment or Environment.of_process()
    rows = runner.run("lookup", {"ids": paths(wanted, env), "names": names(wanted)})
    if rows:
        first = rows[0]["rank"]
        best = [Root(row["id"], row["kind"]) for row in rows if row["rank"] == first]
        if first < BY_REFERENCE or len(best) == 1:
            return best[0]
        raise NotInGraph(f"{text} names {len(best)} chats or jobs:", [root.id for root in best[:NEAR]])
    parts = runner.run("lookup_part", {"text": wanted, "limit": NEAR})
    if len(parts) == 1:
        return Root(parts[0]["id"], parts[0]["kind"])
    if parts:
        raise NotInGraph(f"{text} is part of {parts[0]['total']} names:", [row["id"] for row in parts])
    raise NotInGraph(*_unknown(runner, text, env))


def paths(text: str, env: Environment) -> list[str]:
    """Ids that the text can mean, the likeliest first."""
    found: list[str] = [text]
    expanded = os.path.normpath(os.path.expanduser(text))
    for base in ("", f"{env.cwd}/chats", f"{env.home}/.scout/chats"):
        if base and expanded.startswith("/"):
            continue
        whole = os.path.normpath(os.path.join(env.cwd, base, expanded))
        for path in (whole, f"{whole}.chat"):
            found += [path, env.files.real(path)]
    job = Resolver(env).job(text)
    if not job.missing:
        found.append(job.path)
    for suffix in (".info", ".files"):
        found += [path.removesuffix(suffix) for path in found if path.endswith(suffix)]
    # As the system spells a path and as the graph does: a file may really be named a%C3%A9.chat.
    return list(dict.fromkeys([*found, *map(storable, found)]))


def names(text: str) -> list[str]:
    """Short references and file names that the text can mean."""
    components = [part for part in text.split("/") if part not in ("", ".", "..", "~")]
    found = ["/".join(components[-3:])]
    if len(components) == 1:
        found.append(f"{components[0]}.chat")
    return found


def _unknown(runner: Runner, text: str, env: Environment) -> tuple[str, list[str]]:
    there = os.path.exists(os.path.expanduser(text))
    message = f"no chat or job named {text} is in the graph"
    if there:
        message += f"; the file is there: `indexer scan {text}` reads it"
    stem = re.sub(r"\.\w+$", "", os.path.basename(text.rstrip("/")))
    for part in (
        stem,
        *sorted(re.split(r"[\W_]+", stem), key=len, reverse=True),
        stem[: max(4, len(stem) // 2)],
    ):
        near = runner.run("lookup_part", {"text": part, "limit": NEAR}) if len(part) > 2 else []
        if near:
            return f"{message}; near it:", [row["id"] for row in near]
    return message, []
