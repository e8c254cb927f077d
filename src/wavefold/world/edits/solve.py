"""Settling an edit: the fewest cells around it that must change, with the old ones tried first.

Cells that are wanted far from each other are settled apart. For each group, cells are opened around the
wanted ones ring by ring, everything else held, until a way is found; then whatever need not have changed
goes back. What lies farther than `reach` is never touched. If even all of it open is proved not to be
enough, the edit is impossible, and the error says what stands in its way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import unpack_bits
from wavefold.common.seeding import mix
from wavefold.errors import ConfigError, Contradiction, WorldError
from wavefold.solver import Explanation
from wavefold.solver.explain import Requirement, explain
from wavefold.solver.map_repair import (
    add_neighbours,
    find_broken_cells,
    prefer_patterns,
    restore_patterns,
    solve_cells,
    solve_part,
)
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.widen import widen
from wavefold.tiles import Rules
from wavefold.topology import HexGrid, SquareGrid
from wavefold.topology.part import Part
from wavefold.world.edits.edit import Cell, Wanted, patterns_wanted

REACH = 16  # cells from a wanted one that may change
FARTHEST_REACH = 64
RADII = (0, 1, 2, 3, 5, 8, 12, 16, 24, 32, 48, 64)
MOST_TRIED = 8  # patterns of a tile that are compared
MOST_CELLS = 1 << 20  # of the rectangle around cells that are settled together
MOST_NUMBERS = 1 << 26  # cells times patterns
STAGE = 101  # in the keys of seeds; those of windows are smaller
# How each ring is tried, (order, prefers old patterns), until one finds a way or a proof. Old patterns first
# changes least, but where they do not fit it is stubborn; without them, row by row, a way is found soonest.
WAYS = (("entropy", True), ("scanline", True), ("scanline", False), ("scanline", False))
UNWELCOME = 0.001  # how likely what a field forbids is

Region = Callable[[int, int, int, int], NDArray[np.int32]]  # x, y, width, height -> [row, column]
Earlier = Callable[[int, int, int, int], Wanted]  # the same of what was asked for before
FieldWords = Callable[[int, int, int, int], NDArray[np.uint64]]  # -> [row, column, word]
Flat = NDArray[np.int64]  # [cell]
Cells = NDArray[np.bool_]  # [cell]


def settle(
    rules: Rules,
    region: Region,
    wanted: Wanted,
    earlier: Earlier,
    *,
    reach: int = REACH,
    seed: int = 0,
    fields: FieldWords | None = None,
) -> dict[Cell, int]:
    """{cell: pattern} for every wanted cell and every one that has to change for them.

    `region` reads the world as it is. Cells of `earlier` edits stay what was asked for then. Raises
    `Contradiction` if there is provably no way, `WorldError` if none was found.
    """
    if not 0 <= reach <= FARTHEST_REACH:
        raise ConfigError(f"reach must be a whole number from 0 to {FARTHEST_REACH}, not {reach}")
    settled: dict[Cell, int] = {}
    for group in groups(wanted, reach):
        settled |= Surroundings(rules, region, group, earlier, reach, fields).settled(seed)
    return settled


def is_final(error: Exception) -> bool:
    """Whether what was asked for cannot hold together by itself, so that a wider reach would not help."""
    why = error.explanation if isinstance(error, Contradiction) else None
    return why is not None and all(each.kind == "pin" for each in why.requirements)


def groups(wanted: Wanted, reach: int) -> Iterator[dict[Cell, Any]]:
    """Wanted cells that are near each other; what may change for one group never touches that of another."""
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


class Place(Part):
    """Some cells of a world, spoken of by their place there."""

    def __init__(self, whole: Any, cells: Flat, origin: Cell, width: int) -> None:
        super().__init__(whole, cells)
        self.origin, self.width = origin, width

    def world_cell(self, cell: int) -> Cell:
        """The place (x, y) in the world of a cell by its number."""
        down, right = divmod(int(self.cells[cell]), self.width)
        return self.origin[0] + right, self.origin[1] + down

    def describe(self, cell: int) -> str:
        return str(self.world_cell(cell))


class Surroundings:
    """One group of wanted cells with everything around them that may change, and a rim that stays."""

    def __init__(
        self,
        rules: Rules,
        region: Region,
        wanted: Mapping[Cell, Any],
        earlier: Earlier,
        reach: int,
        fields: FieldWords | None,
    ) -> None:
        self.rules, self.wanted, self.reach = rules, wanted, reach
        across, down = zip(*wanted, strict=True)
        left, top = min(across) - reach - 1, min(down) - reach - 1
        width, height = max(across) + reach + 2 - left, max(down) + reach + 2 - top
        if width * height > MOST_CELLS:
            raise ConfigError(
                f"this edit spreads over {width:,} x {height:,} cells; make it in several, each of at most "
                f"{MOST_CELLS:,} cells in all"
            )
        near, inside = around(wanted, left, top, width, height, reach)
        if near.sum() * len(rules) > MOST_NUMBERS:
            raise ConfigError(
                f"this edit may change {int(inside.sum()):,} cells of {len(rules):,} patterns each, which is "
                "too much at once; make it in several, or with a smaller reach"
            )
        grid = (HexGrid.rhombus if rules.topology == "hex" else SquareGrid)(width, height)
        numbers = np.flatnonzero(near.reshape(-1))
        self.place = Place(grid, numbers, (left, top), width)
        self.kept: Cells = ~inside.reshape(-1)[numbers]
        self.old: Flat = region(left, top, width, height).reshape(-1)[numbers].astype(np.int64)
        self.number = {self.place.world_cell(cell): cell for cell in range(numbers.size)}
        welcome = None if fields is None else self._welcome(fields(left, top, width, height))
        before = earlier(left, top, width, height)
        pins = {cell: name for cell, name in before.items() if cell in self.number} | dict(wanted)
        self.problem = Problem(rules, self.place, weights=welcome).replace(
            pins=tuple(
                Pin(self.number[cell], name, patterns_wanted(rules, name)) for cell, name in pins.items()
            )
        )

    def settled(self, seed: int) -> dict[Cell, int]:
        """What the wanted cells become, and what must change around them."""
        x, y = next(iter(self.wanted))
        found = self._found(mix(seed, STAGE, x, y, len(self.wanted)))
        changed = found != self.old
        changed[[self.number[cell] for cell in self.wanted]] = True
        return {self.place.world_cell(cell): int(found[cell]) for cell in np.flatnonzero(changed).tolist()}

    def _found(self, seed: int) -> Flat:
        """[cell] a valid map that has what is wanted."""
        patterns = self.old.copy()
        patterns[find_broken_cells(self.problem, patterns) & self._is_wanted] = -1
        if not (patterns < 0).any():
            return patterns
        # A lone tile may stand in a few ways: each is tried, to see which changes least.
        tries = list(self._ways(patterns)) or [patterns]
        for opened in self._rings(patterns < 0):
            answers = [self._near(each, opened, seed) for each in tries]
            found = [answer for answer in answers if answer is not None]
            if found:
                return min(found, key=lambda answer: int((answer != self.old).sum()))
        return self._anything(patterns, seed)

    def _near(self, patterns: Flat, opened: Cells, seed: int) -> Flat | None:
        broken = find_broken_cells(self.problem, patterns)
        if not broken.any():
            return patterns
        free = opened & ~self._is_fixed(patterns)
        for number, (order, prefer) in enumerate(WAYS):
            found, is_proof = solve_cells(self.problem, patterns, free, broken, seed + number, order, prefer)
            if found is not None:
                return restore_patterns(self.problem, patterns, found, broken, seed)
            if is_proof:
                return None
        return None

    def _ways(self, patterns: Flat) -> Iterator[Flat]:
        """The map with each pattern a lone wanted cell could have."""
        asked = np.flatnonzero(patterns < 0)
        if asked.size == 1:
            ways = np.flatnonzero(unpack_bits(self.problem.domains[asked[0]], len(self.rules)))
            if ways.size <= MOST_TRIED:
                for pattern in ways:
                    tried = patterns.copy()
                    tried[asked[0]] = pattern
                    yield tried

    def _rings(self, asked: Cells) -> Iterator[Cells]:
        """Cells to open: those asked about, then more and more around them."""
        free = asked.copy()

        def free_ring(_: int) -> bool:
            nonlocal free
            before = free
            free = add_neighbours(self.problem, free) & ~self.kept
            return bool((free != before).any())

        for _ in widen((*(each for each in RADII if each < self.reach), self.reach), free_ring):
            yield free

    def _anything(self, patterns: Flat, seed: int) -> Flat:
        """Free everything within reach: the last attempt, and the proof."""
        weights = prefer_patterns(self.problem, patterns, np.arange(patterns.size), ~self.kept)
        part = self.problem.replace(weights=weights)
        attempt = solve_part(part, patterns, ~self.kept, seed, "entropy", 20_000 + 20 * patterns.size)
        if attempt.patterns is not None:
            return attempt.patterns.astype(np.int64)
        if attempt.is_proof:
            raise Contradiction(
                f"there is no way to have {self._asked()}", None, lambda: self._explained(patterns)
            )
        raise WorldError(
            f"no way was found to have {self._asked()} with changes within {self.reach} cells; nothing "
            "was changed. Another reach, or fewer cells at once, may do"
        )

    def _explained(self, patterns: Flat) -> Explanation:
        """What cannot hold together, in words about the world."""
        rim = np.ones((patterns.size, len(self.rules)), bool)
        rim[self.kept] = np.arange(len(self.rules)) == patterns[self.kept, None]
        problem = Problem(self.rules, self.place, masks=rim).replace(pins=self.problem.pins)
        found = explain(problem, proved=True)
        requirements = tuple(self._describe(each) for each in found.requirements)
        lines = [f"there is no way to have {self._asked()} with changes within {self.reach} cells:"]
        lines += [f"  - {each.text}" for each in requirements] or [f"  - {found}"]
        return replace(found, requirements=requirements, cells=(), sentence="\n".join(lines))

    def _describe(self, requirement: Requirement) -> Requirement:
        cell = self.place.world_cell(requirement.cell)
        if requirement.kind == "pin":
            when = "is wanted" if cell in self.wanted else "was wanted earlier"
            text = f"{spelled(requirement.item.name)} at {cell}, which {when}"
        else:
            name = self.rules.names[self.old[requirement.cell]]
            text = f"{name!r} at {cell}, which is too far away to change"
        return Requirement(requirement.kind, text, -1, cell)

    def _asked(self) -> str:
        shown = [f"{spelled(name)} at {cell}" for cell, name in list(self.wanted.items())[:3]]
        more = len(self.wanted) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more else "")

    @property
    def _is_wanted(self) -> Cells:
        flags = np.zeros(self.old.size, bool)
        flags[[self.number[cell] for cell in self.wanted]] = True
        return flags

    def _is_fixed(self, patterns: Flat) -> Cells:
        """A wanted cell of which one way is tried."""
        return np.asarray(self._is_wanted & (patterns >= 0) & (patterns != self.old))

    def _welcome(self, words: NDArray[np.uint64]) -> NDArray[np.float64]:
        """[cell, pattern] the weights, and much less for what the fields do not want there."""
        allowed = unpack_bits(words.reshape(-1, words.shape[2])[self.place.cells], len(self.rules))
        return self.rules.weights * np.where(allowed, 1.0, UNWELCOME)


def around(
    wanted: Iterable[Cell], left: int, top: int, width: int, height: int, reach: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """[row, column] of a rectangle: what is near a wanted cell, rim included, and what is inside the rim."""
    near, inside = np.zeros((height, width), bool), np.zeros((height, width), bool)
    for x, y in wanted:
        row, column = y - top, x - left
        inside[row - reach : row + reach + 1, column - reach : column + reach + 1] = True
        near[row - reach - 1 : row + reach + 2, column - reach - 1 : column + reach + 2] = True
    return near, inside


def spelled(name: str | Sequence[str]) -> str:
    """A tile, or a choice of patterns, in a sentence."""
    if isinstance(name, str):
        return repr(name)
    return " or ".join(map(repr, name[:3])) + (" or …" if len(name) > 3 else "")
