"""Keys and tokens known by their own form: prefixes of services, JSON web tokens, private key blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from indexer.redaction.rule import Match, Rule, Span, run
from indexer.redaction.values import is_opaque

_ALNUM = re.compile(rb"[A-Za-z0-9]++")
_WORD = re.compile(rb"[A-Za-z0-9_-]++")
_DOTTED = re.compile(rb"[A-Za-z0-9_.-]*[A-Za-z0-9_-]")
_HASH = re.compile(rb"[./A-Za-z0-9$=,+]++")
_BASE64 = re.compile(rb"[A-Za-z0-9+/=_-]++")

# name, pattern of the least that tells it. The run of letters, digits, _ and - behind it belongs to it.
_PREFIXED: tuple[tuple[str, bytes], ...] = (
    ("aws-access-key", rb"\bAKIA[A-Z0-9]{12}|\b(?:ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    ("aws-bedrock-key", rb"\bABSK[A-Za-z0-9+/]{40}"),
    ("google-api-key", rb"\bAIza[0-9A-Za-z_-]{30}"),
    ("google-oauth", rb"\b(?:ya29\.[A-Za-z0-9_-]{20}|GOCSPX-[A-Za-z0-9_-]{20}|1//0[A-Za-z0-9_-]{30})"),
    ("github-token", rb"\b(?:gh[pousr]_[A-Za-z0-9]{16}|github_pat_[A-Za-z0-9_]{20})"),
    ("gitlab-token", rb"\bgl(?:pat|dt|rt|soat|ptt|ft|cbt|imt|agent|oas|ffct)-[A-Za-z0-9_-]{16}"),
    ("slack-token", rb"\bxox[abceoprs]-[A-Za-z0-9-]{10}|\bxapp-[0-9]-[A-Za-z0-9-]{20}"),
    ("slack-webhook", rb"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9+/]{30}"),
    ("discord-webhook", rb"discord(?:app)?\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]{40}"),
    ("stripe-key", rb"\b(?:[sr]k_(?:live|test|prod)|whsec)_[A-Za-z0-9]{16}"),
    ("anthropic-key", rb"\bsk-ant-[A-Za-z0-9_-]{12}"),
    ("openai-key", rb"\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20}"),
    ("openrouter-key", rb"\bsk-or-v1-[0-9a-f]{32}"),
    ("huggingface-token", rb"\b(?:hf|api_org)_[A-Za-z0-9]{16}"),
    ("groq-key", rb"\bgsk_[A-Za-z0-9]{16}"),
    ("xai-key", rb"\bxai-[A-Za-z0-9]{40}"),
    ("perplexity-key", rb"\bpplx-[A-Za-z0-9]{32}"),
    ("nvidia-key", rb"\bnvapi-[A-Za-z0-9_-]{40}"),
    ("replicate-token", rb"\br8_[A-Za-z0-9]{30}"),
    ("cerebras-key", rb"\bcsk-[a-z0-9]{40}"),
    ("tavily-key", rb"\btvly-(?:dev-|prod-)?[A-Za-z0-9]{20}"),
    ("langsmith-key", rb"\blsv2_(?:pt|sk)_[0-9a-f]{32}"),
    ("langfuse-key", rb"\bsk-lf-[0-9a-f]{8}-[0-9a-f-]{20}"),
    ("pinecone-key", rb"\bpcsk_[A-Za-z0-9_]{40}"),
    ("npm-token", rb"\bnpm_[A-Za-z0-9]{30}"),
    ("pypi-token", rb"\bpypi-AgE[A-Za-z0-9_-]{20}"),
    ("rubygems-key", rb"\brubygems_[0-9a-f]{40}"),
    ("crates-token", rb"\bcio[A-Za-z0-9]{32}\b"),
    ("docker-token", rb"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20}"),
    ("sendgrid-key", rb"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16}"),
    ("twilio-key", rb"\bSK[0-9a-f]{32}\b"),
    ("telegram-token", rb"\b[0-9]{5,16}:A[A-Za-z0-9_-]{32}"),
    ("mailgun-key", rb"\bkey-[0-9a-z]{32}\b"),
    ("mailchimp-key", rb"\b[0-9a-f]{32}-us[0-9]{1,2}\b"),
    ("databricks-token", rb"\bdapi[0-9a-f]{32}"),
    ("digitalocean-token", rb"\bdo[opr]_v1_[0-9a-f]{40}"),
    ("vault-token", rb"\bhv[sbr]\.[A-Za-z0-9_-]{24}"),
    ("terraform-token", rb"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40}"),
    ("grafana-token", rb"\bgl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_[A-Za-z0-9+/=]{32})"),
    ("notion-token", rb"\b(?:ntn_[A-Za-z0-9]{40}|secret_[A-Za-z0-9]{43}\b)"),
    ("linear-key", rb"\blin_(?:api|oauth)_[A-Za-z0-9]{32}"),
    ("airtable-token", rb"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("atlassian-token", rb"\bAT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{32}"),
    ("shopify-token", rb"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("square-token", rb"\bsq0[a-z]{3}-[0-9A-Za-z_-]{22}"),
    ("sentry-token", rb"\bsntry[su]_[A-Za-z0-9+/=_-]{40}"),
    ("newrelic-key", rb"\bNRAK-[A-Z0-9]{27}"),
    ("supabase-key", rb"\bsb(?:p_[0-9a-f]{40}|_secret_[A-Za-z0-9_-]{20})"),
    ("postman-key", rb"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("figma-token", rb"\bfig[du]_[A-Za-z0-9_-]{40}"),
    ("doppler-token", rb"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{40}"),
    ("alibaba-key", rb"\bLTAI[A-Za-z0-9]{20}\b"),
    ("password-hash", rb"\$(?:apr1|1|2[abxy]|5|6|7|y|argon2i?d?)\$[./A-Za-z0-9$=,+]{20}"),
    ("age-key", rb"\bAGE-SECRET-KEY-1[A-Z0-9]{50}"),
    ("jwt", rb"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8}"),
)

#: For the automaton, where a pattern begins with a run.
_HINTS = {
    "telegram-token": rb"[0-9]:A[A-Za-z0-9_-]{32}",
    "mailchimp-key": rb"[0-9a-f]{2}-us[0-9]",
    "terraform-token": rb"\.atlasv1\.",
}

_BLOCK = rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_EDGE = re.compile(rb"(?:[\s\"'+,|>]|\\+[nr\"'])*+")
_TRAIL = re.compile(rb"(?:[\s\"'+,|>]|\\+[nr\"'])*+\Z")
_KEY_LINE = re.compile(rb"[A-Za-z0-9+/=]{16,}+")
_ONLY_LINES = re.compile(rb"[A-Za-z0-9+/=_.]{8,}+(?:(?:[ \t\r]*\n|\\+[nr])+[ \t]*[A-Za-z0-9+/=_.]++)*+\Z")
_BLANKS = re.compile(rb"[\s\"'\\]+")


def _closed_block(data: bytes, match: Match) -> Span | None:
    """The text between BEGIN and END, where most of it is base64 or every line of it is one word."""
    start, end = match.span(1)
    start = _EDGE.match(data, start, end).end()  # type: ignore[union-attr]  # it matches the empty text too
    end = _trimmed(data, start, end)
    body = data[start:end]
    dense = sum(map(len, _KEY_LINE.findall(body)))
    if (dense < 32 or dense * 2 < len(_BLANKS.sub(b"", body))) and not _ONLY_LINES.match(body):
        return None
    return start, end


def _trimmed(data: bytes, start: int, end: int) -> int:
    """The end of a block without the blanks, quotes and line ends it trails."""
    while end > start and (trail := _TRAIL.search(data, max(start, end - 8), end)) and trail.start() < end:
        end = trail.start()
    return end


def token_rules() -> Iterator[Rule]:
    """The rules of this module. Key blocks come first: their base64 must not be cut up by others."""
    yield Rule("private-key", _BLOCK + rb"([^-]*(?:-[^-]+)*)-----END", _closed_block)
    opened = rb"((?:[\s\"'+,|>]|\\+[nr\"'])+(?:[A-Za-z0-9+/=]{20,}(?:[\s\"'+,|>]|\\+[nr\"'])*)+)"
    headers = rb"(?:(?:\s|\\+[nr])+(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]*)*"
    yield Rule("private-key", _BLOCK + headers + opened, _opened_block)
    putty = rb"Private-Lines: [0-9]+((?:(?:\s|\\+[nr])+[A-Za-z0-9+/=]{24,})+)"
    yield Rule("private-key", putty, _opened_block)
    for name, pattern in _PREFIXED:
        locate = run(None if pattern.endswith(rb"\b") else _tail(name))
        yield Rule(name, pattern, locate, hint=_HINTS.get(name))
    yield Rule("openai-key", rb"\bsk-[A-Za-z0-9_-]{16}", run(_WORD, is_opaque))
    yield Rule("pypi-token", rb"\bpypi-[A-Za-z0-9_-]{32}", run(_WORD, is_opaque))
    yield Rule("fireworks-key", rb"\bfw_[A-Za-z0-9]{22}", run(_ALNUM, is_opaque))


def _opened_block(data: bytes, match: Match) -> Span | None:
    """Lines of base64 behind a BEGIN whose END is not there (a cut output)."""
    start, end = match.span(1)
    start = _EDGE.match(data, start, end).end()  # type: ignore[union-attr]  # it matches the empty text too
    return start, _trimmed(data, start, end)


def _tail(name: str) -> re.Pattern[bytes]:
    if name in ("jwt", "google-oauth", "doppler-token", "sendgrid-key", "vault-token"):
        return _DOTTED
    if name == "password-hash":
        return _HASH
    return (
        _BASE64
        if name in ("slack-webhook", "grafana-token", "sentry-token", "atlassian-token", "aws-bedrock-key")
        else _WORD
    )
