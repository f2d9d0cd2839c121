"""Secrets that are none, made at run time from pieces, so that no scanner finds one in this repository."""

from __future__ import annotations

import base64
import json
import random
import string

LOWER, UPPER, DIGITS, HEX = string.ascii_lowercase, string.ascii_uppercase, string.digits, "0123456789abcdef"
ALNUM = LOWER + UPPER + DIGITS
WORD = ALNUM + "_-"
BASE64 = ALNUM + "+/"


class Fakes:
    """A stream of fake secrets; equal seeds give equal ones."""

    def __init__(self, seed: int = 7) -> None:
        self.random = random.Random(seed)

    def of(self, alphabet: str, length: int) -> str:
        """`length` characters; where the alphabet has letters and digits, both occur, at both ends."""
        text = [self.random.choice(alphabet) for _ in range(length)]
        letters = [character for character in alphabet if character.isalpha()]
        digits = [character for character in alphabet if character.isdigit()]
        if letters and digits:
            text[0], text[1], text[-2], text[-1] = letters[0], digits[-1], digits[1], letters[-1]
        return "".join(text)

    def tokens(self) -> dict[str, str]:
        """One token of every form that is known by itself, under the name of its rule."""
        of = self.of
        return {
            "aws-access-key": "AK" + "IA" + of(UPPER + "234567", 16),
            "google-api-key": "AI" + "za" + of(WORD, 34) + "a",
            "google-oauth": "GOC" + "SPX-" + of(WORD, 28),
            "github-token": "gh" + "p_" + of(ALNUM, 36),
            "gitlab-token": "gl" + "pat-" + of(WORD, 20),
            "slack-token": "xo" + "xb-" + of(DIGITS, 12) + "-" + of(DIGITS, 12) + "-" + of(ALNUM, 24),
            "stripe-key": "sk" + "_live_" + of(ALNUM, 24),
            "anthropic-key": "sk-" + "ant-api03-" + of(WORD, 93) + "AA",
            "openai-key": "sk-" + "proj-" + of(WORD, 74),
            "openrouter-key": "sk-" + "or-v1-" + of(HEX, 64),
            "huggingface-token": "h" + "f_" + of(ALNUM, 34),
            "groq-key": "gs" + "k_" + of(ALNUM, 52),
            "xai-key": "xa" + "i-" + of(ALNUM, 80),
            "perplexity-key": "pp" + "lx-" + of(ALNUM, 48),
            "nvidia-key": "nv" + "api-" + of(WORD, 64),
            "replicate-token": "r" + "8_" + of(ALNUM, 37),
            "tavily-key": "tv" + "ly-" + of(ALNUM, 32),
            "langsmith-key": "ls" + "v2_pt_" + of(HEX, 32) + "_" + of(HEX, 10),
            "pinecone-key": "pc" + "sk_" + of(ALNUM, 60),
            "npm-token": "np" + "m_" + of(ALNUM, 36),
            "pypi-token": "py" + "pi-AgEIcHlwaS5vcmc" + of(WORD, 60),
            "docker-token": "dc" + "kr_pat_" + of(WORD, 27),
            "sendgrid-key": "S" + "G." + of(WORD, 22) + "." + of(WORD, 43),
            "twilio-key": "S" + "K" + of(HEX, 32),
            "telegram-token": of(DIGITS, 10) + ":AA" + of(WORD, 33),
            "mailgun-key": "ke" + "y-" + of(LOWER + DIGITS, 32),
            "mailchimp-key": of(HEX, 32) + "-us" + "12",
            "databricks-token": "da" + "pi" + of(HEX, 32),
            "digitalocean-token": "do" + "p_v1_" + of(HEX, 64),
            "vault-token": "hv" + "s." + of(WORD, 90) + "a",
            "terraform-token": of(ALNUM, 14) + ".atla" + "sv1." + of(ALNUM, 67),
            "grafana-token": "gl" + "sa_" + of(ALNUM, 32) + "_" + of(HEX, 8),
            "notion-token": "nt" + "n_" + of(ALNUM, 46),
            "linear-key": "li" + "n_api_" + of(ALNUM, 40),
            "shopify-token": "sh" + "pat_" + of(HEX, 32),
            "sentry-token": "sn" + "trys_" + of(BASE64, 60),
            "newrelic-key": "NR" + "AK-" + of(UPPER + DIGITS, 27),
            "supabase-key": "sb" + "p_" + of(HEX, 40),
            "figma-token": "fi" + "gd_" + of(WORD, 44),
            "doppler-token": "dp" + ".pt." + of(ALNUM, 43),
            "alibaba-key": "LT" + "AI" + of(ALNUM, 20),
            "age-key": "AGE-SECRET" + "-KEY-1" + of(UPPER + DIGITS, 58),
            "jwt": self.jwt(),
        }

    def jwt(self) -> str:
        head, body = ({"alg": "HS256", "typ": "JWT"}, {"sub": self.of(DIGITS, 10), "name": "x"})
        parts = [
            base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (head, body)
        ]
        return ".".join([*parts, self.of(WORD, 42) + "a"])

    def key_block(self, kind: str = "RSA PRIVATE KEY", lines: int = 12) -> tuple[str, list[str]]:
        """A key block and its lines of base64."""
        body = [self.of(BASE64, 64) for _ in range(lines)] + [self.of(BASE64, 22) + "=="]
        return "\n".join([f"-----BEGIN {kind}-----", *body, f"-----END {kind}-----"]), body


def basic(credentials: str) -> str:
    """`user:password` as HTTP's basic authorization writes it."""
    return base64.b64encode(credentials.encode()).decode()
