"""From one file's reading to its plan, against the version of it that the graph holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from indexer.discovery.found import Stamp as Look
from indexer.discovery.layout import job_of_companion, short_reference, split_job
from indexer.discovery.paths import last_components
from indexer.discovery.stamps import Reading
from indexer.formats.records import JobInfo, MessageRecord, Output, Problem
from indexer.ingest.deriving import Counts, tally
from indexer.ingest.plans import (
    MARK,
    ChangedMeanwhile,
    ChatPlan,
    FilePlan,
    Stamp,
    add_message,
    add_pairs,
    add_receipts,
    kept,
    mark,
    problem_rows,
    same_texts,
)
from indexer.ingest.reading import ChatReading, path_problem
from indexer.ingest.rows import Row, job_props, when
from indexer.linking.collect import job_facts
from indexer.linking.facts import ChatFacts


@dataclass(frozen=True, slots=True)
class Held:
    """The graph's version of a file: digest, marks of its messages, fingerprint of its chat."""

    digest: str
    marks: bytes | None = None
    fingerprint: str | None = None
    missing: bool = False
    stamp: str = ""
    message: Callable[[int], tuple[str, str] | None] | None = field(default=None, compare=False)
    """Role and text of one message of that version."""


def stamp(reading_stamp: Look | None, digest: str, settled: bool) -> Stamp:
    """The checkpoint's stamp; one that fits no file where the file would not hold still."""
    if reading_stamp is None:
        return Stamp(-1, -1, -1, digest)
    return Stamp(reading_stamp.size, reading_stamp.mtime_ns if settled else -1, reading_stamp.inode, digest)


def plan_chat(path: str, reading: Reading[ChatReading], held: Held | None) -> FilePlan:
    """Plan of a chat that could be read."""
    chat = reading.value
    assert chat is not None
    problems = list(chat.problems)
    if reading.problem is not None:
        problems.append(path_problem(reading.problem))
    plan = _file_plan(path, "chat", reading, held)
    plan.facts = chat.facts.to_bytes()
    plan.problems = problem_rows("read", path, problems, {"chat": path})
    marks, counts = bytearray(chat.marks), chat.counts
    for record in chat.records():
        marks += mark(record, chat.answers.get(record.index))
        counts = tally(counts, record)
    plan.marks = bytes(marks)
    keep = kept(held.marks, plan.marks) if held is not None and held.marks is not None else 0
    plan.chat = ChatPlan(props=_chat_props(path, chat.facts, counts), keep=keep, fresh=held is None)
    if held is not None and held.digest and held.marks is not None:
        plan.chat.held = len(held.marks) // MARK
    # A file that is as it was may say something else all the same: when it is read by other rules.
    same_file = held is not None and held.stamp.rpartition(":")[0] == plan.stamp.text.rpartition(":")[0]
    if held is not None and not same_file and _is_rewritten(held, plan.marks, keep, chat):
        plan.rewritten, plan.previous_fingerprint = True, held.fingerprint
    if chat.streamed:
        plan.chat.stream = partial(_stream, plan.chat, path, chat, plan.marks)
    else:
        _rows(plan.chat, path, chat)
    return plan


def _is_rewritten(held: Held, marks: bytes, keep: int, chat: ChatReading) -> bool:
    """True when a message says something else than before, or is gone.

    Not when messages were added, and not when the last one has only grown: it may have been read while it was
    written.
    """
    if held.marks is None:
        return False
    before, same = len(held.marks) // MARK, same_texts(held.marks, marks, keep)
    if same == before:
        return False
    if same < before - 1 or len(marks) // MARK <= same or held.message is None:
        return True
    old = held.message(same)
    new = next((record for record in chat.records() if record.index == same), None)
    return old is None or new is None or new.role != old[0] or not new.content.startswith(old[1])


def _rows(plan: ChatPlan, path: str, chat: ChatReading) -> None:
    """Messages, pairs and receipts that are written anew."""
    receipts = _Receipts(chat)
    for record in chat.records():
        receipts.see(record)
        if record.index >= plan.keep:
            add_message(plan, path, record, chat.answers)
    receipts.add_to(plan, path)
    add_pairs(plan, path, chat.pairs)


def _stream(
    plan: ChatPlan, path: str, chat: ChatReading, marks: bytes, rows: int, size: int
) -> Iterator[ChatPlan]:
    """The messages that are written anew, in pieces of at most so many rows and about so many bytes."""
    plan.receipts.clear()
    plan.returned.clear()
    receipts = _Receipts(chat)
    piece = ChatPlan(plan.props, plan.keep, fresh=False)
    weight = count = 0
    for record in chat.records():
        at = record.index * MARK
        if marks[at : at + MARK] != mark(record, chat.answers.get(record.index)):
            raise ChangedMeanwhile(path)
        count += 1
        receipts.see(record)
        if record.index < plan.keep:
            continue
        own = 400 + record.bytes
        if piece.messages and (len(piece.messages) >= rows or weight + own > size):
            yield piece
            piece, weight = ChatPlan(plan.props, record.index, fresh=False), 0
        add_message(piece, path, record, chat.answers)
        weight += own
    if count * MARK != len(marks):
        raise ChangedMeanwhile(path)
    if piece.messages:
        yield piece
    receipts.add_to(plan, path)
    add_pairs(plan, path, chat.pairs)


class _Receipts:
    """Outputs with receipts, without their texts, and the calls that they answer."""

    def __init__(self, chat: ChatReading) -> None:
        self._chat = chat
        self._answered = {output: call for call, output in chat.pairs.items()}
        self._waiting: list[MessageRecord] = []

    def see(self, record: MessageRecord) -> None:
        if isinstance(record.body, Output) and record.body.receipts:
            self._waiting.append(replace(record, content=""))

    def add_to(self, plan: ChatPlan, path: str) -> None:
        for output in self._waiting:
            call = self._answered.get(output.index)
            add_receipts(plan, path, output, call, self._chat.calls[call].tool if call is not None else None)


def _chat_props(path: str, facts: ChatFacts, counts: Counts) -> Row:
    return {
        "id": path,
        "name": path.rpartition("/")[2],
        "messages": counts[0],
        "tool_calls": counts[1],
        "bytes": counts[2],
        "fingerprint": facts.fingerprint,
        "started_at": when(facts.started),
        "ended_at": when(facts.ended),
        "missing": False,
    }


def job_row(job: str, info: JobInfo | None) -> Row:
    """The Job node of a job whose files are there; `info` None where it has none."""
    parts = split_job(job)
    names = (parts.workflow, parts.task) if parts else (None, None)
    props = job_props(job, short_reference(job), last_components(job, 1), names, info)
    return {"id": job, "props": props}


def plan_info(path: str, reading: Reading[JobInfo], held: Held | None) -> FilePlan:
    """Plan of a job's `.info` that could be read."""
    info = reading.value
    assert info is not None
    job = job_of_companion(path)
    problems = list(info.problems)
    if reading.problem is not None:
        problems.append(path_problem(reading.problem))
    plan = _file_plan(path, "info", reading, held)
    plan.job = job_row(job, info)
    plan.facts = job_facts(job, info).to_bytes()
    plan.problems = problem_rows("read", path, problems, {"job": job})
    return plan


def plan_result(path: str, look: Look, version: str, held: Held | None) -> FilePlan:
    """Plan of a job that has a result but no info: the file is stamped, never read."""
    plan = FilePlan(
        path, "result", Stamp(*look, digest=f"-.{version}"), expected=held.digest if held else None
    )
    plan.job = job_row(path, None)
    plan.facts = job_facts(path, None).to_bytes()
    return plan


def plan_other(path: str, reading: Reading[bytes], held: Held | None) -> FilePlan:
    """Checkpoint of a file that turned out to be neither chat nor info, so that it is not looked at again."""
    return _file_plan(path, "other", reading, held)


def plan_unreadable(path: str, kind: str, problem: Problem, held: Held | None, about: Row) -> FilePlan:
    """A file that cannot be read now: what the graph holds stays, the problem is noted, it is tried again."""
    digest = held.digest if held else ""
    plan = FilePlan(path, kind, Stamp(-1, -1, -1, digest), expected=digest or None)
    plan.problems = problem_rows("read", path, [problem], about)
    return plan


def _file_plan(path: str, kind: str, reading: Reading[Any], held: Held | None) -> FilePlan:
    seen = stamp(reading.stamp, reading.digest, reading.settled and reading.problem is None)
    return FilePlan(path, kind, seen, expected=held.digest if held else None)
