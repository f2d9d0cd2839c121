"""A short text that changes whenever something was written into the graph."""

from __future__ import annotations

import hashlib
from typing import LiteralString

from indexer.store.connection import Store
from indexer.store.driver_errors import driver_errors

# Counts of whole labels and types come from the server's count store, and there is one Lease: every transaction
# of a writer renews it, so equal pulses mean that nobody has written anything in between.
PULSE: LiteralString = """
CALL () {
  MATCH (n:Message) RETURN count(n) AS number UNION ALL MATCH (n:Chat) RETURN count(n) AS number
  UNION ALL MATCH (n:Job) RETURN count(n) AS number UNION ALL MATCH (n:Problem) RETURN count(n) AS number
  UNION ALL MATCH ()-[r:COPY_OF]->() RETURN count(r) AS number
  UNION ALL OPTIONAL MATCH (l:Lease {name: 'writer'}) RETURN coalesce(l.turn, 0) AS number
  UNION ALL OPTIONAL MATCH (l:Lease {name: 'writer'}) RETURN coalesce(l.until.epochMillis, 0) AS number
}
RETURN collect(number) AS numbers
"""


def pulse_of(store: Store) -> str:
    """The pulse, in one round trip without a second try: a store that is away is told at once.

    Raises StoreError.
    """
    with driver_errors(store.where), store.driver.session(database=store.database) as session:
        (row,) = session.run(PULSE)
    return hashlib.sha256(repr(row["numbers"]).encode()).hexdigest()[:16]
