"""Compare a tree with its truth, by reading the tree: the same check for recorded and for generated cases."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .check_origins import check_origins
from .literal import TOKENS, sha1
from .survey import SurveyedChat, Tree


class Check:
    """The disagreements found so far. `check` runs all of it.

    A recorded truth was made under a path of another length: each mention of the folder in a file then shifts
    its byte figures by the same `shift`, which is worked out from the first such file.
    """

    def __init__(self, folder: Path, truth: dict[str, Any]) -> None:
        self.tree = Tree(folder.resolve(), truth["jobs_root"])
        self.truth = truth
        self.found: list[str] = []
        self.here = str(self.tree.folder)
        self.shift = 0
        if truth["out"] != self.here:
            for path, chat in self.tree.chats.items():
                mentions = chat.text.count(self.here)
                if mentions and path in truth["chats"]:
                    gap = truth["chats"][path]["file_bytes"] - len(chat.text.encode())
                    self.shift = gap // mentions
                    break

    def equal(self, what: str, truth: Any, tree: Any) -> None:
        """Note where the two differ."""
        if truth != tree:
            self.found.append(f"{what}: truth {_short(truth)}, tree {_short(tree)}")

    def chats(self) -> None:
        """Counts of each chat."""
        self.equal("chats", sorted(self.truth["chats"]), sorted(self.tree.chats))
        for path, expected in self.truth["chats"].items():
            chat = self.tree.chats.get(path)
            if chat is None:
                continue
            size = len(chat.text.encode()) + self.shift * chat.text.count(self.here)
            counted = {
                "messages": len(chat.messages),
                "synthetic": chat.synthetic,
                "tool_calls": len(chat.calls),
                "receipt_entries": chat.entries,
                "file_bytes": size,
                "crlf": "\r\n" in chat.text,
            }
            self.equal(path, {key: expected[key] for key in counted}, counted)
        for path, expected in self.truth["jobs"].items():
            info = self.tree.infos.get(path, {})
            self.equal(f"status {path}", expected["status"], info.get("status", "missing"))
            logs = sorted(self.tree.logs.get(path, ()))
            self.equal(f"logs {path}", sorted(expected["logs"]), logs)

    def figures(self, what: str, expected: dict[str, Any], paths: Iterable[str], unique: bool = True) -> None:
        """Messages, bytes, calls of some chats; without `unique` only the raw ones."""
        chats = [self.tree.chats[path] for path in paths]
        messages, sizes, calls = expected["messages"], expected["bytes"], expected["tool_calls"]
        self.equal(f"{what} raw", messages["raw"], sum(len(chat.messages) for chat in chats))
        self.equal(f"{what} synthetic", messages["synthetic"], sum(chat.synthetic for chat in chats))
        raw = sum(chat.raw_bytes + self._drift(m.content for m in chat.messages) for chat in chats)
        self.equal(f"{what} bytes", sizes["raw"], raw)
        self.equal(f"{what} calls", calls["raw"], sum(len(chat.calls) for chat in chats))
        if unique:
            keys = {key: size for chat in chats for key, size in chat.keys.items()}
            self.equal(f"{what} contents", messages["unique_by_content"], len(keys))
            total = sum(keys.values()) + self._drift(keys)
            self.equal(f"{what} content bytes", sizes["unique_by_content"], total)
            distinct = {call for chat in chats for call in chat.calls}
            self.equal(f"{what} distinct calls", calls["unique_by_content"], len(distinct))

    def _drift(self, contents: Iterable[str]) -> int:
        return self.shift * sum(content.count(self.here) for content in contents) if self.shift else 0

    def tokens(self, what: str, expected: dict[str, int], requests: dict[str, tuple[int, ...]]) -> None:
        """Sums over distinct paid requests."""
        sums = {key: sum(counts[i] for counts in requests.values()) for i, key in enumerate(TOKENS)}
        self.equal(what, expected, {**sums, "events": len(requests)})

    def roots(self) -> None:
        """Closures and their figures."""
        for key, root in self.truth["roots"].items():
            chats, jobs, edges = self.tree.closure(root["root"], root["kind"])
            closure = root["closure_all"]
            self.equal(f"{key} chats", closure["chats"], sorted(chats))
            self.equal(f"{key} jobs", closure["jobs"], sorted(jobs))
            listed = {
                tuple(tuple(p) if isinstance(p, list) else p for p in edge) for edge in closure["edge_list"]
            }
            self.equal(f"{key} edges", sorted(listed), sorted(edges))
            self.equal(f"{key} edge total", closure["edge_total"], sum(closure["edges"].values()))
            for relation, number in closure["edges"].items():
                # a recorded list may hold an edge twice, and then its number counts it twice
                entries = sum(1 for edge in closure["edge_list"] if edge[0] == relation)
                self.equal(f"{key} {relation}", number, entries)
            both = {name: root[name]["all"] for name in ("messages", "bytes", "tool_calls")}
            self.figures(f"{key} all", both, chats)
            own = {name: root[name]["own"] for name in ("messages", "bytes", "tool_calls")}
            self.figures(f"{key} own", own, root["own_chats"], unique=False)
            self.tokens(f"{key} tokens", root["tokens"]["all"], self.tree.requests(chats))
            for name in ("own", "context"):
                parts = root[f"{name}_jobs"], root[f"{name}_chats"]
                self.equal(f"{key} {name}", True, set(parts[0]) <= jobs and set(parts[1]) <= chats)
            self.equal(f"{key} parts", len(jobs), len(root["own_jobs"]) + len(root["context_jobs"]))

    def diff(self) -> None:
        """The comparison of the two conversations."""
        diff = self.truth["diff"]
        closures = []
        for end in (diff["a"], diff["b"]):
            kind = "chat" if end in self.truth["conversations"].values() else "job"
            closures.append(self.tree.closure(end, kind))
        (chats_a, jobs_a, _), (chats_b, jobs_b, _) = closures
        paid_a, paid_b = self.tree.requests(chats_a), self.tree.requests(chats_b)
        for name, chats, jobs, paid in (
            ("only_in_a", chats_a - chats_b, jobs_a - jobs_b, paid_a.keys() - paid_b.keys()),
            ("only_in_b", chats_b - chats_a, jobs_b - jobs_a, paid_b.keys() - paid_a.keys()),
            ("in_both", chats_a & chats_b, jobs_a & jobs_b, paid_a.keys() & paid_b.keys()),
        ):
            self.equal(f"diff {name} chats", diff[name]["chats"], sorted(chats))
            self.equal(f"diff {name} jobs", diff[name]["jobs"], sorted(jobs))
            either = {**paid_b, **paid_a}
            self.tokens(f"diff {name}", diff[name]["tokens"], {key: either[key] for key in sorted(paid)})

    def heads(self) -> None:
        """Instructions, handed histories and spliced blocks."""
        for entry in self.truth["instructions"]:
            chat = self.tree.chats[entry["chat"]]
            head = [sha1(m.content) for m in chat.messages[1:] if m.role == "system"]
            self.equal(f"head of {entry['chat']}", entry["system_sha1"], head[: len(entry["system_sha1"])])
            self.equal(f"instructions of {entry['chat']}", entry["instructions_sha1"], head[0])
        for entry in self.truth["inherited"]:
            messages = self.tree.chats[entry["host"]].messages
            before, first = messages[entry["first"] - 1], messages[entry["first"]]
            self.equal(f"history of {entry['host']}", ("system", "user"), (before.role, first.role))
        for entry in self.truth["inlined"]:
            self._block(entry, self.tree.chats[entry["host"]])

    def _block(self, entry: dict[str, Any], host: SurveyedChat) -> None:
        first, last = host.messages[entry["first"]], host.messages[entry["last"]]
        block = host.text[first.start : last.end]
        what = f"block {entry['first']} of {entry['host']}"
        self.equal(f"{what} size", entry["bytes"], len(block.encode()) + self._drift([block]))
        self.equal(f"{what} job", entry["job"], self.tree.job(first.content.removeprefix("job=")))
        original = self.tree.chats.get(entry["job"])
        self.equal(f"{what} original", entry["original_exists"], original is not None)
        same = original is not None and original.text == f"\n{block}"
        self.equal(f"{what} identical", entry["identical"], same)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 300 else f"{text[:300]}..."


def check(folder: Path, truth: dict[str, Any]) -> list[str]:
    """All disagreements between the tree under `folder` and `truth`; none where both mean the same."""
    found = Check(folder, truth)
    found.chats()
    found.figures("union", truth["union"], truth["chats"])
    found.tokens("union tokens", truth["union"]["tokens"], found.tree.requests(set(truth["chats"])))
    found.roots()
    found.diff()
    found.heads()
    if "origins" in truth:
        found.found += check_origins(found.tree, truth)
    return found.found
