"""Rounds: where windows are proposed. Each has boxes in a lattice of blocks, which do not touch."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.bits import to_signed
from wavefold.kernels.refine import structs as refine_structs
from wavefold.kernels.refine.structs import NUMBERS, Rounds
from wavefold.solver.problem import Problem
from wavefold.topology import is_lattice

PROPOSALS = 2  # of each cell, on average, in one sweep
JITTER = 2  # a box may move in its block by its length, divided by this
WHOLE = 1 << 32  # of Rounds.number[CHANCE]


class RoundPlan:
    """The rounds of a map and their windows, in numbers that kernels read.

    axes : of the map; without any, windows are balls, which may overlap
    free_cells : how many cells may change
    """

    def __init__(self, problem: Problem) -> None:
        topology: Any = problem.topology
        number, axis = np.zeros(NUMBERS, np.int64), np.zeros((0, refine_structs.AXIS_SIZE), np.int64)
        self._place: NDArray[np.int32] = np.zeros(0, np.int32)
        if is_lattice(topology.kind) and not topology.side_sets:
            self._place = topology.to_array(np.arange(problem.cell_count, dtype=np.int32), missing=-1)
            shape = self._place.shape
            axis = np.zeros((len(shape), refine_structs.AXIS_SIZE), np.int64)
            axis[:, refine_structs.STRIDE] = [prod(shape[at + 1 :]) for at in range(len(shape))]
            self._gap = int(np.abs(topology.steps).max())
            axis[:, refine_structs.GAP] = self._gap
        self.rounds = Rounds(self._place.reshape(-1).astype(np.int32), axis, number)
        self.axes = len(axis)
        self.free_cells = 0
        self._spans: list[int] = []  # of free cells, along each axis

    def begin(self, seed: int, free: NDArray[np.bool_]) -> None:
        """Count windows from 0 again, for these free cells [cell]."""
        self.rounds.number[:] = 0
        self.rounds.number[refine_structs.KEY] = to_signed(seed)
        self.free_cells = int(free.sum())
        if self.axes and self.free_cells:
            occupied = np.append(free, False)[self._place]  # [coordinates]; -1 is the last
            for at in range(self.axes):
                others = tuple(each for each in range(self.axes) if each != at)
                lines = np.flatnonzero(occupied.any(axis=others))
                self.rounds.axis[at, refine_structs.ORIGIN] = lines[0]
                self.rounds.axis[at, refine_structs.SPAN] = lines[-1] - lines[0] + 1
            self._spans = self.rounds.axis[:, refine_structs.SPAN].tolist()

    def prepare(self, size: int, sizes: int, always: bool) -> tuple[int, int]:
        """Write the common values of the rounds of a size; returns the numbers of rounds and of windows.

        On average, all rounds of so many sizes propose each free cell PROPOSALS times.
        """
        number = self.rounds.number
        number[refine_structs.SIZE], number[refine_structs.ALWAYS] = size, always
        number[refine_structs.CENTRES] = self.free_cells
        return self._divide(size, sizes) if self.axes else self._count_balls(size, sizes)

    def _count_balls(self, size: int, sizes: int) -> tuple[int, int]:
        """One round, and how many windows it has."""
        self.rounds.number[refine_structs.CHANCE] = WHOLE
        return 1, -(-PROPOSALS * self.free_cells // (sizes * min(size, self.free_cells)))

    def _divide(self, size: int, sizes: int) -> tuple[int, int]:
        """Divide all axes into blocks for boxes of a size; returns the numbers of rounds and of windows."""
        lengths, blocks, covered = [], [], 1
        for span in self._spans:
            length = min(size, span)
            lengths.append(length)
            blocks.append(max(1, span // (length + max(1, length // JITTER) + self._gap - 1)))
            covered *= blocks[-1] * length
        axis = self.rounds.axis
        axis[:, refine_structs.LENGTH], axis[:, refine_structs.BLOCKS] = lengths, blocks
        needed, offered = PROPOSALS * prod(self._spans), covered * sizes
        rounds = -(-needed // offered)
        self.rounds.number[refine_structs.CHANCE] = needed * WHOLE // (offered * rounds)
        return rounds, prod(blocks)
