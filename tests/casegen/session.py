"""A delegated session: request, plan and work jobs, and the ask job that depends on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from .agentlog import Extent, open_log, project, result_piece
from .books import Books, Conversation
from .chats import Piece
from .jobs import Job
from .meter import Meter
from .work import Special, rounds


@dataclass(slots=True)
class Plan:
    """How a session goes. Job roles key the dictionaries."""

    label: str
    history: list[Piece]
    begun: datetime
    calls: dict[str, int]
    thinking: dict[str, int] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    extents: dict[str, Extent] = field(default_factory=dict)
    styles: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    dependencies: dict[str, list[tuple[Job, Any]]] = field(default_factory=dict)
    specials: list[Any] = field(default_factory=list)
    again: list[Piece] = field(default_factory=list)
    respelled: dict[str, tuple[Job, str]] = field(default_factory=dict)
    trimmed: set[tuple[str, str]] = field(default_factory=set)
    crlf: set[str] = field(default_factory=set)


_STAGES = ("request", "plan", "work", "ask")
_TIMES = {"request": (0, 300), "plan": (302, 900), "work": (1204, 5400), "ask": (6606, 120)}
_ISSUED = {"request": -2, "plan": 0, "work": 2, "ask": 4}


class Session:
    """One session being written. `jobs` holds its jobs by role."""

    def __init__(self, books: Books, talk: Conversation, plan: Plan) -> None:
        self.books = books
        self.talk = talk
        self.plan = plan
        self.jobs: dict[str, Job] = {}

    def run(self) -> Job:
        """Write all jobs and give the ask job."""
        books = self.books
        for role in _STAGES:
            job = self.jobs[role] = books.job(self.talk.key, self.plan.label, role)
            begun, seconds = _TIMES[role]
            job.issued = self.plan.begun + timedelta(seconds=_ISSUED[role])
            job.start = self.plan.begun + timedelta(seconds=begun)
            job.end = job.start + timedelta(seconds=seconds)
            job.prompt = self.plan.history[0].items[0][0].content
        for role in _STAGES[1:]:
            before = {"plan": ("request",), "work": ("request", "plan"), "ask": ("request", "plan", "work")}[
                role
            ]
            found: list[tuple[Job, Any]] = [(self.jobs[r], self._dependency(self.jobs[r])) for r in before]
            books.rng.shuffle(found)
            self.jobs[role].dependencies = found + self.plan.dependencies.get(role, [])
            if books.rng.random() < 0.2:
                self.jobs[role].repeated = [books.spellings(found[0][0])["short"]]
        for role in _STAGES[:-1]:
            self._stage(role)
        self._ask()
        return self.jobs["ask"]

    def _dependency(self, job: Job) -> Any:
        """How an info spells a dependency: mostly the full path, else as other machines or old writers do."""
        spellings = self.books.spellings(job)
        chance = self.books.rng.random()
        if chance < 0.8:
            return spellings["absolute"]
        if chance < 0.87:
            return spellings["foreign"]
        if chance < 0.94:
            return spellings["link"]
        return [self.books.names.workflow, job.task, spellings["absolute"]]

    def _piece(self, role: str, host: str) -> Piece:
        """The result of a stage as `host` splices it."""
        piece = result_piece(self.jobs[role])
        if (role, host) in self.plan.trimmed:
            items = tuple(
                (said, "trimmed" if said.role == "assistant" else style) for said, style in piece.items
            )
            return Piece(items, piece.job)
        return piece

    def _history(self, role: str) -> list[Piece]:
        """The handed history; in one stage a marker may be spelled differently."""
        if role not in self.plan.respelled:
            return self.plan.history
        job, spelling = self.plan.respelled[role]
        return [
            Piece(((piece.items[0][0], f"job={spelling}"), *piece.items[1:]), job)
            if piece.job is job
            else piece
            for piece in self.plan.history
        ]

    def _stage(self, role: str) -> None:
        books, plan, job = self.books, self.plan, self.jobs[role]
        version = plan.versions.get(role, 1)
        log = open_log(books, self.talk, job, version, self._history(role), crlf=role in plan.crlf)
        for earlier in _STAGES[: _STAGES.index(role)]:
            log.splice(self._piece(earlier, role))
        opening = f"You have been assigned the {role} stage."
        log.say(books.new(self.talk.key, "user", books.prose.turn(opening)))
        start = len(log.placed)
        assert job.start is not None
        assert job.end is not None
        specials: list[Special] = [make(log) for make in plan.specials] if role == "work" else []
        rounds(
            books,
            log,
            Meter(books, self.talk.key),
            job.start,
            (job.end - job.start).total_seconds(),
            plan.calls.get(role, 1),
            answer=plan.answers.get(role) or books.prose.markdown(role.capitalize(), 2),
            specials=specials,
            thinking=plan.thinking.get(role, 60),
            oddities=role == "work" and plan.calls.get(role, 1) > 12,
        )
        project(
            books,
            self.talk,
            job,
            log,
            start,
            plan.extents.get(role, "whole"),
            plan.styles.get(role, "printed"),
        )

    def _ask(self) -> None:
        books, plan, job = self.books, self.plan, self.jobs["ask"]
        log = open_log(books, self.talk, job, plan.versions.get("ask", 1), self._history("ask"))
        for piece in plan.again:
            log.splice(piece)
        for number, role in enumerate(_STAGES[:-1], 1):
            if number > 1:
                text = books.prose.turn(f"Continue with stage {number}.", 90)
                log.say(books.new(self.talk.key, "user", text))
            log.splice(self._piece(role, "ask"))
        start = len(log.placed)
        assert job.start is not None
        assert job.end is not None
        rounds(
            books,
            log,
            Meter(books, self.talk.key),
            job.start + timedelta(seconds=1),
            (job.end - job.start).total_seconds() - 2,
            plan.calls.get("ask", 0),
            answer=plan.answers.get("ask") or books.prose.markdown("Answer", 3),
            thinking=plan.thinking.get("ask", 60),
        )
        project(
            books,
            self.talk,
            job,
            log,
            start,
            plan.extents.get("ask", "final"),
            plan.styles.get("ask", "printed"),
        )
