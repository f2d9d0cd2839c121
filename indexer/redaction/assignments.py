r"""Secrets behind a telling key: `password=...`, `"api_key": "..."`, `--token ...`, `option: secret ...`.

A pattern finds a key and the first bytes of its value; where the value ends and whether it is a secret is
decided here. Written as in chats: JSON, JSON escaped inside JSON (`\"api_key\":\"...\"`), YAML, environment
files, code, headers, connection strings, XML, command lines, pairs of name and value, and plain words (`the
password is ...`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from indexer.redaction.rule import BORDER, JUDGED, Locate, Match, Rule, Span
from indexer.redaction.values import Value, is_key, is_mixed, is_passphrase, is_password, is_random, is_token

#: A value is followed this far before it is judged: hostile text (`password:password:...`) stays linear.
LONGEST = 1024

# The pieces of a key's pattern. A key may stand inside a longer name (OPENAI_API_KEY).
_SUFFIX = (
    rb"(?:[_-]?(?:[0-9]{1,2}|value|base64|b64|prod|dev|test|staging|live|base|string|str|text|plain|raw))?"
)
_CLOSE = rb"[\\\"'`*_)\]]*"
_TYPE = rb"(?:[ \t]*:[ \t]*[a-z_][a-z0-9_.]*(?:\[[a-z0-9_., |]*\])?(?:[ \t]*\|[ \t]*none)?[ \t]*=|"
_SEPARATE = (
    _TYPE
    + rb"[ \t]*(?:=>|:=|->|={1,3}|:{1,2}|>|[ \t]\|[ \t])|[ \t]+(?:is|was|es|est|ist|era)[ \t]*:?[ \t])(?:[ \t]|\\+t)*"
)
_OPEN = rb"(?:\*\*[ \t]*)?(?:[bru]?\\*[\"'`]{1,3}|\*{1,2})?(?:(?:bearer|basic|token)[ \t]+)?"
# What listings put before a line: `  12<TAB>`, `path:12:`, `+`, `>`; inside JSON a tab is `\\t`.
_LISTED = rb"[ \t>+|-]*(?:(?:[a-z0-9_./-]*[:-])?[0-9]{1,7}(?:[:-]|\t|\\+t|\xe2\x86\x92)[ \t]*)?"
_PREFIX = (
    rb"(?:(?:option|sticky_option|endpoint|config):[ \t]*|(?:env|export|set|setenv|arg)[ \t]+)?[a-z0-9_.-]*"
)
_LINE = rb"(?:^|\\+n)" + _LISTED + _PREFIX
_STRING = rb"[\"'`](?:reas=)?" + _PREFIX
_FLAG = rb"--[a-z0-9_-]*"
_PAIR = BORDER + rb"(?:name|key)\\*[\"']?[ \t]*[:=][ \t]*\\*[\"']?[a-z0-9_.-]*"
_GAP = rb"(?:[ \t\r\n,;>+|-]|\\+[nrt]|(?:[a-z0-9_./-]*[:-])?[0-9]{1,7}[:\t-])*"
_PAIRED = rb"\\*[\"']?" + _GAP + rb"\\*[\"']?value\\*[\"']?[ \t]*[:=][ \t]*"
# A value on the line below its key, as YAML may have it; a default or value in the braces behind it.
_NEWLINE = rb"(?:\r?\n|(?:\\+r)?\\+n)"
_BELOW = (
    rb"\\*[\"']?\**:\**[ \t]*(?:[|>][+-]?[ \t]*)?"
    + _NEWLINE
    + rb"{1,2}(?:```[a-z]*"
    + _NEWLINE
    + rb")?"
    + _LISTED
)
_INSIDE = rb"\\*[\"'][ \t]*:?[ \t]*\{[^{}]*\b(?:default|value)\\*[\"']?[ \t]*[=:][ \t]*\\*[\"']"
_FIRST = rb"(?:[^\x00-\x20\"'`\\{}\[\]<>()]|\\+(?:/|u00))"

_PLAIN = rb"[^\x00-\x20\"'`\\<>]"
_UNQUOTED = re.compile(_PLAIN + rb"*+(?:\\++(?:/|u00[0-9a-fA-F]{2})" + _PLAIN + rb"*+)*+")
_CUT = re.compile(rb"[,;&)\]}|]")
# `P@ss,w0rd&x` is one value, `ab12cd,user=x` and `ab12cd, x` are more.
_GLUED = re.compile(rb"[,&][^,;&)\]}|=:]+\Z")
_QUOTES = (b'"', b"'", b"`")
_OPENER = re.compile(rb"(\\*)([\"'`])\Z")
_DEEPEST = 64  # backslashes before a quote: JSON in JSON, six times over
_LINE_END = re.compile(rb"\\*[\"'`]?[,;]?(?:[ \t\r]*(?:\n|\Z)|[ \t]*\\+[nr])")
_LINE_START = re.compile(
    rb"(?:(?:\A|\n|\\n)(?:[\s>|+#-]|(?:[\w./-]*[:-])?\d{1,7}(?:[:-]|\t|\\+t|\xe2\x86\x92))*|[\"'`]|reas=)"
    rb"(?:export |set |env |arg |- )?[\w.-]*\Z",
    re.IGNORECASE,
)
_CLOSER = re.compile(rb"\\*[\"'`]")
_ENV = re.compile(rb"[A-Z0-9_]*[A-Z][A-Z0-9_]*=\Z")
_NAME = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_- ")
# Keys that end like a telling one and name something else: places in a page, words of a tokenizer.
_NOT_AFTER = re.compile(
    rb"(?:next|page|continuation|sync|resume|cursor|pad|eos|bos|unk|sep|mask|cls|special|sub|stop|image|start|end|"
    rb"sentence|word|first|last|each|per|non|csrf|xsrf)[_ -]?(?:page)?[_ -]?\Z",
    re.IGNORECASE,
)


def _closed(data: bytes, start: int, closer: bytes) -> int:
    """Where the string that began before `start` ends: its quote with as many backslashes; -1 without."""
    end, limit = start, start + LONGEST
    while (end := data.find(closer, end, limit)) >= 0:
        if data[end - 1 : end] != b"\\" or end == start:
            return -1 if b"\n" in data[start:end] else end
        end += len(closer)
    return -1


def _is_line(data: bytes, key: int, end: int) -> bool:
    """True where the key at `key` begins a line, or a string, that the value before `end` ends."""
    begin = _LINE_START.search(data, max(0, key - 80), key)
    if begin is None:
        return False
    return bool((_CLOSER if begin[0][:1] in _QUOTES else _LINE_END).match(data, end))


def _value(data: bytes, key: int, start: int) -> tuple[Value, int] | None:
    """The value that begins at `start` behind a key at `key`, and its end."""
    before = data[start - 1 : start]
    if before in _QUOTES:
        opener = _OPENER.search(data, max(0, start - _DEEPEST), start)
        if opener and (end := _closed(data, start, opener[0])) >= 0:
            return Value(data[start:end], quoted=True), end
    unquoted = _UNQUOTED.match(data, start, start + LONGEST)
    if not unquoted or not unquoted[0]:
        return None
    text, end = unquoted[0], unquoted.end()
    line = _is_line(data, key, end)
    if line:
        text = text.rstrip(b",;")
    elif data[end : end + 1] == b"<" and data[end : end + 2] != b"</":
        return None  # `key=abc<...>`: a template
    else:
        cut = _CUT.search(text, 1)
        if cut and not _GLUED.match(text, cut.start()):
            text = text[: cut.start()]
        text = text.rstrip(b".,:;!?")
    env = before == b"=" and _ENV.search(data, max(0, start - 80), start) is not None
    return Value(text, line=line, env=env), start + len(text)


#: The groups of a pattern: a value behind a separator, behind a blank, of a pair, on the next line, in braces.
_FORMS = _BEHIND, _BLANK, _PAIRS, _UNDER, _BRACES = range(1, 6)


def _locate(judge: Callable[[Value], bool], groups: bool = True) -> Locate:
    """The place of the value of a match whose groups are those of `_rule`, else the first alone."""

    def locate(data: bytes, match: Match) -> Span | None:
        key = match.span()[0]
        if key and data[key - 1] in _NAME and _NOT_AFTER.search(data, max(0, key - 24), key):
            return None
        form = next((group for group in _FORMS[1:] if groups and match.span(group)[0] >= 0), _BEHIND)
        start = match.span(form)[0]
        found = _value(data, key, start)
        if found is None:
            return None
        value, end = found
        if form == _BEHIND and data[start - 1 : start] == b">" and data[end : end + 2] != b"</":
            return None  # behind a tag or an arrow only as an element's whole text
        whole = _LINE_END.match(data, end) or (data[key : key + 1] in _QUOTES and _CLOSER.match(data, end))
        if form == _BLANK and not data.startswith(b"--", key) and not whole:
            return None  # `key value` without a separator must be the whole line or string
        if form == _UNDER and not (_LINE_END.match(data, end) and is_mixed(value.text)):
            return None
        if not judge(replace(value, text=value.text[:JUDGED])):
            return None
        more = _UNQUOTED.match(data, end) if end == start + LONGEST else None
        return start, more.end() if more else end

    return locate


def _rule(name: str, keys: bytes, least: int, judge: Callable[[Value], bool], digit: bool = False) -> Rule:
    """A rule for `keys`; `digit` where a value without one is none to `judge`, so that prose ends here."""
    key = rb"(?:" + keys.replace(rb"\b", BORDER) + rb")" + _SUFFIX
    first = b"(" + (_FIRST + rb"{0,47}[0-9]" if digit else _FIRST + b"{%d}" % least) + b")"
    behind = key + _CLOSE + _SEPARATE + _OPEN + first
    blank = rb"(?:" + _LINE + rb"|" + _FLAG + rb")" + key + rb"[\\\"']*[ \t,]+\\*[\"']?"
    blank = rb"(?:" + blank + rb"|" + _STRING + key + rb"[ \t]+)" + first
    pair = _PAIR + key + _PAIRED + _OPEN + first
    below = key + _BELOW + _OPEN + first
    inside = rb"[\"'][a-z0-9_-]*" + key + _INSIDE + first
    return Rule(name, b"(?im)" + b"|".join((behind, blank, pair, below, inside)), _locate(judge))


_API_KEYS = (
    rb"(?:api|access|account|app|application|auth|client|consumer|encryption|license|master|private|secret|service|"
    rb"shared|signing|storage|subscription|webhook|deploy|shared_?access)[ _-]?key|apikey|api[_-]?token|"
    rb"(?:anthropic|azure|bedrock|claude|cohere|deepseek|fireworks|gemini|google|gpt|groq|hf|huggingface|llm|mistral|"
    rb"openai|openrouter|perplexity|replicate|together|xai)_key|client[_-]key[_-]data|code_verifier"
)


_PASSWORDS = (
    rb"password|passwd|pwd|[_-]pass|passcode|\bpw|\bpsk|preshared[_-]?key|passwort|kennwort|mot de passe|\bsenha|"
    rb"contrase(?:n|\xc3\xb1|\\+u00f1)a"
)


#: `pass` is a word of tests too: only before `=`, or between quotes and before a colon.
_PASS = rb"(?im)(?:" + BORDER + rb"pass[ \t]*=>?[ \t]*|[\"']pass\\*[\"'][ \t]*(?::|=>)[ \t]*)"


def assignment_rules() -> Iterator[Rule]:
    """The rules of this module, the more telling keys first."""
    yield _rule("aws-secret-key", rb"aws_?secret_?(?:access_?)?key|secret_?access_?key", 8, is_key)
    yield _rule("azure-key", rb"accountkey|sharedaccesskey|sharedaccesssignature", 8, is_key)
    yield _rule("password", _PASSWORDS, 4, is_password)
    yield Rule("password", _PASS + _OPEN + b"(" + _FIRST + b"{4})", _locate(is_password, groups=False))
    yield _rule("passphrase", rb"pass[_ -]?phrase", 4, is_passphrase)
    yield _rule("api-key", _API_KEYS, 6, is_key)
    yield _rule("secret", rb"secret|credentials?", 6, is_key)
    yield _rule("token", rb"(?:access|refresh|auth|id|bot|bearer|session|security)[_-]?token", 8, is_key)
    yield _rule("token", rb"token|[_-]auth|\bauth|jwt", 8, is_token, digit=True)
    yield _rule("key", rb"\bkey", 24, is_random, digit=True)
