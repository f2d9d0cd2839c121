"""Every kind of secret is replaced wherever chats hold it, and what is no secret stays."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from indexer.redaction import Redactor, redactor_for
from tests.redaction.fakes import BASE64, Fakes
from tests.redaction.negatives import NEGATIVES
from tests.redaction.positives import POSITIVES, Make

REDACTOR = redactor_for("default")
TOKENS = Fakes().tokens()
PLACES = {
    "alone": "{}",
    "in a sentence": "Use {} please.",
    "quoted": 'x = "{}"',
    "escaped": '{{\\"x\\":\\"{}\\"}}',
    "before an escaped line end": '"a {}\\nb"',
    "in a URL": "https://h.example.org/?a={}&b=1",
    "in brackets": "({}),",
    "between other letters": "日本{}語",
    "in a meta line": "pt=1 ct=2 reas=The key is {} I think",
}
BLOCKS = (
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
)
HEADERS = {
    "RSA PRIVATE KEY": "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n",
    "PGP PRIVATE KEY BLOCK": "\nVersion: GnuPG v1.4.11 (GNU/Linux)\n\n",
}
WRITINGS: dict[str, Callable[[str], str]] = {
    "as it is": lambda block: block,
    "in a text": lambda block: f"Here it is:\n{block}\nKeep it.",
    "in JSON": lambda block: json.dumps({"private_key": block}),
    "in JSON in JSON": lambda block: json.dumps({"arguments": json.dumps({"a": block})}),
    "on one line": lambda block: block.replace("\n", " "),
    "with CRLF": lambda block: block.replace("\n", "\r\n"),
    "indented": lambda block: "\n".join("  " + line for line in block.split("\n")),
    "in code": lambda block: "\n".join(f'"{line}\\n" +' for line in block.split("\n")),
    "cut": lambda block: block.rsplit("\n", 3)[0],
    "cut in JSON": lambda block: json.dumps(block)[:500],
}


def check(text: str, secret: str, name: str | None, redactor: Redactor = REDACTOR) -> None:
    clean, count = redactor.redact(text)
    assert secret not in clean
    assert count >= 1
    assert "[redacted:" in clean if name is None else f"[redacted:{name}]" in clean
    assert clean.count("\n") == text.count("\n")
    assert redactor.redact(clean) == (clean, 0)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", TOKENS)
def test_tokens_known_by_their_form(name: str, place: str) -> None:
    check(PLACES[place].format(TOKENS[name]), TOKENS[name], name)


@pytest.mark.parametrize(("form", "make", "name"), POSITIVES, ids=[case[0] for case in POSITIVES])
def test_secrets_known_by_their_place(form: str, make: Make, name: str | None) -> None:
    secret = make(Fakes(3))
    check(form.replace("{}", secret), secret, name)


@pytest.mark.parametrize("writing", WRITINGS)
@pytest.mark.parametrize("kind", BLOCKS)
def test_private_key_blocks(kind: str, writing: str) -> None:
    block, lines = Fakes().key_block(kind)
    text = WRITINGS[writing](block.replace("\n", HEADERS.get(kind, "\n"), 1))
    clean, count = REDACTOR.redact(text)
    assert count == 1
    assert not any(line[:30] in clean for line in lines)
    assert clean.count("\n") == text.count("\n")
    assert REDACTOR.redact(clean) == (clean, 0)


@pytest.mark.parametrize("text", NEGATIVES, ids=[text[:50] for text in NEGATIVES])
def test_no_secrets(text: str) -> None:
    assert REDACTOR.redact(text) == (text, 0)


def test_what_surrounds_a_secret_stays() -> None:
    secret = Fakes().of("abcdefABCDEF0123456789", 32)
    text = (
        f'{{"name":"http","arguments":{{"body":"{{\\"api_key\\":\\"{secret}\\",\\"n\\":1}}"}},"id":"call_1"}}'
    )
    clean, count = REDACTOR.redact(text)
    assert (clean, count) == (text.replace(secret, "[redacted:api-key]"), 1)
    assert json.loads(json.loads(clean)["arguments"]["body"]) == {"api_key": "[redacted:api-key]", "n": 1}


def test_images_stay() -> None:
    """In base64 every short prefix occurs; behind a `/` or `+` it looks like the start of a word."""
    fakes = Fakes()
    noise = [fakes.of(BASE64, 200) for _ in TOKENS]
    glued = zip(noise, [token for name, token in TOKENS.items() if token.isalnum()], strict=False)
    text = "data:image/png;base64," + "/".join(f"{before}+{token}" for before, token in glued)
    assert REDACTOR.redact(text) == (text, 0)


def test_off_changes_nothing() -> None:
    text = "password=" + "hun" + "ter2"
    assert redactor_for("off").redact(text) == (text, 0)
    assert REDACTOR.redact(text) == ("password=[redacted:password]", 1)


def test_each_secret_counts() -> None:
    text = " ".join(TOKENS.values())
    clean, count = REDACTOR.redact(text)
    assert count == len(TOKENS)
    assert clean == " ".join(f"[redacted:{name}]" for name in TOKENS)
