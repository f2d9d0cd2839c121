"""Linking what is pending: load, link, and bring the graph to what linking gave."""

from __future__ import annotations

from dataclasses import dataclass, field

from indexer.discovery.environment import Environment
from indexer.discovery.layout import INFO
from indexer.discovery.references import Resolver
from indexer.ingest.belonging import settle
from indexer.ingest.loadset import Loader, LoadSet, references
from indexer.ingest.memory import FactsCache
from indexer.ingest.sync import Sync
from indexer.linking.facts import ChatFacts, JobFacts
from indexer.linking.link import link
from indexer.linking.records import Links
from indexer.store.store import Store


@dataclass(slots=True)
class RelinkReport:
    """What a relinking touched: chats and jobs looked at, and of those the ones whose links changed."""

    chats: int = 0
    jobs: int = 0
    changed: int = 0
    inferences: int = 0
    unreadable: list[str] = field(default_factory=list)


def relink(
    store: Store,
    environment: Environment,
    fresh: frozenset[str] = frozenset(),
    boundary: str | None = None,
    facts: FactsCache | None = None,
) -> RelinkReport:
    """Link everything that is pending with all that it touches, and write what changed.

    `fresh` names chats written for the first time just now, of which nothing needs to be taken away first;
    `facts` are those at hand. Restartable: what is pending is marked in the graph and unmarked in the
    transaction that writes its links.
    """
    loaded = Loader(store, environment, facts).load()
    if not loaded.pending:
        return RelinkReport()
    links, resolver = link_loaded(loaded, environment, boundary)
    written = Sync(store, loaded, links, resolver, fresh).run()
    return RelinkReport(
        chats=len(loaded.chats),
        jobs=len(links.jobs),
        changed=written.changed,
        inferences=len(links.inferences),
        unreadable=loaded.unreadable,
    )


def link_loaded(
    loaded: LoadSet, environment: Environment, boundary: str | None = None
) -> tuple[Links, Resolver]:
    """Settle what each chat is, make the named jobs known, then link."""
    for job in loaded.jobs:
        environment.index.add_job(job)
    for path in sorted(loaded.chats):
        settle(loaded.chats[path], loaded.names.get(path, ()), environment)
    # A first round finds the jobs that full paths name, so that short references to them resolve whatever
    # comes first.
    first = Resolver(environment)
    named = set()
    everything: list[ChatFacts | JobFacts] = [*loaded.chats.values(), *loaded.jobs.values()]
    for facts in everything:
        place = facts.path if isinstance(facts, ChatFacts) else facts.id
        for reference in references(facts):
            resolution = first.job(reference, place)
            if resolution.how == "literal" and resolution.missing:
                named.add(resolution.path)
    for path in sorted(named):
        environment.index.add_named(path)
    resolver = Resolver(environment)

    def resolve_chat(reference: str, referring: str) -> str | None:
        found = resolver.chat(reference, referring)
        return found.path if found is not None else None

    files = environment.files
    links = link(
        loaded.chats,
        loaded.jobs,
        lambda ref, at: resolver.job(ref, at).path,
        resolve_chat,
        boundary,
        lambda job: files.is_file(job) or files.is_file(job + INFO),
    )
    return links, resolver
