"""PROV, Run Crate and OpenLineage, read back by their own libraries."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from dateutil.parser import isoparse
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from prov.model import ProvActivity, ProvAgent, ProvDocument, ProvEntity, ProvInfluence, ProvUsage
from rocrate.rocrate import ROCrate

from indexer.api import Index
from indexer.exports.crate import file_uri
from indexer.exports.openlineage import run_id
from indexer.store.connection import Store

Export = Callable[..., Path]


def test_prov_json_reads_back_with_every_chat_and_job(
    export: Export, e_root: str, neo4j_store: Store
) -> None:
    document = ProvDocument.deserialize(str(export("prov-json", e_root)), format="json")
    scope = Index(neo4j_store).scope(e_root)

    paths = {str(v) for r in document.get_records(ProvActivity) for v in r.get_attribute("idx:path")}
    assert paths == set(scope.jobs)
    chats = {str(v) for r in document.get_records(ProvEntity) for v in r.get_attribute("idx:path")}
    assert set(scope.chats) <= chats
    assert len(list(document.get_records(ProvUsage))) == scope.edges.dependency
    assert {str(next(iter(a.get_attribute("prov:label")))) for a in document.get_records(ProvAgent)} >= {
        "Auditor"
    }
    for activity in document.get_records(ProvActivity):
        assert activity.get_startTime() <= activity.get_endTime()


def test_prov_n_is_the_same_document(export: Export, e_root: str) -> None:
    read = ProvDocument.deserialize(str(export("prov-n", e_root)), format="provn")
    assert read == ProvDocument.deserialize(str(export("prov-json", e_root)), format="json")


def test_prov_tells_context_apart(export: Export, case_root: Path) -> None:
    root = str(case_root / "git/alembic-notes/chats/release_notes.chat")
    everything = ProvDocument.deserialize(str(export("prov-json", root)), format="json")
    own = ProvDocument.deserialize(str(export("prov-json", root, "--job-refs", "own")), format="json")

    def context(document: ProvDocument) -> int:
        influences = document.get_records(ProvInfluence)
        return sum("context" in map(str, i.get_attribute("idx:relation")) for i in influences)

    assert context(everything) > 0
    assert context(own) == 0
    assert len(list(own.get_records(ProvActivity))) < len(list(everything.get_records(ProvActivity)))


def test_run_crate_reads_back_and_holds_the_profile(export: Export, e_root: str, neo4j_store: Store) -> None:
    crate = ROCrate(export("run-crate", e_root))
    scope = Index(neo4j_store).scope(e_root)

    conforms = {entity.id for entity in crate.root_dataset["conformsTo"]}
    assert "https://w3id.org/ro/wfrun/provenance/0.5" in conforms
    main = crate.mainEntity
    assert {"File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"} == set(main.type)
    (organize,) = crate.get_by_type("OrganizeAction")
    controls = crate.get_by_type("ControlAction")
    assert len(controls) == len(scope.jobs) == len(organize["object"])
    tools = {tool.id for tool in main["hasPart"]}
    for control in controls:
        assert control["instrument"] in main["step"]
        action = control["object"]
        assert action.type == "CreateAction"
        assert action["instrument"].id in tools
        assert isoparse(action["startTime"]) <= isoparse(action["endTime"])
    results = {r.id for c in controls for r in c["object"]["result"]}
    assert {file_uri(job) for job in scope.jobs} <= results
    assert organize["result"]["instrument"] == main
    files = {entity.id for entity in crate.data_entities}
    assert {file_uri(job) for job in scope.jobs} <= files


def test_openlineage_events_build_the_librarys_own_classes(
    export: Export, e_root: str, neo4j_store: Store
) -> None:
    events = [json.loads(line) for line in export("openlineage", e_root).read_text().splitlines()]
    scope = Index(neo4j_store).scope(e_root)

    for event in events:
        RunEvent(  # its validators check times, UUIDs and URIs
            eventTime=event["eventTime"],
            producer=event["producer"],
            run=Run(event["run"]["runId"], event["run"]["facets"]),
            job=Job(event["job"]["namespace"], event["job"]["name"]),
            eventType=RunState[event["eventType"]],
            inputs=[InputDataset(d["namespace"], d["name"]) for d in event["inputs"]],
            outputs=[OutputDataset(d["namespace"], d["name"]) for d in event["outputs"]],
        )
    for job in scope.jobs:
        states = [e["eventType"] for e in events if e["run"]["runId"] == run_id(job)]
        assert states == ["START", "COMPLETE"]
    ends = [e for e in events if e["eventType"] == "COMPLETE"]
    assert sum(len(e["inputs"]) for e in ends) == scope.edges.dependency
    children = [e for e in ends if "parent" in e["run"]["facets"]]
    builder = next(e for e in ends if e["job"]["name"] == "Deskwork/build")
    assert {e["run"]["facets"]["parent"]["run"]["runId"] for e in children} == {builder["run"]["runId"]}
    assert {e["job"]["name"] for e in children} == {"Deskwork/review"}
