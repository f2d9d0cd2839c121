"""The jobs of a scope as OpenLineage events, one JSON object a line, by that project's own classes.

A run's id is a UUID made of the job's path, so that two exports of one job tell of one run. Every job gives
an event for its beginning and, where it is over, one for its end; what it read are the results of its
dependencies, what it wrote is its own. Its parent is the run of the job in whose log it was called.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any

from indexer.exports.errors import library
from indexer.exports.scope import Node, ScopeGraph

PRODUCER = "https://provenance-indexer.example"
NAMESPACE = "scout-ai"
_ENDS = {"done": "COMPLETE", "error": "FAIL", "crashed": "FAIL", "aborted": "ABORT", "cleaned": "COMPLETE"}


def run_id(job: str) -> str:
    """The run of a job: the same UUID in every export."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"file://{job}"))


def write_events(scope: ScopeGraph, file: IO[bytes]) -> int:
    """Write the events; gives the jobs left out since nothing tells when they ran. Raises MissingLibrary."""
    serde = library("openlineage.client.serde", "openlineage-python")
    left_out = 0
    for job in scope.jobs:
        if job.span[0] is None and job.span[1] is None:
            left_out += 1
            continue
        for event in _events(scope, job):
            file.write(serde.Serde.to_json(event).encode() + b"\n")
    return left_out


def _events(scope: ScopeGraph, job: Node) -> Iterator[Any]:
    events = library("openlineage.client.event_v2", "openlineage-python")
    begin, end = job.span
    kinds = [("START", begin or end)]
    last = _ENDS.get(str(job.get("status")))
    if last:
        kinds.append((last, end or begin))
    run = events.Run(run_id(job.id), _run_facets(scope, job))
    named = events.Job(NAMESPACE, _name(job), _job_facets())
    inputs = [events.InputDataset("file", dependency[1]) for dependency in scope.dependencies(job.key)]
    outputs = [events.OutputDataset("file", job.id)]
    for kind, at in kinds:
        assert at is not None
        yield events.RunEvent(
            eventTime=_time(at),
            producer=PRODUCER,
            run=run,
            job=named,
            eventType=getattr(events.RunState, kind),
            inputs=inputs,
            outputs=outputs,
        )


def _name(job: Node) -> str:
    return "/".join(str(part) for part in (job.get("workflow"), job.get("task")) if part) or job.label


def _time(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _job_facets() -> dict[str, Any]:
    facets = library("openlineage.client.facet_v2", "openlineage-python")
    kind = facets.job_type_job.JobTypeJobFacet(
        processingType="BATCH", integration="SCOUT", jobType="TASK", producer=PRODUCER
    )
    return {"jobType": kind}


def _run_facets(scope: ScopeGraph, job: Node) -> dict[str, Any]:
    facets = library("openlineage.client.facet_v2", "openlineage-python")
    told: dict[str, Any] = {}
    begin, end = job.span
    if begin is not None:
        told["nominalTime"] = facets.nominal_time_run.NominalTimeRunFacet(
            nominalStartTime=_time(begin), nominalEndTime=_time(end) if end else None, producer=PRODUCER
        )
    if job.get("error"):
        told["errorMessage"] = facets.error_message_run.ErrorMessageRunFacet(
            message=job.get("error"), programmingLanguage="Ruby", producer=PRODUCER
        )
    parent = scope.parents.get(job.key)
    if parent is not None:
        run = facets.parent_run.Run(run_id(parent[1]))
        named = facets.parent_run.Job(NAMESPACE, _name(scope.nodes[parent]))
        told["parent"] = facets.parent_run.ParentRunFacet(run=run, job=named, producer=PRODUCER)
    return told
