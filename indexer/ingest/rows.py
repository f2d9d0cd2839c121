"""Records of one chat or job to rows of the graph. Pure: no files, no database.

Property names are those of `indexer.model`; a test writes every row kind and compares. Absent facts are left
out, so that a node never carries nulls or empty flags.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from indexer.formats.records import Call, JobInfo, MessageRecord, Meta, Output, Problem

Row = dict[str, Any]

#: Characters of one text that are stored; the rest stays in the file, and the node says so.
MAX_TEXT = 2_000_000


def when(text: str | None) -> datetime | None:
    """An ISO-8601 time as a UTC datetime; None where it cannot be read or is beyond years 1 to 9999."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def message_id(chat: str, index: int) -> str:
    """The address of a message: `chat#index`."""
    return f"{chat}#{index}"


def receipt_id(chat: str, output: int, key: str, position: int | None) -> str:
    """The evidence address of a receipt entry; the whole receipt where it is no list."""
    return f"{chat}#{output}/{key}" if position is None else f"{chat}#{output}/{key}/{position}"


def message_row(chat: str, record: MessageRecord, answers: Mapping[int, Output]) -> Row:
    """One message: `props` of its node, `content` key, `call` flag.

    `answers` maps a call's index to its output.
    """
    props: Row = {
        "id": message_id(chat, record.index),
        "index": record.index,
        "role": record.role,
        "lineage": record.lineage,
        "content_key": record.content_key,
        "preview": record.preview,
        "bytes": record.bytes,
        "norm_bytes": record.norm_bytes,
        "line": record.line,
        "origin": "own",
    }
    if record.synthetic:
        props["synthetic"] = True
    body = record.body
    if isinstance(body, Meta):
        _meta_props(props, body)
    elif isinstance(body, Call):
        _call_props(props, body, answers.get(record.index))
    elif isinstance(body, Output):
        _set(props, call_id=body.call_id, error=body.error, at=when(body.timestamp or body.start_timestamp))
    return {"props": props, "content": record.text_key, "call": isinstance(body, Call)}


def _set(props: Row, **values: Any) -> None:
    props.update({name: value for name, value in values.items() if value is not None})


def _meta_props(props: Row, meta: Meta) -> None:
    _set(props, at=when(meta.timestamp), job_ref=meta.job)
    if meta.unknown_tokens:
        props["unknown_tokens"] = True


def _call_props(props: Row, call: Call, answer: Output | None) -> None:
    _set(
        props,
        tool=call.tool,
        call_id=call.call_id,
        arguments_key=call.arguments_key,
        target_agent=call.target_agent,
        status=answer.status if answer else "unknown",
        status_reason=answer.reason if answer else "missing_output",
    )


def content_row(record: MessageRecord) -> Row:
    """The text of a message as a Content row, cut at `MAX_TEXT` characters."""
    text = record.content
    props: Row = {"text": text[:MAX_TEXT], "bytes": record.bytes}
    if len(text) > MAX_TEXT:
        props["truncated"] = True
    if record.redactions:
        props["redactions"] = record.redactions
    return {"key": record.text_key, "props": props}


def receipt_rows(chat: str, output: MessageRecord, call: int | None, tool: str | None) -> Iterator[Row]:
    """The receipt entries of one output; held by the call, or by the output where no call is."""
    body = output.body
    if not isinstance(body, Output):
        return
    for receipt in body.receipts:
        meta = receipt.meta
        props: Row = {"id": receipt_id(chat, output.index, receipt.key, receipt.position)}
        _set(props, call_id=body.call_id, tool=tool or body.tool, malformed=receipt.malformed)
        if meta is not None:
            identity = meta.inference_id or meta.provider_response_id
            _set(props, job_ref=meta.job, inference=identity)
        yield {"holder": message_id(chat, output.index if call is None else call), "props": props}


def job_props(
    path: str, ref: str, name: str, names: tuple[str | None, str | None], info: JobInfo | None
) -> Row:
    """Properties of a Job node from its info; `names` are workflow and task as the path gives them."""
    props: Row = {"id": path, "ref": ref, "name": name, "missing": False, "known": "read"}
    _set(props, workflow=(info and info.workflow) or names[0], task=(info and info.task) or names[1])
    if info is None:
        props["status"] = "noinfo"
        return props
    props["status"] = info.status or "noinfo"
    _set(
        props,
        type=info.type,
        issued=when(info.issued),
        start=when(info.start),
        end=when(info.end),
        host=info.host,
        pid=info.pid,
        time_elapsed=info.time_elapsed,
        error=info.messages[-1][:2000] if info.messages and info.status in ("error", "aborted") else None,
    )
    return props


def problem_row(stage: str, path: str, problem: Problem, targets: Mapping[str, str | None]) -> Row:
    """A Problem row.

    `stage` is read or link: who finds it again and so replaces it. `targets` names chat and job.
    """
    address = path if problem.index is None else message_id(path, problem.index)
    mark = blake2b(problem.detail.encode("utf-8", "replace"), digest_size=4).hexdigest()
    place = problem.line if problem.line is not None else ""
    props: Row = {
        "id": f"{address}!{problem.kind}@{place}-{mark}",
        "kind": problem.kind,
        "address": address,
        "path": path,
        "stage": stage,
        "detail": problem.detail,
    }
    _set(props, line=problem.line)
    return {
        "props": props,
        "chat": targets.get("chat"),
        "job": targets.get("job"),
        "message": None if problem.index is None else address,
    }


def chunks(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    """Rows in runs of at most `size`."""
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
