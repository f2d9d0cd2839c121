"""Secrets in command lines and files whose form has no key before them: `sshpass -p`, `.pgpass`, `wg genkey`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from indexer.redaction.rule import BORDER, Match, Rule, Span
from indexer.redaction.values import Value, is_password

_ARGUMENT = re.compile(rb"[^\x00-\x20\"'`\\|;&<>]++")
_QUOTED = re.compile(rb"[^\x00-\x1f\"'`\\|;&<>]++")
# The rest of a command up to an option: no pipe, no end of line; quotes may be written inside JSON.
_REST = rb"(?:[^\n\\|;&]|\\+[\"'])*?"
_OPEN = rb"\\*[\"']?"
_FIRST = rb"([^\x00-\x20\"'`\\|;&<>$-][^\x00-\x20\"'`\\|;&<>]{3})"

#: Programs that take a password behind `-p` and a blank.
_P = (
    rb"sshpass|mongo(?:sh|dump|restore|export|import)?|(?:docker|podman|nerdctl|az|oc|helm registry|cf|jf) login|"
    rb"rabbitmqadmin|influx|cqlsh|arangosh|mosquitto_(?:pub|sub)|net rpc"
)


def _argument(data: bytes, match: Match) -> Span | None:
    """The argument that begins at group 1, where it can be a password."""
    start = match.span(1)[0]
    quoted = data[start - 1 : start] in (b'"', b"'")
    found = (_QUOTED if quoted else _ARGUMENT).match(data, start, start + 256)
    if found is None or not is_password(Value(found[0].replace(b" ", b"-"), env=True)):
        return None
    return found.span()


def _field(data: bytes, match: Match) -> Span | None:
    start, end = match.span(1)
    return (start, end) if is_password(Value(data[start:end], env=True)) else None


def _literal(data: bytes, match: Match) -> Span | None:
    start, end = match.span(1)
    return (start, end) if is_password(Value(data[start:end], quoted=True)) else None


def _all(_data: bytes, match: Match) -> Span | None:
    return match.span(1)


def code_rules() -> Iterator[Rule]:
    """Second arguments: of sign-ins, of what reads the environment with a default; and words that are a key."""
    quoted = rb"\\*[\"']([^\"'\\\s]{4,128})\\*[\"']"
    first = rb"[ \t]*\\*[\"'][^\"'\\\n]*\\*[\"'][ \t]*,[ \t]*"
    yield Rule("password", rb"(?i)(?:auth[ \t]*=[ \t]*\(|basic_?auth\(|\blogin\()" + first + quoted, _literal)
    names = rb"[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PWD)"
    read = rb"(?:environ\.(?:get|setdefault)|getenv|ENV\.fetch)\([ \t]*\\*[\"']"
    yield Rule("secret", read + names + rb"\\*[\"'][ \t]*,[ \t]*" + quoted, _literal)
    yield Rule("secret", rb"process\.env\." + names + rb"[ \t]*(?:\|\||\?\?)[ \t]*" + quoted, _literal)
    yield Rule(
        "password", rb"(?i)<(?:[a-z]*password|secret|token)[ \t]+value[ \t]*=[ \t]*" + quoted, _literal
    )
    words = (
        rb"(?i)(?:mnemonic|(?:seed|recovery|secret)[ _-]?(?:phrase|words))\\*[\"']?(?:[ \t]*[:=]|[ \t]+is)"
    )
    words += rb"[ \t]*\\*[\"']?((?:[a-z]{3,8}[ \t]+){11,23}[a-z]{3,8})"
    yield Rule("seed-phrase", words, _all)


def command_rules() -> Iterator[Rule]:
    """The rules of this module."""

    def command(programs: bytes, option: bytes) -> Rule:
        pattern = BORDER + rb"(?:" + programs + rb")\b" + _REST + rb"[ \t]" + option + _OPEN + _FIRST
        return Rule("command-password", pattern, _argument)

    yield command(_P, rb"-p[ \t]*")
    yield command(rb"mysql(?:dump|admin|import|show|check)?|mariadb(?:-dump)?|7za?|rar|unrar", rb"-p")
    yield command(rb"redis-cli", rb"(?:-a|--pass)[ \t]+")
    yield command(rb"zip|unzip", rb"-P[ \t]*")
    yield command(rb"ldap(?:search|modify|add|whoami|passwd|delete)", rb"-w[ \t]*")
    yield command(rb"htpasswd[ \t]+-[a-zA-Z]*b[a-zA-Z]*[ \t]+[^\s]+", rb"[^\s\-][^\s]*[ \t]+")
    yield command(
        rb"openssl|keytool|jarsigner", rb"-(?:pass|passin|passout|storepass|keypass)[ \t]+(?:pass:)?"
    )
    yield command(rb"smbclient|smbget|rpcclient", rb"-U[ \t]*\\*[\"']?[A-Za-z0-9_./\\-]+%")
    piped = (
        BORDER
        + rb"(?:echo|printf|print)(?:[ \t]+-[neE]+)?[ \t]+(?:\\*[\"']?%s(?:\\+n)?\\*[\"']?[ \t]+)?"
        + _OPEN
    )
    reader = rb"[^\n|\"'\\$]*(?:\\+n)?\\*[\"']?[ \t]*\|[ \t]*(?:[^\n|]*(?:--password-stdin|--passphrase-fd|--with-token)"
    reader += rb"|sudo[ \t]+(?:-[a-zA-RT-Z]+[ \t]+)*-[a-zA-Z]*S|(?:sudo[ \t]+)?(?:ch)?passwd|cryptsetup|gh auth login)"
    yield Rule("command-password", piped + _FIRST + reader, _argument)
    yield from code_rules()
    setting = (
        BORDER + rb"(?:configure|config)[ \t]+(?:(?:set|--[a-z]+)[ \t]+)*[^\s\"'\\]*"
        rb"(?:secret_access_key|session_token|[_.]authToken|_password|\.password|[_.]token|:_auth)[ \t]+"
    )
    yield Rule("command-password", setting + _OPEN + _FIRST, _argument)
    yield Rule("wandb-key", rb"wandb[ \t]+login[ \t]+(?:--[a-z-]+[ \t]+)*([A-Za-z0-9]{30,})", _all)
    yield command(rb"net use", rb"/user:[^\s]+[ \t]+")
    yield Rule("command-password", rb"sudo[ \t]+-S[^\n|]*<<<[ \t]*" + _OPEN + _FIRST, _argument)
    pair = rb"(?i)(?:user(?:name)?[ ]?/[ ]?pass(?:word)?[ \t]*[:=][ \t]*[a-z0-9_.@-]+[ ]?/[ ]?|"
    pair += rb"credentials?[ \t]*[:=][ \t]*[a-z0-9_.@-]+[ ]/[ ])"
    yield Rule("password", pair + _FIRST, _argument)
    # host:port:database:user:password, with a port that PostgreSQL uses (a variant has a position there)
    pgpass = (
        rb"(?:[A-Za-z0-9_.*-]|\\\\):[ ]?(?:54[0-9]{2}|6432|\*):[^:\s\"'\\]+:[^:\s\"'\\]+:([^\s\"'`\\]{4,})"
    )
    yield Rule("pgpass", pgpass, _field)
