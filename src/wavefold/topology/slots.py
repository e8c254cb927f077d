"""Give every edge of a graph a slot, so that any graph looks like a lattice to the kernels.

A kernel looks up the neighbour in a direction, and the opposite direction. On a graph a direction is a slot:
the edge a -> b has a slot ahead of a, and the *same* slot behind b. No two edges that leave one cell, and no
two that enter one, may share a slot. This is an edge colouring of the bipartite graph of sources and
targets: by Kőnig's theorem as many slots as the busiest cell has edges are enough, and swapping slots along
alternating paths finds one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Edge = tuple[int, int]  # source, target


def assign_slots(edges: Iterable[Edge]) -> list[tuple[int, int, int]]:
    """(source, target, slot) for all edges, with as few slots as the busiest cell allows."""
    table = _Slots()
    for source, target in edges:
        table.add(source, target)
    return [(source, target, slot) for source, taken in table.ahead.items() for slot, target in taken.items()]


class _Slots:
    """Which slot holds which edge, seen from both of its ends."""

    def __init__(self) -> None:
        self.ahead: dict[int, dict[int, int]] = {}  # source -> slot -> target
        self.behind: dict[int, dict[int, int]] = {}  # target -> slot -> source
        self.leaving: dict[int, int] = {}  # source -> its taken slots as bits: busy cells are searched fast
        self.entering: dict[int, int] = {}  # target -> its taken slots as bits
        self.width = 0

    def add(self, source: int, target: int) -> None:
        """Place one edge. A slot is opened only when an end of the edge has used up all others."""
        leaving = len(self.ahead.setdefault(source, {}))
        entering = len(self.behind.setdefault(target, {}))
        self.width = max(self.width, leaving + 1, entering + 1)
        here = self.leaving.get(source, 0)
        there = self.entering.get(target, 0)
        slot = first_free(here | there)
        if slot >= self.width:
            slot = self._make_room(source, target, first_free(here), first_free(there))
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
        """Swap two slots along a path until both ends have the same one free; return that one.

        Swapping along the path from the target frees `free_here` there; swapping along the path from the
        source frees `free_there` here. The paths never meet, so walk both and take the shorter: long
        chains would otherwise be swapped over and over.
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
        """The edges (source, target, slot) met from a cell by taking the two slots in turn."""
        while (partner := side[cell].get(slot)) is not None:
            yield (cell, partner, slot) if side is self.ahead else (partner, cell, slot)
            side = self.behind if side is self.ahead else self.ahead
            cell, slot, other = partner, other, slot

    def _swap(self, path: list[tuple[int, int, int]], both: int) -> None:
        """Move every edge of the path to the other of two slots, whose numbers add up to `both`."""
        for source, target, slot in path:
            self._take(source, target, slot)
        for source, target, slot in path:
            self._put(source, target, both - slot)


def first_free(taken: int) -> int:
    """The lowest bit that is not set."""
    return (~taken & (taken + 1)).bit_length() - 1
