"""What is followed from a root: the three choices that every question about a root takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from indexer.answers.errors import BadQuestion

JobRefs = Literal["all", "own"]
#: Relations that a closure can follow. A CONTEXT edge counts as what it stands for (job or agent_job).
RELATIONS = ("job", "agent_job", "dependency", "log", "result")


@dataclass(frozen=True, slots=True)
class Closure:
    """`job_refs` "all" follows CONTEXT, "own" does not; `follow` empty means the root alone."""

    job_refs: JobRefs = "all"
    follow: tuple[str, ...] = RELATIONS

    def params(self, root: str) -> dict[str, Any]:
        """Parameters of a query file about a root."""
        return {"root": root, "job_refs": self.job_refs, "follow": list(self.follow)}


def closure(job_refs: str = "all", follow: Iterable[str] | None = None, root_only: bool = False) -> Closure:
    """The closure asked for; no `follow` means every relation. Raises BadQuestion."""
    if job_refs not in get_args(JobRefs):
        raise BadQuestion(f"job_refs is all or own, not {job_refs}")
    wanted = RELATIONS if follow is None else tuple(follow)
    unknown = [relation for relation in wanted if relation not in RELATIONS]
    if "context" in unknown:
        raise BadQuestion(
            "context is followed with what it stands for (job, agent_job); job_refs own leaves it out"
        )
    if unknown:
        raise BadQuestion(f"no such relation: {', '.join(unknown)} (there are {', '.join(RELATIONS)})")
    kept = () if root_only else tuple(relation for relation in RELATIONS if relation in wanted)
    return Closure("own" if job_refs == "own" else "all", kept)
