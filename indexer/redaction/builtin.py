"""The built-in rules in the order in which they are applied."""

from __future__ import annotations

from indexer.redaction.assignments import assignment_rules
from indexer.redaction.commandlines import command_rules
from indexer.redaction.headers import header_rules
from indexer.redaction.rule import Rule
from indexer.redaction.tokens import token_rules


def builtin_rules() -> tuple[Rule, ...]:
    """All built-in rules: what is known by its own form first, then by place, then by the key before it."""
    return (*token_rules(), *header_rules(), *command_rules(), *assignment_rules())
