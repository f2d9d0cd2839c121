"""The jobs of a scope as a Provenance Run Crate (RO-Crate 1.1), by the `rocrate` library.

A crate of metadata: files are named by `file:` URIs and stay where they are, so that a crate can also be
made of what has vanished. Its main workflow is the plan as the run shows it (`workflow.mmd`): a step per
task, a tool per step.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from indexer.exports.errors import ExportError, library
from indexer.exports.pictures import write_mermaid
from indexer.exports.scope import Key, Node, ScopeGraph

WORKFLOW = "workflow.mmd"
PROFILES = (
    ("https://w3id.org/ro/wfrun/process/0.5", "Process Run Crate", "0.5"),
    ("https://w3id.org/ro/wfrun/workflow/0.5", "Workflow Run Crate", "0.5"),
    ("https://w3id.org/ro/wfrun/provenance/0.5", "Provenance Run Crate", "0.5"),
    ("https://w3id.org/workflowhub/workflow-ro-crate/1.0", "Workflow RO-Crate", "1.0"),
)
ROCRATE = "https://w3id.org/ro/crate/1.1"
CONTEXT = "https://w3id.org/ro/terms/workflow-run/context"
LICENSE = "Not stated by the files; ask their owner."
_STATES = {
    "done": "CompletedActionStatus",
    "error": "FailedActionStatus",
    "aborted": "FailedActionStatus",
    "crashed": "FailedActionStatus",
    "waiting": "PotentialActionStatus",
}


def write_crate(scope: ScopeGraph, folder: Path) -> None:
    """Write the crate into a folder. Raises MissingLibrary, ExportError where no job is in the scope."""
    made = _Crate(scope, folder)
    made.fill()
    made.crate.write(folder)


def file_uri(path: str) -> str:
    """The `file:` URI of a path."""
    return "file://" + quote(path.encode("utf-8", "replace"))


def _mark(key: Key) -> str:
    return hashlib.md5("/".join(key).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


class _Crate:
    """A crate under construction."""

    def __init__(self, scope: ScopeGraph, folder: Path) -> None:
        if not scope.jobs:
            raise ExportError(f"no job is in the scope of {scope.root[1]}: there is no run to tell of")
        rocrate = library("rocrate.rocrate", "rocrate")
        self.entity = library("rocrate.model", "rocrate").ContextEntity
        self.scope = scope
        self.folder = folder
        self.crate = rocrate.ROCrate(version="1.1")
        self.files: dict[str, Any] = {}

    def add(self, identifier: str, **properties: Any) -> Any:
        kept = {name.replace("_", "@", 1): value for name, value in properties.items() if value is not None}
        return self.crate.add(self.entity(self.crate, identifier, properties=kept))

    def fill(self) -> None:
        root = self.scope.nodes[self.scope.root]
        crate = self.crate
        crate.metadata.extra_contexts.append(CONTEXT)
        crate.name = f"Run of {root.label}"
        crate.description = (
            f"{len(self.scope.jobs)} jobs and {len(self.scope.chats)} chats reached from {root.id}"
        )
        crate.license = LICENSE
        crate.metadata["conformsTo"] = [{"@id": ROCRATE}, {"@id": PROFILES[-1][0]}]
        crate.root_dataset["conformsTo"] = [
            self.add(url, _type="CreativeWork", name=name, version=version) for url, name, version in PROFILES
        ]
        workflow = self._workflow(root)
        actions = [self._job(job) for job in self.scope.jobs]
        run = self._run(root, workflow, actions)
        engine = self.add(
            "#scout-ai", _type="SoftwareApplication", name="scout-ai", url="https://github.com/Scout-Gear"
        )
        organize = self.add(
            "#organize",
            _type="OrganizeAction",
            name=f"Organisation of the run of {root.label}",
            instrument=engine,
            object=[self._control(job, action) for job, action in zip(self.scope.jobs, actions, strict=True)],
            result=run,
            startTime=run.get("startTime"),
            endTime=run.get("endTime"),
        )
        crate.root_dataset["mentions"] = [run, *actions, organize]

    def _workflow(self, root: Node) -> Any:
        picture = self.folder / WORKFLOW
        with picture.open("wb") as file:
            write_mermaid(self.scope, file)
        language = self.add(
            "#mermaid",
            _type="ComputerLanguage",
            name="Mermaid",
            url="https://mermaid.js.org/",
            alternateName="mmd",
        )
        workflow = self.crate.add_file(
            picture,
            WORKFLOW,
            properties={
                "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
                "name": f"Plan of {root.label}, as its run shows it",
                "encodingFormat": "text/vnd.mermaid",
            },
        )
        workflow["programmingLanguage"] = language
        tasks = sorted({_task(job) for job in self.scope.jobs})
        tools = [self.add(f"#tool/{quote(task)}", _type="SoftwareApplication", name=task) for task in tasks]
        workflow["hasPart"] = tools
        workflow["step"] = [
            self.add(f"#step/{quote(task)}", _type="HowToStep", name=task, position=str(i), workExample=tool)
            for i, (task, tool) in enumerate(zip(tasks, tools, strict=True))
        ]
        self.crate.mainEntity = workflow
        return workflow

    def file(self, path: str, node: Node | None = None) -> Any:
        """The data entity of a file, once."""
        found = self.files.get(path)
        if found is None:
            uri = file_uri(path)
            told: dict[str, Any] = {"@type": "File", "name": node.label if node else path.rsplit("/", 1)[-1]}
            if node is not None and node.key[0] == "chat":
                told["encodingFormat"] = "text/plain"
                told["description"] = f"chat ({node.get('kind')}), {node.get('messages') or 0} messages"
            found = self.crate.add_file(uri, fetch_remote=False, validate_url=False, properties=told)
            self.files[path] = found
        return found

    def _result(self, job: Key) -> Any:
        chat = self.scope.results.get(job)
        return self.file(job[1], self.scope.nodes.get(chat) if chat else None)

    def _job(self, job: Node) -> Any:
        begin, end = job.span
        logs = [
            self.file(e.target[1], self.scope.nodes[e.target]) for e in self.scope.leaving(job.key, "log")
        ]
        return self.add(
            f"#job-{_mark(job.key)}",
            _type="CreateAction",
            name=f"{_task(job)}: {job.get('name')}",
            description=f"job {job.id}, status {job.get('status')}",
            instrument=self.crate.dereference(f"#tool/{quote(_task(job))}"),
            object=[self._result(dependency) for dependency in self.scope.dependencies(job.key)] or None,
            result=[self._result(job.key), *logs],
            actionStatus=_status(job),
            error=job.get("error"),
            startTime=begin and begin.isoformat(),
            endTime=end and end.isoformat(),
        )

    def _control(self, job: Node, action: Any) -> Any:
        return self.add(
            f"#control-{_mark(job.key)}",
            _type="ControlAction",
            name=f"Call of {_task(job)}",
            instrument=self.crate.dereference(f"#step/{quote(_task(job))}"),
            object=action,
            actionStatus=_status(job),
        )

    def _run(self, root: Node, workflow: Any, actions: list[Any]) -> Any:
        known = [at for node in (*self.scope.jobs, root) for at in node.span if at is not None]
        return self.add(
            "#run",
            _type="CreateAction",
            name=f"Run of {root.label}",
            description=f"all that was run for {root.id}",
            instrument=workflow,
            result=[self.file(root.id, root)],
            startTime=min(known).isoformat() if known else None,
            endTime=max(known).isoformat() if known else None,
        )


def _task(job: Node) -> str:
    return "/".join(str(part) for part in (job.get("workflow"), job.get("task")) if part) or job.label


def _status(job: Node) -> str | None:
    state = _STATES.get(str(job.get("status")), "ActiveActionStatus" if job.get("start") else None)
    return f"http://schema.org/{state}" if state else None
