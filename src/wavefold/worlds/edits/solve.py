"""Solve an edit with few changes around the wanted cells.

Wanted cells that are far apart are solved separately. For each group, rings of cells around the wanted cells
are freed, with all others fixed, until a solution is found. Then unnecessary changes are undone. Cells
farther away than `reach` never change. If all cells within reach are free and there is provably no solution,
the error lists the requirements that contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, Contradiction, WorldError
from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.host.seeding import mix
from wavefold.solver import Explanation
from wavefold.solver.edit.map_repair import (
    PatternByCell,
    add_neighbours,
    find_broken_cells,
    iterate_radii,
    prefer_patterns,
    restore_patterns,
    solve_cells,
    solve_part,
)
from wavefold.solver.explanation import Requirement, explain
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.propagators import CellMask
from wavefold.tiles import Rules
from wavefold.topology.base import TopologyPart
from wavefold.topology.lattice import make_box
from wavefold.worlds.edits.edit import Cell, Wanted, list_wanted_patterns

EDIT_REACH = 16  # cells around a wanted one that may change
FARTHEST_EDIT_REACH = 64
RADII = (0, 1, 2, 3, 5, 8, 12, 16, 24, 32, 48, 64)
MOST_VARIANTS = 8  # patterns of a tile that are compared
MOST_CELLS = 1 << 20  # of the rectangle around cells that are solved together
MOST_NUMBERS = 1 << 26  # cells times patterns
STAGE = 101  # in seeds; the stages of windows are smaller
# Attempts for each ring: (order, whether to prefer old patterns). With preference, fewer cells change, but
# the search is slow where old patterns do not fit; row by row without preference is fastest.
ATTEMPTS = (("entropy", True), ("scanline", True), ("scanline", False), ("scanline", False))
FORBIDDEN_WEIGHT = 0.001  # factor on the weight of a pattern that a field excludes

ReadRegion = Callable[[int, int, int, int], NDArray[np.int32]]  # x, y, width, height -> [row, column]
ReadEarlier = Callable[[int, int, int, int], Wanted]  # likewise -> requests of earlier edits
FieldWords = Callable[[int, int, int, int], NDArray[np.uint64]]  # -> [row, column, word]


def solve_edit(
    rules: Rules,
    region: ReadRegion,
    wanted: Wanted,
    earlier: ReadEarlier,
    *,
    reach: int = EDIT_REACH,
    seed: int = 0,
    fields: FieldWords | None = None,
    required: FieldWords | None = None,
) -> dict[Cell, int]:
    """Solve an edit; returns {cell: pattern} for all wanted cells and all other changed cells.

    Raises `Contradiction` if it is proved that there is no solution, and `WorldError` if none was found.

    region : reads the current world
    earlier : reads the tiles requested by earlier edits, which stay
    fields : reads preferred patterns
    required : reads permitted patterns, which the current world meets
    """
    if not 0 <= reach <= FARTHEST_EDIT_REACH:
        raise ConfigError(f"reach must be a whole number from 0 to {FARTHEST_EDIT_REACH}, not {reach}")
    changes: dict[Cell, int] = {}
    for group in group_cells(wanted, reach):
        changes |= Surroundings(rules, region, group, earlier, reach, fields, required).solve(seed)
    return changes


def is_final(error: Exception) -> bool:
    """Return whether the wanted cells contradict each other, so that a larger reach would not help."""
    why = error.explanation if isinstance(error, Contradiction) else None
    return why is not None and all(each.kind == "pin" for each in why.requirements)


def group_cells(wanted: Wanted, reach: int) -> Iterator[dict[Cell, Any]]:
    """Yield groups of wanted cells; the cells that may change for different groups do not touch."""
    side = 2 * reach + 2
    squares: dict[Cell, list[Cell]] = {}
    for x, y in wanted:
        squares.setdefault((x // side, y // side), []).append((x, y))
    while squares:
        waiting, members = [next(iter(squares))], []
        while waiting:
            i, j = waiting.pop()
            members += squares.pop((i, j), [])
            near = [(i + right, j + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
            waiting += [square for square in near if square in squares]
        yield {cell: wanted[cell] for cell in sorted(members)}


class WorldPart(TopologyPart):
    """Some cells of a world, described by their world coordinates."""

    def __init__(self, whole: Any, cells: PatternByCell, origin: Cell, width: int) -> None:
        super().__init__(whole, cells)
        self.origin, self.width = origin, width

    def world_cell(self, cell: int) -> Cell:
        """Return the world coordinates (x, y) of a cell, given by its number."""
        down, right = divmod(int(self.cells[cell]), self.width)
        return self.origin[0] + right, self.origin[1] + down

    def describe(self, cell: int) -> str:
        return str(self.world_cell(cell))


class Surroundings:
    """A group of wanted cells with all cells around them that may change, and a fixed rim."""

    def __init__(
        self,
        rules: Rules,
        region: ReadRegion,
        wanted: Mapping[Cell, Any],
        earlier: ReadEarlier,
        reach: int,
        fields: FieldWords | None,
        required: FieldWords | None,
    ) -> None:
        self.rules, self.wanted, self.reach = rules, wanted, reach
        across, down = zip(*wanted, strict=True)
        left, top = min(across) - reach - 1, min(down) - reach - 1
        width, height = max(across) + reach + 2 - left, max(down) + reach + 2 - top
        if width * height > MOST_CELLS:
            raise ConfigError(
                f"this edit extends over {width:,} x {height:,} cells, more than {MOST_CELLS:,} in all; "
                "make several edits"
            )
        near, inside = mark_around(wanted, left, top, width, height, reach)
        if near.sum() * len(rules) > MOST_NUMBERS:
            raise ConfigError(
                f"this edit may change {int(inside.sum()):,} cells of {len(rules):,} patterns, which is too "
                "much; make several edits, or use a smaller reach"
            )
        grid = make_box(rules.topology, width, height)
        numbers = np.flatnonzero(near.reshape(-1))
        self.part = WorldPart(grid, numbers, (left, top), width)
        self.kept: CellMask = ~inside.reshape(-1)[numbers]
        self.old: PatternByCell = region(left, top, width, height).reshape(-1)[numbers].astype(np.int64)
        self.number = {self.part.world_cell(cell): cell for cell in range(numbers.size)}
        self.is_wanted: CellMask = np.isin(np.arange(numbers.size), [self.number[cell] for cell in wanted])
        weights = None if fields is None else self._weigh(fields(left, top, width, height))
        before = earlier(left, top, width, height)
        pins = {cell: name for cell, name in before.items() if cell in self.number} | dict(wanted)
        self.required = None if required is None else self._read(required(left, top, width, height))
        self.problem = Problem(rules, self.part, masks=self.required, weights=weights).replace(
            pins=tuple(
                Pin(self.number[cell], name, list_wanted_patterns(rules, name)) for cell, name in pins.items()
            )
        )

    def solve(self, seed: int) -> dict[Cell, int]:
        """Solve the group; returns {cell: pattern} of the wanted cells and of changed cells."""
        x, y = next(iter(self.wanted))
        found = self._solve(mix(seed, STAGE, x, y, len(self.wanted)))
        changed = (found != self.old) | self.is_wanted
        return {self.part.world_cell(cell): int(found[cell]) for cell in np.flatnonzero(changed).tolist()}

    def _solve(self, seed: int) -> PatternByCell:
        """Find a valid map [cell] with all wanted tiles."""
        patterns = self.old.copy()
        patterns[find_broken_cells(self.problem, patterns) & self.is_wanted] = -1
        if not (patterns < 0).any():
            return patterns
        # Try all patterns of a single wanted tile, to find the one with the fewest changes.
        variants = self._variants(patterns)
        for free in self._rings(patterns < 0):
            answers = [self._solve_ring(each, free, seed) for each in variants]
            found = [answer for answer in answers if answer is not None]
            if found:
                return min(found, key=lambda answer: int((answer != self.old).sum()))
        return self._solve_everything(patterns, seed)

    def _solve_ring(self, patterns: PatternByCell, free: CellMask, seed: int) -> PatternByCell | None:
        """Find a map in which only free cells differ; or None."""
        broken = find_broken_cells(self.problem, patterns)
        if not broken.any():
            return patterns
        free = free & ~(self.is_wanted & (patterns >= 0) & (patterns != self.old))  # not those of the variant
        for number, (order, prefer) in enumerate(ATTEMPTS):
            found, is_proof = solve_cells(self.problem, patterns, free, broken, seed + number, order, prefer)
            if found is not None:
                return restore_patterns(self.problem, patterns, found, broken, seed)
            if is_proof:
                return None
        return None

    def _variants(self, patterns: PatternByCell) -> list[PatternByCell]:
        """Return the map with each possible pattern of a single wanted cell, if there are few."""
        asked = np.flatnonzero(patterns < 0)
        if asked.size > 1:
            return [patterns]
        choices = np.flatnonzero(unpack_bits(self.problem.domains[asked[0]], len(self.rules)))
        if choices.size > MOST_VARIANTS:
            return [patterns]
        return [np.where(patterns < 0, pattern, patterns) for pattern in choices] or [patterns]

    def _rings(self, asked: CellMask) -> Iterator[CellMask]:
        """Yield the cells to free: the undecided wanted cells, then rings around them."""
        free = asked.copy()

        def free_ring(_: int) -> bool:
            nonlocal free
            before = free
            free = add_neighbours(self.problem, free) & ~self.kept
            return bool((free != before).any())

        for _ in iterate_radii((*(each for each in RADII if each < self.reach), self.reach), free_ring):
            yield free

    def _solve_everything(self, patterns: PatternByCell, seed: int) -> PatternByCell:
        """Solve with all cells within reach free; raises an error, with a proof if possible."""
        weights = prefer_patterns(self.problem, patterns, np.arange(patterns.size), ~self.kept)
        part = self.problem.replace(weights=weights)
        attempt = solve_part(part, patterns, ~self.kept, seed, "entropy", 20_000 + 20 * patterns.size)
        if attempt.patterns is not None:
            return attempt.patterns.astype(np.int64)
        if attempt.is_proof:
            raise Contradiction(
                f"it is impossible to have {self._list_wanted()}", None, lambda: self._explain(patterns)
            )
        raise WorldError(
            f"no solution with {self._list_wanted()} was found with changes within {self.reach} cells; "
            "nothing was changed. Try another reach, or fewer cells"
        )

    def _explain(self, patterns: PatternByCell) -> Explanation:
        """Explain which requirements contradict each other, in world coordinates."""
        rim = np.ones((patterns.size, len(self.rules)), bool)
        if self.required is not None:
            rim &= self.required
        rim[self.kept] = np.arange(len(self.rules)) == patterns[self.kept, None]
        problem = Problem(self.rules, self.part, masks=rim).replace(pins=self.problem.pins)
        found = explain(problem, proved=True)
        requirements = tuple(self._describe(each) for each in found.requirements)
        lines = [f"it is impossible to have {self._list_wanted()} with changes within {self.reach} cells:"]
        lines += [f"  - {each.text}" for each in requirements] or [f"  - {found}"]
        return replace(found, requirements=requirements, cells=(), sentence="\n".join(lines))

    def _describe(self, requirement: Requirement) -> Requirement:
        cell = self.part.world_cell(requirement.cell)
        if requirement.kind == "pin":
            assert isinstance(requirement.item, Pin)
            name = requirement.item.name
            assert isinstance(name, str | tuple)
            when = "is wanted" if cell in self.wanted else "was wanted by an earlier edit"
            text = f"{format_tile(name)} at {cell}, which {when}"
        elif not self.kept[requirement.cell]:
            text = f"the planned roads of the network at {cell}"
        else:
            name = self.rules.names[self.old[requirement.cell]]
            text = f"{name!r} at {cell}, beyond the reach of the edit"
        return Requirement(requirement.kind, text, -1, cell)

    def _list_wanted(self) -> str:
        shown = [f"{format_tile(name)} at {cell}" for cell, name in list(self.wanted.items())[:3]]
        more = len(self.wanted) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more else "")

    def _weigh(self, words: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Return the weights [cell, pattern], much smaller for patterns that the fields exclude."""
        return self.rules.weights * np.where(self._read(words), 1.0, FORBIDDEN_WEIGHT)

    def _read(self, words: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return [cell, pattern]: whether a cell of the part may have a pattern."""
        return unpack_bits(words.reshape(-1, words.shape[2])[self.part.cells], len(self.rules))


def mark_around(
    wanted: Iterable[Cell], left: int, top: int, width: int, height: int, reach: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return two masks [row, column]: cells near a wanted cell including the rim, and without it."""
    near, inside = np.zeros((height, width), bool), np.zeros((height, width), bool)
    for x, y in wanted:
        row, column = y - top, x - left
        inside[row - reach : row + reach + 1, column - reach : column + reach + 1] = True
        near[row - reach - 1 : row + reach + 2, column - reach - 1 : column + reach + 2] = True
    return near, inside


def format_tile(name: str | Sequence[str]) -> str:
    """Format a tile or a choice of patterns for a sentence."""
    if isinstance(name, str):
        return repr(name)
    return " or ".join(map(repr, name[:3])) + (" or …" if len(name) > 3 else "")
