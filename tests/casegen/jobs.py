"""Jobs and their infos (FORMAT.md 3.1 and 3.2)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .chats import Chat


@dataclass(slots=True, eq=False)
class Job:
    """One step. Paths are relative to the case's folder; `files` are further files to write, path to text.

    `dependencies` come with their spelling in the info; `repeated` names some of them once more.
    """

    short: str
    path: str
    conversation: str
    session: str
    task: str
    role: str
    status: str = "done"
    type: str = "chat"
    prompt: str = ""
    dependencies: list[tuple[Job, Any]] = field(default_factory=list)
    repeated: list[Any] = field(default_factory=list)
    logs: list[Chat] = field(default_factory=list)
    result: Chat | None = None
    issued: datetime | None = None
    start: datetime | None = None
    end: datetime | None = None
    pid: int = 0
    error: str | None = None
    files: dict[str, str] = field(default_factory=dict)

    def marker(self, spelling: str | None = None) -> str:
        """The content of a meta that names this job."""
        return f"job={spelling or self.short}"


def info_text(job: Job, workflow: str, host: str, times: bool) -> str:
    """The info file of a job: one JSON object, no newline."""
    if job.status == "waiting":
        return '{"status":"waiting"}'
    info: dict[str, Any] = {"status": job.status}
    if times and job.issued is not None:
        info["issued"] = _time(job.issued)
    prompt = job.prompt[:300]
    info |= {
        "pid": job.pid,
        "pid_hostname": host,
        "task_name": job.task,
        "workflow": workflow,
        "provided_inputs": {"chat": prompt},
        "non_default_inputs": ["chat"],
        "inputs": [prompt],
        "input_names": ["chat"],
        "type": job.type,
        "dependencies": [spelling for _, spelling in job.dependencies] + job.repeated,
    }
    if times and job.start is not None:
        info["start"] = _time(job.start)
    if job.error is not None:
        info["exception"] = "BAhvOhFSdW50aW1lRXJyb3I="
        info["messages"] = ["Starting", f"RuntimeError: {job.error}"]
        info["backtrace"] = ["lib/run.rb:12:in `call'"]
    if times and job.end is not None and job.start is not None and job.issued is not None:
        info["time_elapsed"] = (job.end - job.start).total_seconds() + 0.25
        info["total_time_elapsed"] = (job.end - job.issued).total_seconds() + 0.25
        info["end"] = _time(job.end)
    return json.dumps(info, ensure_ascii=False, separators=(",", ":"))


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S +0000")
