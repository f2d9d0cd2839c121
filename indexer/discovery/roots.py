"""Finding what a ROOT argument means: a path, a short reference, or a unique part of a name.

FORMAT.md 1.6 (lookups of a root), DESIGN 5. A file is a job root when its `.info` is there, else a chat root;
`job:` or `chat:` before the text forces the kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from .environment import Environment, job_identity
from .layout import INFO, chat_stem, job_of_companion
from .paths import absolute, native, storable
from .references import Resolver

CHAT, JOB = "chat", "job"
_SHOWN = 20


class Root(NamedTuple):
    """A chat or a job to start from: `kind` is `chat` or `job`, `id` its node's id."""

    kind: str
    id: str


class RootNotFound(LookupError):
    """Nothing on disk or in the index answers to the text."""


class AmbiguousRoot(LookupError):
    """Several known chats or jobs answer equally well; `candidates` are all of them, sorted."""

    def __init__(self, text: str, candidates: list[Root]) -> None:
        self.candidates = candidates
        shown = "".join(f"\n  {root.kind}:{root.id}" for root in candidates[:_SHOWN])
        more = f"\n  ... and {len(candidates) - _SHOWN} more" if len(candidates) > _SHOWN else ""
        super().__init__(f"{text!r} could be any of {len(candidates)}; give more of the path:{shown}{more}")


class Known(Protocol):
    """What is indexed."""

    def kinds(self, path: str) -> frozenset[str]:
        """Kinds of the nodes with this id: chat, job, both or none."""

    def search(self, text: str) -> Iterable[Root]:
        """All chats and jobs whose id contains `text`, case and all."""


class KnownIds:
    """`Known` from plain collections of ids."""

    def __init__(self, chats: Iterable[str] = (), jobs: Iterable[str] = ()) -> None:
        self._ids = {CHAT: frozenset(chats), JOB: frozenset(jobs)}

    def kinds(self, path: str) -> frozenset[str]:
        """See `Known`."""
        return frozenset(kind for kind, ids in self._ids.items() if path in ids)

    def search(self, text: str) -> list[Root]:
        """See `Known`."""
        return [Root(kind, path) for kind, ids in self._ids.items() for path in ids if text in path]


def resolve_root(text: str, environment: Environment, known: Known) -> Root:
    """The chat or job that `text` means. RootNotFound when none, AmbiguousRoot when several do equally well.

    `text` is storable, or an argument with surrogate escapes. In order: a path (as it is, with `.chat`, below
    `chats/`, below it with `.chat`); a job reference; the name of something indexed: equal to, without its
    suffix equal to, beginning with, or holding the text; part of its path.
    """
    text = text.strip()
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = storable(text)  # as the shell gave it; any other text may be an id that an answer printed
    forced = next((kind for kind in (CHAT, JOB) if text.startswith(f"{kind}:")), None)
    wanted = text[len(forced) + 1 :] if forced else text
    if not wanted.strip("/.~"):
        raise RootNotFound(f"{text!r} names no chat or job")
    for path in _paths(wanted, environment):
        if (root := _at(path, forced, environment, known)) is not None:
            return root
    if "/" in wanted and forced != CHAT:
        job = Resolver(environment).job(native(wanted))
        if not job.missing:
            if job.ambiguous:
                raise AmbiguousRoot(text, [Root(JOB, path) for path in job.candidates])
            return Root(_kind(job.path, forced, environment, known), job.path)
    return _by_name(text, wanted, forced, environment, known)


def _paths(wanted: str, env: Environment) -> list[str]:
    whole = absolute(wanted, env.cwd, env.home)
    paths = [whole, f"{whole}.chat"]
    if not wanted.startswith(("/", "~")):
        below = f"{env.cwd}/chats/{wanted}"
        paths += [below, f"{below}.chat"]
    paths.append(job_of_companion(whole))
    return paths


def _at(path: str, forced: str | None, env: Environment, known: Known) -> Root | None:
    files = env.files
    on_disk = files.is_file(path) or (forced != CHAT and files.is_file(path + INFO))
    as_job, as_chat = job_identity(path, files), files.real(path)
    if not on_disk and not (known.kinds(as_job) | known.kinds(as_chat)):
        return None
    kind = _kind(as_job, forced, env, known)
    return Root(kind, as_job if kind == JOB else as_chat)


def _kind(path: str, forced: str | None, env: Environment, known: Known) -> str:
    """Kind of an id: on disk its `.info` tells; what is gone from disk is a job if known as one."""
    if forced:
        return forced
    if env.files.is_file(path + INFO):
        return JOB
    kinds = known.kinds(path)
    if env.files.is_file(path):
        return JOB if kinds == {JOB} else CHAT
    return JOB if JOB in kinds else CHAT


def _by_name(text: str, wanted: str, forced: str | None, env: Environment, known: Known) -> Root:
    tiers: list[dict[str, None]] = [{} for _ in range(5)]
    for root in known.search(wanted):
        if forced and root.kind != forced:
            continue
        name = root.id.rpartition("/")[2]
        tests = (name == wanted, chat_stem(name) == wanted, name.startswith(wanted), wanted in name, True)
        tiers[tests.index(True)][root.id] = None
    for tier in tiers:
        if tier:
            roots = [Root(_kind(path, forced, env, known), path) for path in sorted(tier)]
            if len(roots) > 1:
                raise AmbiguousRoot(text, roots)
            return roots[0]
    raise RootNotFound(f"{text!r}: no such file, and nothing indexed has a name with it")
