"""Where grids are solved: an engine for each shape of cells, kept, because shapes come again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.seeding import mix
from wavefold.kernels import constants
from wavefold.patchwork.plan import Cell
from wavefold.solver.engine.held import HeldEngine, decided
from wavefold.solver.problem import Problem
from wavefold.solver.search.auto_order import auto_order
from wavefold.solver.search.heuristics import Heuristics
from wavefold.solver.search.ladder import Ladder
from wavefold.tiles import Rules
from wavefold.topology import HexGrid, SquareGrid

ENGINES = 64  # of one workbench; six neighbours that are there or not make that many shapes
WORKBENCHES = 4  # of one thread
ROOM = 1 << 28  # bytes of the engines of one thread; the latest is kept, however large
LADDER = Ladder(patience=16, repairs=24, repairs_per_cell=0.05, radius=3)
SCANS = ("scanline:northwest", "scanline:southeast", "scanline:northeast", "scanline:southwest")

Domains = Mapping[Cell, NDArray[np.uint64]]
Weights = Mapping[Cell, NDArray[np.float64]]


class Task(NamedTuple):
    """Cells to solve, and what is known of them."""

    open: Collection[Cell]
    held: Mapping[Cell, int]  # the patterns around them, which stay
    musts: Domains = MappingProxyType({})  # cells among the open ones that must be one of these patterns
    wishes: Domains = MappingProxyType({})  # what cells should be, asked in this order
    had: Mapping[Cell, int] = MappingProxyType({})  # patterns that cells should rather keep
    preference: float = 1.0  # how much likelier that is
    weights: Weights = MappingProxyType({})  # [pattern] of every open cell, if these differ
    keeps: bool = False  # whether what cells had is granted like a wish, before all others

    @property
    def liked(self) -> NDArray[np.int64]:
        """The patterns of `had`."""
        return np.array(list(self.had.values()), np.int64)


class Tried(NamedTuple):
    """What became of a task."""

    patterns: dict[Cell, int] | None  # of the open cells; None if none were found
    is_proof: bool = False  # whether nothing fits at all
    at_root: bool = False  # whether that was plain before any wish was asked or any cell decided
    conflict: Cell | None = None  # where it failed
    backtracks: int = 0
    repaired: int = 0  # cells that local repairs opened again


class Workbench:
    """Solves tasks. Belongs to one thread."""

    def __init__(self, rules: Rules, without: int | None = None) -> None:
        self.rules = rules
        self.without = without  # a pattern that has no place in a patchwork
        self._engines: OrderedDict[tuple[tuple[int, ...], bytes], HeldEngine] = OrderedDict()
        self._bytes: dict[tuple[tuple[int, ...], bytes], int] = {}  # of each engine, after its last solve

    @property
    def taken(self) -> int:
        """Bytes of all engines."""
        return sum(self._bytes.values())

    def solve(self, task: Task, seed: int, attempt: int = 0) -> Tried:
        """One attempt: an order of cells, a seed, and local repairs where the search gets stuck."""
        try:
            return self._solve(task, seed, attempt)
        finally:
            self._tidy_up()

    def _tidy_up(self) -> None:
        """Forget what cells had and weighed, which takes most, and the engines there is no room for."""
        if not self._engines:
            return
        shape, engine = next(reversed(self._engines.items()))
        engine.forget()
        self._bytes[shape] = bytes_of(engine)
        while len(self._engines) > 1 and (len(self._engines) > ENGINES or self.taken > ROOM):
            oldest, _ = self._engines.popitem(last=False)
            del self._bytes[oldest]

    def _solve(self, task: Task, seed: int, attempt: int) -> Tried:
        opened, held = array(task.open), array(task.held)
        origin = opened.min(axis=0) if not len(held) else np.minimum(opened.min(axis=0), held.min(axis=0))
        engine, numbers, held_numbers = self._engine(opened - origin, held - origin)
        number_of = Numbers(task.open, numbers)
        if not self._start(engine, task, number_of, held_numbers):
            return self._failed(engine, task, number_of, held_numbers)._replace(at_root=True)
        order = order_for(self.rules, seed, attempt) if not task.had else Heuristics.of("entropy")
        if not engine.solve(order, mix(seed, attempt), LADDER):
            return self._failed(engine, task, number_of, held_numbers)
        tried = Tried({}, backtracks=backtracks(engine), repaired=engine.reopened)
        found = decided(engine.domains)
        if task.had:
            found = self._forced_back(engine, task, number_of, held_numbers, found)
        return tried._replace(patterns=dict(zip(task.open, found[numbers].tolist(), strict=True)))

    def _forced_back(
        self,
        engine: HeldEngine,
        task: Task,
        number_of: Numbers,
        held: NDArray[np.int64],
        found: NDArray[np.int32],
    ) -> NDArray[np.int32]:
        """The solution with what cells had put back, where that fits all that was found besides."""
        cells, patterns = number_of(task.had), task.liked
        changed = found[cells] != patterns
        if not changed.any() or not self._narrow(engine, task, number_of, held):
            return found
        others = np.setdiff1d(np.arange(found.size), cells[changed])
        wishes = bits(found.astype(np.int64), self.rules.words)
        wishes[cells[changed]] = bits(patterns[changed], self.rules.words)
        engine.grant(np.concatenate([others, cells[changed]]), wishes)
        engine.prefer(cells, patterns, task.preference)
        again = engine.solve(Heuristics.of("entropy"), 0, Ladder(patience=16))
        return decided(engine.domains) if again else found

    def _start(self, engine: HeldEngine, task: Task, number_of: Numbers, held: NDArray[np.int64]) -> bool:
        """Go to the root of the task, with as many wishes granted as can be."""
        if not self._narrow(engine, task, number_of, held):
            return False
        if task.had and task.keeps:
            self._grant(engine, number_of(task.had), bits(task.liked, self.rules.words))
        if task.wishes:
            self._grant(engine, number_of(task.wishes), np.stack(list(task.wishes.values())))
        if task.weights:
            weights = np.tile(self.rules.weights, (engine.problem.cell_count, 1))
            weights[number_of(task.weights)] = np.stack(list(task.weights.values()))
            engine.weigh(weights)
        if task.had:
            engine.prefer(number_of(task.had), task.liked, task.preference)
        return True

    def _narrow(self, engine: HeldEngine, task: Task, number_of: Numbers, held: NDArray[np.int64]) -> bool:
        """Go to the root at which cells are held and pins stand."""
        words = bits(np.array(list(task.held.values()), np.int64), self.rules.words)
        cells = held
        if task.musts:
            cells = np.concatenate([held, number_of(task.musts)])
            words = np.concatenate([words, np.stack(list(task.musts.values()))])
        return engine.hold(cells, words)

    def _grant(self, engine: HeldEngine, cells: NDArray[np.int64], words: NDArray[np.uint64]) -> None:
        wishes = np.zeros((engine.problem.cell_count, self.rules.words), np.uint64)
        wishes[cells] = words
        engine.grant(cells, wishes)

    def _failed(self, engine: HeldEngine, task: Task, number_of: Numbers, held: NDArray[np.int64]) -> Tried:
        """Say where: the search steers by its last decision, and a root by the cell that was emptied."""
        number = engine.conflict
        cells = [*task.open, *task.held]
        numbers = np.concatenate([number_of.numbers, held])
        where = cells[int(np.flatnonzero(numbers == number)[0])] if number >= 0 else None
        return Tried(None, engine.is_proof, False, where, backtracks(engine), engine.reopened)

    def _engine(
        self, opened: NDArray[np.int64], held: NDArray[np.int64]
    ) -> tuple[HeldEngine, NDArray[np.int64], NDArray[np.int64]]:
        """The engine for this shape, and the number of each cell in it."""
        every = np.concatenate([opened, held])
        width, height = (every.max(axis=0) + 1).tolist()
        exists = np.zeros((height, width), bool)
        exists[every[:, 1], every[:, 0]] = True
        shape = (exists.shape, np.packbits(exists).tobytes())
        engine = self._engines.get(shape)
        if engine is None:
            engine = self._engines[shape] = HeldEngine(self._problem(exists))
            self._bytes[shape] = 0
        self._engines.move_to_end(shape)
        number = np.cumsum(exists.ravel()) - 1  # topologies number their cells row by row
        numbers = number[every[:, 1] * width + every[:, 0]]
        return engine, numbers[: len(opened)], numbers[len(opened) :]

    def _problem(self, exists: NDArray[np.bool_]) -> Problem:
        height, width = exists.shape
        make: Any = HexGrid.rhombus if self.rules.topology == "hex" else SquareGrid
        masks = None if self.without is None else np.arange(len(self.rules)) != self.without
        return Problem(self.rules, make(width, height, mask=exists), masks=masks)


class Numbers:
    """The numbers that an engine has for cells."""

    def __init__(self, cells: Iterable[Cell], numbers: NDArray[np.int64]) -> None:
        self.numbers = numbers
        self._cells = cells
        self._of: dict[Cell, int] | None = None

    def __call__(self, cells: Iterable[Cell]) -> NDArray[np.int64]:
        if self._of is None:
            self._of = dict(zip(self._cells, self.numbers.tolist(), strict=True))
        return np.array([self._of[cell] for cell in cells], np.int64)


def array(cells: Collection[Cell]) -> NDArray[np.int64]:
    """int64 [cell, axis]."""
    return np.array(list(cells), np.int64).reshape(-1, 2)


def bits(patterns: NDArray[np.int64], width: int) -> NDArray[np.uint64]:
    """uint64 [cell, word]: the domain that is one pattern, for each of these."""
    words = np.zeros((patterns.size, width), np.uint64)
    words[np.arange(patterns.size), patterns >> 6] = np.uint64(1) << (patterns & 63).astype(np.uint64)
    return words


def bytes_of(engine: HeldEngine) -> int:
    """What an engine takes in memory, but for its rules, which all of them share."""
    queue = getattr(engine, "queue", None)  # there is none before the first search
    arrays = [*vars(engine.wave).values(), *(vars(queue).values() if queue else ()), engine.problem.domains]
    words = engine.root.words.nbytes + engine._open.words.nbytes
    return words + sum(each.nbytes for each in arrays if isinstance(each, np.ndarray))


def backtracks(engine: HeldEngine) -> int:
    """How many decisions the last search took back."""
    return int(engine.state[constants.BACKTRACKS])


def order_for(rules: Rules, seed: int, attempt: int) -> Heuristics:
    """Least entropy on hexagons, where rows would show; then, and on squares, what suits the rules."""
    first = "entropy" if rules.topology == "hex" else auto_order(rules)
    if attempt % 2 == 0 and first == "entropy":
        return Heuristics.of("entropy")
    return Heuristics.of(SCANS[(mix(seed, 0) + attempt) % len(SCANS)])


_mine = threading.local()


def workbench_for(rules: Rules, without: int | None = None) -> Workbench:
    """This thread's workbench for these rules, with the engines that earlier maps left on it."""
    workbenches: OrderedDict[Any, Workbench] = _mine.__dict__.setdefault("workbenches", OrderedDict())
    name = (rules.digest, without)
    if name not in workbenches:
        workbenches[name] = Workbench(rules, without)
        if len(workbenches) > WORKBENCHES:
            workbenches.popitem(last=False)
    workbenches.move_to_end(name)
    while len(workbenches) > 1 and sum(each.taken for each in workbenches.values()) > ROOM:
        workbenches.popitem(last=False)
    return workbenches[name]
