"""What linking gives: the relationships and derived properties of chats, jobs and paid requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import orjson

from indexer.formats.records import Problem

#: Origin of a message by its code in `ChatLinks.origins`.
ORIGINS = ("own", "projection", "inlined", "inherited")
OWN, PROJECTION, INLINED, INHERITED = range(4)


@dataclass(frozen=True, slots=True)
class Reference:
    """All references of one kind from a chat to a job.

    A JOB or AGENT_JOB relationship, or CONTEXT where not `own`.

    relation   job or agent_job
    basis      rule that decided (DESIGN: Own or context): of the first own reference, else of the first one
    addresses  evidence addresses in file order, with `refs`, `call_ids` and `tools` beside them
    """

    relation: str
    job: str
    own: bool
    basis: str
    addresses: tuple[str, ...]
    refs: tuple[str, ...]
    call_ids: tuple[str | None, ...] = ()
    tools: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Composed:
    """An IMPORTS, CONTINUES or LAST relationship.

    With the messages that say so and the references as written.
    """

    type: str
    chat: str
    indexes: tuple[int, ...]
    refs: tuple[str, ...]


class Block(NamedTuple):
    """A job's answer spliced into a chat: from its `job=` marker to its last message.

    `bytes` of the parsed contents.
    """

    marker: int
    last: int
    job: str
    bytes: int


@dataclass(frozen=True, slots=True)
class InstructionsLink:
    """What a chat ran with. `explicit` where a meta line gives the digest; then the rest may be unknown."""

    digest: str
    agent: str | None
    text_key: str | None = None
    preview: str | None = None
    bytes: int | None = None
    explicit: bool = False


@dataclass(slots=True)
class ChatLinks:
    """What one chat turned out to be.

    handed_last  index of the last message of the handed history, -1 without one
    origins      per message the code of its origin (`ORIGINS`)
    copies       index of a copy -> address of its original
    originals    number of messages that are nobody's copy, the synthetic one left out
    receipts     evidence address -> job id
    sidecars     chats that are sidecars of this saved chat
    """

    id: str
    references: tuple[Reference, ...] = ()
    composed: tuple[Composed, ...] = ()
    sidecars: tuple[str, ...] = ()
    handed_last: int = -1
    blocks: tuple[Block, ...] = ()
    origins: bytes = b""
    copies: Mapping[int, str] = field(default_factory=dict)
    originals: int = 0
    instructions: InstructionsLink | None = None
    agent: str | None = None
    conversation: str | None = None
    started: str | None = None
    ended: str | None = None
    receipts: Mapping[str, str] = field(default_factory=dict)

    def digest(self) -> str:
        """32 hex digits of all this says: equal digests need no rewiring."""
        return _digest(self)


@dataclass(slots=True)
class JobLinks:
    """What one job turned out to be.

    `dependencies` are (job, position) pairs without repeats, `result` the chat it gave; `missing` where the
    job is only ever named.
    """

    id: str
    dependencies: tuple[tuple[str, int], ...] = ()
    logs: tuple[str, ...] = ()
    result: str | None = None
    missing: bool = False

    def digest(self) -> str:
        """32 hex digits of all this says."""
        return _digest(self)


class Evidence(NamedTuple):
    """One place where a paid request is written down.

    address  message or receipt
    source   chat_meta or receipt
    handed   it stands in handed history
    paid     the request was made here, as far as the chat can tell: outside handed history, and its running
             total continues outside blocks, or its chat is the payer. Of a chat and its backup both say so,
             a replayed answer does not: an own scope counts a request when one of its chats holds evidence
             that is paid
    """

    address: str
    source: str
    chat: str
    handed: bool
    paid: bool
    tokens: tuple[int, ...]
    provider: str | None


@dataclass(frozen=True, slots=True)
class InferenceLinks:
    """One paid request with its evidence, canonical first (the place in `evidence` is its rank)."""

    id: str
    evidence: tuple[Evidence, ...]
    payer: str
    conflict: bool
    incomplete: bool

    @property
    def identity(self) -> str:
        """inference_id, provider_response_id, lineage or receipt."""
        return self.id.partition(":")[0]

    @property
    def tokens(self) -> tuple[int, ...]:
        """pt, ct, tt, cct, cwt, rt of the canonical evidence."""
        return self.evidence[0].tokens

    def digest(self) -> str:
        """32 hex digits of all this says."""
        return _digest(self)


class LinkProblem(NamedTuple):
    """A problem of linking; `chat` or `job` is the node concerned."""

    kind: str
    id: str
    problem: Problem


@dataclass(slots=True)
class Links:
    """The outcome for all chats, jobs and paid requests passed to `link`.

    Ids of jobs only ever named are among `jobs`.
    """

    chats: dict[str, ChatLinks] = field(default_factory=dict)
    jobs: dict[str, JobLinks] = field(default_factory=dict)
    inferences: dict[str, InferenceLinks] = field(default_factory=dict)
    problems: Sequence[LinkProblem] = ()


def message_address(chat: str, index: int) -> str:
    """The address of a message: `chat#index`."""
    return f"{chat}#{index}"


def receipt_address(chat: str, output: int, key: str, position: int) -> str:
    """The evidence address of a receipt's entry: `chat#index/agent_meta/0`."""
    return f"{chat}#{output}/{key}/{position}"


def _digest(record: ChatLinks | JobLinks | InferenceLinks) -> str:
    option = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS
    return blake2b(orjson.dumps(record, default=_plain, option=option), digest_size=16).hexdigest()


def _plain(value: object) -> object:
    return value.decode("latin-1") if isinstance(value, bytes) else tuple(value)  # type: ignore[arg-type]
