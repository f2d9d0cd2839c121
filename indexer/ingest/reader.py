"""From a changed file to its plan: what kind it turns out to be, and what to do where it cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from indexer.discovery.found import Found, PathProblem
from indexer.discovery.kinds import Kind, looks_like_chat, looks_like_info
from indexer.discovery.layout import job_of_companion
from indexer.discovery.stamps import Reading
from indexer.formats.records import JobInfo, Problem
from indexer.ingest.growing import is_worth_keeping, read_growing
from indexer.ingest.memory import Memory
from indexer.ingest.planning import Held, plan_chat, plan_info, plan_other, plan_result, plan_unreadable
from indexer.ingest.plans import FilePlan, digest_of
from indexer.ingest.reading import ChatReading, read_chat, read_head, read_job, version_of
from indexer.ingest.settling import is_unfinished, odd_tail
from indexer.redaction import Redactor

T = TypeVar("T")


class Reader:
    """Reads files of one scan. `unreadable` are those that could not be opened."""

    def __init__(self, redactor: Redactor | None, memory: Memory) -> None:
        self._redact = redactor.redact if redactor is not None else None
        self._version = version_of(redactor)
        self._memory = memory
        self._settling = memory.settling
        # Whoever is told of changes comes again anyway; a scan tries to catch the file at rest.
        self._attempts = 1 if memory.settling is not None else 3
        self._counted = self._counting if redactor is not None else None
        self.redactions = 0
        self.unreadable: list[PathProblem] = []

    def plans(self, file: Found, held_kind: str, held: Held | None) -> Iterator[FilePlan]:
        """The plan of a file, against the version that the graph holds; none where nothing is to be done."""
        kind, path = file.kind, file.path
        if kind is Kind.RESULT:
            yield plan_result(path, file.stamp, self._version, held)
            return
        if kind is Kind.CANDIDATE or kind is Kind.MAYBE_INFO:
            head = self._versioned(read_head(path))
            if head.value is None:
                yield from self._unread(head.problem, held_kind or "other", held)
                return
            is_kind = looks_like_chat(head.value) if kind is Kind.CANDIDATE else looks_like_info(head.value)
            if not is_kind and held_kind not in ("chat", "info"):
                yield plan_other(path, head, held)
                return
        if kind is Kind.INFO or kind is Kind.MAYBE_INFO:
            yield from self._info(path, held_kind, held)
        else:
            yield from self._chat(path, file.stamp.size, held_kind, held)

    def _counting(self, text: str) -> tuple[str, int]:
        assert self._redact is not None
        clean, count = self._redact(text)
        self.redactions += count
        return clean, count

    def _versioned(self, reading: Reading[T]) -> Reading[T]:
        """The reading with the version of its rules in its digest.

        A digest of the bytes would let whoever sees the graph try out what a short password was. So where
        something was left out, it is one of what was kept: the same for the same graph all the same.
        """
        digest, value = reading.digest, reading.value
        if isinstance(value, ChatReading) and value.redactions:
            digest = digest_of(
                f"{value.facts.fingerprint}{value.last_line}{value.problems}".encode("utf-8", "replace")
            )
        elif isinstance(value, JobInfo) and self._redact is not None:
            digest = digest_of(repr(value).encode("utf-8", "replace"))
        elif isinstance(value, bytes):  # neither chat nor info: nothing of it is kept
            digest = "-"
        return replace(reading, digest=f"{digest}.{self._version}") if reading.digest else reading

    def _info(self, path: str, held_kind: str, held: Held | None) -> Iterator[FilePlan]:
        info = self._versioned(read_job(path, self._counted, self._attempts))
        if info.value is None:
            yield from self._unread(info.problem, held_kind or "other", held)
            return
        size = info.stamp.size if info.stamp else 0
        if self._settling is not None:
            if is_unfinished(info.value, size) and self._settling.still(path, info.stamp):
                return  # what the graph holds of the job stays until the rest of the info is there
            self._settling.settled(path)
        yield plan_info(path, info, held)

    def _chat(self, path: str, size: int, held_kind: str, held: Held | None) -> Iterator[FilePlan]:
        growths = self._memory.growths if is_worth_keeping(path, size) else None
        if growths is None:
            chat = self._versioned(read_chat(path, self._redact, self._attempts))
        else:
            before = growths.get(path, held.digest, held.marks) if held is not None else None
            chat = self._versioned(read_growing(path, self._redact, self._attempts, before))
        if chat.value is None:
            yield from self._unread(chat.problem, held_kind or "other", held)
            return
        if self._settling is not None:
            if self._emptied(path, chat, held):
                return
            chat = self._without_odd_tail(path, chat)
        self.redactions += chat.value.redactions if chat.value else 0
        plan = plan_chat(path, chat, held)
        if chat.value is not None and plan.stamp.digest:
            self._memory.facts.put(path, plan.stamp.digest, chat.value.facts)
            if growths is not None and chat.value.growth is not None and plan.marks is not None:
                growths.put(path, chat.value.growth.planned(plan.marks, plan.stamp.digest))
        yield plan

    def _emptied(self, path: str, chat: Reading[ChatReading], held: Held | None) -> bool:
        """True for a chat that has nothing in it just now: whoever writes it anew has only opened it."""
        empty = chat.stamp is not None and chat.stamp.size == 0 and held is not None
        return empty and self._settling is not None and self._settling.still(path, chat.stamp)

    def _without_odd_tail(self, path: str, chat: Reading[ChatReading]) -> Reading[ChatReading]:
        """The reading without problems that may go away by themselves; its file is then read again."""
        value, settling = chat.value, self._settling
        assert value is not None
        assert settling is not None
        odd = odd_tail(value.problems, len(value.facts), value.last_line)
        if (odd or chat.problem is not None) and settling.still(path, chat.stamp):
            value.problems = [problem for problem in value.problems if problem not in odd]
            return Reading(value, chat.stamp, chat.digest, None, settled=False)
        settling.settled(path)
        return chat

    def _unread(self, problem: PathProblem | None, kind: str, held: Held | None) -> Iterator[FilePlan]:
        """A file that cannot be read: its problem is noted, what the graph holds of it stays."""
        if problem is None:
            return
        self.unreadable.append(problem)
        if held is not None:
            about = {"chat": problem.path, "job": job_of_companion(problem.path)}
            yield plan_unreadable(problem.path, kind, Problem(problem.kind, problem.detail), held, about)
