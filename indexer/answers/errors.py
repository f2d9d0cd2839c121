"""What can be wrong with a question. Commands end with `exit_code`."""

from __future__ import annotations

from collections.abc import Sequence


class AnswerError(Exception):
    """The question cannot be answered as it was asked."""

    exit_code = 2


class BadQuestion(AnswerError):
    """An argument that no question takes: an unknown relation, a query that does not exist."""


class NotInGraph(AnswerError):
    """No chat, job or message of that name, or several. `candidates` are ids that may be meant."""

    exit_code = 4

    def __init__(self, message: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(message, tuple(candidates))
        self.message = message
        self.candidates = tuple(candidates)

    def __str__(self) -> str:
        return "\n  ".join((self.message, *self.candidates))
