"""The generator's books: everything that was said, every chat, every job, and where things are."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from .chats import Chat
from .jobs import Job
from .names import choose_names
from .prose import Prose
from .said import Call, Entry, Paid, Said
from .settings import Settings


@dataclass(frozen=True, slots=True)
class Head:
    """The instructions a log began with, and the system texts of its head."""

    chat: Chat
    agent: str
    session: str
    version: int
    systems: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Conversation:
    """One conversation: its root chat, and the folder its agents work in."""

    key: str
    root: Chat
    cwd: str
    layout: str


class Books:
    """State of one case while it is generated. `out` is the absolute path of the case's folder."""

    def __init__(self, out: str, settings: Settings) -> None:
        self.out = out
        self.settings = settings
        self.rng = random.Random(f"{settings.seed}")
        self.names = choose_names(self.rng, settings.jobs_root)
        self.prose = Prose(self.rng)
        self.stems = sorted({word for word in self.prose.run(4000).lower().split() if word.isalpha()})
        self.reverse_keys = self.rng.random() < 0.5
        self.day = datetime(2026, 5, 1, 6, tzinfo=UTC) + timedelta(days=self.rng.randrange(120))
        self.shared_call_id = f"call_{self.rng.getrandbits(96):024x}"
        self.chats: dict[str, Chat] = {}
        self.jobs: dict[str, Job] = {}
        self.conversations: dict[str, Conversation] = {}
        self.heads: list[Head] = []
        self.lines: dict[Paid, tuple[str, dict[str, Any]]] = {}
        self.hard_cases: list[dict[str, Any]] = []
        self.links: dict[str, str] = {"home/jobs_here": settings.jobs_root}
        self.gone: set[str] = set()
        self.instructions: dict[tuple[str, int], str] = {}
        self._said = 0

    def new(
        self,
        conversation: str,
        role: str,
        content: str,
        *,
        bare: str | None = None,
        job: Job | None = None,
        paid: Paid | None = None,
        call: Call | None = None,
        entries: tuple[Entry, ...] = (),
        outcome: str | None = None,
    ) -> Said:
        """A new origin."""
        self._said += 1
        return Said(
            self._said,
            conversation,
            role,
            content,
            bare=bare,
            job=job,
            paid=paid,
            call=call,
            entries=entries,
            outcome=outcome,
        )

    def chat(self, chat: Chat) -> Chat:
        """Enter a chat."""
        assert chat.path not in self.chats, chat.path
        self.chats[chat.path] = chat
        return chat

    def converse(self, key: str, path: str, project: str, *, loose: bool = False) -> Conversation:
        """Begin a conversation with its root chat."""
        layout = self.settings.layout
        if layout == "mixed":
            layout = "legacy" if key == "E" else "modern"
        root = self.chat(Chat(path, "root", key, loose=loose))
        found = Conversation(key, root, f"{self.names.foreign_home}/git/{project}", layout)
        self.conversations[key] = found
        return found

    def job(self, conversation: str, session: str, role: str, *, extension: str = ".chat") -> Job:
        """Enter a job under a new name."""
        names = self.names
        task = names.tasks.get(role, role)
        digest = f"_{self.rng.getrandbits(128):032x}"
        short = f"{names.workflow}/{task}/{names.job_name}{digest}{extension}"
        path = f"home/{self.settings.jobs_root}/{short}"
        job = Job(short, path, conversation, session, task, role, pid=self.rng.randint(5_000_000, 5_900_000))
        self.jobs[path] = job
        return job

    def spellings(self, job: Job) -> dict[str, str]:
        """The ways one job is named."""
        return {
            "short": job.short,
            "absolute": f"{self.out}/{job.path}",
            "link": f"{self.out}/home/jobs_here/{job.short}",
            "foreign": f"{self.names.foreign_root}/{job.short}",
        }

    def note(self, case: str, **more: Any) -> None:
        """Enter a hard case."""
        self.hard_cases.append({"case": case, **more})

    def instruct(self, agent: str, version: int) -> str:
        """The instructions of an agent; the second version changes the fifth line and adds one at the end."""
        known = self.instructions.get((agent, version))
        if known is None:
            if version == 1:
                rules = "\n".join(self.prose.run(self.rng.randint(25, 60)) for _ in range(10))
                known = f"# {agent} agent operating instructions\n\nYou are {agent}. {rules}"
            else:
                lines = self.instruct(agent, version - 1).split("\n")
                lines[5] = self.prose.run(50)
                known = "\n".join(lines) + f"\nRevised rules. {self.prose.run(180)}"
            self.instructions[(agent, version)] = known
        return known
