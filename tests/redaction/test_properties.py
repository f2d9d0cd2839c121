"""What holds for any text: nothing changes twice, lines are kept, no secret is left, time is linear."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.redaction import redactor_for
from tests.redaction.fakes import Fakes
from tests.redaction.negatives import NEGATIVES
from tests.redaction.positives import POSITIVES

REDACTOR = redactor_for("default")
TOKENS = list(Fakes(5).tokens().values())
SECRETS = [(form, make(Fakes(number))) for number, (form, make, _) in enumerate(POSITIVES)]
FRAGMENTS = [
    *(form.split("{}")[0] for form, _ in SECRETS),
    *(secret for _, secret in SECRETS),
    *TOKENS,
    *NEGATIVES[:80],
    *(
        "\n",
        "\r\n",
        " ",
        '"',
        "'",
        "\\",
        "\\n",
        "=",
        ": ",
        "[redacted:token]",
        "[redacted:",
        "]",
        "{",
        "}",
        "@",
        "é",
    ),
    *(
        "user: ",
        "meta: ",
        "\\else:",
        "password",
        "token",
        "api_key",
        "key",
        "Bearer ",
        "://",
        "a:",
        "sk-",
        "\udc80",
    ),
]
ROLE = re.compile(r"^\\?[a-z0-9_]+:", re.MULTILINE)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=8)), max_size=14).map("".join))
def test_any_text(text: str) -> None:
    clean, count = REDACTOR.redact(text)
    assert REDACTOR.redact(clean) == (clean, 0)
    assert clean.count("\n") == text.count("\n")
    assert (count == 0) == (clean == text)
    assert len(ROLE.findall(clean)) <= len(ROLE.findall(text))
    if not any(token in text for token in TOKENS):
        assert ROLE.findall(clean) == ROLE.findall(text)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(SECRETS), min_size=1, max_size=6),
    st.lists(st.sampled_from([*NEGATIVES[:60], "Then:", "", "user: hello"]), min_size=7, max_size=7),
)
def test_no_secret_is_left(secrets: list[tuple[str, str]], between: list[str]) -> None:
    parts = [
        part for (form, secret), text in zip(secrets, between, strict=False) for part in (text, form, secret)
    ]
    text = "\n".join(
        line
        for index in range(0, len(parts), 3)
        for line in (parts[index], parts[index + 1].replace("{}", parts[index + 2]))
    )
    clean, count = REDACTOR.redact(text)
    assert count >= len(secrets)
    others = "\n".join([*between, *(form for form, _ in secrets)])  # `postgres` is a password and a scheme
    assert not [secret for _, secret in secrets if secret in clean and secret not in others]


@given(st.sampled_from(TOKENS), st.text(max_size=20), st.text(max_size=20))
def test_tokens_in_any_text(token: str, before: str, after: str) -> None:
    clean, count = REDACTOR.redact(f"{before} {token} {after}")
    assert token not in clean
    assert count >= 1


def test_same_texts_same_answers() -> None:
    other = redactor_for("default")
    text = "\n".join([*TOKENS, *(form.replace("{}", secret) for form, secret in SECRETS)])
    assert other.redact(text) == REDACTOR.redact(text)
    assert other.identity == REDACTOR.identity
    assert other.identity != redactor_for("off").identity


HOSTILE = (
    "password:",
    'password="',
    'password="a\\"',
    "key=",
    "secret:secret=",
    "sk-",
    "-" * 5 + "BEGIN PRIVATE KEY" + "-" * 5,
    "-" * 5 + "BEGIN PRIVATE KEY" + "-" * 5 + "\n" + "A" * 64 + "\n",
    "http://a:",
    "eyJaaaaaaaaaaaa",
    "name: API_KEY ",
    "cookie: a=abcdefghijklmnop ",
    "[redacted:token]password=hunter2x ",
    "\\",
    "token:1",
    "token=a1,",
    "mysql -u ",
    "sshpass sshpass -x ",
    "echo a1b2 ",
    "echo a1b2c3 | ",
    "name: API_KEY\n",
    '"password": {',
    "password:\n",
    "getenv('A_KEY', ",
    "mnemonic: abandon ",
    "a:5432:b:c:",
    "config set password ",
    "localhost:5432:",
    "\\n\\nAKIA",
    "\x1b[31m",
    "1:2:3\t",
    "pass=a,b",
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    """100 KB take a second at most on a slow machine; a quadratic search took 10 s and more."""
    REDACTOR.redact(unit * (100_000 // len(unit)))
