"""What one process keeps between its scans, so that looking again at a part is quick and comes to the same.

Everything here can be had anew from the graph and the files; nothing of it grows without bound.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from indexer.discovery.linktable import LinkTable
from indexer.ingest.growth import Growths
from indexer.ingest.settling import Settling
from indexer.linking.facts import ChatFacts, JobFacts

#: Messages whose facts are kept: about 200 bytes each.
MOST_MESSAGES = 500_000


class FactsCache:
    """Facts of chats and jobs by file and version; the least recently used go first."""

    def __init__(self, most: int = MOST_MESSAGES) -> None:
        self._most = most
        self._held: OrderedDict[str, tuple[str, ChatFacts | JobFacts]] = OrderedDict()
        self._weight = 0

    def __len__(self) -> int:
        return len(self._held)

    def digest(self, path: str) -> str | None:
        """Version of the file whose facts are at hand."""
        found = self._held.get(path)
        return found[0] if found else None

    def get(self, path: str) -> ChatFacts | JobFacts:
        """The facts at hand; KeyError without any."""
        self._held.move_to_end(path)
        return self._held[path][1]

    def put(self, path: str, digest: str, facts: ChatFacts | JobFacts) -> None:
        """Keep the facts of one version of a file."""
        self.drop(path)
        self._held[path] = (digest, facts)
        self._weight += _weight(facts)
        while self._weight > self._most and len(self._held) > 1:
            _, (_, oldest) = self._held.popitem(last=False)
            self._weight -= _weight(oldest)

    def drop(self, path: str) -> None:
        """Forget a file."""
        found = self._held.pop(path, None)
        if found is not None:
            self._weight -= _weight(found[1])


def _weight(facts: ChatFacts | JobFacts) -> int:
    return 10 + len(facts) if isinstance(facts, ChatFacts) else 5


@dataclass(slots=True)
class Memory:
    """One process's memory.

    links       the links of everything scanned; None until they were read from the graph
    facts       facts of files
    settling    files that may still be in writing; None where every file is taken as it is
    roots       real paths (native) that the last look at everything walked, targets of links outside included
    chat_roots  of these what a link called `chats` or `chat` named
    folders     number of folders that it walked
    migrated    the schema was looked at
    growths     what was read of large chats that may grow; None where nobody comes again
    """

    links: LinkTable | None = None
    facts: FactsCache = field(default_factory=FactsCache)
    settling: Settling | None = None
    roots: tuple[str, ...] = ()
    chat_roots: frozenset[str] = frozenset()
    folders: int = 0
    migrated: bool = False
    growths: Growths | None = None

    def __post_init__(self) -> None:
        if self.settling is not None and self.growths is None:
            self.growths = Growths()
