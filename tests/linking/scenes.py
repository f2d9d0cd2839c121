"""Small scenarios in the words of the format: chats as lists of messages, jobs by short names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from indexer.formats.messages import derive
from indexer.formats.records import Message
from indexer.linking.collect import chat_facts
from indexer.linking.facts import ChatFacts, JobFacts, OwnerFact
from indexer.linking.link import link
from indexer.linking.records import Links, Reference

Said = tuple[str, str]

LONG = "a text of at least sixty-four bytes, so that it can be told from others by itself: "


def user(text: str) -> Said:
    return ("user", text)


def assistant(text: str) -> Said:
    return ("assistant", text)


def system(text: str) -> Said:
    return ("system", text)


def marker(job: str, **values: str) -> Said:
    """`meta: job=...`; `job` is a short name."""
    return ("meta", " ".join([f"job={ref(job)}", *(f"{k}={v}" for k, v in values.items())]))


def meta(
    inference: str | None = None, tt: int = 10, total: int | None = None, at: str | None = None, **values: str
) -> Said:
    """A token meta of one request; `at` is a time of day."""
    parts = [f"pt={tt - 1} ct=1 tt={tt}"]
    parts += [f"tt_c={total}"] if total is not None else []
    parts += [f"timestamp={moment(at)}"] if at else []
    parts += [f"inference_id={inference}"] if inference else []
    parts += [f"{k}={v}" for k, v in values.items()]
    return ("meta", " ".join(parts))


def call(call_id: str, tool: str = "read", agent: str | None = None) -> Said:
    arguments = {"agent": agent, "prompt": "p"} if agent else {"file": "f"}
    return ("function_call", json.dumps({"name": tool, "arguments": arguments, "id": call_id}))


def output(
    call_id: str,
    content: str = "done",
    receipt: Sequence[str] = (),
    at: str | None = None,
    key: str = "agent_meta",
) -> Said:
    """An output; `receipt` entries are meta lines."""
    envelope: dict[str, object] = {"name": "t", "content": content, "id": call_id}
    if receipt and key == "agent_meta":
        envelope[key] = [{"role": "meta", "content": line} for line in receipt]
    elif receipt:
        envelope[key] = [dict(part.split("=", 1) for part in line.split()) for line in receipt]
    if at:
        envelope["timestamp"] = moment(at)
    return ("function_call_output", json.dumps(envelope))


def ref(job: str) -> str:
    return f"Flow/task/{job}.chat"


def moment(at: str) -> str:
    return f"2026-09-01T{at if at.count(':') == 2 else at + ':00'}.000Z"


def path(name: str) -> str:
    """A root chat is `name`; a job's result `=job`; a log of it `job/log` or `job/log/...`."""
    if name.startswith("="):
        return f"/home/jobs/{ref(name[1:])}"
    job, slash, rest = name.partition("/")
    return f"/home/jobs/{ref(job)}.files/{rest}.chat" if slash else f"/home/chats/{name}.chat"


@dataclass
class Scene:
    """Chats and jobs under construction; `link` links them, in the order given or in another."""

    chats: dict[str, ChatFacts] = field(default_factory=dict)
    jobs: dict[str, JobFacts] = field(default_factory=dict)
    links: Links = field(default_factory=Links)

    def chat(self, name: str, *said: Said, agent: str | None = None, header: bool = True) -> str:
        """Add a chat.

        With `header` it has the synthetic first message, as a file that begins with a header.
        """
        where = path(name)
        messages = [Message(0, "user", "", 1, True)] if header else []
        start = len(messages)
        messages += [Message(start + at, role, text, 1) for at, (role, text) in enumerate(said)]
        owners: tuple[OwnerFact, ...] = ()
        kind = "root"
        if name.startswith("="):
            kind = "result"
        elif "/" in name:
            kind, (job, _, rest) = "log", name.partition("/")
            owners = (OwnerFact(path(f"={job}"), True, "society" if "society" in rest else "log"),)
        self.chats[where] = chat_facts(where, derive(messages), kind, owners, agent)
        return where

    def job(
        self,
        name: str,
        issued: str | None = None,
        end: str | None = None,
        start: str | None = None,
        status: str = "done",
        needs: Sequence[str] = (),
    ) -> str:
        """Add a job's info."""
        where = path(f"={name}")
        times = [f"2026-09-01T{t}:00.000000Z" if t else None for t in (issued, start, end)]
        self.jobs[where] = JobFacts(where, status, "chat", *times, tuple(ref(need) for need in needs))
        return where

    def link(self, boundary: str | None = None, order: Sequence[int] | None = None) -> Scene:
        chats, jobs = list(self.chats.items()), list(self.jobs.items())
        if order is not None:
            chats = [chats[at % len(chats)] for at in order] + chats
            jobs = jobs[::-1]

        def resolve_chat(reference: str, _: str) -> str | None:
            found = path(reference)
            return found if found in self.chats else None

        self.links = link(
            dict(chats), dict(jobs), lambda reference, _: f"/home/jobs/{reference}", resolve_chat, boundary
        )
        return self

    # ------------------------------------------------------------ questions

    def original(self, name: str, index: int) -> tuple[str, int]:
        """(name of the chat, index) of the original of a message."""
        address = self.links.chats[path(name)].copies.get(index)
        if address is None:
            return name, index
        where, _, at = address.rpartition("#")
        return next(other for other in self._names() if path(other) == where), int(at)

    def unique(self) -> int:
        """Number of distinct originals, the synthetic ones left out."""
        return sum(links.originals for links in self.links.chats.values())

    def reference(self, name: str, job: str, relation: str = "job") -> Reference:
        """The one relationship of that relation from a chat to a job."""
        (found,) = (
            one
            for one in self.links.chats[path(name)].references
            if one.job == path(f"={job}") and one.relation == relation
        )
        return found

    def verdict(self, name: str, job: str, relation: str = "job") -> tuple[bool, str]:
        found = self.reference(name, job, relation)
        return found.own, found.basis

    def _names(self) -> list[str]:
        names = []
        for where in self.chats:
            if where.startswith("/home/chats/"):
                names.append(where.removeprefix("/home/chats/").removesuffix(".chat"))
            elif ".files/" in where:
                job, _, rest = where.removeprefix("/home/jobs/Flow/task/").partition(".chat.files/")
                names.append(f"{job}/{rest.removesuffix('.chat')}")
            else:
                names.append("=" + where.removeprefix("/home/jobs/Flow/task/").removesuffix(".chat"))
        return names
