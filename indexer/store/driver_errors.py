"""The driver's errors as the program's own: one line and one remedy each.

Addresses are shown without user information, and the driver's own messages are used only where they cannot quote
credentials.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from indexer.store.errors import (
    BadStoreAddress,
    QueryRefused,
    QueryTimedOut,
    SignInRefused,
    StoreError,
    StoreUnreachable,
    TransactionTooLarge,
)

MEMORY_LIMIT_CODES = (
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
    "Neo.TransientError.General.TransactionMemoryLimit",
)


def from_driver(error: Exception, where: str) -> StoreError:
    """Turn an error of the driver into the program's own; `where` names the store without credentials."""
    code = getattr(error, "code", None) or ""
    if code.endswith("AuthenticationRateLimit"):
        return SignInRefused(
            f"{where} refuses to sign in for a moment after too many wrong passwords",
            "wait ten seconds, then check NEO4J_USERNAME and NEO4J_PASSWORD",
        )
    if isinstance(error, AuthError):
        return SignInRefused(
            f"{where} does not accept this name and password", "check NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    if code in MEMORY_LIMIT_CODES:
        return TransactionTooLarge(
            f"a transaction needs more memory than {where} allows",
            "use smaller batches or give the server more",
        )
    if "TransactionTimedOut" in code:
        return QueryTimedOut(
            f"a statement on {where} ran longer than its time limit", "narrow it or raise the limit"
        )
    if code.endswith("DatabaseNotFound"):
        return StoreUnreachable(f"{where} has no database of that name", "check NEO4J_DATABASE")
    if isinstance(error, ServiceUnavailable | SessionExpired):
        return StoreUnreachable(f"no Neo4j answers at {where}", "start it, or check --store or NEO4J_URI")
    if isinstance(error, ConfigurationError):
        return BadStoreAddress(f"the driver cannot use the address {where}", "check --store or NEO4J_URI")
    if isinstance(error, TransientError):
        return StoreError(f"{where} is busy and did not settle in time ({code})", "try again")
    if isinstance(error, ClientError):
        return QueryRefused(f"{where} refuses the statement: {error.message}", "")
    if isinstance(error, Neo4jError):
        return StoreError(f"{where} failed: {error.message}", "see the server's log")
    return StoreError(f"the connection to {where} failed ({type(error).__name__})", "try again")


@contextmanager
def driver_errors(where: str) -> Iterator[None]:
    """Raise the driver's errors inside the block as `StoreError`."""
    try:
        yield
    except (Neo4jError, DriverError) as error:
        raise from_driver(error, where) from error
