"""The graph model, declared once: labels, properties, types, keys and relationships (DESIGN: Graph model).

`schema/README.md` is generated from this module and `schema/V0001__*.cypher` is checked against it, so a
change here without the other two fails a test. Types are Cypher's names; `indexed` asks for a range index.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Property:
    """One property: its Cypher type and what it says."""

    name: str
    type: str
    meaning: str
    indexed: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """One label. `key` is unique; `second` names a label that only ever stands beside another."""

    label: str
    key: str
    meaning: str
    properties: tuple[Property, ...]
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class Relationship:
    """One relationship type with the labels it joins."""

    type: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    meaning: str
    properties: tuple[Property, ...] = ()
    closure: bool = False


def _p(name: str, type_: str, meaning: str, indexed: bool = False) -> Property:
    return Property(name, type_, meaning, indexed)


TOKENS = (
    _p("pt", "INTEGER", "prompt tokens"),
    _p("ct", "INTEGER", "completion tokens"),
    _p("tt", "INTEGER", "total tokens"),
    _p("cct", "INTEGER", "cache-hit tokens"),
    _p("cwt", "INTEGER", "cache-write tokens"),
    _p("rt", "INTEGER", "reasoning tokens"),
)

CHAT = Node(
    "Chat",
    "id",
    "A chat file: a root conversation, a job's result, an agent's log, or a sidecar of a saved chat.",
    (
        _p("id", "STRING", "real path of the file"),
        _p("name", "STRING", "file name", indexed=True),
        _p("kind", "STRING", "root, result, log or sidecar", indexed=True),
        _p("agent", "STRING", "agent named by a meta line, the log's folder or a receipt"),
        _p(
            "conversation",
            "STRING",
            "conversation= of its meta lines, else the one root chat that owns it",
            indexed=True,
        ),
        _p("started_at", "DATETIME", "earliest time written in it"),
        _p("ended_at", "DATETIME", "latest time written in it", indexed=True),
        _p("messages", "INTEGER", "messages as parsed, the synthetic first one included"),
        _p("tool_calls", "INTEGER", "function_call and mcp_call records"),
        _p("bytes", "INTEGER", "UTF-8 bytes of the parsed contents"),
        _p("originals", "INTEGER", "messages that are nobody's copy, synthetic ones left out"),
        _p("original_tool_calls", "INTEGER", "calls among them"),
        _p("original_bytes", "INTEGER", "their normalised bytes"),
        _p("original_unknown", "INTEGER", "requests without token fields among them"),
        _p("handed_originals", "INTEGER", "originals in handed history: known nowhere else"),
        _p("handed_original_tool_calls", "INTEGER", "calls among them"),
        _p("handed_original_bytes", "INTEGER", "their normalised bytes"),
        _p("handed_original_unknown", "INTEGER", "requests without token fields among them"),
        _p("inlined_messages", "INTEGER", "messages of results of other jobs that stand in it"),
        _p("handed_last", "INTEGER", "index of the last message of the handed history; -1 without one"),
        _p("fingerprint", "STRING", "digest of all roles and contents"),
        _p("missing", "BOOLEAN", "the file is gone, or was only ever named"),
        _p("missing_since", "DATETIME", "when its absence was first seen"),
    ),
)

JOB = Node(
    "Job",
    "id",
    "A workflow step.",
    (
        _p("id", "STRING", "real path of the result"),
        _p("ref", "STRING", "Workflow/task/name, the short reference", indexed=True),
        _p("name", "STRING", "last component of the path", indexed=True),
        _p("workflow", "STRING", "workflow"),
        _p("task", "STRING", "task"),
        _p(
            "status",
            "STRING",
            "as written in its info; noinfo without one. A dead process shows in crashed_since",
            indexed=True,
        ),
        _p("type", "STRING", "result type"),
        _p("issued", "DATETIME", "when it was asked for"),
        _p("start", "DATETIME", "when it began"),
        _p("end", "DATETIME", "when it ended"),
        _p("host", "STRING", "machine of its process"),
        _p("pid", "INTEGER", "its process"),
        _p("time_elapsed", "FLOAT", "seconds"),
        _p("error", "STRING", "last message of a failed job"),
        _p(
            "known",
            "STRING",
            "read: its files were read; named: by a full path; guessed: by a short reference only",
        ),
        _p("missing", "BOOLEAN", "its files are gone, or were only ever named"),
        _p("missing_since", "DATETIME", "when its absence was first seen"),
        _p(
            "crashed_since",
            "DATETIME",
            "when its process was found dead though its info says that it runs; no part of the digest",
        ),
    ),
)

MESSAGE = Node(
    "Message",
    "id",
    "One message of one chat, as parsed.",
    (
        _p("id", "STRING", "address: chat#index"),
        _p("index", "INTEGER", "place in the chat, from 0, the synthetic first message included"),
        _p("role", "STRING", "role as written"),
        _p("lineage", "STRING", "md5 chain over the messages before it, pure form"),
        _p("content_key", "STRING", "digest of role and normalised content"),
        _p("preview", "STRING", "fingerprint of the content, at most 150 characters"),
        _p("bytes", "INTEGER", "UTF-8 bytes as parsed"),
        _p("norm_bytes", "INTEGER", "UTF-8 bytes of the normalised content"),
        _p("line", "INTEGER", "line of its header, from 1"),
        _p("synthetic", "BOOLEAN", "true on the empty first message that no one wrote; absent elsewhere"),
        _p("origin", "STRING", "own, projection, inlined or inherited"),
        _p("at", "DATETIME", "time written in it"),
        _p("job_ref", "STRING", "the job= of a meta line, as written"),
        _p("block_last", "INTEGER", "on a job= marker with a block: index of the block's last message"),
        _p("block_bytes", "INTEGER", "on such a marker: bytes of the block's parsed contents"),
        _p("unknown_tokens", "BOOLEAN", "true on a meta that says nothing of its tokens; absent elsewhere"),
        _p("call_id", "STRING", "of a call or an output", indexed=True),
        _p("error", "STRING", "error field of an output"),
    ),
)

TOOL_CALL = Node(
    "ToolCall",
    "id",
    "A message that is a call: the same node with a second label.",
    (
        _p("tool", "STRING", "tool name", indexed=True),
        _p("call_id", "STRING", "id of the call; unique in one conversation only"),
        _p("arguments_key", "STRING", "digest of the canonical arguments"),
        _p("status", "STRING", "success, failure or unknown"),
        _p("status_reason", "STRING", "why, e.g. missing_output"),
        _p("target_agent", "STRING", "agent that a delegation names"),
    ),
    beside="Message",
)

CONTENT = Node(
    "Content",
    "key",
    "One text, stored once however often it occurs.",
    (
        _p("key", "STRING", "digest of the exact text"),
        _p("text", "STRING", "the text, secrets redacted"),
        _p("bytes", "INTEGER", "UTF-8 bytes"),
        _p("truncated", "BOOLEAN", "true where only the beginning is stored; absent elsewhere"),
        _p("redactions", "INTEGER", "secrets taken out; absent without any"),
    ),
)

RECEIPT = Node(
    "Receipt",
    "id",
    "One entry of a tool output's receipt.",
    (
        _p("id", "STRING", "evidence address: chat#index/agent_meta/0 or /meta/0"),
        _p("call_id", "STRING", "call that the output answers"),
        _p("tool", "STRING", "tool of that call"),
        _p("job_ref", "STRING", "job named, as written"),
        _p("inference", "STRING", "identity of the paid request named"),
        _p("malformed", "STRING", "why it could not be read; absent when it could"),
    ),
)

INFERENCE = Node(
    "Inference",
    "id",
    "One paid request.",
    (
        _p(
            "id",
            "STRING",
            "identity kind and value: inference_id:X, provider_response_id:X, lineage:X, receipt:ADDRESS",
        ),
        _p("identity", "STRING", "inference_id, provider_response_id, lineage or receipt"),
        *TOKENS,
        _p("conflict", "BOOLEAN", "evidence disagrees on pt, ct, tt or the provider's id"),
        _p("incomplete_evidence", "BOOLEAN", "some evidence lacks the provider's id"),
        _p("payer", "STRING", "chat that paid: where the running total continues"),
    ),
)

INSTRUCTIONS = Node(
    "Instructions",
    "digest",
    "One version of one agent's instructions.",
    (
        _p("digest", "STRING", "digest of agent name and system text without generated lines"),
        _p("agent", "STRING", "agent", indexed=True),
        _p("text_key", "STRING", "sha1 of the instructions' text"),
        _p("preview", "STRING", "fingerprint of the text"),
        _p("bytes", "INTEGER", "UTF-8 bytes"),
    ),
)

PROBLEM = Node(
    "Problem",
    "id",
    "What could not be read or resolved.",
    (
        _p("id", "STRING", "address and kind"),
        _p("kind", "STRING", "stable name", indexed=True),
        _p("address", "STRING", "file, or message address"),
        _p("path", "STRING", "file", indexed=True),
        _p("line", "INTEGER", "line, from 1"),
        _p("stage", "STRING", "read or link: the step that finds it"),
        _p("detail", "STRING", "what it is and what to do"),
    ),
)

FILE = Node(
    "File",
    "path",
    "Bookkeeping: the checkpoint of one file that was read; no part of the answers or the digest.",
    (
        _p("path", "STRING", "real path"),
        _p("folder", "STRING", "folder it stands in", indexed=True),
        _p("kind", "STRING", "chat, info, result or other"),
        _p("stamp", "STRING", "size, time of change and inode, for the comparison at a rescan"),
        _p("size", "INTEGER", "bytes"),
        _p("mtime_ns", "INTEGER", "time of change, nanoseconds"),
        _p("inode", "INTEGER", "inode"),
        _p("digest", "STRING", "digest of the bytes"),
        _p("facts", "BYTES", "what linking needs of it, compressed"),
        _p("marks", "BYTES", "8 bytes per message: where a changed chat begins to differ"),
        _p("names", "LIST<STRING>", "further paths that links give it; absent without any"),
        _p("links", "STRING", "digest of what linking last gave; absent while not linked", indexed=True),
        _p("pending", "BOOLEAN", "read but not linked yet; absent otherwise", indexed=True),
        _p(
            "missing_since",
            "DATETIME",
            "when its absence was first seen; absent while it is there",
            indexed=True,
        ),
        _p("written_at", "DATETIME", "when this was last written", indexed=True),
        _p("previous_fingerprint", "STRING", "fingerprint before the last rewrite"),
        _p("changed_at", "DATETIME", "when a rewrite was seen"),
    ),
)

MIGRATION = Node(
    "Migration",
    "version",
    "Bookkeeping: one applied migration.",
    (
        _p("version", "INTEGER", "number of the file"),
        _p("name", "STRING", "name of the file"),
        _p("checksum", "STRING", "digest of its text"),
        _p("applied_at", "DATETIME", "when"),
    ),
)

LINK = Node(
    "Link",
    "path",
    "Bookkeeping: one symbolic link that gives files further names.",
    (
        _p("path", "STRING", "the link: real path of its folder, and its name"),
        _p("target", "STRING", "real path that it leads to"),
    ),
)

LEASE = Node(
    "Lease",
    "name",
    "Bookkeeping: who may write now; one writer at a time.",
    (
        _p("name", "STRING", "writer"),
        _p("token", "STRING", "of the holder; absent while nobody writes"),
        _p("until", "DATETIME", "when it ends unless it is renewed, by the server's clock"),
        _p("holder", "STRING", "the holder in words"),
        _p("host", "STRING", "its machine"),
        _p("pid", "INTEGER", "its process"),
        _p("started", "STRING", "start of that process, so that its pid is not mistaken for another's"),
        _p("turn", "INTEGER", "how often it was taken"),
        _p("undone", "BOOLEAN", "its holder has not come to the end of its work"),
    ),
)

WATCHER = Node(
    "Watcher",
    "id",
    "Bookkeeping: how one `indexer watch` is doing.",
    (
        _p("id", "STRING", "machine and process"),
        _p("host", "STRING", "machine"),
        _p("pid", "INTEGER", "process"),
        _p("state", "STRING", "reconciling, watching, catching up or stopped"),
        _p("paths", "LIST<STRING>", "what is watched"),
        _p(
            "polled",
            "LIST<STRING>",
            "of these what is looked through again and again: no events come from there",
        ),
        _p("started_at", "DATETIME", "when it began"),
        _p("beat_at", "DATETIME", "last sign of life, by the server's clock"),
        _p("reconciled_at", "DATETIME", "end of the last look at everything"),
        _p("reconcile_seconds", "FLOAT", "how long that took"),
        _p("lag_seconds", "FLOAT", "from a change to its place in the graph, in the last round"),
        _p("queue", "INTEGER", "places that changed and were not looked at yet"),
        _p("rounds", "INTEGER", "rounds done"),
        _p("files", "INTEGER", "files read"),
        _p("problem", "STRING", "what keeps it from working as it should; absent otherwise"),
    ),
)

NODES = (
    CHAT, JOB, MESSAGE, TOOL_CALL, CONTENT, RECEIPT, INFERENCE, INSTRUCTIONS, PROBLEM, FILE, MIGRATION, LINK,
    LEASE, WATCHER,
)  # fmt: skip

_REFERENCE = (
    _p(
        "basis",
        "STRING",
        "rule that decided: conversation, self, dependency, inherited, called, block, interval, default",
    ),
    _p("addresses", "LIST<STRING>", "evidence addresses, in file order: messages, or receipts for agent_job"),
    _p("refs", "LIST<STRING>", "the reference as written at each address"),
)
_RECEIPTS = (
    _p("call_ids", "LIST<STRING>", "call of each address"),
    _p("tools", "LIST<STRING>", "tool of each address"),
)
_COMPOSITION = (
    _p("indexes", "LIST<INTEGER>", "messages that say so"),
    _p("refs", "LIST<STRING>", "the reference as written at each"),
)

RELATIONSHIPS = (
    Relationship("JOB", ("Chat",), ("Job",), "The chat's own work, by metas.", _REFERENCE, closure=True),
    Relationship(
        "AGENT_JOB",
        ("Chat",),
        ("Job",),
        "The chat's own work, by receipts.",
        _REFERENCE + _RECEIPTS,
        closure=True,
    ),
    Relationship(
        "CONTEXT",
        ("Chat",),
        ("Job",),
        "A reference the chat only inherited or shares.",
        (_p("relation", "STRING", "job or agent_job"), *_REFERENCE, *_RECEIPTS),
        closure=True,
    ),
    Relationship(
        "DEPENDENCY",
        ("Job",),
        ("Job",),
        "A dependency listed in the job's info.",
        (_p("position", "INTEGER", "place in the list, from 0"),),
        closure=True,
    ),
    Relationship("LOG", ("Job", "Chat"), ("Chat",), "A job's log; a saved chat's sidecar.", closure=True),
    Relationship("RESULT", ("Job",), ("Chat",), "The chat that a job gave.", closure=True),
    Relationship("IMPORTS", ("Chat",), ("Chat",), "import: all of another chat.", _COMPOSITION),
    Relationship("CONTINUES", ("Chat",), ("Chat",), "continue: its last message.", _COMPOSITION),
    Relationship("LAST", ("Chat",), ("Chat",), "last: the same without response ids.", _COMPOSITION),
    Relationship("HAS_MESSAGE", ("Chat",), ("Message",), "The chat's messages."),
    Relationship("NEXT", ("Message",), ("Message",), "Order in the chat."),
    Relationship("HAS_CONTENT", ("Message",), ("Content",), "The message's text."),
    Relationship("COPY_OF", ("Message",), ("Message",), "Copy to its original; a star, never a chain."),
    Relationship(
        "COPIES_FROM",
        ("Chat",),
        ("Chat",),
        "Summary of COPY_OF between two chats, so that counts need not visit every message.",
        (
            _p("messages", "INTEGER", "copies"),
            _p("handed", "INTEGER", "of these in handed history"),
            _p("longer", "INTEGER", "of these longer than their original, normalised"),
        ),
    ),
    Relationship("RETURNED", ("ToolCall",), ("Message",), "A call's output."),
    Relationship(
        "HAS_RECEIPT",
        ("ToolCall", "Message"),
        ("Receipt",),
        "A call's receipt entries; of the output where no call is.",
    ),
    Relationship("RECEIPT_OF", ("Receipt",), ("Job",), "The job that a receipt names."),
    Relationship(
        "EVIDENCE",
        ("Message", "Receipt"),
        ("Inference",),
        "Where a paid request is written down.",
        (
            _p("rank", "INTEGER", "order, from 0; the first is canonical; chat evidence before receipts"),
            _p("source", "STRING", "chat_meta or receipt"),
            _p("chat", "STRING", "chat that holds it", indexed=True),
            _p("handed", "BOOLEAN", "it stands in handed history"),
            _p("paid", "BOOLEAN", "the request was made here: its running total continues, no copy"),
            _p("provider_response_id", "STRING", "as written here"),
            *TOKENS,
        ),
    ),
    Relationship("RAN_WITH", ("Chat",), ("Instructions",), "The instructions an agent log began with."),
    Relationship("ABOUT", ("Problem",), ("Chat", "Job", "Message", "Receipt"), "What a problem is about."),
)  # fmt: skip
