"""A plain reader for the chats of cases: fences, headers and escapes, with the place of each message on disk.

It knows nothing of the generator and nothing of the program under test. Regions that cases do not use (tags,
double brackets, command output) are refused, never misread.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

BLANKS = "\0\t\n\v\f\r "
_HEADER = re.compile(r"([a-z0-9_]+):(.*)$")
_ESCAPED = re.compile(r"\\[a-z0-9_]+:")
_TAG = re.compile(r"<\w+(\s+[^>]*)?>")
_META = re.compile(r'(?:^|\s)([^\s=]+)=("(?:[^"\\]|\\.)*"(?=\s[^\s=]+=|$)|.*?(?=\s[^\s=]+=|$))', re.DOTALL)
TOKENS = ("pt", "ct", "tt", "cct", "cwt", "rt")


class Message(NamedTuple):
    """One message; `start` and `end` are offsets in the text, from its header to after its last character."""

    role: str
    content: str
    start: int
    end: int


def read(path: Path) -> tuple[str, list[Message]]:
    """(text, messages) of a file."""
    text = path.read_bytes().decode()
    return text, parse(text)


def parse(text: str) -> list[Message]:
    """The messages of `text`, the synthetic first one included (FORMAT.md 1.2 and 1.3)."""
    found: list[Message] = []
    role, opened, buffer, fenced, offset = "user", 0, [""], False, 0
    lines = text.split("\n")
    while lines and not lines[-1]:
        lines.pop()

    def close(at_end: bool, offset: int) -> None:
        content = "\n".join(buffer).strip(BLANKS)
        if content or (at_end and len(buffer) > 1):
            end = len(text[:offset].rstrip(BLANKS))
            found.append(Message(role, content, opened, end))
        elif not at_end and not found:
            found.append(Message(role, "", 0, 0))

    for line in lines:
        bare = line.strip(BLANKS)
        if bare.startswith("```"):
            fenced = not fenced
        elif not fenced:
            if bare.startswith("[[") or _TAG.match(bare) or (" {{{" in bare and ":-- " in bare):
                raise ValueError(f"not a line of a case: {bare[:60]}")
            if header := _HEADER.match(line):
                close(False, offset)
                buffer = [""]
                inline = header[2].strip(BLANKS)
                if inline:
                    found.append(Message(header[1], inline, offset, offset + len(line.rstrip(BLANKS))))
                    opened = offset + len(line) + 1
                else:
                    role, opened = header[1], offset
                offset += len(line) + 1
                continue
            if _ESCAPED.match(line):
                buffer.append(line[1:])
                offset += len(line) + 1
                continue
        buffer.append(line)
        offset += len(line) + 1
    close(True, offset)
    return found


def normalise(content: str) -> str:
    """Blanks off both ends and off line ends; one backslash off starts of lines that look like a role."""
    lines = (line.rstrip("\0\t\v\f\r ") for line in content.split("\n"))
    kept = [line[1:] if _ESCAPED.match(line) else line for line in lines]
    return "\n".join(kept).strip(BLANKS)


def meta(content: str) -> dict[str, str]:
    """Keys and values of a meta line; quoted values lose their quotes."""
    found = {}
    for key, value in _META.findall(content):
        quoted = value.startswith('"') and value.endswith('"') and len(value) > 1
        found[key] = re.sub(r"\\(.)", r"\1", value[1:-1]) if quoted else value
    return found


def call_key(content: str) -> tuple[str, str, str] | None:
    """(tool, id, arguments) of a call record."""
    try:
        record = json.loads(content)
    except ValueError:
        return None
    arguments = json.dumps(record.get("arguments"), ensure_ascii=False, separators=(",", ":"))
    return record["name"], record["id"], arguments


def receipt(content: str) -> list[dict[str, Any]]:
    """The entries of an output's receipt, as keys and values."""
    if '"agent_meta"' not in content and '"meta"' not in content:
        return []
    record = json.loads(content)
    entries = [meta(entry["content"]) for entry in record.get("agent_meta") or ()]
    return entries + list(record.get("meta") or ())


def request(values: dict[str, Any], lineage: str) -> tuple[str, tuple[int, ...]] | None:
    """(identity, the six counts) of a paid request, if these keys tell of one."""
    if "job" in values or not any(key in values for key in TOKENS):
        return None
    identity = values.get("inference_id") or values.get("provider_response_id") or lineage
    return str(identity), tuple(int(values.get(key, 0)) for key in TOKENS)


def sha1(text: str) -> str:
    """Digest of a text with plain line ends."""
    return hashlib.sha1(text.replace("\r\n", "\n").encode()).hexdigest()
