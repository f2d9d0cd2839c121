"""A small world of chats and jobs that a test changes as people and agents do, noting what a watcher would hear."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from indexer.discovery.partial import Places

JOBS = ("Flow/ask/One.chat", "Flow/ask/Two.chat", "Flow/make/Three")
CHATS = (
    "chats/a.chat",
    "chats/b.chat",
    "chats/plain",
    "talk/c.chat",
    "talk/deep/d.chat",
    "notes.txt",
    "talk/e.md",
)
FOLDERS = ("chats", "talk", "talk/deep", "var/jobs/Flow/ask", "var/jobs/Flow", "moved", "talk/moved")
LINKS = ("chats/l.chat", "talk/chats", "jobs_here", "talk/l")
STATUSES = ("done", "start", "error", "setup")
LONG = "This text is long enough to be told from others by itself, as the rule of sixty-four bytes wants it."


def _said(kind: int) -> str:
    job = JOBS[kind % 3]
    path = f"/elsewhere/var/jobs/{JOBS[(kind + 1) % 3]}"
    call = json.dumps(
        {"name": "ask", "arguments": {"agent": "A", "prompt": f"p{kind % 4}"}, "id": f"call_{kind % 4}"}
    )
    receipt = {"role": "meta", "content": f"job={job} inference_id=r{kind % 4} pt=3 ct=1 tt=4"}
    output = json.dumps(
        {"name": "ask", "content": f"out {LONG}", "id": f"call_{kind % 4}", "agent_meta": [receipt]}
    )
    return (
        f"user:\n\nhello {kind % 3}\n",
        f"assistant:\n\n{LONG} {kind % 3}\n",
        f"meta: job={job}\n\nassistant:\n\n{LONG}\n",
        f"meta: pt=10 ct=5 tt=15 tt_c={15 * (kind % 3)} inference_id=i{kind % 4}"
        f" timestamp=2026-09-0{1 + kind % 5}T10:00:00.000Z\n\n"
        f"assistant:\n\nanswer {kind % 2}\n",
        f"function_call: {call}\n",
        f"function_call_output: {output}\n",
        f"meta: job={path}\n\nassistant:\n\nyes\n",
        f"import: {('a.chat', '../talk/c.chat', 'gone.chat')[kind % 3]}\n",
        f"system:\n\nYou are agent {kind % 2}. {LONG}\n",
        "user:\n\n<b>never closed\n",
    )[kind % 10]


def text(kinds: list[int]) -> str:
    """A chat with one block for each number."""
    return "".join(f"\n{_said(kind)}" for kind in kinds)


def info(kind: int) -> str:
    """A job's info."""
    status = STATUSES[kind % 4]
    told = {
        "status": status,
        "issued": f"2026-09-0{1 + kind % 5} 10:00:00 +0000",
        "task_name": "ask",
        "workflow": "Flow",
        "type": "chat" if kind % 3 else "text",
        "dependencies": [f"/elsewhere/var/jobs/{JOBS[kind % 3]}"] if kind % 2 else [],
    }
    if status == "done":
        told["end"] = "2026-09-07 10:00:00 +0000"
    return json.dumps(told)


class World:
    """A folder, and the places in it that changed since they were last asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "keep.txt").write_text("a root that is never empty")
        self._names: dict[str, set[str]] = {}
        self._trees: set[str] = set()

    def changed(self) -> Places:
        """What a watcher heard since the last call."""
        places = Places(self._names, frozenset(), self._trees)
        self._names, self._trees = {}, set()
        return places

    def _name(self, path: Path) -> None:
        self._names.setdefault(str(path.parent), set()).add(path.name)

    def _folder(self, path: Path) -> None:
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir()
            self._trees.add(str(folder))

    def at(self, name: str) -> Path:
        return self.root / name

    def _free(self, path: Path) -> bool:
        """True where a file can be put: no folder in its place, no file in place of a folder above it."""
        if path.is_dir() and not path.is_symlink():
            return False
        for folder in path.parents:
            if folder == self.root:
                return True
            if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
                return False
        return True

    def write(self, name: str, content: str, atomic: bool = False) -> None:
        path = self.at(name)
        if not self._free(path) or path.is_symlink():
            return
        self._folder(path.parent)
        if atomic:
            beside = path.with_name(f".{path.name}.tmp")
            beside.write_text(content)
            self._name(beside)
            beside.rename(path)
        else:
            path.write_text(content)
        self._name(path)

    def append(self, name: str, content: str) -> None:
        path = self.at(name)
        if path.is_file() and not path.is_symlink():
            with path.open("a") as file:
                file.write(content)
            self._name(path)

    def remove(self, name: str) -> None:
        path = self.at(name)
        if path.is_symlink() or path.is_file():
            path.unlink()
            self._name(path)
        elif path.is_dir():
            shutil.rmtree(path)
            self._trees.add(str(path))

    def move(self, name: str, to: str) -> None:
        source, target = self.at(name), self.at(to)
        if not os.path.lexists(source) or os.path.lexists(target) or not self._free(target):
            return
        if str(target).startswith(f"{source}/"):
            return
        self._folder(target.parent)
        folder = source.is_dir() and not source.is_symlink()
        source.rename(target)
        if folder:
            self._trees |= {str(source), str(target)}
        else:
            self._name(source)
            self._name(target)

    def link(self, name: str, to: str) -> None:
        path = self.at(name)
        if not self._free(path) or (path.exists() and not path.is_symlink()):
            return
        self._folder(path.parent)
        path.unlink(missing_ok=True)
        path.symlink_to(self.at(to))
        self._name(path)
