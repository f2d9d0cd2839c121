"""Disjoint sets: which chats and jobs are related, which messages are one (union-find with path halving)."""

from __future__ import annotations

from collections.abc import Iterable

Node = tuple[str, str]


class Components:
    """Disjoint sets of nodes.

    A set is named by its least node, so that the name does not depend on the order of joins.
    """

    def __init__(self) -> None:
        self._parent: dict[Node, Node] = {}

    def add(self, node: Node) -> None:
        """Make the node known, in a set of its own unless it is in one."""
        self._parent.setdefault(node, node)

    def find(self, node: Node) -> Node:
        """The least node of the set that holds `node`."""
        parent = self._parent
        up = parent.setdefault(node, node)
        while up != node:
            above = parent[node] = parent[up]
            node, up = above, parent[above]
        return node

    def join(self, one: Node, other: Node) -> None:
        """Make the sets of two nodes one."""
        one, other = self.find(one), self.find(other)
        if one != other:
            if other < one:
                one, other = other, one
            self._parent[other] = one

    def nodes(self) -> Iterable[Node]:
        """Every node known."""
        return self._parent.keys()


class Places:
    """Disjoint sets of messages, numbered from 0 over all chats."""

    __slots__ = ("parent",)

    def __init__(self, count: int) -> None:
        self.parent = list(range(count))

    def find(self, place: int) -> int:
        """The place that stands for the set."""
        parent = self.parent
        while parent[place] != place:
            parent[place] = place = parent[parent[place]]
        return place

    def join(self, one: int, other: int) -> None:
        """Make two sets one; the lesser place stands for it."""
        one, other = self.find(one), self.find(other)
        if one < other:
            self.parent[other] = one
        elif other < one:
            self.parent[one] = other
