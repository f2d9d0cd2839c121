"""Secrets in chats are replaced before anything is derived from a text or stored: keys, passwords, tokens.

No library of rules fits: on chat text detect-secrets 1.5 ran at 0.2 MB/s (0.9 without its filters),
betterleaks 2.0 at 4 MB/s, kingfisher 1.5 at 84 MB/s after 3.4 s of start; these rules run at 290-380 MB/s
on messages of 1 to 2 KB (`bench/redact.py`). RE2 (google-re2) looks for all of them in one pass, which
is linear in the text for any pattern.

    redactor = redactor_for("default")          # --redact off|default|FILE
    text, count = redactor.redact(text)
"""

from indexer.redaction.builtin import builtin_rules
from indexer.redaction.engine import Redactor
from indexer.redaction.rule import Rule
from indexer.redaction.rulefile import RuleFileError, redactor_for

__all__ = ["Redactor", "Rule", "RuleFileError", "builtin_rules", "redactor_for"]
