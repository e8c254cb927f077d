"""Plan the roads of a world, as a function of the seed and the position.

The plane is divided into plots of `spacing` x `spacing` tiles, each with one town, and into squares of 2 x 2
plots. Within a square, three of the four pairs of adjacent towns are joined, and to each adjacent square, one
of the two possible roads is built. So all towns are connected, without long detours. A town with a single
road gets another one, so that no road ends.

The position where a road crosses the border of two plots depends only on this border. Within a plot, roads
follow lines at irregular distances, so that bends and forks do not touch. They take the cheapest route to the
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
LINE_DISTANCE = 3  # tiles from line to line, so that there are two straight tiles between bends
MARGIN_TILES = 2  # along the border of a plot, used only by roads across the border
MOST_ROADS = 3  # that meet in a tile
ATTEMPTS = 64
EVEN_COST, MOST_WINDING = 64, 1024  # the cost of a tile, and the largest random addition to it
MOST_CACHED = 1024  # plots

RoadSides = NDArray[np.uint8]  # [row, column] the sides of roads, as bits 1 << NORTH, EAST, SOUTH, WEST
Point = tuple[int, int]  # (column, row)


class PlotPlan(NamedTuple):
    """The roads of one plot."""

    roads: RoadSides
    town: Point  # within the plot


class RoadPlan:
    """The roads of a whole plane. Thread-safe.

    spacing : tiles across a plot
    winding : 0 for roads as straight as possible, 1 for winding roads
    """

    def __init__(self, seed: int, spacing: int, winding: float) -> None:
        self.seed, self.spacing = seed, spacing
        self._chance = 1 + round(winding * MOST_WINDING)
        self._plots: BoundedCache[PlotPlan] = BoundedCache(MOST_CACHED)

    def roads(self, x0: int, y0: int, width: int, height: int) -> RoadSides:
        """Return the roads of a rectangle of tiles."""
        side = self.spacing
        found = np.zeros((height, width), np.uint8)
        for j in range(y0 // side, (y0 + height - 1) // side + 1):
            for i in range(x0 // side, (x0 + width - 1) // side + 1):
                left, top = max(x0, i * side), max(y0, j * side)
                right, bottom = min(x0 + width, (i + 1) * side), min(y0 + height, (j + 1) * side)
                part = self.plot(i, j).roads[
                    top - j * side : bottom - j * side, left - i * side : right - i * side
                ]
                found[top - y0 : bottom - y0, left - x0 : right - x0] = part
        return found

    def towns(self, x0: int, y0: int, width: int, height: int) -> list[Point]:
        """List the towns in a rectangle of tiles, plot by plot."""
        side, found = self.spacing, []
        for j in range(y0 // side, (y0 + height - 1) // side + 1):
            for i in range(x0 // side, (x0 + width - 1) // side + 1):
                column, row = self.plot(i, j).town
                x, y = i * side + column, j * side + row
                if x0 <= x < x0 + width and y0 <= y < y0 + height:
                    found.append((x, y))
        return found

    def plot(self, i: int, j: int) -> PlotPlan:
        """Return the plan of plot (i, j)."""
        return self._plots.get((i, j), lambda: self._plan_plot(i, j))

    # --- joined towns ------------------------------------------------------------------------------

    def exits(self, i: int, j: int) -> dict[int, int]:
        """Return where roads cross each side of a plot, in tiles from its west or north end."""
        return {side: self._crossing(i, j, side) for side in STEPS if self.is_joined(i, j, side)}

    def is_joined(self, i: int, j: int, side: int) -> bool:
        """Return whether a road leads from a plot across this side."""
        right, down = STEPS[side]
        other = i + right, j + down
        opposite = (side + 2) % 4
        return (
            self._is_spanned(i, j, side)
            or self._second_road(i, j) == side
            or self._second_road(*other) == opposite
        )

    def _is_spanned(self, i: int, j: int, side: int) -> bool:
        """Return whether the road across this side is one of those that connect all towns."""
        if side in (WEST, NORTH):
            right, down = STEPS[side]
            return self._is_spanned(i + right, j + down, (side + 2) % 4)
        square, across, place = (i // 2, j // 2), (i, j)[side == SOUTH] % 2, (j, i)[side == SOUTH] % 2
        if not across:  # within the square, which has three of its four roads
            return mix(self.seed, SQUARE, *square) % 4 != place + 2 * (side == SOUTH)
        return mix(self.seed, DOWN if side == SOUTH else ACROSS, *square) % 2 == place

    def _second_road(self, i: int, j: int) -> int | None:
        """Return the side of the second road of a town that would have only one; otherwise None."""
        missing = [side for side in STEPS if not self._is_spanned(i, j, side)]
        return missing[mix(self.seed, SECOND, i, j) % 3] if len(missing) == 3 else None

    def _crossing(self, i: int, j: int, side: int) -> int:
        """Return the position of a crossing, a multiple of the distance of lines from the margin."""
        right, down = STEPS[side]
        at = (i, j, side) if side in (EAST, SOUTH) else (i + right, j + down, (side + 2) % 4)
        places = (self.spacing - 2 * MARGIN_TILES - 1) // LINE_DISTANCE + 1
        return MARGIN_TILES + LINE_DISTANCE * (mix(self.seed, CROSSING, *at) % places)

    # --- the roads of a plot -----------------------------------------------------------------------

    def _plan_plot(self, i: int, j: int) -> PlotPlan:
        exits = self.exits(i, j)
        for attempt in range(ATTEMPTS):
            routes = PlotRoutes(mix(self.seed, ROUTE, i, j, attempt), self.spacing, exits, self._chance)
            if routes.join(through_town=attempt < ATTEMPTS // 2):
                return routes.draw()
        raise WorldError(f"internal error: no roads were found for plot ({i}, {j}) of the network")


class PlotRoutes:
    """An attempt to join the exits of a plot with its town."""

    def __init__(self, seed: int, spacing: int, exits: dict[int, int], chance: int) -> None:
        self.seed, self.spacing, self.exits, self._chance = seed, spacing, exits, chance
        self.columns = self._choose_lines(0, (NORTH, SOUTH))
        self.rows = self._choose_lines(1, (WEST, EAST))
        self.degree: dict[Point, int] = {}  # of (column line, row line), including roads across the border
        self.edges: list[tuple[Point, Point]] = []
        self.town = (
            mix(seed, 2) % (len(self.columns) - 2) + 1, mix(seed, 3) % (len(self.rows) - 2) + 1
        )  # fmt: skip

    def _choose_lines(self, axis: int, sides: tuple[int, int]) -> list[int]:
        """Choose the tiles of lines across an axis: those of exits, and random others."""
        places = range(MARGIN_TILES, self.spacing - MARGIN_TILES)
        chosen = {self.exits[side] for side in sides if side in self.exits}
        for place in sorted(places, key=lambda place: mix(self.seed, axis, place)):
            if all(abs(place - other) >= LINE_DISTANCE for other in chosen):
                chosen.add(place)
        return sorted(chosen)

    def join(self, through_town: bool) -> bool:
        """Join all exits; returns False if one of them cannot be joined.

        through_town : whether two roads lead to the town. Otherwise it lies where the first road meets a line
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
        """Return the point where the road across this side meets the first line."""
        if side in (NORTH, SOUTH):
            return self.columns.index(self.exits[side]), 0 if side == NORTH else len(self.rows) - 1
        return 0 if side == WEST else len(self.columns) - 1, self.rows.index(self.exits[side])

    def _build(self, path: list[Point]) -> None:
        for here, there in pairwise(path):
            self.edges.append((here, there))
            self.degree[here] = self.degree.get(here, 0) + 1
            self.degree[there] = self.degree.get(there, 0) + 1

    def _find_path(self, start: Point, goals: set[Point], joined: set[Point]) -> list[Point] | None:
        """Find the cheapest path to a goal with room for another road, without other joined points."""
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

    def draw(self) -> PlotPlan:
        """Draw the tiles of the roads."""
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
        return PlotPlan(roads, self._tile(self.town))

    def _tile(self, point: Point) -> Point:
        return self.columns[point[0]], self.rows[point[1]]


def trace_back(came_from: dict[Point, Point | None], point: Point) -> list[Point]:
    """Return the path of points that leads to this one."""
    path, at = [point], came_from[point]
    while at is not None:
        path.append(at)
        at = came_from[at]
    return path[::-1]


def draw_line(roads: RoadSides, start: Point, end: Point) -> None:
    """Add a straight road from one tile to another."""
    (x1, y1), (x2, y2) = min(start, end), max(start, end)
    ahead, back = (EAST, WEST) if y1 == y2 else (SOUTH, NORTH)
    for x, y in zip(*list_line_tiles(x1, y1, x2, y2), strict=True):
        roads[y, x] |= (0 if (x, y) == (x2, y2) else 1 << ahead) | (0 if (x, y) == (x1, y1) else 1 << back)


def list_line_tiles(x1: int, y1: int, x2: int, y2: int) -> tuple[list[int], list[int]]:
    """List the columns and rows of the tiles of a line to the east or south."""
    length = x2 - x1 + y2 - y1 + 1
    return [min(x1 + at, x2) for at in range(length)], [min(y1 + at, y2) for at in range(length)]
