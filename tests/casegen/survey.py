"""What a tree holds, found out by reading it: chats, calls, paid requests, references, closures."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import Any

from . import literal


class SurveyedChat:
    """One chat as read. Paths are relative to the case's folder."""

    def __init__(self, tree: Tree, path: str) -> None:
        self.path = path
        self.text, self.messages = literal.read(tree.folder / path)
        self.raw_bytes = sum(len(m.content.encode()) for m in self.messages)
        first = self.messages[0] if self.messages else None
        self.synthetic = 1 if first is not None and first.end == 0 and not first.content else 0
        self.calls = [
            literal.call_key(m.content) for m in self.messages if m.role in ("function_call", "mcp_call")
        ]
        self.keys: dict[str, int] = {}
        self.requests: dict[str, tuple[int, ...]] = {}
        self.entries = 0
        self.edges: dict[tuple[Any, ...], str] = {}
        for index, message in enumerate(self.messages):
            if index or not self.synthetic:
                content = literal.normalise(message.content)
                self.keys[f"{message.role}\0{content}"] = len(content.encode())
            self._references(tree, index, message)

    def _references(self, tree: Tree, index: int, message: literal.Message) -> None:
        if message.role == "meta":
            values = literal.meta(message.content)
            if "job" in values:
                job = tree.job(values["job"])
                self.edges[("job", self.path, job)] = job
            elif found := literal.request(values, f"{self.path}#{index}"):
                self.requests.setdefault(*found)
        elif message.role == "function_call_output":
            for number, values in enumerate(literal.receipt(message.content)):
                self.entries += 1
                if "job" in values:
                    job = tree.job(values["job"])
                    self.edges[("agent_job", self.path, job, (index, number))] = job
                elif found := literal.request(values, f"{self.path}#{index}/{number}"):
                    self.requests.setdefault(*found)


class Tree:
    """A case's folder as read. `jobs_root` is relative to it."""

    def __init__(self, folder: Path, jobs_root: str) -> None:
        self.folder = folder
        self.jobs_root = jobs_root
        paths = sorted(p for p in folder.glob("home/**/*.chat") if p.is_file() and "jobs_here" not in p.parts)
        self.chats = {}
        for path in paths:
            relative = str(path.relative_to(folder))
            self.chats[relative] = SurveyedChat(self, relative)
        self.infos: dict[str, dict[str, Any]] = {
            str(path.relative_to(folder))[: -len(".info")]: json.loads(path.read_text())
            for path in sorted((folder / jobs_root).rglob("*.info"))
        }
        self.logs: dict[str, list[str]] = {}
        for relative in self.chats:
            if ".files/" in relative:
                self.logs.setdefault(relative.split(".files/")[0], []).append(relative)

    def job(self, reference: str) -> str:
        """A job by its last three components, whatever stands before them."""
        return "/".join([self.jobs_root, *reference.split("/")[-3:]])

    def closure(self, root: str, kind: str) -> tuple[set[str], set[str], set[tuple[Any, ...]]]:
        """(chats, jobs, edges) that a root reaches."""
        chats: set[str] = set()
        jobs: set[str] = set()
        edges: set[tuple[Any, ...]] = set()
        waiting = deque([(kind, root)])
        while waiting:
            what, path = waiting.popleft()
            known = chats if what == "chat" else jobs
            if path in known:
                continue
            known.add(path)
            steps = self._chat_steps(path) if what == "chat" else self._job_steps(path)
            for edge, step in steps:
                edges.add(edge)
                waiting.append(step)
        return chats, jobs, edges

    def _chat_steps(self, path: str) -> list[tuple[tuple[Any, ...], tuple[str, str]]]:
        steps: list[tuple[tuple[Any, ...], tuple[str, str]]]
        steps = [(edge, ("job", job)) for edge, job in self.chats[path].edges.items()]
        sidecars = self.logs.get(path, ()) if path not in self.infos else ()
        return steps + [(("log", path, sidecar), ("chat", sidecar)) for sidecar in sidecars]

    def _job_steps(self, path: str) -> list[tuple[tuple[Any, ...], tuple[str, str]]]:
        steps: list[tuple[tuple[Any, ...], tuple[str, str]]] = []
        info = self.infos.get(path, {})
        for reference in info.get("dependencies", ()):
            job = self.job(reference[-1] if isinstance(reference, list) else reference)
            steps.append((("dependency", path, job), ("job", job)))
        steps += [(("log", path, log), ("chat", log)) for log in self.logs.get(path, ())]
        if path in self.chats:
            steps.append((("result", path, path), ("chat", path)))
        return steps

    def requests(self, chats: set[str]) -> dict[str, tuple[int, ...]]:
        """Distinct paid requests of some chats."""
        found: dict[str, tuple[int, ...]] = {}
        for path in sorted(chats):
            for identity, counts in self.chats[path].requests.items():
                found.setdefault(identity, counts)
        return found
