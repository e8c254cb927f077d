"""Graphs: cells of any hashable type, joined by edges.

Kernels look up the neighbour of a cell in a direction, and the opposite direction. On a graph, directions are
slots: the edge a -> b has a slot ahead of a, and the *same* slot behind b. Edges that leave one cell need
distinct slots, and so do edges that enter one. This is an edge colouring of the bipartite graph of sources
and targets. By Kőnig's theorem, the number of slots needed is the largest number of edges that leave or
enter one cell; swapping slots along alternating paths finds such a colouring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import cos, pi, sin
from typing import Any, TypeAlias

import numpy as np

from wavefold.errors import ConfigError, suggest
from wavefold.kernels.constants import NOWHERE
from wavefold.kernels.structs import CellGraph
from wavefold.options.names import CellLike
from wavefold.topology.base import Point, Topology, set_frozen

MOST_ENTRIES = 2**31 - 1  # of the array of neighbours, 8 GB

NumberedEdge = tuple[int, int]  # source, target
Edge: TypeAlias = tuple[Hashable, Hashable, Hashable]  # from, to, label


def assign_slots(edges: Iterable[NumberedEdge]) -> list[tuple[int, int, int]]:
    """Assign slots to edges, as few as possible; return (source, target, slot) for each edge."""
    table = _Slots()
    for source, target in edges:
        table.add(source, target)
    return [(source, target, slot) for source, taken in table.ahead.items() for slot, target in taken.items()]


class _Slots:
    """The slots of edges, at both ends."""

    def __init__(self) -> None:
        self.ahead: dict[int, dict[int, int]] = {}  # source -> slot -> target
        self.behind: dict[int, dict[int, int]] = {}  # target -> slot -> source
        self.leaving: dict[int, int] = {}  # source -> its used slots as bits, for fast search
        self.entering: dict[int, int] = {}  # target -> its used slots as bits
        self.width = 0

    def add(self, source: int, target: int) -> None:
        """Add an edge. The number of slots grows only if one end of the edge uses all of them."""
        leaving = len(self.ahead.setdefault(source, {}))
        entering = len(self.behind.setdefault(target, {}))
        self.width = max(self.width, leaving + 1, entering + 1)
        here = self.leaving.get(source, 0)
        there = self.entering.get(target, 0)
        slot = find_free_slot(here | there)
        if slot >= self.width:
            slot = self._make_room(source, target, find_free_slot(here), find_free_slot(there))
        self._put(source, target, slot)

    def _put(self, source: int, target: int, slot: int) -> None:
        self.ahead[source][slot] = target
        self.behind[target][slot] = source
        self.leaving[source] = self.leaving.get(source, 0) | 1 << slot
        self.entering[target] = self.entering.get(target, 0) | 1 << slot

    def _take(self, source: int, target: int, slot: int) -> None:
        del self.ahead[source][slot], self.behind[target][slot]
        self.leaving[source] ^= 1 << slot
        self.entering[target] ^= 1 << slot

    def _make_room(self, source: int, target: int, free_here: int, free_there: int) -> int:
        """Swap two slots along a path so that both ends have the same free slot; return that slot.

        Swapping along the path from the target frees `free_here` at the target; swapping along the path from
        the source frees `free_there` at the source. The paths never meet. The shorter one is swapped, because
        repeated swaps of long paths are slow.
        """
        from_target = self._path(self.behind, target, free_here, free_there)
        from_source = self._path(self.ahead, source, free_there, free_here)
        target_path: list[tuple[int, int, int]] = []
        source_path: list[tuple[int, int, int]] = []
        while True:
            if (step := next(from_target, None)) is None:
                self._swap(target_path, free_here + free_there)
                return free_here
            target_path.append(step)
            if (step := next(from_source, None)) is None:
                self._swap(source_path, free_here + free_there)
                return free_there
            source_path.append(step)

    def _path(
        self, side: dict[int, dict[int, int]], cell: int, slot: int, other: int
    ) -> Iterator[tuple[int, int, int]]:
        """Yield the edges (source, target, slot) of a path that alternates between two slots."""
        while (partner := side[cell].get(slot)) is not None:
            yield (cell, partner, slot) if side is self.ahead else (partner, cell, slot)
            side = self.behind if side is self.ahead else self.ahead
            cell, slot, other = partner, other, slot

    def _swap(self, path: list[tuple[int, int, int]], both: int) -> None:
        """Move each edge of the path to the other of two slots; `both` is the sum of their numbers."""
        for source, target, slot in path:
            self._take(source, target, slot)
        for source, target, slot in path:
            self._put(source, target, both - slot)


def find_free_slot(taken: int) -> int:
    """The lowest bit that is not set."""
    return (~taken & (taken + 1)).bit_length() - 1


@dataclass(frozen=True, init=False, repr=False)
class Graph(Topology):
    """Cells of any hashable type, joined by edges (a, b) or (a, b, label).

    Edges have a direction: `b` is ahead of `a`, and `a` is behind `b`. Each label (by default "") has a
    relation of its own, and as many pairs of directions as edges of the label leave or enter one cell.
    `cells` sets the order of cells and may contain cells without edges; cells that only edges name follow.
    `mask` lists cells to remove.
    """

    edges: tuple[Edge, ...]  # each once, with its label
    cells: tuple[Hashable, ...]  # in the order of their numbers

    kind = "graph"

    def __init__(
        self,
        edges: Iterable[Sequence[Hashable]],
        cells: Iterable[Hashable] | None = None,
        mask: Iterable[Hashable] | None = None,
    ) -> None:
        every_edge = read_edges(edges)
        every_cell = read_cells(cells, every_edge)
        missing = read_mask(mask, every_cell)
        kept = (edge for edge in every_edge if edge[0] not in missing and edge[1] not in missing)
        set_frozen(self, edges=tuple(kept), cells=tuple(cell for cell in every_cell if cell not in missing))
        self._check_size()

    def _check_size(self) -> None:
        if not self.cells:
            raise ConfigError("a graph needs at least one cell: give edges or cells")
        sides = 2 * sum(self.slots)
        if len(self.cells) * sides > MOST_ENTRIES:
            raise ConfigError(
                f"the graph is too large: {len(self.cells):,} cells with {sides:,} directions each, "
                "as many as the cell with most edges needs; split that cell"
            )

    @cached_property
    def labels(self) -> tuple[Hashable, ...]:
        """The distinct labels; label i has the relations 2i (ahead) and 2i + 1 (behind)."""
        return tuple(dict.fromkeys(label for _, _, label in self.edges))

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """[label] -> number of slots: the most edges of that label that leave or enter one cell."""
        leaving = Counter((label, source) for source, _, label in self.edges)
        entering = Counter((label, target) for _, target, label in self.edges)
        busiest = dict.fromkeys(self.labels, 0)
        for counts in (leaving, entering):
            for (label, _), count in counts.items():
                busiest[label] = max(busiest[label], count)
        return tuple(busiest.values())

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """For each label the slots ahead, then behind: "road→1", "road→2", "road←1", "road←2"."""
        names = [label if isinstance(label, str) else repr(label) for label in self.labels]
        return tuple(
            f"{name}{arrow}{slot + 1}"
            for name, width in zip(names, self.slots, strict=True)
            for arrow in "→←"
            for slot in range(width)
        )

    @property
    def has_named_cells(self) -> bool:
        return True

    @property
    def cell_count(self) -> int:
        return len(self.cells)

    def graph(self) -> CellGraph:
        return self._graph

    @cached_property
    def _graph(self) -> CellGraph:
        by_label: dict[Hashable, list[tuple[int, int]]] = {label: [] for label in self.labels}
        for source, target, label in self.edges:
            by_label[label].append((self._number[source], self._number[target]))
        neighbour = np.full((self.cell_count, len(self.directions)), NOWHERE, np.int32)
        opposite = np.empty(len(self.directions), np.int32)
        rule = np.empty(len(self.directions), np.int32)
        ahead = 0
        for index, (width, edges) in enumerate(zip(self.slots, by_label.values(), strict=True)):
            behind, end = ahead + width, ahead + 2 * width
            source, target, slot = np.array(assign_slots(edges), np.int32).T
            neighbour[source, ahead + slot] = target
            neighbour[target, behind + slot] = source
            opposite[ahead:behind] = np.arange(behind, end)
            opposite[behind:end] = np.arange(ahead, behind)
            rule[ahead:behind] = 2 * index
            rule[behind:end] = 2 * index + 1
            ahead = end
        return CellGraph(neighbour, opposite, rule)

    @cached_property
    def _number(self) -> dict[Hashable, int]:
        return {cell: number for number, cell in enumerate(self.cells)}

    def cell_at(self, coordinate: CellLike) -> int:
        """The number of the cell with this name."""
        number = self._number.get(check_hashable(coordinate, "a cell"))
        if number is None:
            known = islice(self.cells, 1000)  # searching for a similar name is slow
            raise ConfigError(f"there is no cell {coordinate!r} in the graph; {suggest(coordinate, known)}")
        return number

    def coordinate(self, cell: int) -> Hashable:
        return self.cells[self._existing(cell)]

    def describe(self, cell: int) -> str:
        return repr(self.coordinate(cell))

    def centre(self, cell: int) -> Point:
        """A point on a circle, about two units from the next cell: cells of a graph have no positions."""
        angle = 2 * pi * self._existing(cell) / self.cell_count
        radius = self.cell_count / pi if self.cell_count > 1 else 0.0
        return radius * sin(angle), -radius * cos(angle)

    def outline(self, cell: int) -> tuple[Point, ...]:
        x, y = self.centre(cell)
        return (x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)

    def __repr__(self) -> str:
        labels = ", ".join(repr(label) for label in self.labels if label != "")
        labelled = f", labels {labels}" if labels else ""
        return f"<Graph: {self.cell_count} cells, {len(self.edges)} edges{labelled}>"


def read_edges(edges: Any) -> list[Edge]:
    """Check edges; return each once, with its label."""
    if isinstance(edges, np.ndarray):
        edges = edges.tolist()  # Python numbers, for messages
    return list(dict.fromkeys(read_edge(edge) for edge in check_collection("edges", edges)))


def read_edge(edge: Any) -> Edge:
    if not isinstance(edge, tuple | list) or len(edge) not in (2, 3):
        raise ConfigError(f"an edge must be (a, b) or (a, b, label), not {edge!r}")
    source, target = (check_hashable(cell, f"edge {edge!r}: a cell") for cell in edge[:2])
    if source == target:
        raise ConfigError(f"edge {edge!r} joins a cell to itself; an edge needs two cells")
    label = check_hashable(edge[2], f"edge {edge!r}: a label") if len(edge) == 3 else ""
    return source, target, label


def read_cells(given: Any, edges: list[Edge]) -> list[Hashable]:
    """The listed cells, then those that only edges name."""
    cells: dict[Hashable, None] = {}
    for cell in check_collection("cells", given):
        if check_hashable(cell, "a cell") in cells:
            raise ConfigError(f"cells lists {cell!r} twice")
        cells[cell] = None
    for source, target, _ in edges:
        cells[source] = cells[target] = None
    return list(cells)


def read_mask(mask: Any, cells: list[Hashable]) -> set[Hashable]:
    known = set(cells)
    missing: set[Hashable] = set()
    for cell in check_collection("mask", mask):
        if check_hashable(cell, "a cell") not in known:
            raise ConfigError(f"mask: {cell!r} is not a cell of the graph")
        missing.add(cell)
    if missing and missing == known:
        raise ConfigError("the mask excludes all cells of the graph; leave at least one")
    return missing


def check_collection(name: str, values: Any) -> Iterable[Any]:
    if values is None and name != "edges":
        return ()
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ConfigError(f"{name} must be a list or another collection, not {values!r}")
    return values


def check_hashable(value: Any, what: str) -> Hashable:
    try:
        hash(value)
    except TypeError as error:
        raise ConfigError(
            f"{what} must be hashable, such as a name, a number or a tuple, not {value!r}"
        ) from error
    return value  # type: ignore[no-any-return]
