"""What a picture of provenance shows: boxes and arrows, made of the nodes and edges of a closure.

A job, its logs and its result are one box: what a person calls "the step". Every box keeps its members, so
that every figure on it leads back to them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["chat", "job"]
#: own, shared or context; of a comparison only_in_a, only_in_b or in_both.
Standing = str
Key = tuple[Kind, str]

#: Which standing a box has when its members differ: the first of these that one of them has.
STRENGTH = ("own", "shared", "in_both", "only_in_a", "only_in_b", "context")


@dataclass(frozen=True, slots=True)
class Node:
    """One chat or job. `about` is the agent of a chat and the status of a job; `chat_kind` root, log, ..."""

    kind: Kind
    id: str
    title: str
    subtitle: str = ""
    standing: Standing = "own"
    about: str | None = None
    chat_kind: str | None = None
    conversation: str | None = None
    missing: bool = False
    messages: int = 0
    tool_calls: int = 0
    inlined: int = 0

    @property
    def key(self) -> Key:
        """A chat and a job of one path are two nodes, so the kind is part of the key."""
        return self.kind, self.id


@dataclass(frozen=True, slots=True)
class Edge:
    """One relationship; `context` where the reference is only context. `count`: receipt entries, else 1."""

    source: Key
    target: Key
    relation: str
    context: bool = False
    count: int = 1


@dataclass(slots=True)
class Box:
    """One box. `folded` says how many boxes it stands for; 1 is an ordinary box."""

    key: str
    title: str
    subtitle: str
    standing: Standing
    members: list[Node]
    status: str | None = None
    root: bool = False
    folded: int = 1
    reason: str = ""

    @property
    def jobs(self) -> list[Node]:
        """Its jobs."""
        return [node for node in self.members if node.kind == "job"]

    @property
    def chats(self) -> list[Node]:
        """Its chats."""
        return [node for node in self.members if node.kind == "chat"]

    @property
    def inlined(self) -> int:
        """Blocks that stand inlined in other chats."""
        return sum(node.inlined for node in self.members)

    @property
    def missing(self) -> bool:
        """Whether the files of its first member are gone."""
        return bool(self.members) and self.members[0].missing


@dataclass(slots=True)
class Arrow:
    """All edges between two boxes: how many of each relation."""

    source: str
    target: str
    relations: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    context: bool = True

    def add(self, relation: str, count: int, context: bool) -> None:
        """Count further edges. The arrow is context only while all of its edges are."""
        self.relations[relation] += count
        self.context = self.context and context


@dataclass(slots=True)
class Picture:
    """Boxes by key, and arrows between them. `nodes` counts what they stand for."""

    boxes: dict[str, Box]
    arrows: list[Arrow]
    root: str | None = None

    @property
    def nodes(self) -> int:
        """Chats and jobs in all boxes."""
        return sum(len(box.members) for box in self.boxes.values())


def picture(nodes: Sequence[Node], edges: Iterable[Edge], root: Key | None = None) -> Picture:
    """Put jobs with their logs and results into boxes, and the edges between boxes into arrows.

    The root chat is always a box of its own. Edges to nodes that are not given are left out.
    """
    known = {node.key: node for node in nodes}
    given = [edge for edge in edges if edge.source in known and edge.target in known]
    home = _homes(known, given, root)
    members: dict[Key, list[Node]] = defaultdict(list)
    for node in nodes:
        members[home[node.key]].append(node)
    boxes = {}
    for key, inside in members.items():
        inside.sort(key=lambda node: (node.key != key, node.kind, node.id))
        boxes[name(key)] = _box(key, inside, key == root)
    arrows = arrows_between(given, {key: name(place) for key, place in home.items()})
    return Picture(boxes, arrows, name(home[root]) if root in home else None)


def name(key: Key) -> str:
    """The name of a box."""
    return f"{key[0]}:{key[1]}"


def arrows_between(edges: Iterable[Edge], home: Mapping[Key, str]) -> list[Arrow]:
    """The edges that lead from one box to another, as arrows in a fixed order."""
    arrows: dict[tuple[str, str], Arrow] = {}
    for edge in edges:
        source, target = home[edge.source], home[edge.target]
        if source != target:
            arrow = arrows.setdefault((source, target), Arrow(source, target))
            arrow.add(edge.relation, edge.count, edge.context)
    return [arrows[key] for key in sorted(arrows)]


def strongest(standings: Iterable[Standing]) -> Standing:
    """The standing of a box whose members differ."""
    found = set(standings)
    return next((standing for standing in STRENGTH if standing in found), "own")


def _homes(known: Mapping[Key, Node], edges: Iterable[Edge], root: Key | None) -> dict[Key, Key]:
    home = {key: key for key in known}
    for edge in sorted(edges, key=lambda edge: (edge.source, edge.target)):
        owned = edge.relation in ("log", "result") and edge.target != root
        if owned and home[edge.target] == edge.target and edge.source != edge.target:
            home[edge.target] = edge.source
    for key in home:
        seen = {key}
        while home[home[key]] != home[key] and home[key] not in seen:
            seen.add(home[key])
            home[key] = home[home[key]]
    return home


def _box(key: Key, members: list[Node], root: bool) -> Box:
    first = members[0]
    return Box(
        key=name(key),
        title=first.title,
        subtitle=first.subtitle,
        standing=first.standing,
        members=members,
        status=first.about if first.kind == "job" else None,
        root=root,
    )
