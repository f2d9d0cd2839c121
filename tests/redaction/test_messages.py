"""Secrets whose key became a role, and secrets that only show once a structure is read."""

from __future__ import annotations

import json

import pytest

from indexer.formats.chat import parse
from indexer.formats.info import read_info
from indexer.formats.records import Message, Problem
from indexer.redaction import redactor_for
from indexer.redaction.messages import redact_messages
from indexer.redaction.records import redact_info, redact_problems
from tests.redaction.fakes import ALNUM, HEX, WORD, Fakes, basic

REDACTOR = redactor_for("default")
FAKES = Fakes(21)
WEAK = "kd" + "wbjl68"
KEY = FAKES.of(ALNUM, 32)


def redacted(text: str) -> tuple[list[Message], int]:
    counts: dict[int, int] = {}
    messages = list(redact_messages(parse(text).messages, REDACTOR.redact, counts))
    return messages, sum(counts.values())


@pytest.mark.parametrize(
    ("line", "secret", "role", "content"),
    [
        ("password: {}", WEAK, "password", "[redacted:password]"),
        ("db_password: {}", WEAK, "db_password", "[redacted:password]"),
        ("password:\n\n{}", WEAK, "password", "[redacted:password]"),
        ("api_key: {}", KEY, "api_key", "[redacted:api-key]"),
        ("token: {}", KEY, "token", "[redacted:token]"),
        ("authorization: Basic {}", basic("me:" + KEY), "authorization", "Basic [redacted:authorization]"),
        ("postgres://svc:{}@h/db", WEAK, "postgres", "//svc:[redacted:url-password]@h/db"),
        ("https://me:{}@h/a", WEAK, "https", "//me:[redacted:url-password]@h/a"),
        ("localhost:5432:app:admin:{}", WEAK, "localhost", "5432:app:admin:[redacted:pgpass]"),
        ("key: {}", FAKES.of(ALNUM, 40), "key", "[redacted:key]"),
        ("1234567890:{}", "AA" + FAKES.of(WORD, 33), "redacted", "[redacted:telegram-token]"),
        ("{}: mine", "dop" + "_v1_" + FAKES.of(HEX, 64), "redacted", "mine"),
        ("name: API_KEY\nvalue: {}", KEY, "value", "[redacted:api-key]"),
    ],
)
def test_a_line_that_became_a_header(line: str, secret: str, role: str, content: str) -> None:
    messages, count = redacted(f"user:\n\nmy settings\n{line.replace('{}', secret)}\nuser: and now?\n")
    assert not any(secret in message.content or secret in message.role for message in messages)
    assert (role, content) in [(message.role, message.content) for message in messages]
    assert count == 1
    assert messages[-1].content == "and now?"


@pytest.mark.parametrize(
    "text",
    [
        "else: return x1\n",
        "https://example.org/a?b=c\n",
        "12:30:45 started job_abc123\n",
        "name: thing1\nvalue: twelve12\n",
        "token: 12\n",
        "key: a.b\n",
        "note: see doi.org/10.1000/xyz123\n",
    ],
)
def test_other_headers_stay(text: str) -> None:
    assert redacted(text) == (parse(text).messages, 0)


def test_infos() -> None:
    value = {
        "status": "error",
        "messages": ["started", f"RuntimeError: denied, password={WEAK}"],
        "dependencies": [f"/x/var/jobs/Wf/t/token={KEY}"],
        "pid_hostname": f"https://me:{WEAK}@host",
        "archived_info": {f"/x/api_key={KEY}": {"status": f"api_key={KEY}", "workflow": "Wf"}},
    }
    info = redact_info(read_info(json.dumps(value).encode()), REDACTOR.redact)
    assert WEAK not in repr(info)
    assert KEY not in repr(info)
    assert info.messages == ("started", "RuntimeError: denied, password=[redacted:password]")
    assert info.host == "https://me:[redacted:url-password]@host"
    assert dict(info.archived) == {
        "/x/api_key=[redacted:api-key]": {"status": "api_key=[redacted:api-key]", "workflow": "Wf"}
    }


def test_an_info_without_secrets_is_itself() -> None:
    info = read_info(b'{"status":"done","messages":["all is well"],"archived_info":{"/a":{"status":"done"}}}')
    assert redact_info(info, REDACTOR.redact) is info


def test_problems_quote_no_secret() -> None:
    problem = Problem("bad_token_count", f"pt=password={WEAK} is no count", 3, 1)
    assert redact_problems([problem], REDACTOR.redact) == [
        Problem("bad_token_count", "pt=password=[redacted:password] is no count", 3, 1)
    ]
