"""Who names whom: every reference of the chats and jobs at hand, resolved, and what belongs to what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from indexer.formats.records import Problem
from indexer.linking.components import Components
from indexer.linking.facts import ChatFacts, JobFacts
from indexer.linking.records import LinkProblem, message_address, receipt_address

ResolveJob = Callable[[str, str], str]
ResolveChat = Callable[[str, str], str | None]

COMPOSITION_TYPES = {"import": "IMPORTS", "continue": "CONTINUES", "last": "LAST"}


class Naming(NamedTuple):
    """One reference from a chat to a job.

    `at` is the message that holds it, `time` the time written on an output; `edge` is False for a receipt's
    job of which nothing was ever found: a problem, no relationship (FORMAT.md 3.3).
    """

    relation: str
    job: str
    at: int
    ref: str
    address: str
    conversation: str | None
    time: str | None = None
    call_id: str | None = None
    tool: str | None = None
    agent: str | None = None
    edge: bool = True


class Composing(NamedTuple):
    """One resolved import, continue or last."""

    type: str
    chat: str
    at: int
    ref: str


class Topology:
    """The resolved references of a set of chats and jobs.

    namings       chat -> its references to jobs, in file order
    markers       chat -> {index of a `job=` meta: job}
    compositions  chat -> its resolved imports, continues and lasts
    dependencies  job -> {dependency: position}
    owner         log or result -> the job it belongs to; `owned` job -> those chats
    logs, results, sidecars   job -> logs, job -> result chat, saved chat -> sidecars
    named_by      job -> chats of others that name it, with the message where each first does
    dependants    job -> jobs that depend on it
    """

    def __init__(
        self,
        chats: Mapping[str, ChatFacts],
        jobs: Mapping[str, JobFacts],
        resolve_job: ResolveJob,
        resolve_chat: ResolveChat,
        found: Callable[[str], bool] | None = None,
    ) -> None:
        self.chats, self.jobs = chats, jobs
        self.problems: list[LinkProblem] = []
        self.logs: dict[str, list[str]] = defaultdict(list)
        self.results: dict[str, str] = {}
        self.sidecars: dict[str, list[str]] = defaultdict(list)
        self.owner: dict[str, str] = {}
        self.owned: dict[str, set[str]] = defaultdict(set)
        self.namings: dict[str, list[Naming]] = {}
        self.markers: dict[str, dict[int, str]] = {}
        self.compositions: dict[str, list[Composing]] = {}
        self.dependencies: dict[str, dict[str, int]] = {}
        self.named_by: dict[str, dict[str, int]] = defaultdict(dict)
        self.dependants: dict[str, list[str]] = defaultdict(list)
        for chat in sorted(chats):
            self._belonging(chats[chat])
        self._found = found
        for chat in sorted(chats):
            self._names(chats[chat], resolve_job)
            self._composes(chats[chat], resolve_chat)
        for job in sorted(jobs):
            self._depends(jobs[job], resolve_job)
        self._find_results()
        self.all_jobs = (
            jobs.keys()
            | self.owned.keys()
            | self.dependants.keys()
            | {naming.job for namings in self.namings.values() for naming in namings}
        )

    def is_known(self, job: str) -> bool:
        """True for a job of which some file is or was there."""
        return job in self.jobs or job in self.owned or (self._found is not None and self._found(job))

    def first_naming(self, chat: str, job: str) -> int | None:
        """Index of the message with which a chat first names a job of others; None where it does not."""
        return self.named_by[job].get(chat) if job in self.named_by else None

    def components(self) -> Components:
        """Which chats and jobs are related (DESIGN: Copies)."""
        joined = Components()
        for chat in self.chats:
            node = ("chat", chat)
            joined.add(node)
            if chat in self.owner:  # also a job's chat that no RESULT leads to, its type being another
                joined.join(node, ("job", self.owner[chat]))
            for naming in self.namings[chat]:
                if naming.edge:
                    joined.join(node, ("job", naming.job))
            for composing in self.compositions[chat]:
                joined.join(node, ("chat", composing.chat))
        for job in self.all_jobs:
            node = ("job", job)
            joined.add(node)
            for dependency in self.dependencies.get(job, ()):
                joined.join(node, ("job", dependency))
            for chat in self.logs.get(job, ()):
                joined.join(node, ("chat", chat))
            if job in self.results:
                joined.join(node, ("chat", self.results[job]))
        for chat, sidecars in self.sidecars.items():
            for sidecar in sidecars:
                joined.join(("chat", chat), ("chat", sidecar))
        return joined

    def _belonging(self, facts: ChatFacts) -> None:
        if facts.kind == "result":
            self.owner[facts.path] = facts.path
            self.owned[facts.path].add(facts.path)
        for owner in facts.owners:
            if owner.is_job:
                self.logs[owner.id].append(facts.path)
                self.owner.setdefault(facts.path, owner.id)
                self.owned[owner.id].add(facts.path)
            elif not self._repeats(facts, owner.id, owner.place):
                self.sidecars[owner.id].append(facts.path)

    def _repeats(self, facts: ChatFacts, saved: str, place: str) -> bool:
        """True for a top-level file beside a saved chat that only repeats it (FORMAT.md, generation N)."""
        chat = self.chats.get(saved)
        return chat is None or (place == "top" and chat.fingerprint == facts.fingerprint)

    def _names(self, facts: ChatFacts, resolve_job: ResolveJob) -> None:
        path = facts.path
        seen: dict[str, str] = {}

        def resolve(ref: str) -> str:
            if ref not in seen:
                seen[ref] = resolve_job(ref, path)
            return seen[ref]

        namings = []
        self.markers[path] = markers = {}
        for index, ref, conversation in facts.markers:
            job = resolve(ref)
            if job == "":
                self._problem("chat", path, ref, "job", index)
                continue
            markers[index] = job
            namings.append(Naming("job", job, index, ref, message_address(path, index), conversation))
        for receipt in facts.receipts:
            if receipt.ref is not None:
                job = resolve(receipt.ref)
                if job == "":
                    self._problem("chat", path, receipt.ref, "job", receipt.output)
                    continue
                address = receipt_address(path, receipt.output, receipt.key, receipt.position)
                agent = receipt.agent or receipt.target
                namings.append(
                    Naming(
                        *("agent_job", job, receipt.output, receipt.ref, address, receipt.conversation),
                        *(receipt.time, receipt.call_id, receipt.tool, agent, self.is_known(job)),
                    )
                )
        namings.sort(key=lambda naming: naming.at)  # stable: entries of one receipt keep their order
        self.namings[path] = namings
        for naming in namings:
            if path not in self.owned.get(naming.job, ()):
                self.named_by[naming.job].setdefault(path, naming.at)
        told = set()
        for naming in namings:
            if naming.ref not in told and not self.is_known(naming.job):
                told.add(naming.ref)
                self._problem("chat", path, naming.ref, "job", naming.at)

    def _composes(self, facts: ChatFacts, resolve_chat: ResolveChat) -> None:
        self.compositions[facts.path] = found = []
        for index, role, ref in facts.compositions:
            chat = resolve_chat(ref, facts.path)
            if chat is None or chat not in self.chats:
                # A scan of a folder passes by files that do not look like chats by their name; one that
                # names the file itself does not.
                remedy = f"scan {chat} itself" if chat else None
                self._problem("chat", facts.path, ref, "chat", index, remedy)
            if chat is not None:
                found.append(Composing(COMPOSITION_TYPES[role], chat, index, ref))

    def _depends(self, facts: JobFacts, resolve_job: ResolveJob) -> None:
        seen: dict[str, int] = {}
        for position, ref in enumerate(facts.dependencies):
            job = resolve_job(ref, facts.id)
            if job not in seen:
                seen[job] = position
                self.dependants[job].append(facts.id)
                if not self.is_known(job):
                    self._problem("job", facts.id, ref, "job", None)
        self.dependencies[facts.id] = seen

    def _find_results(self) -> None:
        """FORMAT.md 5: a job's result when its type is chat and the file is there.

        Without any info, the chat's own first marker says the same.
        """
        for path, facts in self.chats.items():
            if facts.kind != "result":
                continue
            job = self.jobs.get(path)
            said = job.type if job else None
            if said == "chat" or (said is None and path in self.markers[path].values()):
                self.results[path] = path

    def _problem(
        self, kind: str, node: str, ref: str, what: str, index: int | None, remedy: str | None = None
    ) -> None:
        detail = (
            f"no {what} is known for {ref!r}: {remedy or 'index the folder that holds it'}, or it is gone"
        )
        self.problems.append(LinkProblem(kind, node, Problem("dangling_reference", detail, None, index)))
