"""Logs, sidecars and references of whole trees against what is known of them."""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

from indexer.discovery.environment import Environment, Index, job_identity
from indexer.discovery.found import Found
from indexer.discovery.kinds import Kind, chat_kind, is_job, owner_is_job
from indexer.discovery.layout import job_of_companion, split_job
from indexer.discovery.links import Links
from indexer.discovery.references import Resolver
from indexer.discovery.walk import walk
from tests.support import materialise

PROVENANCE = json.loads((Path(__file__).parents[1] / "vectors/provenance.json").read_text())


class Tree:
    """One walked tree, its jobs, and the owners of its logs; ids without the root."""

    def __init__(self, root: Path, environment: Environment) -> None:
        self.root = root
        walked = walk([str(root)])
        self.files: list[Found] = list(walked)
        self.links: Links = walked.report.links
        self.problems = walked.report.problems
        self.environment = environment
        self.infos = {job_of_companion(file.path) for file in self.files if file.kind is Kind.INFO}
        self.chats = [file.path for file in self.files if file.kind is Kind.CHAT]

    def short(self, path: str) -> str:
        return os.path.relpath(path, self.root)

    def kinds_and_logs(self) -> tuple[dict[str, str], dict[tuple[str, str], set[str]]]:
        kinds, logs = {}, defaultdict(set)
        for chat in self.chats:
            owners = self.links.owners(chat, lambda path: job_identity(path, self.environment.files))
            jobs = tuple(owner_is_job(owner, owner.path in self.infos) for owner in owners)
            kinds[self.short(chat)] = chat_kind(owners, jobs, is_job(chat, chat in self.infos))
            for owner, of_job in zip(owners, jobs, strict=True):
                if of_job or Path(owner.path).read_bytes() != Path(chat).read_bytes():
                    logs["job" if of_job else "chat", self.short(owner.path)].add(self.short(chat))
        return kinds, dict(logs)


@pytest.fixture
def provenance(tmp_path: Path) -> Tree:
    root = materialise("provenance", tmp_path)
    return Tree(root, Environment(str(root), "/nowhere"))


def test_logs_of_provenance(provenance: Tree) -> None:
    """Every `log` edge that was recorded, and no other for the jobs and chats that were reached."""
    recorded, reached = defaultdict(set), set()
    for root in PROVENANCE["roots"]:
        for edge in root["edges"]:
            ends = [(edge[f"{end}_kind"], edge[end].removeprefix("{ROOT}/")) for end in ("from", "to")]
            reached.update(ends)
            if edge["relation"] == "log":
                recorded[ends[0]].add(ends[1][1])
    _, logs = provenance.kinds_and_logs()
    assert {owner: chats for owner, chats in logs.items() if owner in reached} == recorded
    assert {owner: chats for owner, chats in logs.items() if owner not in reached} == {
        ("job", "var/jobs/Leg/ask/Default_l.chat"): {
            "var/jobs/Leg/ask/Default_l.chat.files/log/agent.chat",
            "var/jobs/Leg/ask/Default_l.chat.files/log/other.chat",
        },
        ("chat", "chats/transcript.chat"): {"chats/transcript.chat.files/agent.chat"},
        **{
            ("job", f"var/jobs/Planned/{task}/Default_{'b' * 32}.chat"): {
                f"var/jobs/Planned/{task}/Default_{'b' * 32}.chat.files/log/agent.chat"
            }
            for task in ("ask", "request")
        },
    }


def test_kinds_of_provenance(provenance: Tree) -> None:
    kinds, _ = provenance.kinds_and_logs()
    assert {path for path, kind in kinds.items() if kind == "root"} == {
        f"chats/{name}.chat"
        for name in (
            *("transcript", "conflict", "receipts", "legacy", "bad", "saved"),
            *("session_a", "session_b", "earlier", "top"),
        )
    }
    assert {path for path, kind in kinds.items() if kind == "sidecar"} == {
        "chats/transcript.chat.files/agent.chat",
        "chats/transcript.chat.files/copy.chat",
        "chats/saved.chat.files/agent.chat",
        "chats/saved.chat.files/agent.society/Critic/c/agent.chat",
    }
    assert not any("resets" in path for path in kinds)
    assert not provenance.problems


def test_case_35_the_linked_chat_of_provenance_has_its_sidecar(provenance: Tree) -> None:
    found = Resolver(provenance.environment).chat("link.chat", f"{provenance.root}/chats/x.chat")
    assert found is not None
    _, logs = provenance.kinds_and_logs()
    assert logs["chat", provenance.short(found.path)] == {
        "chats/saved.chat.files/agent.society/Critic/c/agent.chat"
    }


def test_references_of_provenance(provenance: Tree) -> None:
    resolver = Resolver(provenance.environment)
    for root in PROVENANCE["roots"]:
        for job in root["jobs"]:
            path = job["path"].removeprefix("{ROOT}/")
            raw = job["raw_path"].replace("{ROOT}", str(provenance.root))
            for reference in (raw, path, "/".join(path.split("/")[-3:])):
                found = resolver.job(reference, f"{provenance.root}/chats/top.chat")
                assert provenance.short(found.path) == path
                assert found.missing is path.endswith("Default_missing")


@pytest.mark.parametrize("name", ["case_legacy", "case_modern"])
def test_logs_and_kinds_of_the_case_study(name: str, tmp_path: Path) -> None:
    root = materialise(name, tmp_path)
    truth = json.loads((root / "truth.json").read_text())
    tree = Tree(root, Environment(f"{root}/home", f"{root}/home"))
    kinds, logs = tree.kinds_and_logs()
    assert kinds == {path: chat["kind"] for path, chat in truth["chats"].items()}
    assert {path: logs.get(("job", path), set()) for path in truth["jobs"]} == {
        path: set(job["logs"]) for path, job in truth["jobs"].items()
    }
    assert logs.keys() <= {("job", path) for path in truth["jobs"]}
    for path, job in truth["jobs"].items():
        parts = split_job(path)
        assert parts is not None
        assert (parts.jobs_root, parts.task) == ("home/.rbbt/var/jobs", job["task"])


@pytest.mark.parametrize("name", ["case_legacy", "case_modern"])
@pytest.mark.parametrize("home", ["home", "nowhere"])
def test_every_spelling_of_the_case_study_is_one_job(name: str, home: str, tmp_path: Path) -> None:
    """Also from another working directory and home, by the jobs roots above a file or what is indexed."""
    root = materialise(name, tmp_path)
    truth = json.loads((root / "truth.json").read_text())
    index = Index(f"{root}/{path}" for path in truth["jobs"] if (root / f"{path}.info").exists())
    environment = Environment(f"{root}/{home}", f"{root}/{home}", index=index)
    resolver = Resolver(environment)
    for path, job in truth["jobs"].items():
        for spelling in (
            job["short"],
            f"{root}/{path}",
            f"{root}/home/jobs_here/{job['short']}",
            f"/home/jnovak/.rbbt/var/jobs/{job['short']}",
        ):
            for referring in (f"{root}/home/chats/naming.chat", f"{root}/{path}.files/log/agent.chat"):
                found = resolver.job(spelling, referring)
                if home == "home" or not found.missing:
                    assert found.path == f"{root}/{path}", spelling
                assert found.missing is (f"{root}/{path}" not in index.jobs)
