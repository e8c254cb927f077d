"""The plan of an endless world: its windows, their dependencies, and the fixed cells of interiors.

A corner window lies around each point where chunks meet. Edge windows lie between corners, along the border
of two chunks. Joints lie where corners and edges meet, so that no rim is visible on the border. A chunk
without its first row and column is an interior: it keeps a ragged strip of the cells that were solved along
its borders (see `find_fixed_cells`), and the rest is solved again.

Windows are solved in this order, with everything around them fixed. Corners depend only on the base, edges on
the base and two corners, joints on a corner and an edge. So a chunk depends only on its four corners and its
four edges with their joints.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.host.seeding import mix
from wavefold.options.groups import WorldOptions
from wavefold.options.option import find_option
from wavefold.options.values import require_integer

# Stages; an east edge runs east from its corner, and has a joint at either end.
CORNER, EAST_EDGE, SOUTH_EDGE, INTERIOR, WEST_JOINT, EAST_JOINT, NORTH_JOINT, SOUTH_JOINT, GROUND = range(
    1, 10
)
STAGE_NAMES = {
    CORNER: "corner", EAST_EDGE: "edge", SOUTH_EDGE: "edge", INTERIOR: "interior",
    WEST_JOINT: "joint", EAST_JOINT: "joint", NORTH_JOINT: "joint", SOUTH_JOINT: "joint", GROUND: "ground",
}  # fmt: skip
STAGES = ("corner", "edge", "joint", "interior")  # in the order in which windows are generated
MOST_COORDINATE = 1 << 40  # cells
MOST_CELLS = 1 << 26  # of one region
RAGGED_CELLS = 4  # beyond the reach of constraints, so that the ragged border of interiors has room

PatternGrid: TypeAlias = NDArray[np.int32]  # [row, column]
CellMask: TypeAlias = NDArray[np.bool_]  # [row, column]
WordGrid: TypeAlias = NDArray[np.uint64]  # [row, column, word]
ChunkPosition: TypeAlias = tuple[int, int]  # (cx, cy)


class Window(NamedTuple):
    """A rectangle of cells that is solved as a whole, with its rim fixed."""

    stage: int
    i: int  # (i, j): the chunk to which it belongs
    j: int
    x: int  # (x, y): its first cell
    y: int
    width: int
    height: int

    @property
    def key(self) -> tuple[int, int, int]:
        """A key that identifies the window within the world."""
        return self.stage, self.i, self.j

    def __str__(self) -> str:
        return f"{STAGE_NAMES[self.stage]} ({self.i}, {self.j}): {self.width} x {self.height} cells"


class Plan(NamedTuple):
    """The sizes that define the windows.

    radius : the distance from the point where chunks meet to the border of a corner window
    half_width : the distance from the border of chunks to that of an edge window; less than `radius`, so that
        edges do not touch
    reach : the largest distance between cells of one constraint; 1 without constraints. It is the width of
        the rim, and windows of one stage are farther apart, so that they cannot contradict each other
    """

    chunk: int = 64
    radius: int = 11
    half_width: int = 10
    reach: int = 1

    @classmethod
    def parse(cls, chunk: object, radius: object = None, half_width: object = None, reach: int = 1) -> Plan:
        """Return the plan for chunks of this size; the default radius is 11 if chunk and reach allow it.

        Raises ConfigError for sizes that do not fit.
        """
        side = require_integer("chunk", chunk)
        find_option(WorldOptions, "chunk").check(side)
        if radius is None:
            smallest = reach // 2 + 1 + reach if reach > 1 else 1
            corner = max(smallest, min(max(11, smallest + RAGGED_CELLS), (side - reach - 1) // 2))
        else:
            corner = require_integer("radius", radius)
        width = corner - reach if half_width is None else require_integer("half_width", half_width)
        return cls(side, corner, width, reach).validate()

    def validate(self) -> Plan:
        """Return the plan; raises ConfigError for sizes that do not fit."""
        if self.reach > 1:
            self._validate_reach()
        if self.chunk < 2 * self.radius + 2:
            raise ConfigError(
                f"chunks of {self.chunk} cells are too small for corner windows of radius {self.radius}; "
                f"use at least {2 * self.radius + 2}"
            )
        if not 0 <= self.half_width < self.radius:
            raise ConfigError(
                f"edge windows of half width {self.half_width} must be narrower than corner windows of "
                f"radius {self.radius}"
            )
        return self

    def _validate_reach(self) -> None:
        reach = self.reach
        if self.chunk < 2 * self.radius + reach + 1 or self.half_width > self.radius - reach:
            least = 2 * (self.margin + reach) + reach + 1
            raise ConfigError(
                f"these constraints concern cells up to {reach} apart, so independent windows must be more "
                f"than {reach} cells apart; with chunks of {self.chunk} cells, radius {self.radius} and "
                f"half_width {self.half_width} they are not. Use chunks of at least {least} cells with the "
                "default radius, or constraints on nearer cells"
            )
        if self.half_width < self.margin:
            raise ConfigError(
                f"edge windows of half width {self.half_width} are too narrow for constraints on cells up to "
                f"{reach} apart; use at least {self.margin}"
            )

    @property
    def margin(self) -> int:
        """The distance of an interior from the border, so that two interiors are more than `reach` apart."""
        return self.reach // 2 + 1

    def check_chunk(self, i: int, j: int) -> None:
        """Raise ConfigError for a chunk with cells beyond the limit of coordinates."""
        for end in (0, 1):
            check_distance((i + end) * self.chunk, (j + end) * self.chunk)

    def corner(self, i: int, j: int) -> Window:
        """Return the window around the point where chunk (i, j) begins."""
        reach = 2 * self.radius + 1
        return Window(CORNER, i, j, i * self.chunk - self.radius, j * self.chunk - self.radius, reach, reach)

    def east_edge(self, i: int, j: int) -> Window:
        """Return the window along the northern border of chunk (i, j)."""
        x, y = i * self.chunk + self.radius + 1, j * self.chunk - self.half_width
        return Window(EAST_EDGE, i, j, x, y, self.chunk - 2 * self.radius - 1, 2 * self.half_width + 1)

    def south_edge(self, i: int, j: int) -> Window:
        """Return the window along the western border of chunk (i, j)."""
        x, y = i * self.chunk - self.half_width, j * self.chunk + self.radius + 1
        return Window(SOUTH_EDGE, i, j, x, y, 2 * self.half_width + 1, self.chunk - 2 * self.radius - 1)

    @property
    def joint(self) -> tuple[int, int]:
        """The half length and half width of a joint along the border; (0, 0) if there is no joint."""
        length = self.chunk - 2 * self.radius - 1
        along = min(self.radius // 2, (length - 2) // 2)
        if self.reach > 1:
            along = min(along, (length - self.reach) // 2, self.radius - self.reach - 2)
        # Joints of one corner do not touch.
        across = min(self.radius - along - max(2, self.reach + 1), self.half_width - 1)
        return (along, across) if along > 0 and across >= 0 else (0, 0)

    def joints(self, edge: Window) -> tuple[Window, ...]:
        """Return the windows at both ends of an edge, where it meets the corners."""
        along, across = self.joint
        if not along:
            return ()
        i, j, length, width = edge.i, edge.j, 2 * along + 1, 2 * across + 1
        x, y = i * self.chunk, j * self.chunk
        near, far = self.radius - along, self.chunk - self.radius - along
        if edge.stage == EAST_EDGE:
            return (
                Window(WEST_JOINT, i, j, x + near, y - across, length, width),
                Window(EAST_JOINT, i, j, x + far, y - across, length, width),
            )
        return (
            Window(NORTH_JOINT, i, j, x - across, y + near, width, length),
            Window(SOUTH_JOINT, i, j, x - across, y + far, width, length),
        )

    def interior(self, i: int, j: int) -> Window:
        """Return the interior of chunk (i, j): without its first row and column, or with a wider margin."""
        side = self.chunk + 1 - 2 * self.margin
        return Window(INTERIOR, i, j, i * self.chunk + self.margin, j * self.chunk + self.margin, side, side)

    def content(self, window: Window, plane: NDArray[Any]) -> NDArray[Any]:
        """Return the content of a window, from a plane [row, column] of the window with its rim.

        The content of an interior is the whole chunk; other windows have no rim.
        """
        rim = self.reach
        if window.stage != INTERIOR:
            return plane[rim:-rim, rim:-rim]
        first = rim - self.margin
        return plane[first : first + self.chunk, first : first + self.chunk]

    def ground_windows(self, window: Window) -> tuple[Window, ...]:
        """Return the squares of chunk size, around points where chunks meet, that a window overlaps.

        If the base is open ground, they are solved before all other windows. Their rims lie in the middle of
        chunks, where interiors are solved again.
        """
        half = self.chunk // 2
        columns = range(
            (window.x - 1 + half) // self.chunk, (window.x + window.width + half) // self.chunk + 1
        )
        rows = range((window.y - 1 + half) // self.chunk, (window.y + window.height + half) // self.chunk + 1)
        side = self.chunk - 1
        return tuple(
            Window(GROUND, i, j, i * self.chunk - half + 1, j * self.chunk - half + 1, side, side)
            for j in rows
            for i in columns
        )

    def needs(self, window: Window) -> tuple[Window, ...]:
        """Return the windows that a window depends on, in order of generation."""
        i, j = window.i, window.j
        if window.stage in (CORNER, GROUND):
            return ()
        if window.stage == EAST_EDGE:
            return self.corner(i, j), self.corner(i + 1, j)
        if window.stage == SOUTH_EDGE:
            return self.corner(i, j), self.corner(i, j + 1)
        if window.stage != INTERIOR:
            edge = (self.east_edge if window.stage in (WEST_JOINT, EAST_JOINT) else self.south_edge)(i, j)
            return (*self.needs(edge), edge)
        corners = tuple(self.corner(i + right, j + down) for down in (0, 1) for right in (0, 1))
        edges = (
            self.east_edge(i, j), self.east_edge(i, j + 1), self.south_edge(i, j), self.south_edge(i + 1, j)
        )  # fmt: skip
        return (*corners, *edges, *(joint for edge in edges for joint in self.joints(edge)))

    def for_chunk(self, i: int, j: int) -> tuple[Window, ...]:
        """Return all windows of chunk (i, j), each after those it depends on."""
        interior = self.interior(i, j)
        return (*self.needs(interior), interior)


def check_size(width: int, height: int) -> None:
    """Raise ConfigError for a region that is empty or too large."""
    if width < 1 or height < 1:
        raise ConfigError(f"a region of {width} x {height} cells is empty; both must be at least 1")
    if width * height > MOST_CELLS:
        raise ConfigError(f"a region of {width * height:,} cells is too large: at most {MOST_CELLS:,}")


def check_distance(x: int, y: int) -> None:
    """Raise ConfigError for a cell beyond the limit of coordinates."""
    if max(abs(x), abs(y)) > MOST_COORDINATE:
        raise ConfigError(f"({x}, {y}) is too far away: coordinates must be within ±2**40 cells")


def parse_rectangle(x0: Any, y0: Any, width: Any, height: Any) -> tuple[int, int, int, int]:
    """Parse a rectangle of integers; raises ConfigError if it is empty, too large or too far away."""
    given = {"x0": x0, "y0": y0, "width": width, "height": height}
    x0, y0, width, height = (require_integer(name, value) for name, value in given.items())
    check_size(width, height)
    check_distance(x0, y0)
    check_distance(x0 + width, y0 + height)
    return x0, y0, width, height


# --- the fixed cells of interiors ----------------------------------------------------------------

NORTH, EAST, SOUTH, WEST = range(4)
STEPS = 32  # of a walk, from one 64-bit number
FREE_RADIUS = 5  # of the free cells around an unmet soft mask


def find_fixed_cells(plan: Plan, window: Window, seed: int, unmet: CellMask | None = None) -> CellMask:
    """Find the cells of an interior with its rim that keep the patterns of its borders.

    Edges solve the cells on both sides of a border together. If only the border itself were fixed, each side
    would be solved independently, and structures that cross the border would end behind it more often than
    elsewhere. So cells near the border stay, up to a ragged border; a straight line would only move the
    problem. Around soft masks that an edge could not meet, cells are free up to the border: an interior does
    not touch the base, which may have prevented it.

    unmet : the cells whose soft mask is not met
    """
    beyond = plan.reach - plan.margin  # the border of the chunk
    side = plan.chunk + 1 + 2 * beyond
    depth = np.arange(side) - beyond  # from the north or the west
    i, j = window.i, window.j
    deepest = max(0, plan.half_width - 1)  # excludes the outermost cells of the edge, which touch the base
    least = min(max(1, plan.margin - 1), deepest)
    north, east, south, west = (
        walk_depths(mix(seed, window.stage, direction, i, j), side, least, deepest)
        for direction in (NORTH, EAST, SOUTH, WEST)
    )
    fixed = (depth[:, None] <= north) | (depth[::-1, None] <= south)
    fixed |= (depth <= west[:, None]) | (depth[::-1] <= east[:, None])
    if unmet is not None:
        fixed &= ~dilate(unmet, FREE_RADIUS)
        fixed = with_rim(fixed, plan.reach)
    return np.asarray(fixed)


def with_rim(mask: CellMask, rim: int = 1) -> CellMask:
    """Return a copy of the mask with the outermost rows and columns set."""
    part = mask.copy()
    part[:rim] = part[-rim:] = part[:, :rim] = part[:, -rim:] = True
    return part


def dilate(marks: CellMask, reach: int) -> CellMask:
    """Extend each marked cell to the square of 2 * reach + 1 cells around it."""
    size = 2 * reach + 1
    rows = sliding_window_view(np.pad(marks, reach), size, axis=0).any(axis=-1)
    return np.asarray(sliding_window_view(rows, size, axis=1).any(axis=-1))


def walk_depths(seed: int, length: int, least: int, most: int) -> NDArray[np.int64]:
    """Return how many cells stay behind each cell along a border: a random walk between two bounds."""
    words = np.array([mix(seed, part) for part in range(-(-length // STEPS))], np.uint64)
    bits = words[:, None] >> np.arange(0, 2 * STEPS, 2, dtype=np.uint64) & np.uint64(3)
    steps = np.array([-1, 0, 0, 1])[bits.reshape(-1)[:length]]
    span = max(1, most - least)
    walk = (np.cumsum(steps) + seed % (2 * span)) % (2 * span)
    return np.asarray(np.minimum(least + np.abs(walk - span), most))
