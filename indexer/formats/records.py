"""The frozen records that parsing gives: what chats, meta lines, calls, receipts and job infos say.

Everything here is a value. Records name places by message index and line, never by path: the reader of a
file adds the path. Rules and field names follow the on-disk formats; where a producer left a field out, the
record holds None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: The six token counts of one paid request, in the order answers print them.
TOKEN_KEYS = ("pt", "ct", "tt", "cct", "cwt", "rt")

Scalar = str | int | float


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read as meant: data for the user, never an exception.

    `kind` is a stable snake_case name (`unclosed_region`, `dropped_line`, `invalid_bytes`, ...); `detail`
    says what and what to do; `line` counts from 1, `index` is the message concerned.
    """

    kind: str
    detail: str
    line: int | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One parsed message.

    `index` counts from 0 with the synthetic first message included. `line` counts from 1 and names the
    header, or the first line of text that has none of its own. `synthetic` marks the empty first `user`
    message that a chat beginning with a header gets.
    """

    index: int
    role: str
    content: str
    line: int
    synthetic: bool = False


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token counts of one request; a missing count is 0 when at least one of the six was present."""

    pt: int = 0
    ct: int = 0
    tt: int = 0
    cct: int = 0
    cwt: int = 0
    rt: int = 0


@dataclass(frozen=True, slots=True)
class Meta:
    """A meta line.

    `values` holds all of them but the reasoning. `tokens` is None unless it carries at least one of the six
    keys and no `job` (a token event); `totals` holds the running totals (`pt_c`, `tt_s`, ...) that must
    never be summed. `timestamp` is an ISO-8601 UTC string with six fractional digits.
    """

    values: Mapping[str, Scalar]
    job: str | None = None
    tokens: Tokens | None = None
    totals: Mapping[str, int] = field(default_factory=dict)
    inference_id: str | None = None
    provider_response_id: str | None = None
    timestamp: str | None = None
    reasoning: str | None = None
    agent: str | None = None
    conversation: str | None = None
    instructions_digest: str | None = None
    orphan: bool = False

    @property
    def unknown_tokens(self) -> bool:
        """True for a request that says nothing of its tokens: neither a job projection nor a token event."""
        return self.job is None and self.tokens is None


@dataclass(frozen=True, slots=True)
class Receipt:
    """One entry of a tool output's receipt.

    `key` is the envelope's key (`agent_meta` or `meta`), `position` the entry's place in the list (None
    when the receipt itself is no list); `malformed` is None or one of not_an_array, not_a_hash,
    invalid_role, invalid_content, unparseable_meta, empty_meta. `meta` is the parsed entry when it could be
    read.
    """

    key: str
    position: int | None
    meta: Meta | None = None
    malformed: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A `function_call` or `mcp_call`.

    `arguments_key` is a digest of the canonical JSON of the arguments (object or JSON string alike);
    `generated_id` is true for ids of the form name_<md5> that producers make from the arguments.
    `target_agent` may be `Name/brief`.
    """

    tool: str | None
    call_id: str | None
    arguments_key: str
    generated_id: bool = False
    target_agent: str | None = None
    target_conversation: str | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """A `function_call_output`.

    `status` is what its content says of the call, success or failure, and `reason` by which rule: output,
    exit_status or exception.
    """

    tool: str | None
    call_id: str | None
    status: str
    reason: str | None = None
    error: str | None = None
    step: str | None = None
    start_timestamp: str | None = None
    timestamp: str | None = None
    receipts: tuple[Receipt, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """One message with everything that is derived from it alone (and, for `lineage`, from those before it).

    bytes         UTF-8 bytes of `content` as parsed
    norm_bytes    UTF-8 bytes of the normalised content
    lineage       md5 hex, pure form
    content_key   32 hex: digest of role and normalised content
    text_key      32 hex: digest of the exact content, the key of its Content node
    preview       fingerprint of the content (at most 150 characters)
    body          what a meta, call or output message says; None for other roles and for unreadable JSON
    """

    index: int
    role: str
    content: str
    line: int
    synthetic: bool
    bytes: int
    norm_bytes: int
    lineage: str
    content_key: str
    text_key: str
    preview: str
    body: Meta | Call | Output | None = None
    redactions: int = 0


@dataclass(frozen=True, slots=True)
class JobInfo:
    """A job's `.info`, whatever its serialisation.

    Times are ISO-8601 UTC strings with six fractional digits, so they sort as the times do; `dependencies`
    are the paths as written (the last element of a triple); `format` is json, yaml, marshal, empty or
    unreadable.
    """

    format: str
    status: str | None = None
    workflow: str | None = None
    task: str | None = None
    type: str | None = None
    issued: str | None = None
    start: str | None = None
    end: str | None = None
    pid: int | None = None
    host: str | None = None
    time_elapsed: float | None = None
    total_time_elapsed: float | None = None
    dependencies: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    input_names: tuple[str, ...] = ()
    archived: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
