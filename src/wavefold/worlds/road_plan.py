"""Where the roads of a world run: a function of the seed and the position, planned in large cells.

The plane is divided into cells of `spacing` tiles, each with one town. Which towns are joined is decided in
squares of 2 x 2 cells: within a square three of the four pairs of adjacent towns are joined, so all four
are; and one of the two roads that could lead to each adjacent square is built. So the towns of adjacent
squares are joined without a detour through others: the network is connected everywhere. A town with a single
road gets another one, so that no road ends.

A road crosses the border of two cells at a position that depends on the border alone. Within a cell, the
roads follow lines at irregular distances, so that no two bends or forks touch, along the cheapest way to the
town or to an existing road; costs are random.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import WorldError
from wavefold.kernels.host.seeding import mix
from wavefold.storage.cache import BoundedCache
from wavefold.worlds.plan import EAST, NORTH, SOUTH, WEST

STEPS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
SQUARE, ACROSS, DOWN, SECOND, CROSSING, ROUTE = range(200, 206)  # in seeds; stages of windows are smaller
GAP = 3  # tiles between two lines, or one fewer: two straight tiles between bends
MARGIN = 2  # tiles along the border of a cell that only roads across the border use
MOST_ROADS = 3  # that meet in a tile
ATTEMPTS = 64
EVEN_COST, MOST_WINDING = 64, 1024  # cost of a tile of a line, and the largest random addition to it
CELLS = 1024  # kept in memory

Roads = NDArray[np.uint8]  # [row, column] the sides a road leads to, as bits 1 << NORTH, EAST, SOUTH, WEST
Point = tuple[int, int]  # (column, row)


class CellPlan(NamedTuple):
    """The roads of one cell."""

    roads: Roads
    town: Point  # within the cell


class RoadPlan:
    """The roads of a whole plane. Any thread may use it.

    spacing : tiles across a cell
    winding : 0 for roads as straight as they get, 1 for winding ones
    """

    def __init__(self, seed: int, spacing: int, winding: float) -> None:
        self.seed, self.spacing = seed, spacing
        self._chance = 1 + round(winding * MOST_WINDING)
        self._cells: BoundedCache[CellPlan] = BoundedCache(CELLS)

    def roads(self, x0: int, y0: int, width: int, height: int) -> Roads:
        """The roads of a rectangle of tiles."""
        side = self.spacing
        found = np.zeros((height, width), np.uint8)
        for j in range(y0 // side, (y0 + height - 1) // side + 1):
            for i in range(x0 // side, (x0 + width - 1) // side + 1):
                left, top = max(x0, i * side), max(y0, j * side)
                right, bottom = min(x0 + width, (i + 1) * side), min(y0 + height, (j + 1) * side)
                part = self.cell(i, j).roads[
                    top - j * side : bottom - j * side, left - i * side : right - i * side
                ]
                found[top - y0 : bottom - y0, left - x0 : right - x0] = part
        return found

    def towns(self, x0: int, y0: int, width: int, height: int) -> list[Point]:
        """The towns in a rectangle of tiles, row by row of cells."""
        side, found = self.spacing, []
        for j in range(y0 // side, (y0 + height - 1) // side + 1):
            for i in range(x0 // side, (x0 + width - 1) // side + 1):
                column, row = self.cell(i, j).town
                x, y = i * side + column, j * side + row
                if x0 <= x < x0 + width and y0 <= y < y0 + height:
                    found.append((x, y))
        return found

    def cell(self, i: int, j: int) -> CellPlan:
        """The plan of cell (i, j)."""
        return self._cells.get((i, j), lambda: self._plan_cell(i, j))

    # --- which towns are joined ------------------------------------------------------------------

    def exits(self, i: int, j: int) -> dict[int, int]:
        """{side: where the road crosses it, in tiles from its west or north end} of a cell."""
        return {side: self._crossing(i, j, side) for side in STEPS if self.is_joined(i, j, side)}

    def is_joined(self, i: int, j: int, side: int) -> bool:
        """Whether a road leads from a cell across this side."""
        right, down = STEPS[side]
        other = i + right, j + down
        opposite = (side + 2) % 4
        return (
            self._is_spanned(i, j, side)
            or self._second_road(i, j) == side
            or self._second_road(*other) == opposite
        )

    def _is_spanned(self, i: int, j: int, side: int) -> bool:
        """Whether the road across this side is one of those that connect all towns."""
        if side in (WEST, NORTH):
            right, down = STEPS[side]
            return self._is_spanned(i + right, j + down, (side + 2) % 4)
        square, across, place = (i // 2, j // 2), (i, j)[side == SOUTH] % 2, (j, i)[side == SOUTH] % 2
        if not across:  # within the square: of its four roads one is left out
            return mix(self.seed, SQUARE, *square) % 4 != place + 2 * (side == SOUTH)
        return mix(self.seed, DOWN if side == SOUTH else ACROSS, *square) % 2 == place

    def _second_road(self, i: int, j: int) -> int | None:
        """The side of the extra road of a town that would have only one."""
        missing = [side for side in STEPS if not self._is_spanned(i, j, side)]
        return missing[mix(self.seed, SECOND, i, j) % 3] if len(missing) == 3 else None

    def _crossing(self, i: int, j: int, side: int) -> int:
        """Crossings lie on every third tile, so that two of one cell share a line or are apart."""
        right, down = STEPS[side]
        at = (i, j, side) if side in (EAST, SOUTH) else (i + right, j + down, (side + 2) % 4)
        places = (self.spacing - 2 * MARGIN - 1) // GAP + 1
        return MARGIN + GAP * (mix(self.seed, CROSSING, *at) % places)

    # --- the roads of a cell ---------------------------------------------------------------------

    def _plan_cell(self, i: int, j: int) -> CellPlan:
        exits = self.exits(i, j)
        for attempt in range(ATTEMPTS):
            routes = CellRoutes(mix(self.seed, ROUTE, i, j, attempt), self.spacing, exits, self._chance)
            if routes.join(through_town=attempt < ATTEMPTS // 2):
                return routes.draw()
        raise WorldError(f"internal error: no roads were found for the cell ({i}, {j}) of the network")


class CellRoutes:
    """An attempt to join the exits of a cell with its town."""

    def __init__(self, seed: int, spacing: int, exits: dict[int, int], chance: int) -> None:
        self.seed, self.spacing, self.exits, self._chance = seed, spacing, exits, chance
        self.columns = self._choose_lines(0, (NORTH, SOUTH))
        self.rows = self._choose_lines(1, (WEST, EAST))
        self.degree: dict[Point, int] = {}  # of (column line, row line), roads across the border included
        self.edges: list[tuple[Point, Point]] = []
        self.town = (
            mix(seed, 2) % (len(self.columns) - 2) + 1, mix(seed, 3) % (len(self.rows) - 2) + 1
        )  # fmt: skip

    def _choose_lines(self, axis: int, sides: tuple[int, int]) -> list[int]:
        """Tiles where lines across an axis lie: those of the exits, and others by chance."""
        places = range(MARGIN, self.spacing - MARGIN)
        chosen = {self.exits[side] for side in sides if side in self.exits}
        for place in sorted(places, key=lambda place: mix(self.seed, axis, place)):
            if all(abs(place - other) >= GAP for other in chosen):
                chosen.add(place)
        return sorted(chosen)

    def join(self, through_town: bool) -> bool:
        """Join all exits; False if one of them is cut off from the others.

        through_town : two roads lead into the town; otherwise it lies where the first road enters the lines
        """
        ends = {side: self._end(side) for side in self.exits}
        for end in ends.values():
            self.degree[end] = self.degree.get(end, 0) + 1
        order = sorted(ends, key=lambda side: mix(self.seed, 4, side))
        if not through_town:
            self.town = ends[order[0]]
        elif self.town in ends.values():
            return False
        joined = {self.town}
        for number, side in enumerate(order):
            goals = {self.town} if through_town and number < 2 else joined
            if ends[side] not in joined:
                path = self._find_path(ends[side], goals, joined)
                if path is None:
                    return False
                self._build(path)
                joined.update(path)
        return self.degree[self.town] > 1

    def _end(self, side: int) -> Point:
        """Where the road across this side meets the first line."""
        if side in (NORTH, SOUTH):
            return self.columns.index(self.exits[side]), 0 if side == NORTH else len(self.rows) - 1
        return 0 if side == WEST else len(self.columns) - 1, self.rows.index(self.exits[side])

    def _build(self, path: list[Point]) -> None:
        for here, there in pairwise(path):
            self.edges.append((here, there))
            self.degree[here] = self.degree.get(here, 0) + 1
            self.degree[there] = self.degree.get(there, 0) + 1

    def _find_path(self, start: Point, goals: set[Point], joined: set[Point]) -> list[Point] | None:
        """The cheapest path to a goal that has room for one more road, and through no other joined point."""
        came_from: dict[Point, Point | None] = {}
        waiting: list[tuple[int, Point, Point | None]] = [(0, start, None)]
        while waiting:
            cost, point, before = heappop(waiting)
            if point in came_from:
                continue
            came_from[point] = before
            if point in goals:
                return trace_back(came_from, point)
            for right, down in STEPS.values():
                other = point[0] + right, point[1] + down
                if self._may_enter(other, goals, joined) and other not in came_from:
                    heappush(waiting, (cost + self._cost(point, other), other, point))
        return None

    def _may_enter(self, point: Point, goals: set[Point], joined: set[Point]) -> bool:
        if not (0 <= point[0] < len(self.columns) and 0 <= point[1] < len(self.rows)):
            return False
        degree = self.degree.get(point, 0)
        if point in goals:
            return degree < MOST_ROADS
        return point not in joined and degree < MOST_ROADS - 1

    def _cost(self, here: Point, there: Point) -> int:
        (a, b), (c, d) = sorted((here, there))
        length = self.columns[c] - self.columns[a] + self.rows[d] - self.rows[b]
        return length * (EVEN_COST + mix(self.seed, 5, a, b, c, d) % self._chance)

    def draw(self) -> CellPlan:
        """The tiles of the roads."""
        roads = np.zeros((self.spacing, self.spacing), np.uint8)
        for here, there in self.edges:
            draw_line(roads, self._tile(here), self._tile(there))
        last = self.spacing - 1
        for side in self.exits:
            x, y = end = self._tile(self._end(side))
            border = {NORTH: (x, 0), SOUTH: (x, last), WEST: (0, y), EAST: (last, y)}[side]
            draw_line(roads, end, border)
            roads[border[1], border[0]] |= 1 << side
        roads.flags.writeable = False
        return CellPlan(roads, self._tile(self.town))

    def _tile(self, point: Point) -> Point:
        return self.columns[point[0]], self.rows[point[1]]


def trace_back(came_from: dict[Point, Point | None], point: Point) -> list[Point]:
    """The points that led to this one, in order."""
    path, at = [point], came_from[point]
    while at is not None:
        path.append(at)
        at = came_from[at]
    return path[::-1]


def draw_line(roads: Roads, start: Point, end: Point) -> None:
    """Add a straight road from a tile to another."""
    (x1, y1), (x2, y2) = min(start, end), max(start, end)
    ahead, back = (EAST, WEST) if y1 == y2 else (SOUTH, NORTH)
    for x, y in zip(*line_tiles(x1, y1, x2, y2), strict=True):
        roads[y, x] |= (0 if (x, y) == (x2, y2) else 1 << ahead) | (0 if (x, y) == (x1, y1) else 1 << back)


def line_tiles(x1: int, y1: int, x2: int, y2: int) -> tuple[list[int], list[int]]:
    """Columns and rows of the tiles of a line to the east or south."""
    length = x2 - x1 + y2 - y1 + 1
    return [min(x1 + at, x2) for at in range(length)], [min(y1 + at, y2) for at in range(length)]
