"""A scope as a W3C PROV document: PROV-JSON and PROV-N, by the `prov` library.

Chats and job results are entities, jobs are activities, agents are software agents, versions of
instructions are the plans they followed. A job generated its result and logs and used the results of its
dependencies; a chat was derived from the jobs it names; what it only inherited from a context is
`wasInfluencedBy`, with the rule that said so.
"""

from __future__ import annotations

import hashlib
from typing import IO, Any

from indexer.exports.errors import library
from indexer.exports.scope import Edge, Key, Node, ScopeGraph

NAMESPACE = "https://w3id.org/provenance-indexer/ns#"
IDS = "urn:provenance-indexer:"


def name(kind: str, key: str) -> str:
    """A qualified name that every PROV syntax takes: the kind and a digest of the path (`idx:path`)."""
    return f"node:{kind}-{hashlib.md5(key.encode('utf-8', 'replace'), usedforsecurity=False).hexdigest()}"


def document(scope: ScopeGraph) -> Any:
    """The scope as a `prov.model.ProvDocument`. Raises MissingLibrary."""
    model = library("prov.model", "prov")
    doc = model.ProvDocument()
    doc.add_namespace("idx", NAMESPACE)
    doc.add_namespace("node", IDS)
    for chat in scope.chats:
        doc.entity(name("chat", chat.id), _told(doc, chat, "Chat"))
    for job in scope.jobs:
        begin, end = job.span
        doc.activity(name("job", job.id), begin, end, _told(doc, job, "Job"))
    _agents(doc, scope)
    _results(doc, scope)
    for edge in scope.inside():
        _edge(doc, scope, edge)
    return doc


def write_json(scope: ScopeGraph, file: IO[bytes]) -> None:
    """PROV-JSON."""
    file.write(document(scope).serialize(format="json", indent=1).encode())


def write_n(scope: ScopeGraph, file: IO[bytes]) -> None:
    """PROV-N."""
    file.write((document(scope).get_provn() + "\n").encode())


def result_of(scope: ScopeGraph, job: Key) -> str:
    """The entity that a job gave: its result chat, else its result file."""
    chat = scope.results.get(job)
    return name("result", job[1]) if chat is None else name(*chat)


def _told(doc: Any, node: Node, type_: str) -> dict[str, Any]:
    said: dict[str, Any] = {
        "prov:type": doc.valid_qualified_name(f"idx:{type_}"),
        "prov:label": node.label,
        "idx:path": node.id,
    }
    properties = (
        "kind",
        "agent",
        "conversation",
        "messages",
        "tool_calls",
        "status",
        "workflow",
        "task",
        "host",
        "missing",
    )
    for prop in properties:
        if node.get(prop) is not None:
            said[f"idx:{prop}"] = node.get(prop)
    return said


def _agents(doc: Any, scope: ScopeGraph) -> None:
    software, plan_type = (doc.valid_qualified_name(f"prov:{name}") for name in ("SoftwareAgent", "Plan"))
    agents: set[str] = set()
    plans: set[str] = set()
    logs = {edge.target: edge.source for edge in scope.inside("log") if edge.source[0] == "job"}
    for chat in scope.chats:
        agent = chat.get("agent")
        if not agent:
            continue
        if agent not in agents:
            agents.add(agent)
            doc.agent(name("agent", agent), {"prov:type": software, "prov:label": agent})
        doc.wasAttributedTo(name("chat", chat.id), name("agent", agent))
        plan = None
        for version in chat.instructions[:1]:
            plan = name("instructions", version["digest"])
            if plan not in plans:
                plans.add(plan)
                told = {
                    "prov:type": plan_type,
                    "prov:label": version["preview"],
                    "idx:digest": version["digest"],
                }
                doc.entity(plan, told)
        if chat.key in logs:
            doc.wasAssociatedWith(name("job", logs[chat.key][1]), name("agent", agent), plan)


def _results(doc: Any, scope: ScopeGraph) -> None:
    """Result files that are no chats: of every job that has no result chat in the scope."""
    for job in scope.jobs:
        if job.key not in scope.results:
            told = {
                "prov:type": doc.valid_qualified_name("idx:Result"),
                "prov:label": f"result of {job.label}",
                "idx:path": job.id,
            }
            doc.entity(name("result", job.id), told)
            doc.wasGeneratedBy(name("result", job.id), name("job", job.id), job.span[1])


def _edge(doc: Any, scope: ScopeGraph, edge: Edge) -> None:
    source, target = name(*edge.source), name(*edge.target)
    told = {"idx:relation": edge.relation}
    if edge.basis:
        told["idx:basis"] = edge.basis
    if edge.relation == "dependency":
        doc.used(source, result_of(scope, edge.target), other_attributes=told)
    elif edge.relation == "result" or (edge.relation == "log" and edge.source[0] == "job"):
        end = scope.nodes[edge.source].span[1] if edge.relation == "result" else None
        doc.wasGeneratedBy(target, source, end, other_attributes=told)
    elif edge.relation == "context":
        doc.wasInfluencedBy(source, target, other_attributes=told)
    elif edge.relation in ("job", "agent_job"):
        told["idx:address"] = edge.addresses[0] if edge.addresses else ""
        result = result_of(scope, edge.target)
        if result == source:  # a result's own `job=` line names the job it came from
            doc.wasInfluencedBy(source, target, other_attributes=told)
        else:
            doc.wasDerivedFrom(source, result, activity=target, other_attributes=told)
    else:
        doc.wasDerivedFrom(source, target, other_attributes=told)
