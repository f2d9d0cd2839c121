"""Layered layout, left to right: who was asked stands right of who asked.

Cycles are broken where a depth-first walk from the root meets itself; a box stands one layer right of the
last that leads to it; long arrows get waypoints; boxes are ordered by the middle of their neighbours. Linear
in the size of the graph for each of a fixed number of sweeps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

#: Sweeps of ordering; more than this changes little.
SWEEPS = 6
#: Waypoints of long arrows in all; beyond, long arrows go straight.
WAYPOINTS = 4_000

Pair = tuple[str, str]


@dataclass(slots=True)
class Placed:
    """Where everything stands, in units of boxes: column from 0, and row (a fraction) in that column.

    `ways`: for arrows over more than one column, the places between, from source to target.
    `backward`: arrows that close a cycle.
    """

    places: dict[str, tuple[int, float]] = field(default_factory=dict)
    ways: dict[Pair, list[tuple[int, float]]] = field(default_factory=dict)
    backward: set[Pair] = field(default_factory=set)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return 1 + max((column for column, _ in self.places.values()), default=-1)

    @property
    def rows(self) -> float:
        """Height, in boxes."""
        every = [row for _, row in self.places.values()] + [
            row for way in self.ways.values() for _, row in way
        ]
        return 1 + max(every, default=-1)


def layered(keys: Sequence[str], arrows: Iterable[Pair], root: str | None = None) -> Placed:
    """Place the boxes `keys`, joined by `arrows` (ends are keys; no arrow from a box to itself)."""
    pairs = sorted(set(arrows))
    leads: dict[str, list[str]] = defaultdict(list)
    for source, target in pairs:
        leads[source].append(target)
    placed = Placed()
    placed.backward = _backward(keys, leads, root)
    forward = [pair if pair not in placed.backward else (pair[1], pair[0]) for pair in pairs]
    forward = sorted(set(forward))
    layer = _layers(keys, forward, root)
    columns, links, ways = _with_waypoints(keys, forward, layer)
    rows = _order(columns, links)
    for key in keys:
        placed.places[key] = (layer[key], rows[key])
    for pair, points in ways.items():
        placed.ways[pair] = [(layer[pair[0]] + 1 + step, rows[point]) for step, point in enumerate(points)]
    return placed


def _backward(keys: Sequence[str], leads: dict[str, list[str]], root: str | None) -> set[Pair]:
    """Arrows to a box that the walk is still below. Without recursion: chains may be thousands long."""
    state: dict[str, int] = {}
    found: set[Pair] = set()
    starts = ([root] if root in set(keys) else []) + [*keys]
    for start in starts:
        if start is None or start in state:
            continue
        state[start] = 1
        walk = [(start, iter(leads.get(start, ())))]
        while walk:
            here, rest = walk[-1]
            following = next(rest, None)
            if following is None:
                state[here] = 2
                walk.pop()
            elif following not in state:
                state[following] = 1
                walk.append((following, iter(leads.get(following, ()))))
            elif state[following] == 1:
                found.add((here, following))
    return found


def _layers(keys: Sequence[str], forward: Sequence[Pair], root: str | None) -> dict[str, int]:
    leads: dict[str, list[str]] = defaultdict(list)
    waiting = dict.fromkeys(keys, 0)
    for source, target in forward:
        leads[source].append(target)
        waiting[target] += 1
    layer = dict.fromkeys(keys, 0)
    ready = [key for key in keys if not waiting[key]]
    ready.sort(key=lambda key: key != root)
    for key in ready:  # grows while it is walked
        for target in leads[key]:
            layer[target] = max(layer[target], layer[key] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    # A box that nothing leads to stands just left of the first that it leads to.
    led_to = {target for _, target in forward}
    for key in keys:
        if key not in led_to and key != root and leads[key]:
            layer[key] = max(0, min(layer[target] for target in leads[key]) - 1)
    return layer


def _with_waypoints(
    keys: Sequence[str], forward: Sequence[Pair], layer: dict[str, int]
) -> tuple[list[list[str]], list[Pair], dict[Pair, list[str]]]:
    columns: list[list[str]] = [[] for _ in range(1 + max(layer.values(), default=-1))]
    for key in keys:
        columns[layer[key]].append(key)
    links: list[Pair] = []
    ways: dict[Pair, list[str]] = {}
    made = 0
    for source, target in forward:
        span = layer[target] - layer[source]
        if span <= 1 or made + span > WAYPOINTS:
            links.append((source, target))
            continue
        points = [f"\0{made + step}" for step in range(span - 1)]
        made += span
        for step, point in enumerate(points):
            columns[layer[source] + 1 + step].append(point)
        chain = [source, *points, target]
        links.extend(pairwise(chain))
        ways[source, target] = points
    return columns, links, ways


def _order(columns: list[list[str]], links: Sequence[Pair]) -> dict[str, float]:
    """A row for everything: sweeps of barycentres, packed without overlap near where neighbours stand."""
    before: dict[str, list[str]] = defaultdict(list)
    after: dict[str, list[str]] = defaultdict(list)
    for source, target in links:
        before[target].append(source)
        after[source].append(target)
    row: dict[str, float] = {}
    for column in columns:
        row.update((key, float(index)) for index, key in enumerate(column))
    for sweep in range(SWEEPS):
        rightward = sweep % 2 == 0
        neighbours = before if rightward else after
        for column in columns if rightward else reversed(columns):
            wanted = {key: _middle([row[other] for other in neighbours[key]], row[key]) for key in column}
            column.sort(key=lambda key: wanted[key])
            _pack(column, wanted, row)
    lowest = min(row.values(), default=0.0)
    return {key: value - lowest for key, value in row.items()}


def _middle(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _height(key: str) -> float:
    return 0.4 if key.startswith("\0") else 1.0


def _pack(column: list[str], wanted: dict[str, float], row: dict[str, float]) -> None:
    """Rows as near to the wanted ones as order and heights allow: blocks that touch move together."""
    blocks: list[list[float]] = []  # sum of (wanted - offset), number, height
    sizes: list[int] = []
    for key in column:
        blocks.append([wanted[key], 1.0, _height(key)])
        sizes.append(1)
        while len(blocks) > 1:
            above, below = blocks[-2], blocks[-1]
            if above[0] / above[1] + above[2] <= below[0] / below[1]:
                break
            above[0] += below[0] - below[1] * above[2]
            above[1] += below[1]
            above[2] += below[2]
            blocks.pop()
            merged = sizes.pop()
            sizes[-1] += merged
    keys = iter(column)
    for block, size in zip(blocks, sizes, strict=True):
        top = block[0] / block[1]
        for _ in range(size):
            key = next(keys)
            row[key] = top
            top += _height(key)
