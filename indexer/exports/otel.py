"""A scope as OpenTelemetry spans after the GenAI conventions: OTLP JSON, one `TracesData` object a line.

The lines are what the collector's file receiver reads (`otlpjsonfile`). One trace per root: a job is an
`invoke_workflow` span, a chat an `invoke_agent` span below what it is first reached from, a paid request a
`chat` span and a tool call an `execute_tool` span of its chat. Ids are digests of paths and addresses:
equal in every export.

Tokens: the convention counts cached tokens into `gen_ai.usage.input_tokens`; some providers do not count
them into `pt`. Where `pt` is smaller than its cached parts they are added; the counts as written stay in
`scout.usage.*`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import IO, Any

import orjson

from indexer.exports.scope import Key, Node, ScopeGraph

SCHEMA_URL = "https://opentelemetry.io/schemas/1.40.0"
BATCH = 500
INTERNAL, CLIENT = 1, 3
OK, ERROR = 1, 2

Span = dict[str, Any]


def write_spans(
    scope: ScopeGraph,
    requests: Iterable[Mapping[str, Any]],
    calls: Iterable[Mapping[str, Any]],
    file: IO[bytes],
) -> int:
    """Write the spans of a scope; gives their number. Requests and calls are read row by row."""
    told = 0
    batch: list[Span] = []
    trace = _Trace(scope)
    for span in trace.spans(requests, calls):
        batch.append(span)
        told += 1
        if len(batch) == BATCH:
            file.write(_line(batch))
            batch = []
    if batch or not told:
        file.write(_line(batch))
    return told


def span_id(kind: str, key: str) -> str:
    """8 bytes in hex, never all zero."""
    return hashlib.md5(f"{kind}:{key}".encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:16]


def usage(row: Mapping[str, Any]) -> dict[str, int]:
    """Token counts of a request under the convention's names; those not written are left out."""
    pt, ct, cached, written, reasoning = (row.get(name) for name in ("pt", "ct", "cct", "cwt", "rt"))
    told: dict[str, int] = {}
    if pt is not None:
        parts = (cached or 0) + (written or 0)
        told["gen_ai.usage.input_tokens"] = pt + parts if parts > pt else pt
    if ct is not None:
        told["gen_ai.usage.output_tokens"] = ct
    if cached is not None:
        told["gen_ai.usage.cache_read.input_tokens"] = cached
    if written is not None:
        told["gen_ai.usage.cache_creation.input_tokens"] = written
    if reasoning is not None:
        told["gen_ai.usage.reasoning.output_tokens"] = reasoning
    return told


class _Trace:
    """The one trace of a root."""

    def __init__(self, scope: ScopeGraph) -> None:
        self.scope = scope
        root = "/".join(scope.root)
        self.id = hashlib.md5(root.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
        known = [at for node in scope.nodes.values() for at in node.span if at is not None]
        self.start = min(known, default=None)

    def spans(
        self, requests: Iterable[Mapping[str, Any]], calls: Iterable[Mapping[str, Any]]
    ) -> Iterator[Span]:
        for node in self.scope.nodes.values():
            yield self._node(node)
        for row in requests:
            yield self._request(row)
        for row in calls:
            yield self._call(row)

    def _node(self, node: Node) -> Span:
        above = self.scope.tree.get(node.key)
        attributes: dict[str, Any] = {"scout.path": node.id}
        if node.key[0] == "job":
            name, operation = f"invoke_workflow {node.label.rsplit('/', 1)[0]}", "invoke_workflow"
            attributes["gen_ai.workflow.name"] = node.get("workflow")
            attributes["scout.job.ref"], attributes["scout.job.status"] = node.get("ref"), node.get("status")
        else:
            name, operation = f"invoke_agent {node.get('agent') or node.label}", "invoke_agent"
            attributes["gen_ai.agent.name"] = node.get("agent")
            attributes["gen_ai.conversation.id"] = node.get("conversation") or node.id
            attributes["scout.chat.kind"] = node.get("kind")
        attributes["gen_ai.operation.name"] = operation
        failed = node.key[0] == "job" and node.get("status") in ("error", "crashed", "aborted")
        if failed:
            attributes["error.type"] = node.get("status")
        return self._span(
            name,
            node.key,
            above,
            INTERNAL,
            node.span,
            attributes,
            node.get("error") or "" if failed else None,
        )

    def _request(self, row: Mapping[str, Any]) -> Span:
        chat = self.scope.nodes.get(("chat", row["chat"]))
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "unknown",  # chats do not tell; the convention wants one
            "gen_ai.response.id": row["response"],
            "gen_ai.conversation.id": (chat and chat.get("conversation")) or row["chat"],
            "gen_ai.agent.name": chat and chat.get("agent"),
            **usage(row),
            **{f"scout.usage.{name}": row[name] for name in ("pt", "ct", "tt", "cct", "cwt", "rt")},
            "scout.inference.id": row["id"],
            "scout.address": row["address"],
            "scout.evidence": row["source"],
        }
        times = (row["before"] or row["at"], row["at"])
        return self._span("chat", ("request", row["id"]), ("chat", row["chat"]), CLIENT, times, attributes)

    def _call(self, row: Mapping[str, Any]) -> Span:
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": row["tool"],
            "gen_ai.tool.call.id": row["call_id"],
            "gen_ai.tool.type": "function",
            "scout.address": row["address"],
            "scout.call.status": row["status"],
            "scout.call.target_agent": row["target_agent"],
        }
        failed = row["status"] == "failure"
        if failed:
            attributes["error.type"] = row["error"] or row["reason"] or "failure"
        times = (row["before"] or row["at"], row["at"])
        parent = ("chat", row["chat"])
        name = f"execute_tool {row['tool'] or ''}".strip()
        return self._span(
            name, ("call", row["address"]), parent, INTERNAL, times, attributes, "" if failed else None
        )

    def _span(
        self,
        name: str,
        key: Key,
        above: Key | None,
        kind: int,
        times: tuple[datetime | None, datetime | None],
        attributes: Mapping[str, Any],
        error: str | None = None,
    ) -> Span:
        """One span. Where no time is known it stands at the trace's first, and says so."""
        begin, end = times[0] or times[1] or self.start, times[1] or times[0] or self.start
        if times == (None, None):
            attributes = {**attributes, "scout.time.unknown": True}
        if begin is not None and end is not None and end < begin:
            begin = end
        span: Span = {
            "traceId": self.id,
            "spanId": span_id(*key),
            "name": name,
            "kind": kind,
            "startTimeUnixNano": _nanoseconds(begin),
            "endTimeUnixNano": _nanoseconds(end),
            "attributes": _attributes(attributes),
        }
        if above is not None and above in self.scope.nodes:
            span["parentSpanId"] = span_id(*above)
        elif key != self.scope.root:
            span["parentSpanId"] = span_id(*self.scope.root)
        if error is not None:
            span["status"] = {"code": ERROR, "message": error} if error else {"code": ERROR}
        return span


def _line(spans: list[Span]) -> bytes:
    data = {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes({"service.name": "scout-ai"})},
                "scopeSpans": [
                    {"scope": {"name": "provenance-indexer"}, "spans": spans, "schemaUrl": SCHEMA_URL}
                ],
                "schemaUrl": SCHEMA_URL,
            }
        ]
    }
    return orjson.dumps(data, option=orjson.OPT_APPEND_NEWLINE)


def _nanoseconds(at: datetime | None) -> str:
    """Nanoseconds since 1970 as OTLP JSON writes 64-bit numbers: a string."""
    if at is None:
        return "0"
    return str(int(at.timestamp()) * 1_000_000_000 + at.microsecond * 1000)


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in values.items() if value is not None]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"stringValue": str(value)}
