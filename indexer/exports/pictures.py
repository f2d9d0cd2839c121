"""A scope as a picture: Graphviz DOT, or a Mermaid flowchart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from indexer.exports.scope import Edge, Key, Node, ScopeGraph

#: Beyond these, Mermaid's own limits (maxEdges, maxTextSize) must be raised where the text is shown.
MERMAID_EDGES = 500
MERMAID_TEXT = 50_000

_FILL = {"root": "#ffd166", "result": "#9bd1ff", "log": "#d7e3f4", "sidecar": "#e5dcf4"}
_DONE, _FAILED, _OTHER = "#b7e4c7", "#f4a6a0", "#f1e3c6"


def write_dot(scope: ScopeGraph, file: IO[bytes]) -> None:
    """Graphviz DOT: chats are notes, jobs are boxes; dashed is context, dotted is composition."""
    for line in _dot(scope):
        file.write(line.encode("utf-8", "replace") + b"\n")


def write_mermaid(scope: ScopeGraph, file: IO[bytes]) -> bool:
    """A Mermaid flowchart; False where it is larger than Mermaid shows by default."""
    size = 0
    for line in _mermaid(scope):
        size += file.write(line.encode("utf-8", "replace") + b"\n")
    return len(_drawn(scope)) <= MERMAID_EDGES and size <= MERMAID_TEXT


def _drawn(scope: ScopeGraph) -> list[Edge]:
    return [edge for edge in scope.edges if edge.source in scope.nodes and edge.target in scope.nodes]


def _names(scope: ScopeGraph) -> dict[Key, str]:
    return {key: f"n{i}" for i, key in enumerate(scope.nodes)}


def _fill(node: Node) -> str:
    if node.key[0] == "chat":
        return _FILL.get(str(node.get("kind")), "#ffffff")
    return {"done": _DONE, "error": _FAILED, "aborted": _FAILED, "crashed": _FAILED}.get(
        str(node.get("status")), _OTHER
    )


def _lines(node: Node) -> list[str]:
    if node.key[0] == "job":
        return [node.label, str(node.get("status"))]
    return [node.label, " · ".join(str(x) for x in (node.get("kind"), node.get("agent")) if x)]


def _dot(scope: ScopeGraph) -> Iterator[str]:
    names = _names(scope)
    yield "digraph scope {"
    yield '  graph [rankdir=LR]; node [style=filled, fontname="Helvetica", fontsize=10]; edge [fontsize=8];'
    for key, node in scope.nodes.items():
        shape = "note" if key[0] == "chat" else "box"
        label = "\\n".join(_dot_text(line) for line in _lines(node))
        bold = ", penwidth=3" if key == scope.root else ""
        look = f'tooltip="{_dot_text(node.id)}", shape={shape}, fillcolor="{_fill(node)}"{bold}'
        yield f'  {names[key]} [label="{label}", {look}];'
    for edge in _drawn(scope):
        style = {"context": "dashed", "imports": "dotted", "continues": "dotted", "last": "dotted"}.get(
            edge.relation, "solid"
        )
        yield f'  {names[edge.source]} -> {names[edge.target]} [label="{edge.relation}", style={style}];'
    yield "}"


def _dot_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", " ").replace("\n", " ")


def _mermaid(scope: ScopeGraph) -> Iterator[str]:
    names = _names(scope)
    yield "flowchart LR"
    for key, node in scope.nodes.items():
        label = "<br/>".join(_mermaid_text(line) for line in _lines(node))
        left, right = ("([", "])") if key[0] == "chat" else ("[", "]")
        yield f'  {names[key]}{left}"{label}"{right}'
        yield f"  style {names[key]} fill:{_fill(node)},color:#222222" + (
            ",stroke-width:4px" if key == scope.root else ""
        )
    for edge in _drawn(scope):
        arrow = "-.->" if edge.relation in ("context", "imports", "continues", "last") else "-->"
        yield f"  {names[edge.source]} {arrow}|{edge.relation}| {names[edge.target]}"


def _mermaid_text(text: str) -> str:
    """Text for a quoted label: what Mermaid reads as markup becomes its `#code;` entities."""
    return "".join(char if char.isalnum() or char in " ./_-:·" else f"#{ord(char)};" for char in text)
