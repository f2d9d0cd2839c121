"""The description of the graph model as Markdown, with a Mermaid diagram: generated, never written by hand.

`python -m indexer.schema_doc > schema/README.md` renews the file; a test fails when it is out of date.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from indexer.model import NODES, RELATIONSHIPS, Node, Property, Relationship

_BOOKKEEPING = ("File", "Migration", "Link", "Lease", "Watcher")


def document() -> str:
    """The whole text of schema/README.md."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# The graph model"
    yield ""
    yield "Generated from `indexer/model.py` by `python -m indexer.schema_doc`; do not edit."
    yield ""
    yield "Labels are PascalCase, types UPPER_SNAKE, properties snake_case, times DATETIME in UTC."
    yield "A property that has nothing to say is absent. Constraints and indexes stand in `V*.cypher`."
    yield ""
    yield "```mermaid"
    yield "graph LR"
    for relationship in RELATIONSHIPS:
        for source in relationship.sources:
            for target in relationship.targets:
                yield f"  {source} -->|{relationship.type}| {target}"
    yield "```"
    yield ""
    yield "## Nodes"
    for node in NODES:
        yield from _node(node)
    yield ""
    yield "## Relationships"
    yield ""
    yield "A closure follows those marked *closure*: all of them, or all but CONTEXT (scope `own`)."
    for relationship in RELATIONSHIPS:
        yield from _relationship(relationship)


def _node(node: Node) -> Iterator[str]:
    yield ""
    beside = f", a second label beside {node.beside}" if node.beside else ""
    note = " (bookkeeping)" if node.label in _BOOKKEEPING else ""
    yield f"### {node.label}{note}"
    yield ""
    yield f"{node.meaning} Key: `{node.key}`{beside}."
    yield ""
    yield from _properties(node.properties)


def _relationship(relationship: Relationship) -> Iterator[str]:
    yield ""
    ends = f"{' or '.join(relationship.sources)} → {' or '.join(relationship.targets)}"
    mark = ", *closure*" if relationship.closure else ""
    yield f"### {relationship.type}"
    yield ""
    yield f"{ends}{mark}. {relationship.meaning}"
    if relationship.properties:
        yield ""
        yield from _properties(relationship.properties)


def _properties(properties: Iterable[Property]) -> Iterator[str]:
    yield "| property | type | meaning |"
    yield "|---|---|---|"
    for property_ in properties:
        indexed = " (indexed)" if property_.indexed else ""
        yield f"| `{property_.name}` | {property_.type} | {property_.meaning}{indexed} |"


if __name__ == "__main__":
    print(document(), end="")
