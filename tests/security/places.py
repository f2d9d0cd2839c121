"""Every place of a chat and of a job from which something is stored, with a text planted in it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import yaml
from rubymarshal.writer import writes

from tests.redaction.fakes import Fakes
from tests.security.kinds import Kind, kinds, pieces

#: Forms that are a secret only as a whole line: not told in the middle of one.
WHOLE_LINE = ("api_key {}", "token {}", "password {}", "client_secret {}", "ENV API_KEY {}\n")
WHOLE_LINE += ("option: api_key {}", "sticky_option: token {}", "endpoint: lab\napi_key {}\nmodel m")


def messages(text: str, whole_line: bool) -> Iterator[str]:
    """Messages of a chat that hold `text`, each with its header."""
    dump = json.dumps
    yield f"system:\n\nYou are Helper.\n{text}\n"
    yield f"user:\n\n{text}\n\nIs that right?\n"
    yield f"user:\n\nHere it is:\n\n{text}\n\nThanks."
    yield f"assistant:\n\n```\n{text}\n```\n"
    yield "assistant:\n\n> quoted\n\n" + "\n".join(
        f"{number:6}\t{line}" for number, line in enumerate(text.split("\n"), 1)
    )
    yield "function_call: " + dump({"name": "write", "arguments": {"content": text}, "id": "c1"})
    yield "function_call: " + dump(
        {"name": "write", "arguments": dump({"body": dump({"a": text})}), "id": "c2"}
    )
    yield "function_call_output: " + dump({"name": "write", "content": text, "id": "c1", "error": text})
    output = dump({"stdout": text, "exit_status": 1, "exception": text})
    yield "function_call_output: " + dump({"name": "write", "content": output, "id": "c2", "stack": [text]})
    yield "mcp_call: " + dump(
        {"name": "run", "arguments": {"cmd": ["sh", "-c", text]}, "id": "c3"}, ensure_ascii=False
    )
    yield f"function_call_output:\n\nnot json\n{text}"
    if whole_line:
        return
    line = " ".join(text.split("\n"))
    receipt = [
        {"role": "meta", "content": f"pt=1 ct=1 tt=2 reas={line}"},
        {"role": "user", "content": text},
        text,
    ]
    yield "function_call: " + dump({"name": "ask", "arguments": {"agent": text, "prompt": text}, "id": "c4"})
    yield "function_call_output: " + dump(
        {"name": text, "content": "", "id": "c4", "agent_meta": receipt, "step": line}
    )
    fields = [
        {"pt": 1, "ct": 1, "reas": text, "note": text, "agent": line, "conversation": line},
        {"pt": text},
    ]
    yield "function_call_output: " + dump({"content": "ok", "id": text, "meta": fields})
    yield f"meta: pt=1 ct=2 tt=3 inference_id=i-1 reas={line}"
    yield f'meta: pt=1 note={line} ct="{line}" agent={line} conversation={line} tt={line}'
    yield f"option: extra {line}"
    yield f"endpoint: lab {line}"
    yield f"agent: {line}"
    yield f"import: chats/{line}"
    yield f"previous_response_id: {line}"
    yield f"user:\n\n<note>\n{text}\n"
    yield f"assistant:\n\n[[\n{text}\n]]\n"
    yield f"job: {line}"
    yield f'user:\n\n<cmd_output cmd="cat x">\n{text}\n'


def info(text: str) -> dict[str, object]:
    """A job's info that holds `text` wherever one may."""
    line = " ".join(text.split("\n"))
    return {
        "status": "error",
        "workflow": "Flow",
        "task_name": "ask",
        "type": "text",
        "issued": "2026-08-01 10:00:00",
        "inputs": {"prompt": text, "list": [text]},
        "input_names": ["prompt", line],
        "messages": ["started", f"working on {line}", f"RuntimeError: failed: {line}"],
        "exception": {"class": "RuntimeError", "message": text},
        "backtrace": [f"lib/x.rb:12:in 'call' {line}"],
        "dependencies": [f"/nowhere/var/jobs/Flow/other/{line}"],
        "archived_info": {f"/nowhere/var/jobs/Flow/old/{line}": {"status": line, "workflow": line}},
        "pid_hostname": line,
    }


def write_info(path: Path, number: int, text: str) -> None:
    """Write the info, as JSON, YAML or Marshal by its number."""
    path.parent.mkdir(parents=True, exist_ok=True)
    value = info(text)
    if number % 3 == 0:
        path.write_text(json.dumps(value))
    elif number % 3 == 1:
        path.write_text(yaml.safe_dump(value))
    else:
        path.write_bytes(writes(value))


def plant(root: Path, seed: int = 0, every: int = 1) -> dict[str, tuple[Kind, str]]:
    """Write chats and jobs with one secret of each kind (of every n-th); gives both by the name of the files."""
    planted: dict[str, tuple[Kind, str]] = {}
    for number, kind in enumerate(kinds()):
        if number % every:
            continue
        name = f"k{number:03}"
        secret = kind.make(Fakes(seed + 101 * number))
        if secret == kind.make(Fakes(seed + 101 * number + 1)):
            continue  # a common word: it stands elsewhere too
        planted[name] = kind, secret
        text = kind.text(secret)
        whole_line = kind.form in WHOLE_LINE
        chat = "\n\n".join(["", *messages(text, whole_line)]) + "\n"
        chats = root / "chats"
        chats.mkdir(parents=True, exist_ok=True)
        if number % 10 == 0:
            (chats / f"{name}.chat.gz").write_bytes(gzip.compress(chat.encode()))
        else:
            (chats / f"{name}.chat").write_text(chat)
        job = root / "var/jobs/Flow/ask" / f"{name}_0123456789abcdef0123456789abcdef"
        if not whole_line:
            write_info(job.with_name(job.name + ".info"), number, text)
        job.write_text(f"the result\n{text}\n")
        (root / "chats" / f"{name}.txt").write_text(text)
    return planted


def found_in(planted: dict[str, tuple[Kind, str]], stored: str) -> dict[str, list[str]]:
    """The kinds of which a piece stands in `stored`, with those pieces."""
    found = {
        f"{name} {kind.name}": [piece for piece in pieces(secret) if piece in stored]
        for name, (kind, secret) in planted.items()
    }
    return {name: left for name, left in found.items() if left}
