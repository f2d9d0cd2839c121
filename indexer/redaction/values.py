"""Is a value a secret? Asked of what stands behind `password=`, `"api_key":`, `token:` and the like.

Not secrets: templates (`${TOKEN}`, `<your key>`, `****`), code (`self.token`, `read_token(path)`), file
paths, dates, and plain words (`token: expired`, `my-app-key`). What is left is judged by its length and
characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TEMPLATE = re.compile(
    rb"\$\{|\$\(|\{\{|#\{|\{[A-Za-z_][\w.\[\]'\"]*\}|\A\$\w|\A%\w+%|%[sdr](?![0-9A-Za-z])|%\(|<[^<>]*>"
    rb"|\*{3}|x{6}|X{6}|\xe2\x80\xa2|\xe2\x80\xa6\Z|\[redacted|os\.environ|process\.env|getenv|\AENV\["
    rb"|(?i:\A(?:your|insert|enter|replace|change)[-_ ]?(?:your|me|my|this|the|here|with)?[-_ ]?[a-z_-]*\Z)"
)
_CODE = re.compile(
    rb"[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+\Z|[A-Za-z_@][\w.:]*[(\[{]|&?[A-Za-z_]\w*\*\Z"
)
_PATH = re.compile(rb"(?:[A-Za-z]:\\|~?\.{0,2}/)[\w.@ -]+(?:[/\\][\w.@ -]*)*\Z|[a-z][a-z0-9+.-]*:/")
_REFERENCE = re.compile(rb"arn:|projects/|vault:|ref:|op://|secret(?:s|smanager)?/")
_DATE = re.compile(rb"\d{4}-\d\d-\d\d(?:[T ][\d:.,+Z-]*)?\Z")
_WORDS = re.compile(rb"[A-Za-z]*\d{0,2}(?:[-_./:|+ ]+(?:[A-Za-z]+\d{0,2}|\d{1,3}))*[-_./:|+ ]*\Z")
_SPLIT = re.compile(rb"[-_./:|+ ]")
_ELLIPSIS = re.compile(rb"\.{3,}|\xe2\x80\xa6")
_SPACE = re.compile(rb"\s|\\[nrt]")
_PLAIN = frozenset(
    b"accepted api_key apikey array auth authorization basic bearer blank boolean bytes change changed "
    b"default disabled empty enabled encrypted expired false field forgotten hidden incorrect input integer "
    b"invalid jwt mandatory masked missing none null number oauth oauth2 object optional password passphrase "
    b"passwort plain please prompt prompted protected provided rejected required reset secret sensitive str "
    b"string supplied text token true undefined unknown unset updated user username varchar wrong".split()
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value and how it was written.

    quoted  between quotes, so it is a literal and no code
    line    the whole rest of a line that begins with the key (`KEY=value`, `key: value`)
    env     behind an upper-case key and `=` without blanks, as in an environment file
    """

    text: bytes
    quoted: bool = False
    line: bool = False
    env: bool = False


def is_words(text: bytes) -> bool:
    """True for words and short numbers, separated: `my-app-key`, `text-embedding-3`, `token1`."""
    return _WORDS.match(text) is not None


def is_mixed(text: bytes) -> bool:
    """True where both letters and digits occur."""
    return re.search(rb"[A-Za-z]", text) is not None and re.search(rb"\d", text) is not None


def _is_literal(value: Value) -> bool:
    text = value.text
    if not text or _TEMPLATE.search(text) or _REFERENCE.match(text) or _DATE.match(text):
        return False
    if text.lower() in _PLAIN or len(set(text)) < 3:
        return False
    if _PATH.match(text) and not (b"+" in text or text.endswith(b"=") or len(text) == 40):
        return False
    return value.quoted or _CODE.match(text) is None


def is_password(value: Value) -> bool:
    """Judges a value behind a password key: weak ones count too, words only where they are surely literal."""
    text = value.text
    if not _is_literal(value) or _SPACE.search(text):
        return False
    if text.isdigit():
        return len(text) >= (4 if value.quoted else 6)
    if text.isalpha():
        if value.quoted:
            return len(text) >= 6 and not (text[:1].isupper() and text[1:].islower())
        return value.env or len(text) >= 16 or (value.line and len(text) >= 8 and text.islower())
    if value.quoted or value.env:
        return len(text) >= 4
    several = _SPLIT.search(text) is not None and is_words(text)
    return len(text) >= 6 and not several and re.search(rb"[A-Za-z]", text) is not None


def is_passphrase(value: Value) -> bool:
    """As a password, but blanks between words are part of it."""
    if value.quoted and b" " in value.text:
        return _is_literal(value) and len(value.text) >= 12
    return is_password(value)


def is_key(value: Value) -> bool:
    """Judges a value behind a key that can only name a secret: api_key, client_secret, access_token."""
    text = max(_ELLIPSIS.split(value.text), key=len)
    if not _is_literal(Value(text, value.quoted)) or _SPACE.search(text):
        return False
    if text.isdigit():
        return len(text) >= 12
    if text.isalpha():
        return len(text) >= 16 and (value.quoted or value.env or value.line)
    if is_words(text):  # `planted-key-1`: a weak key where it is surely literal, else a name
        return len(text) >= 12 and (value.quoted or value.env or value.line) and is_mixed(text)
    return len(text) >= 6 and is_mixed(text)


def is_token(value: Value) -> bool:
    """Judges a value behind a key that may name other things too: token, auth."""
    text = max(_ELLIPSIS.split(value.text), key=len)
    return len(text) >= 8 and is_mixed(text) and not is_words(text) and is_key(value)


def is_random(value: Value) -> bool:
    """Judges a value behind the bare word `key`: long and mixed, neither digest nor uuid."""
    text = value.text
    classes = (rb"[a-z]", rb"[A-Z]", rb"\d")
    return len(text) >= 24 and all(re.search(kind, text) for kind in classes) and is_key(value)


def is_opaque(text: bytes) -> bool:
    """Judges a whole token with a short prefix (`sk-...`): letters and digits, not words."""
    if _TEMPLATE.search(text) or len(set(text)) < 8:
        return False
    return (is_mixed(text) and not is_words(text)) or max(map(len, _SPLIT.split(text))) >= 20
