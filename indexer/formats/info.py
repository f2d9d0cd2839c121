"""A job's `.info` file, in any of its three serialisations (FORMAT.md 3.2).

Total: any bytes give a `JobInfo`, with problems where they could not be read. Exceptions inside are a
language's own dumps and are not decoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from indexer.formats import marshal, ruby
from indexer.formats.jsontext import UNREADABLE, clean_text, load
from indexer.formats.records import JobInfo, Problem, Scalar
from indexer.formats.times import iso_utc

#: A YAML info longer than this is not read: the reader is slow, and a genuine one has a few kilobytes.
MAX_YAML = 8 << 20
_INT64 = 2**63

#: What is kept of each archived info (the rest are inputs and backtraces).
_ARCHIVED_KEYS = (
    "status",
    "workflow",
    "task_name",
    "type",
    "issued",
    "start",
    "end",
    "pid",
    "pid_hostname",
    "time_elapsed",
)


#: The base loader makes text of every scalar and ignores tags: it builds no object of any kind.
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def read_info(data: bytes) -> JobInfo:
    """The info in `data`. `format` is json, yaml, marshal, empty (nothing, or null) or unreadable."""
    if data.startswith(marshal.MAGIC):
        try:
            return _job_info("marshal", marshal.loads(data))
        except marshal.Unmarshalable as error:
            return _unreadable(str(error))
    text = data.decode("utf-8", "ignore")
    start = text.lstrip("\ufeff\0\t\n\v\f\r ")
    if not start:
        return JobInfo("empty")
    value = load(start)
    if value is not UNREADABLE:
        return _job_info("json", value)
    if start[0] in "{[":
        return _unreadable("truncated or broken JSON")
    return _yaml_info(start)


def _yaml_info(text: str) -> JobInfo:
    if len(text) > MAX_YAML:
        return _unreadable(f"{len(text)} characters of YAML: too long for a job's info")
    try:
        value = yaml.load(text, Loader=_LOADER)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        return _unreadable(
            f"neither JSON, YAML nor Marshal: {str(error).splitlines()[0] if str(error) else error!r}"
        )
    if value in (None, "", "~", "null"):
        return JobInfo("empty")
    if isinstance(value, str):
        return _unreadable("neither JSON, YAML nor Marshal")
    return _job_info("yaml", value)


def _unreadable(detail: str) -> JobInfo:
    return JobInfo("unreadable", problems=(Problem("unreadable_info", detail),))


def _job_info(form: str, value: Any) -> JobInfo:
    if value is None:
        return JobInfo("empty")
    if not isinstance(value, Mapping):
        return _unreadable(f"the info is no object but a {type(value).__name__}")
    info = {_symbol(key): item for key, item in value.items()}
    return JobInfo(
        format=form,
        status=_name(info.get("status")),
        workflow=_name(info.get("workflow")),
        task=_name(info.get("task_name")),
        type=_name(info.get("type")),
        issued=_time(info.get("issued")),
        start=_time(info.get("start")),
        end=_time(info.get("end")),
        pid=_int(info.get("pid")),
        host=_name(info.get("pid_hostname")),
        time_elapsed=_float(info.get("time_elapsed")),
        total_time_elapsed=_float(info.get("total_time_elapsed")),
        dependencies=tuple(_dependencies(info.get("dependencies"))),
        messages=tuple(_names(info.get("messages"))),
        input_names=tuple(_names(info.get("input_names"))),
        archived=_archived(info.get("archived_info")),
    )


def _symbol(key: Any) -> str:
    """A key or symbol as text: YAML writes `:status` for a symbol."""
    text = clean_text(str(key))
    return text[1:] if text.startswith(":") and len(text) > 1 else text


def _name(value: Any) -> str | None:
    if isinstance(value, str):
        return _symbol(value) or None
    if value is None or isinstance(value, (bool, list, Mapping)):
        return None
    return ruby.to_s(value)


def _names(value: Any) -> Iterator[str]:
    """The texts of a list, or one text alone. Single words lose a leading colon, sentences may have one."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str):
            yield _symbol(item) if " " not in item else clean_text(item)
        elif item is not None and not isinstance(item, (list, Mapping)):
            yield ruby.to_s(item)


def _dependencies(value: Any) -> Iterator[str]:
    """Paths as written; of an older `[workflow, task, path]` the last element."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, list):
            item = item[-1] if item else None
        if isinstance(item, str) and item:
            yield clean_text(item)


def _time(value: Any) -> str | None:
    return iso_utc(value)


def _int(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) < 25:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and -_INT64 <= value < _INT64:
        return value
    return None


def _float(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if number - number == 0 else None


def _archived(value: Any) -> Mapping[str, Mapping[str, Scalar]]:
    """The infos that a job keeps of dependencies whose files are gone, by their path (REPORTS 32)."""
    if not isinstance(value, Mapping):
        return {}
    return {
        clean_text(str(path)): _archived_fields(info)
        for path, info in value.items()
        if isinstance(info, Mapping)
    }


def _archived_fields(info: Mapping[Any, Any]) -> dict[str, Scalar]:
    fields = {_symbol(key): item for key, item in info.items()}
    kept: dict[str, Scalar] = {}
    for key in _ARCHIVED_KEYS:
        value: Scalar | None
        if key in ("issued", "start", "end"):
            value = _time(fields.get(key))
        elif key == "pid":
            value = _int(fields.get(key))
        elif key == "time_elapsed":
            value = _float(fields.get(key))
        else:
            value = _name(fields.get(key))
        if value is not None:
            kept[key] = value
    return kept
