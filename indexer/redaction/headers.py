"""Secrets in URLs, HTTP headers and the few command lines that have a form of their own."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from indexer.redaction.rule import BORDER, JUDGED, Match, Rule, Span
from indexer.redaction.values import Value, is_key, is_password, is_token

_CREDENTIALS = re.compile(rb"[A-Za-z0-9._~+/=:%-]++")
_COOKIES = re.compile(rb"[^\x00-\x1f\"'\\]++")
_COOKIE = re.compile(rb"=([^;\s]++)")
_ARGUMENT = re.compile(rb"[^\x00-\x20\"'`\\;|&<>]++")
_TEMPLATE = re.compile(rb"[${}<>%*]")
_PORT = re.compile(rb"\d{1,5}(?=[/?#])")
_STORES = (
    rb"(?:postgres|postgresql|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|snowflake|clickhouse|neo4j|bolt|"
    rb"ftps?|sftp|ldaps?|smtps?|imaps?|nats|kafka)(?:\+[a-z0-9]+)?"
)
_LONGEST_COOKIES = 4096


def _basic(text: bytes) -> bool:
    """True where `text` is base64 of `user:password`."""
    try:
        return b":" in base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        return False


def _authorization(data: bytes, match: Match) -> Span | None:
    start = match.span(1)[0]
    found = _CREDENTIALS.match(data, start)
    if found is None:
        return None
    text = found[0].rstrip(b".:")
    secret = is_key(Value(text[:JUDGED], line=True)) or _basic(text[:JUDGED])
    return (start, start + len(text)) if secret else None


def _cookies(data: bytes, match: Match) -> Span | None:
    start = match.span(1)[0]
    found = _COOKIES.match(data, start, start + _LONGEST_COOKIES)
    if found and any(len(text) >= 16 and is_token(Value(text)) for text in _COOKIE.findall(found[0])):
        return found.start(), found.start() + len(found[0].rstrip())
    return None


def _url_password(_data: bytes, match: Match) -> Span | None:
    start, end = match.span(1)
    text = _data[start:end]
    port = _PORT.match(text)
    if port is not None and (port.end() < len(text)):
        return None  # `http://host:8080/a@b`: no password, but a port and a path
    encoded = re.sub(rb"%[0-9A-Fa-f]{2}", b"", text)
    return None if _TEMPLATE.search(encoded) else (start, end)


def _url_token(data: bytes, match: Match) -> Span | None:
    start, end = match.span(1)
    return (start, end) if is_key(Value(data[start:end])) else None


def _url_parameter(data: bytes, match: Match) -> Span | None:
    start = match.span(1)[0]
    found = _CREDENTIALS.match(data, start)
    return found.span() if found and is_key(Value(found[0])) else None


def _user_option(data: bytes, match: Match) -> Span | None:
    start = match.span(1)[0]
    found = _ARGUMENT.match(data, start)
    return found.span() if found and is_password(Value(found[0])) else None


def _netrc(data: bytes, match: Match) -> Span | None:
    start = match.span(1)[0]
    found = _ARGUMENT.match(data, start)
    return found.span() if found and is_password(Value(found[0], env=True)) else None


def _sql(data: bytes, match: Match) -> Span | None:
    start, end = match.span(1)
    return (start, end) if is_password(Value(data[start:end], quoted=True)) else None


def header_rules() -> Iterator[Rule]:
    """The rules of this module."""
    authorization = (
        rb"(?i)" + BORDER + rb"authorization\\*[\"']?[ \t]*(?:[:=]|=>)[ \t]*\\*[\"']?(?:[a-z0-9-]+[ \t]+)?"
        rb"((?:[a-z0-9._~+/=-]){8})"
    )
    yield Rule("authorization", authorization, _authorization)
    yield Rule("bearer-token", rb"(?i)" + BORDER + rb"bearer[ \t]+((?:[a-z0-9._~+/=-]){8})", _authorization)
    yield Rule(
        "cookie",
        rb"(?i)" + BORDER + rb"cookie\\*[\"']?[ \t]*:[ \t]*\\*[\"']?([a-z0-9_.-]+=[^\s;]{16})",
        _cookies,
    )
    password = (
        rb"(?i)" + BORDER + rb"[a-z][a-z0-9+.-]*:(?:\\*/){2}[^\s/:@\"'`<>\\]*:([^\s/\"'`<>\\]+)@[a-z0-9\[_$]"
    )
    yield Rule(
        "url-password",
        password,
        _url_password,
        hint=password.removeprefix(rb"(?i)" + BORDER + rb"[a-z][a-z0-9+.-]*"),
    )
    # Only a `/` must be escaped in a password for a parser to find its end; people forget that too.
    store = rb"(?i)" + BORDER + _STORES + rb":(?:\\*/){2}[^\s/:@\"'`<>\\]*:([^\s\"'`<>\\]+)@[a-z0-9\[_$]"
    yield Rule("url-password", store, _url_password)
    yield Rule(
        "url-token",
        rb"(?i)" + BORDER + rb"(?:https?|ssh|git|wss?):(?:\\*/){2}([a-z0-9_-]{20,})@[a-z0-9]",
        _url_token,
    )
    parameter = (
        rb"(?i)[?&](?:amp;)?(?:sig|key|code|signature|x-amz-signature|x-amz-credential|x-goog-signature|auth|access|appid|app_id|code_verifier)"
        rb"=([a-z0-9%+/=_-]{16})"
    )
    yield Rule("url-parameter", parameter, _url_parameter)
    session = (
        rb"(?i)(?:sessionid|phpsessid|jsessionid|connect\.sid|csrftoken|xsrf-token|_session|\bsignature)"
        rb"=([a-z0-9%._-]{16})"
    )
    yield Rule("cookie", session, _url_parameter)
    option = rb"(?:^|[\s\"'\\])(?:-u|--user|--proxy-user)[ =]?\\*[\"']?[A-Za-z0-9._@-]+:([^\s\"'`\\$]{3})"
    yield Rule("user-option", option, _user_option)
    yield Rule("netrc", rb"(?i)" + BORDER + rb"login[ \t\n]+[^\s]+[ \t\n]+password[ \t\n]+([^\s]{4})", _netrc)
    sql = rb"(?:identified[ \t]+by[ \t]+\\*[\"']|password(?:[ \t]+|\()\\*')([^\"'\\\s]{4,64})\\*[\"']"
    yield Rule("sql-password", rb"(?i)" + BORDER + sql, _sql)
