"""Pictures made by hand."""

from __future__ import annotations

from indexer.report.graph import Edge, Key, Node, Picture, picture


def job(id: str, standing: str = "own", title: str = "", status: str = "done", **more: object) -> Node:
    return Node("job", id, title or id, "Work", standing, status, **more)  # type: ignore[arg-type]


def chat(id: str, standing: str = "own", **more: object) -> Node:
    return Node("chat", id, id, "", standing, **more)  # type: ignore[arg-type]


def asks(source: Key, target: str, context: bool = False) -> Edge:
    return Edge(source, ("job", target), "context" if context else "job", context)


def tree(jobs: int = 3, context: int = 2) -> Picture:
    """A root chat that asks for jobs, each with a log and a result; the first log holds context jobs."""
    nodes = [chat("root")]
    edges = []
    for number in range(jobs):
        name = f"j{number}"
        nodes += [job(name), chat(f"{name}.log"), chat(name)]
        edges += [
            asks(("chat", "root"), name),
            Edge(("job", name), ("chat", f"{name}.log"), "log"),
            Edge(("job", name), ("chat", name), "result"),
            Edge(("chat", name), ("job", name), "job"),
        ]
    for number in range(context):
        nodes.append(job(f"c{number}", "context", "other"))
        edges.append(asks(("chat", "j0.log"), f"c{number}", context=True))
    return picture(nodes, edges, ("chat", "root"))
