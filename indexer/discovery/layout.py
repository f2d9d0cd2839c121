"""What a path alone says of jobs, their companions, their logs and the sidecars of saved chats.

Pure: strings in, records out. FORMAT.md 3.1 gives the placement of jobs, its first table the three
generations of logs. Which file is there, and whether an owner is a job or a saved chat, others decide
(`kinds`, `links`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .paths import last_components

#: FORMAT.md 3.1: name, 32 characters of digest, extension.
_JOB_FILE = re.compile(r"^(.+?)(?:_([a-z0-9]{32}))?(?:\.(.*))?$", re.DOTALL)
_VAR_JOBS = "/var/jobs/"

INFO = ".info"
FILES = ".files"
#: What the files of one chat may be named by: plain, or compressed as FORMAT.md 1.1 allows.
CHAT_SUFFIXES = (".chat", ".chat.gz", ".chat.bgz", ".chat.zip")


class JobPath(NamedTuple):
    """A job's result path taken apart: `<jobs_root>/<workflow>/<task>/<name>[_<digest>][.<extension>]`."""

    jobs_root: str
    workflow: str
    task: str
    name: str
    digest: str | None
    extension: str | None


class Owner(NamedTuple):
    """Whose log or sidecar a chat is, by its path.

    path          result path of the job, or the saved chat: what stands before `.files`
    place         `log` (generation L: below `log/`, only jobs have that), `top` (directly in `.files`) or
                  `society`
    society       (agent, conversation) pairs the path names, outermost first; the last pair is the chat's own
    agent         agent named by the path: of the last pair, or of `<agent>.chat` at the top; None for plain
                  `agent.chat`
    conversation  conversation named by the path
    """

    path: str
    place: str
    society: tuple[tuple[str, str], ...] = ()
    agent: str | None = None
    conversation: str | None = None


def has_chat_suffix(name: str) -> bool:
    """True for `*.chat` and its compressed forms."""
    return name.endswith(CHAT_SUFFIXES)


def chat_stem(name: str) -> str:
    """File name without its chat suffix."""
    for suffix in CHAT_SUFFIXES:
        if name.endswith(suffix):
            return name[: -len(suffix)]
    return name


def split_job(path: str) -> JobPath | None:
    """Take a result path apart; None when it has no workflow and task above it."""
    parts = path.split("/")
    if len(parts) < 4 or not all(parts[-3:]):
        return None
    match = _JOB_FILE.match(parts[-1])
    if match is None:  # an empty name cannot come here; a lone newline can
        return None
    return JobPath("/".join(parts[:-3]) or "/", parts[-3], parts[-2], match[1], match[2], match[3])


def short_reference(path: str) -> str:
    """`Workflow/task/file`, as `job=` writes it; equal for all spellings of one job's path."""
    return last_components(path)


def split_var_jobs(path: str) -> tuple[str, str] | None:
    """(jobs root, rest) at the last `var/jobs/` of a path, relative ones included; None without one."""
    head, mark, rest = path.rpartition(_VAR_JOBS)
    if mark:
        return f"{head}/var/jobs", rest
    return ("var/jobs", path[9:]) if path.startswith("var/jobs/") else None


def is_job_place(path: str, jobs_roots: tuple[str, ...] = ()) -> bool:
    """True three components below a `var/jobs` or one of `jobs_roots`: where results stand."""
    for root in jobs_roots:
        if path.startswith(f"{root}/") and path.count("/", len(root)) == 3:
            return True
    split = split_var_jobs(path)
    return split is not None and split[1].count("/") == 2


def job_of_companion(path: str) -> str:
    """Result path of a job whose `.info` or `.files` was named; other paths come back as they are."""
    for suffix in (INFO, FILES):
        if path.endswith(suffix) and path.rpartition("/")[2] != suffix:
            return path[: -len(suffix)]
    return path


def jobs_root_of(path: str) -> str | None:
    """Jobs root that holds a file (a result, its companions, its logs); None where the path names none.

    A `var/jobs` in the path decides; else the owner of an enclosing `.files` stands three below its root.
    """
    split = split_var_jobs(path)
    if split is not None and split[0].startswith("/"):
        return split[0]
    for owner in reversed(owners(path)):
        job = split_job(owner.path)
        if job is not None:
            return job.jobs_root
    return None


def owners(path: str) -> tuple[Owner, ...]:
    """Jobs or saved chats whose log or sidecar a chat is by its path, innermost first; () for others.

    A log may hold the sidecar folder of another log, so every enclosing `.files` is looked at. Not logs,
    whatever their suffix: `resets/` (FORMAT.md 4, transient files) and what stands deeper in `.files` outside
    `log/` and `*.society/`.
    """
    if FILES + "/" not in path or not has_chat_suffix(path):
        return ()
    parts = path.split("/")
    found = []
    for position in range(len(parts) - 2, 0, -1):
        name = parts[position]
        if name.endswith(FILES) and name != FILES:
            owner = _place(parts[position + 1 :])
            if owner is not None:
                head = "/".join([*parts[:position], name[: -len(FILES)]])
                found.append(owner._replace(path=head))
    return tuple(found)


def _place(inside: list[str]) -> Owner | None:
    """Place of a chat by the components below `.files`; None when no generation counts it as a log."""
    if "resets" in inside[:-1]:
        return None
    if len(inside) == 1:
        stem = chat_stem(inside[0])
        return Owner("", "top", agent=None if stem == "agent" else stem)
    if inside[0] == "log":
        pairs = _society(inside[1:])
        return _named("log", pairs)
    if inside[0].endswith(".society"):
        return _named("society", _society(inside))
    return None


def _named(place: str, pairs: tuple[tuple[str, str], ...]) -> Owner:
    agent, conversation = pairs[-1] if pairs else (None, None)
    return Owner("", place, pairs, agent, conversation)


def _is_society(part: str) -> bool:
    return part in ("society", "chats") or part.endswith(".society")


def _society(parts: list[str]) -> tuple[tuple[str, str], ...]:
    """(agent, conversation) pairs of a society path.

    Generation L: `society/<Agent>/<conv>.chat` or `chats/<Agent>/<conv>.chat`; M and N:
    `<name>.society/<Agent>/<conv>/ agent.chat`, nested as `<conv>/society/<Agent>/<conv>/agent.chat`. An
    agent may be `Name/brief`, two components.
    """
    pairs = []
    start = 0
    while start < len(parts) - 1 and _is_society(parts[start]):
        # The next marker leaves room for an agent and a conversation before it: an agent may be called
        # `society`.
        end = next((at for at in range(start + 3, len(parts) - 1) if _is_society(parts[at])), len(parts))
        segment = parts[start + 1 : end]
        if end == len(parts):
            if len(segment) >= 3 and chat_stem(segment[-1]) == "agent":
                segment = segment[:-1]
            else:
                segment = [*segment[:-1], chat_stem(segment[-1])]
        if len(segment) >= 2:
            pairs.append(("/".join(segment[:-1]), segment[-1]))
        start = end
    return tuple(pairs)
