"""Facts of one chat or job from the records of its file, in one pass.

Text may be forgotten as soon as it was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from hashlib import blake2b

from indexer.formats.calls import pair
from indexer.formats.records import Call, JobInfo, MessageRecord, Meta, Output, Tokens
from indexer.linking.facts import (
    HEAVY,
    IDENTITY,
    LEFT_OUT,
    MARKER,
    META,
    SYNTHETIC,
    TURN,
    ChatFacts,
    Composition,
    Event,
    JobFacts,
    Marker,
    Named,
    OwnerFact,
    ReceiptFact,
)
from indexer.linking.instructions import read_head

_COMPOSITIONS = frozenset(("import", "continue", "last"))
#: Roles with which the head of a chat is over (FORMAT.md 1.5); options and tools may stand between its
#: system messages.
_HEAD_ENDS = frozenset(
    ("user", "assistant", "meta", "function_call", "mcp_call", "function_call_output", *_COMPOSITIONS)
)


class Collector:
    """Takes the records of one chat in order (`add`), gives its facts (`facts`)."""

    def __init__(
        self, path: str, kind: str = "root", owners: Sequence[OwnerFact] = (), agent: str | None = None
    ) -> None:
        """`kind`, `owners` and `agent` are what discovery reads off the path."""
        self._facts = ChatFacts(path, kind, tuple(owners), agent)
        self._flags = bytearray()
        self._weights = bytearray()
        self._digest = blake2b(digest_size=16)
        self._head: list[str] | None = []
        #: (message index, body) of the calls and outputs taken, in order.
        self.calls: list[tuple[int, Call]] = []
        self.outputs: list[tuple[int, Output]] = []

    def add(self, record: MessageRecord) -> None:
        """Take the next message."""
        facts, role, body, index = self._facts, record.role, record.body, record.index
        key, flag = record.content_key, 0
        if role == "system" or role == "user":
            flag = TURN
            if facts.first_user is None and role == "user" and record.norm_bytes:
                facts.first_user = key
        elif role in _COMPOSITIONS:
            facts.compositions.append(Composition(index, role, record.content))
        if self._head is not None and not record.synthetic:
            if role == "system":
                self._head.append(record.content)
                flag |= LEFT_OUT
            elif role in _HEAD_ENDS:
                self._end_head()
        if isinstance(body, Meta):
            key, flag = self._meta(index, record, body)
        elif isinstance(body, Call):
            self.calls.append((index, body))
            if body.call_id is not None and not body.generated_id:
                flag = IDENTITY
        elif isinstance(body, Output):
            self.outputs.append((index, body))
            self._time(body.start_timestamp)
            self._time(body.timestamp)
            if body.call_id is not None and not _generated(body.call_id):
                flag = IDENTITY
        facts.keys.append(key)
        facts.sizes.append(record.bytes)
        self._flags.append(flag | LEFT_OUT | SYNTHETIC if record.synthetic else flag)
        self._weights.append(min(record.norm_bytes, HEAVY))
        self._digest.update(f"{role}\0{record.text_key}\n".encode())

    def copy(self) -> Collector:
        """Another collector with the same messages; what either takes later is no part of the other."""
        other = copy(self)
        other._facts = self._facts.copy()
        other._flags, other._weights = bytearray(self._flags), bytearray(self._weights)
        other._digest = self._digest.copy()
        other._head = None if self._head is None else list(self._head)
        other.calls, other.outputs = list(self.calls), list(self.outputs)
        return other

    def facts(self) -> ChatFacts:
        """The facts of all messages taken."""
        facts = self._facts
        self._end_head()
        facts.flags = bytes(self._flags)
        facts.weights = bytes(self._weights)
        facts.fingerprint = self._digest.hexdigest()
        facts.receipts = self._receipts()
        return facts

    def _end_head(self) -> None:
        if self._head is not None:
            self._facts.head = read_head(self._head)
            self._head = None

    def _meta(self, index: int, record: MessageRecord, meta: Meta) -> tuple[str, int]:
        facts = self._facts
        if meta.timestamp is not None:
            facts.times.append((index, meta.timestamp))
            self._time(meta.timestamp)
        if meta.agent or meta.conversation or meta.instructions_digest:
            facts.named.append(Named(index, meta.agent, meta.conversation, meta.instructions_digest))
        if meta.job is not None:
            facts.markers.append(Marker(index, meta.job, meta.conversation))
            return record.content_key, MARKER
        identity = _identity(meta)
        if meta.tokens is not None:
            facts.events.append(
                Event(
                    index,
                    identity or f"lineage:{record.lineage}",
                    _counts(meta.tokens),
                    meta.provider_response_id,
                    meta.totals.get("tt_c"),
                )
            )
        return (identity, META | IDENTITY) if identity else (record.content_key, META)

    def _time(self, time: str | None) -> None:
        facts = self._facts
        if time is not None:
            if facts.started is None or time < facts.started:
                facts.started = time
            if facts.ended is None or time > facts.ended:
                facts.ended = time

    def _receipts(self) -> list[ReceiptFact]:
        """Receipt entries in order, with the tool and agent of the call that their output answers."""
        holders = [(index, output) for index, output in self.outputs if output.receipts]
        if not holders:
            return []
        calls = dict(self.calls)
        answered = {output: calls[call] for call, output in pair(self.calls, self.outputs).items()}
        found = []
        for index, output in holders:
            call = answered.get(index)
            for receipt in output.receipts:
                meta = receipt.meta
                if meta is None or receipt.position is None or (meta.job is None and meta.tokens is None):
                    continue
                found.append(
                    ReceiptFact(
                        output=index,
                        key=receipt.key,
                        position=receipt.position,
                        call_id=output.call_id,
                        tool=(call and call.tool) or output.tool,
                        target=call.target_agent if call else None,
                        time=output.timestamp or output.start_timestamp,
                        ref=meta.job,
                        conversation=meta.conversation,
                        agent=meta.agent,
                        identity=None if meta.tokens is None else _identity(meta) or "",
                        tokens=() if meta.tokens is None else _counts(meta.tokens),
                        provider=meta.provider_response_id,
                    )
                )
        return found


def chat_facts(
    path: str,
    records: Iterable[MessageRecord],
    kind: str = "root",
    owners: Sequence[OwnerFact] = (),
    agent: str | None = None,
) -> ChatFacts:
    """Facts of a chat whose records are at hand; see `Collector`."""
    collector = Collector(path, kind, owners, agent)
    for record in records:
        collector.add(record)
    return collector.facts()


def job_facts(job: str, info: JobInfo | None) -> JobFacts:
    """Facts of a job by its info; None where it has none that can be read."""
    if info is None:
        return JobFacts(job)
    return JobFacts(job, info.status, info.type, info.issued, info.start, info.end, info.dependencies)


def _identity(meta: Meta) -> str | None:
    """The Inference's id by the ids that a meta line or receipt entry carries (DESIGN: Tokens)."""
    if meta.inference_id is not None:
        return f"inference_id:{meta.inference_id}"
    if meta.provider_response_id is not None:
        return f"provider_response_id:{meta.provider_response_id}"
    return None


def _counts(tokens: Tokens) -> tuple[int, ...]:
    return (tokens.pt, tokens.ct, tokens.tt, tokens.cct, tokens.cwt, tokens.rt)


def _generated(call_id: str) -> bool:
    return len(call_id) > 33 and call_id[-33] == "_" and not call_id[-32:].strip("0123456789abcdef")
