"""The driver's errors as the program's own: one line and one remedy each.

Addresses are shown without user information, and the driver's own messages are used only where they cannot
quote credentials.
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
CHECK_SIGN_IN = "check NEO4J_USERNAME and NEO4J_PASSWORD"
CHECK_ADDRESS = "check --store or NEO4J_URI"


def from_driver(error: Exception, where: str) -> StoreError:
    """Turn an error of the driver into the program's own; `where` names the store without credentials."""
    code = getattr(error, "code", None) or ""
    if code.endswith("AuthenticationRateLimit"):
        remedy = f"wait ten seconds, then {CHECK_SIGN_IN}"
        return SignInRefused(
            f"{where} lets nobody sign in for a while after too many wrong passwords", remedy
        )
    if isinstance(error, AuthError):
        return SignInRefused(f"{where} does not accept this name and password", CHECK_SIGN_IN)
    if code in MEMORY_LIMIT_CODES:
        remedy = "use smaller batches or give the server more memory"
        return TransactionTooLarge(f"a transaction needs more memory than {where} allows", remedy)
    if "TransactionTimedOut" in code:
        return QueryTimedOut(
            f"a statement on {where} took longer than its time limit", "narrow it or raise the limit"
        )
    if code.endswith("DatabaseNotFound"):
        return StoreUnreachable(f"{where} has no database of that name", "check NEO4J_DATABASE")
    if isinstance(error, ServiceUnavailable | SessionExpired):
        return StoreUnreachable(f"no Neo4j answers at {where}", f"start it, or {CHECK_ADDRESS}")
    if isinstance(error, ConfigurationError):
        return BadStoreAddress(f"the driver cannot use the address {where}", CHECK_ADDRESS)
    if isinstance(error, TransientError):
        return StoreError(f"{where} is busy and did not settle in time ({code})", "try again")
    if isinstance(error, ClientError):
        return QueryRefused(f"{where} refuses the statement: {error.message or code}")
    if isinstance(error, Neo4jError):
        return StoreError(f"{where} failed: {error.message or code}", "see the server's log")
    return StoreError(f"the connection to {where} failed ({type(error).__name__})", "try again")


@contextmanager
def driver_errors(where: str) -> Iterator[None]:
    """Raise the driver's errors inside the block as `StoreError`."""
    try:
        yield
    except (Neo4jError, DriverError) as error:
        raise from_driver(error, where) from error
