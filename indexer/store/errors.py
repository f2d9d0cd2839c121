"""What can go wrong between the program and its store, as one line and one remedy.

Every error that leaves `indexer.store` is a `StoreError`. `message` says in one line what is wrong, `remedy`
what to do about it; `str(error)` is both. No text ever holds a password. This module imports nothing, so that
what only needs the names starts fast.
"""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot be used. `exit_code` is what a command ends with."""

    exit_code = 3

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.message = " ".join(message.split())
        self.remedy = " ".join(remedy.split())

    def __str__(self) -> str:
        return f"{self.message}: {self.remedy}" if self.remedy else self.message


class BadStoreAddress(StoreError):
    """The value of `--store`, NEO4J_URI or a related setting is not one that the program knows."""

    exit_code = 2


class StoreUnreachable(StoreError):
    """No server answers at the address."""


class SignInRefused(StoreError):
    """The server answers and does not accept the name and password."""


class QueryRefused(StoreError):
    """The server does not accept this statement or its parameters; another statement may well work."""

    exit_code = 2


class QueryTimedOut(StoreError):
    """The statement ran longer than its time limit."""


class TransactionTooLarge(StoreError):
    """The transaction needs more memory than the server allows; a smaller batch may fit."""


class LocalServerError(StoreError):
    """The program's own server cannot be installed, started, stopped, backed up or restored."""
