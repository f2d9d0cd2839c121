"""What each chat is and to whom it belongs: told by its path, its names by links, and which jobs there are.

It is found out when linking, not when reading, since it depends on other files: a `.info` may come after the
log.
"""

from __future__ import annotations

from indexer.discovery.environment import Environment, job_identity
from indexer.discovery.kinds import chat_kind, is_job, owner_is_job
from indexer.discovery.layout import INFO, Owner, owners
from indexer.linking.facts import ChatFacts, OwnerFact


def settle(facts: ChatFacts, names: tuple[str, ...], env: Environment) -> None:
    """Set `kind`, `owners` and `agent` of a chat's facts, and make the jobs it proves known to the index."""
    path = facts.path
    found = _owners(path, names, env)
    jobs = tuple(owner_is_job(owner, _has_info(owner.path, env), env.jobs_roots) for owner in found)
    # A saved chat that is not there has no sidecars; what lies in its folder is a chat of its own.
    kept = [
        (owner, job)
        for owner, job in zip(found, jobs, strict=True)
        if job or env.files.is_file(owner.path) or owner.path in env.index.chats
    ]
    itself = is_job(path, _has_info(path, env), env.jobs_roots)
    facts.kind = chat_kind(tuple(owner for owner, _ in kept), tuple(job for _, job in kept), itself)
    facts.owners = tuple(OwnerFact(owner.path, job, owner.place) for owner, job in kept)
    facts.agent = next((owner.agent for owner, _ in kept if owner.agent), None)
    for owner, job in kept:
        if job:
            env.index.add_job(owner.path)
    if itself:
        env.index.add_job(path)


def _owners(path: str, names: tuple[str, ...], env: Environment) -> tuple[Owner, ...]:
    found: dict[str, Owner] = {}
    for spelling in (path, *names):
        for owner in owners(spelling):
            owner = owner._replace(path=job_identity(owner.path, env.files))
            found.setdefault(owner.path, owner)
    return tuple(found.values())


def _has_info(path: str, env: Environment) -> bool:
    return path in env.index.jobs or env.files.is_file(path + INFO)
