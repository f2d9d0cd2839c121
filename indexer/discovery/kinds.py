"""Telling files apart: by name and folder without opening them, else by their first 64 KiB.

FORMAT.md 3.1 (jobs and companions), 3.2 (`.info`), 1.2 and 1.5 (headers and roles). The folder's part of the
answer is taken once for each folder (`Place`), so that a walk spends one dictionary look-up on most files.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from .layout import CHAT_SUFFIXES, INFO, Owner, is_job_place


class Kind(StrEnum):
    """What a file is taken for by its name and place."""

    CHAT = "chat"
    INFO = "info"  # a job's state, in a place where jobs stand
    RESULT = "job_result"  # a job's result that is no chat by its name: stamped, never read
    CANDIDATE = "candidate"  # a chat if `looks_like_chat` says so of its beginning
    MAYBE_INFO = "maybe_info"  # `*.info` elsewhere: a job's if `looks_like_info` says so
    IGNORED = "ignored"


#: Bytes that a sniff needs at most.
SNIFF_BYTES = 65_536

#: Folders whose files may be chats without the suffix.
CHAT_FOLDERS = frozenset({"chats", "chat"})

#: Below a chat folder, files with these extensions are something else and not worth opening.
_NEVER_CHAT = frozenset(
    """
    avi bak bib bin bmp bz2 c cfg class conf cpp css csv db db-shm db-wal dll doc docx epub gif go gz h htm
    html ico ini ipynb jar java jpeg jpg js json jsonl key log lua m4a marshal md mkv mov mp3 mp4 odt ogg old
    orig otf out parquet part pdf pickle pid pkl png ppt pptx ps pub py pyc r rar rb rst rtf sh so sql sqlite
    sqlite3 svg swp tar tex tgz tif tiff tmp toml ts tsv ttf txt wav webm webp woff woff2 xls xlsx xml xz yaml
    yml zip zst """.split()  # noqa: SIM905
)

#: Extensions of what older producers leave beside a job, no results of their own (FORMAT.md 3.2, temporary
#: names).
_BESIDE_JOB = frozenset({"md5", "pid"})

#: Roles that a chat says something with (FORMAT.md 1.5); a text without one of them is no chat.
_TELLING = b"user|system|assistant|import|continue|last|function_call|mcp_call|function_call_output|meta"
_HEADER = re.compile(rb"^(?:" + _TELLING + rb"):")
_INFO_KEYS = re.compile(
    rb"(?<![a-z_])(?:status|issued|pid_hostname|task_name|provided_inputs|non_default_inputs|dependencies)(?![a-z_])"
)


class Place(NamedTuple):
    """What a folder says of the files directly in it."""

    job_task: bool  # `<jobs root>/<Workflow>/<task>`
    chats: bool  # below `chats/` or `chat/`
    in_files: bool  # below a `.files` folder


def place_of(folder: str, jobs_roots: tuple[str, ...] = (), chats: bool = False) -> Place:
    """Place of a folder by its path. `chats` says that a link called `chats` or `chat` leads here."""
    path = f"{folder}/x"
    in_files = ".files/" in path
    job_task = not in_files and is_job_place(path, jobs_roots)
    return Place(job_task, chats or "/chats/" in path or "/chat/" in path, in_files)


def kind_by_name(name: str, place: Place) -> Kind:
    """Kind of a regular file that no rule ignores."""
    stem, dot, extension = name.rpartition(".")
    if extension == "chat" and dot:
        return Kind.CHAT
    if extension == "info" and stem:
        return Kind.INFO if place.job_task else Kind.MAYBE_INFO
    if name == "start_chat" or name.endswith(CHAT_SUFFIXES):
        return Kind.CHAT
    if place.job_task:
        return Kind.IGNORED if extension in _BESIDE_JOB and stem else Kind.RESULT
    if place.chats and not place.in_files and extension.lower() not in _NEVER_CHAT and not name.endswith("~"):
        return Kind.CANDIDATE
    return Kind.IGNORED


def looks_like_chat(head: bytes) -> bool:
    """True when the beginning of a file (64 KiB at most) is text with a chat header outside fences.

    A header starts in column 1 with its colon attached; the role must be one that chats are made of, since
    any lower-case word and a colon is a header to the format (`https:`). `role::` is none in practice: it is
    Ruby or C++.
    """
    head = head[:SNIFF_BYTES]
    if b"\0" in head:
        return False
    stray = len(head) - len(head.decode("utf-8", "ignore").encode())
    if stray > 8 + len(head) // 10:  # FORMAT.md 1.1 allows some; this is no text
        return False
    fenced = False
    for line in head.split(b"\n"):
        if line.lstrip().startswith(b"```"):
            fenced = not fenced
        elif not fenced and (match := _HEADER.match(line)) and line[match.end() : match.end() + 1] != b":":
            return True
    return False


def looks_like_info(head: bytes) -> bool:
    """True when a `*.info` file begins like a job's state: JSON, YAML or Ruby Marshal (FORMAT.md 3.2).

    Empty and unreadable files say nothing here; in a job's place they count all the same, since the place
    says it.
    """
    head = head[:SNIFF_BYTES]
    if head.startswith(b"\x04\x08"):
        return _INFO_KEYS.search(head) is not None
    text = head.lstrip()
    return text.startswith((b"{", b"---")) and _INFO_KEYS.search(text) is not None


def is_job(path: str, has_info: bool, jobs_roots: tuple[str, ...] = ()) -> bool:
    """True when a result path is a job's: its `.info` is there, or it stands in a job tree.

    In a job tree the info may be gone, or the job failed before it wrote one (FORMAT.md 3.2).
    """
    return has_info or is_job_place(path, jobs_roots)


def owner_is_job(owner: Owner, has_info: bool, jobs_roots: tuple[str, ...] = ()) -> bool:
    """True when a log's owner is a job, False when it is a saved chat; only jobs have `log/`."""
    return owner.place == "log" or is_job(owner.path, has_info, jobs_roots)


def chat_kind(owners: tuple[Owner, ...], owner_jobs: tuple[bool, ...], chat_is_job: bool) -> str:
    """Kind of a chat: `log` or `sidecar` by its nearest owner, else `result` of a job, else `root`.

    `owner_jobs` tells for each owner whether it is a job (`owner_is_job`), `chat_is_job` the same of the
    chat's own path.
    """
    if owners:
        return "log" if any(owner_jobs) else "sidecar"
    return "result" if chat_is_job else "root"


def info_of(path: str) -> str:
    """Path of a job's `.info`."""
    return path + INFO
