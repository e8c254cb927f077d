"""The plan of an endless world: its windows, their dependencies, and the cells of borders that stay.

Chunks meet at points, every `chunk` cells. Around each point lies a corner window; between two corner
windows lies an edge window along the border of two chunks; where they meet lies a joint, so that the rim of
neither is visible on the border. A chunk without its first row and column is an interior; a ragged strip of
the cells solved along its borders stays (see `find_fixed_cells`), and the rest is solved again.
Windows are solved in this order, each with everything around it fixed. Corners touch only the base plane,
edges only it and the corners at their ends, joints only a corner and an edge. So a chunk needs its four
corners, its four edges with their joints, and itself, and nothing else of the world.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.host.seeding import mix
from wavefold.options.groups import WorldOptions
from wavefold.options.option import find_option
from wavefold.options.values import require_integer

# Stages; an east edge runs east from its corner, and has a joint at either end.
CORNER, EAST_EDGE, SOUTH_EDGE, INTERIOR, WEST_JOINT, EAST_JOINT, NORTH_JOINT, SOUTH_JOINT, LAND = range(1, 10)
STAGE_NAMES = {
    CORNER: "corner", EAST_EDGE: "edge", SOUTH_EDGE: "edge", INTERIOR: "interior",
    WEST_JOINT: "joint", EAST_JOINT: "joint", NORTH_JOINT: "joint", SOUTH_JOINT: "joint", LAND: "land",
}  # fmt: skip
STAGES = ("corner", "edge", "joint", "interior")  # in the order in which windows are generated
FARTHEST = 1 << 40  # cells
MOST_CELLS = 1 << 26  # of one region
RAGGED = 4  # cells more than needed for a constraint, so that the ragged border of interiors has room


class Window(NamedTuple):
    """A rectangle that is solved as a whole, with its rim fixed."""

    stage: int
    i: int  # (i, j): the chunk at whose first cell it lies
    j: int
    x: int  # its first cell
    y: int
    width: int
    height: int

    @property
    def key(self) -> tuple[int, int, int]:
        """Identifies the window within the world."""
        return self.stage, self.i, self.j

    def __str__(self) -> str:
        return f"{STAGE_NAMES[self.stage]} ({self.i}, {self.j}): {self.width} x {self.height} cells"


class Plan(NamedTuple):
    """The sizes that decide which windows there are.

    radius : how far corner windows reach from the point where chunks meet
    half_width : how far edge windows reach from the border; less than `radius`, so that edges never touch
    reach : largest distance between cells of one constraint; 1: only the rules hold. Windows of one stage are
        farther apart, and have a rim of this many cells: so each contains all cells it could contradict
    """

    chunk: int = 64
    radius: int = 11
    half_width: int = 10
    reach: int = 1

    @classmethod
    def parse(cls, chunk: object, radius: object = None, half_width: object = None, reach: int = 1) -> Plan:
        """The plan for chunks of this size; the default radius is 11, limited by the chunk and the reach.

        Raises ConfigError for sizes that do not fit.
        """
        side = require_integer("chunk", chunk)
        find_option(WorldOptions, "chunk").check(side)
        if radius is None:
            smallest = reach // 2 + 1 + reach if reach > 1 else 1
            corner = max(smallest, min(max(11, smallest + RAGGED), (side - reach - 1) // 2))
        else:
            corner = require_integer("radius", radius)
        width = corner - reach if half_width is None else require_integer("half_width", half_width)
        return cls(side, corner, width, reach).validate()

    def validate(self) -> Plan:
        """The plan itself; raises ConfigError for sizes that do not fit."""
        if self.reach > 1:
            self._validate_reach()
        if self.chunk < 2 * self.radius + 2:
            raise ConfigError(
                f"chunks of {self.chunk} cells are too small for corner windows of radius {self.radius}; "
                f"they need at least {2 * self.radius + 2}"
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
                f"these constraints are about cells up to {reach} apart, so windows that are solved "
                f"independently must be more than {reach} cells apart; with chunks of {self.chunk} cells, "
                f"radius {self.radius} and half_width {self.half_width} they are not. Use chunks of at least "
                f"{least} cells with the radius left out, or constraints that reach less far"
            )
        if self.half_width < self.margin:
            raise ConfigError(
                f"edge windows of half width {self.half_width} are too narrow for constraints that reach "
                f"{reach} cells; they need at least {self.margin}"
            )

    @property
    def margin(self) -> int:
        """Cells from a border of chunks to an interior, so that two interiors are more than `reach` apart."""
        return self.reach // 2 + 1

    def check_chunk(self, i: int, j: int) -> None:
        """Raise ConfigError for a chunk with cells beyond the limit of coordinates."""
        for end in (0, 1):
            check_distance((i + end) * self.chunk, (j + end) * self.chunk)

    def corner(self, i: int, j: int) -> Window:
        """The window around the point where chunk (i, j) begins."""
        reach = 2 * self.radius + 1
        return Window(CORNER, i, j, i * self.chunk - self.radius, j * self.chunk - self.radius, reach, reach)

    def east_edge(self, i: int, j: int) -> Window:
        """The window along the northern border of chunk (i, j)."""
        x, y = i * self.chunk + self.radius + 1, j * self.chunk - self.half_width
        return Window(EAST_EDGE, i, j, x, y, self.chunk - 2 * self.radius - 1, 2 * self.half_width + 1)

    def south_edge(self, i: int, j: int) -> Window:
        """The window along the western border of chunk (i, j)."""
        x, y = i * self.chunk - self.half_width, j * self.chunk + self.radius + 1
        return Window(SOUTH_EDGE, i, j, x, y, 2 * self.half_width + 1, self.chunk - 2 * self.radius - 1)

    @property
    def joint(self) -> tuple[int, int]:
        """How far a joint reaches along the border, and across it, on either side; (0, 0): there is none."""
        length = self.chunk - 2 * self.radius - 1
        along = min(self.radius // 2, (length - 2) // 2)
        if self.reach > 1:
            along = min(along, (length - self.reach) // 2, self.radius - self.reach - 2)
        # Joints of one corner do not touch.
        across = min(self.radius - along - max(2, self.reach + 1), self.half_width - 1)
        return (along, across) if along > 0 and across >= 0 else (0, 0)

    def joints(self, edge: Window) -> tuple[Window, ...]:
        """The windows at both ends of an edge, where it meets the corners."""
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
        """Chunk (i, j) without its first row and column, which are seams; or with a wider margin."""
        side = self.chunk + 1 - 2 * self.margin
        return Window(INTERIOR, i, j, i * self.chunk + self.margin, j * self.chunk + self.margin, side, side)

    def content(self, window: Window, plane: NDArray[Any]) -> NDArray[Any]:
        """The part that a window defines, from a plane [row, column] of the window with its rim.

        A corner or an edge without its rim; the whole chunk of an interior.
        """
        rim = self.reach
        if window.stage != INTERIOR:
            return plane[rim:-rim, rim:-rim]
        first = rim - self.margin
        return plane[first : first + self.chunk, first : first + self.chunk]

    def lands(self, window: Window) -> tuple[Window, ...]:
        """The squares of chunk size around points where chunks meet that a window with its rim overlaps.

        They are solved before all others if the base is open ground. Their rims lie in the middle of chunks,
        where interiors are solved again.
        """
        half = self.chunk // 2
        columns = range(
            (window.x - 1 + half) // self.chunk, (window.x + window.width + half) // self.chunk + 1
        )
        rows = range((window.y - 1 + half) // self.chunk, (window.y + window.height + half) // self.chunk + 1)
        side = self.chunk - 1
        return tuple(
            Window(LAND, i, j, i * self.chunk - half + 1, j * self.chunk - half + 1, side, side)
            for j in rows
            for i in columns
        )

    def needs(self, window: Window) -> tuple[Window, ...]:
        """The windows that this one depends on, from the bottom layer to the top."""
        i, j = window.i, window.j
        if window.stage in (CORNER, LAND):
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
        """Every window of chunk (i, j), each after those it depends on."""
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
    if max(abs(x), abs(y)) > FARTHEST:
        raise ConfigError(f"({x}, {y}) is too far away: coordinates go up to 2**40 cells either way")


def parse_rectangle(x0: Any, y0: Any, width: Any, height: Any) -> tuple[int, int, int, int]:
    """The same as whole numbers; raises ConfigError for a region that is empty, too large or too far away."""
    given = {"x0": x0, "y0": y0, "width": width, "height": height}
    x0, y0, width, height = (require_integer(name, value) for name, value in given.items())
    check_size(width, height)
    check_distance(x0, y0)
    check_distance(x0 + width, y0 + height)
    return x0, y0, width, height


# --- what stays of borders ----------------------------------------------------------------------

NORTH, EAST, SOUTH, WEST = range(4)
STEPS = 32  # of a walk, from one 64-bit number
ROOM = 5  # cells around an unmet soft mask


def find_fixed_cells(
    plan: Plan, window: Window, seed: int, unmet: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """bool [row, column] of an interior with its rim: cells that keep the patterns of its borders.

    An edge is solved together with the cells on both sides of the border. If all but the border itself were
    solved again, each side would fit it independently of the other: structures that cross the border would
    end right behind it more often than elsewhere. So cells near the border stay, too, up to a ragged line: a
    straight line would only move the problem. Where an edge could not meet a soft mask of the fields, it is
    solved again up to the border: there the base was in the way, which an interior does not touch.

    unmet : [row, column] where a soft mask of the fields is not met
    """
    beyond = plan.reach - plan.margin  # the border of the chunk
    side = plan.chunk + 1 + 2 * beyond
    depth = np.arange(side) - beyond  # from the north or the west
    i, j = window.i, window.j
    deepest = max(0, plan.half_width - 1)  # all but the outermost cells of the edge, which touch the base
    least = min(max(1, plan.margin - 1), deepest)
    north, east, south, west = (
        walk_depths(mix(seed, window.stage, direction, i, j), side, least, deepest)
        for direction in (NORTH, EAST, SOUTH, WEST)
    )
    fixed = (depth[:, None] <= north) | (depth[::-1, None] <= south)
    fixed |= (depth <= west[:, None]) | (depth[::-1] <= east[:, None])
    if unmet is not None:
        fixed &= ~dilate(unmet, ROOM)
        fixed = with_rim(fixed, plan.reach)
    return np.asarray(fixed)


def with_rim(stays: NDArray[np.bool_], rim: int = 1) -> NDArray[np.bool_]:
    """The same flags [row, column] with the outermost rows and columns set."""
    part = stays.copy()
    part[:rim] = part[-rim:] = part[:, :rim] = part[:, -rim:] = True
    return part


def dilate(marks: NDArray[np.bool_], reach: int) -> NDArray[np.bool_]:
    """The marks, and all cells within a square of 2 * reach + 1 around each."""
    size = 2 * reach + 1
    rows = sliding_window_view(np.pad(marks, reach), size, axis=0).any(axis=-1)
    return np.asarray(sliding_window_view(rows, size, axis=1).any(axis=-1))


def walk_depths(seed: int, length: int, least: int, most: int) -> NDArray[np.int64]:
    """[cell along the border] the number of cells behind it that stay: a random walk between two bounds."""
    words = np.array([mix(seed, part) for part in range(-(-length // STEPS))], np.uint64)
    bits = words[:, None] >> np.arange(0, 2 * STEPS, 2, dtype=np.uint64) & np.uint64(3)
    steps = np.array([-1, 0, 0, 1])[bits.reshape(-1)[:length]]
    span = max(1, most - least)
    walk = (np.cumsum(steps) + seed % (2 * span)) % (2 * span)
    return np.asarray(np.minimum(least + np.abs(walk - span), most))
