"""Join chunks: masks for borders beside fixed neighbours, and checks of seams.

For neighbours from other sources, such as a town drawn by hand. An endless `World` does not need them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, Contradiction, TileSetError, suggest
from wavefold.options.values import parse_integer, parse_wraps
from wavefold.solver import Solution
from wavefold.tiles import Rules, TileSet, get_rules
from wavefold.topology import Lattice, is_uniform_plane, make_box, make_single_cell

UNKNOWN = -1
PatternFlags = NDArray[np.bool_]  # [pattern] or [cell, pattern]
ChunkLike: TypeAlias = Solution | NDArray[np.generic] | Sequence[object]  # rows, or a single row or column
CellOptions = NDArray[Any]  # objects [row, column]: None, or the permitted patterns of a cell


class Mismatch(NamedTuple):
    """Two cells of two chunks that may not touch, with the fields of a `Violation`."""

    kind: str  # "seam"
    cells: tuple[int, ...]  # numbers, row by row, in the first chunk and in the other
    text: str


def boundaries(tiles: TileSet | Rules, topology: Lattice, **neighbours: ChunkLike | None) -> PatternFlags:
    """Return the patterns that fit beside neighbours, bool [cell, pattern], for `Problem(masks=...)`.

    Neighbours are given by side: north, east, south, west; for rhombuses of hexagons the six directions of
    the topology, of which two touch at a single corner. Each is a whole chunk [row, column], a `Solution`, or
    the row or column that faces this chunk, along x or y. A cell is a pattern or a name, or None or -1 if it
    is unknown.

    >>> masks = boundaries(tiles, grid, north=town, west=[None, "road", None])
    >>> generate(tiles, grid, masks=masks)
    """
    rules = get_rules(tiles)
    check_grid(topology)
    height, width = topology.shape
    opposite = topology.graph().opposite
    masks: PatternFlags = np.ones((height, width, len(rules)), np.bool_)
    beside: dict[tuple[int, int], list[str]] = {}
    for side, given in neighbours.items():
        step = find_step(topology, side)
        if given is None:
            continue
        chunk = Chunk.beside(rules, given, step, (width, height), side)
        for direction, x, y, outside in chunk.list_touching(topology, width, height):
            masks[y, x] &= find_patterns_beside(rules, opposite[direction], outside)
            beside.setdefault((x, y), []).append(f"{format_names(rules, outside)} to the {side}")
    columns, rows = topology.coordinates.T
    masks = np.ascontiguousarray(masks[rows, columns])
    empty = np.flatnonzero(~masks.any(axis=1))
    if empty.size:
        cell = int(empty[0])
        x, y = topology.coordinate(cell)
        raise Contradiction(
            f"nothing fits at {topology.describe(cell)} beside its neighbours: {', '.join(beside[x, y])}",
            cell,
        )
    return masks


def seams(tiles: TileSet | Rules, one: ChunkLike, other: ChunkLike, side: str) -> list[Mismatch]:
    """List the pairs of touching cells of two chunks that do not fit; `other` lies on that side of `one`.

    Chunks are given as in `boundaries`. Unknown cells fit everything.
    """
    rules = get_rules(tiles)
    topology = make_grid(rules)
    step = find_step(topology, side)
    here = read_cells(rules, one, step, "one")
    height, width = here.shape
    chunk = Chunk.beside(rules, other, step, (width, height), "other")
    found = []
    for direction, x, y, outside in chunk.list_touching(topology, width, height):
        inside = here[y, x]
        if inside is None or find_patterns_beside(rules, direction, inside)[outside].any():
            continue
        right, down = topology.steps[direction].tolist()
        there = (x + right - chunk.x, y + down - chunk.y)
        text = (
            f"{format_names(rules, inside)} at ({x}, {y}) may not have {format_names(rules, outside)}, at "
            f"({there[0]}, {there[1]}) of the other chunk, to the {topology.directions[direction]}"
        )
        found.append(Mismatch("seam", (y * width + x, there[1] * chunk.cells.shape[1] + there[0]), text))
    return found


class Chunk(NamedTuple):
    """A neighbour, and the position of its first cell relative to that of the chunk beside it."""

    cells: CellOptions
    x: int
    y: int

    @classmethod
    def beside(
        cls, rules: Rules, given: Any, step: tuple[int, int], size: tuple[int, int], side: str
    ) -> Chunk:
        """Return the neighbour in a direction of a chunk. Raises ConfigError if their sizes differ."""
        cells = read_cells(rules, given, step, side)
        rows, columns = cells.shape
        (right, down), (width, height) = step, size
        for axis, has, needs in (("columns", columns, width), ("rows", rows, height)):
            if has != needs and not (right if axis == "columns" else down):
                raise ConfigError(f"{side} has {has} {axis}; the border to it has {needs}")
        return cls(cells, (-columns, 0, width)[right + 1], (-rows, 0, height)[down + 1])

    def list_touching(
        self, topology: Any, width: int, height: int
    ) -> list[tuple[int, int, int, NDArray[np.int64]]]:
        """List (direction, x, y, neighbour's patterns) of each cell beside a known cell of this neighbour."""
        rows, columns = self.cells.shape
        found = []
        for direction, (right, down) in enumerate(topology.steps.tolist()):
            across = range(max(0, self.x - right), min(width, self.x + columns - right))
            along = range(max(0, self.y - down), min(height, self.y + rows - down))
            for y in along:
                for x in across:
                    there = self.cells[y + down - self.y, x + right - self.x]
                    if there is not None:
                        found.append((direction, x, y, there))
        return found


def find_patterns_beside(rules: Rules, direction: int, patterns: NDArray[np.int64]) -> PatternFlags:
    """Return the patterns, bool [pattern], that may be in this direction of a cell with one of these."""
    flags = np.zeros(len(rules), np.bool_)
    for pattern in patterns.tolist():
        flags |= rules.allows(direction, pattern)
    return flags


def read_cells(rules: Rules, given: Any, step: tuple[int, int], side: str) -> CellOptions:
    """Read the cells of a chunk, or of a border as a row or column."""
    array = to_objects(given.array if isinstance(given, Solution) else given, side)
    known: dict[Any, NDArray[np.int64] | None] = {}
    cells = np.empty(array.shape, object)
    for index in np.ndindex(*array.shape):
        value = array[index]
        try:
            if value not in known:
                known[value] = read_patterns(rules, value, side)
        except TypeError:
            raise ConfigError(f"{side}: {value!r} is neither a pattern nor a name") from None
        cells[index] = known[value]
    if cells.ndim == 1:
        return cells[None] if step[1] else cells[:, None]
    return cells


def to_objects(given: Any, side: str) -> CellOptions:
    """Convert a chunk or a border to an array of objects. A tuple is one cell, because it may be a colour."""
    if isinstance(given, np.ndarray):
        array = given.astype(object)
    elif isinstance(given, Sequence) and not isinstance(given, str) and len(given):
        nested = isinstance(given[0], list | np.ndarray)
        shape: tuple[int, ...] = (len(given), len(given[0])) if nested else (len(given),)
        if nested and any(len(row) != shape[1] for row in given):
            raise ConfigError(f"{side} has rows of different lengths")
        array = np.empty(shape, object)
        for index in np.ndindex(*shape):
            array[index] = given[index[0]][index[1]] if nested else given[index[0]]
    else:
        raise ConfigError(f"{side} must be a chunk [row, column] or the row that faces it, not {given!r}")
    if array.ndim not in (1, 2) or not array.size:
        raise ConfigError(
            f"{side} must be a chunk [row, column] or the row that faces it, not an array {array.shape}"
        )
    return array


def read_patterns(rules: Rules, value: Any, side: str) -> NDArray[np.int64] | None:
    """Return the permitted patterns of a cell; None if it is unknown."""
    number = parse_integer(value)
    if value is None or number == UNKNOWN:
        return None
    if number is None:
        return rules.patterns(value)
    if not 0 <= number < len(rules):
        raise ConfigError(f"{side}: {number} is not a pattern; patterns are 0 to {len(rules) - 1}")
    return np.array([number])


def format_names(rules: Rules, patterns: NDArray[np.int64]) -> str:
    """Format the name of a pattern, or the names of the tiles of several patterns."""
    names: Mapping[str, None]
    if patterns.size == 1:
        names = {rules.names[int(patterns[0])]: None}
    else:
        names = dict.fromkeys(rules.tiles[rules.tile_of[pattern]] for pattern in patterns.tolist())
    return " or ".join(repr(name) for name in names)


def find_step(topology: Any, side: str) -> tuple[int, int]:
    """Return the step (dx, dy), in chunks, to the neighbour on this side."""
    if side not in topology.directions:
        raise ConfigError(f"there is no side {side!r}; {suggest(side, topology.directions)}")
    right, down = topology.steps[topology.directions.index(side)].tolist()
    return right, down


def make_grid(rules: Rules) -> Lattice:
    """Return a grid of the topology of the rules with a single cell, for its steps."""
    if not is_uniform_plane(rules.topology):
        raise TileSetError(f"chunks need square or hex tiles; these are {rules.topology} tiles")
    return make_single_cell(rules.topology)


def check_grid(topology: Any) -> None:
    """Raise ConfigError for a grid without straight borders."""
    if not isinstance(topology, Lattice) or not is_uniform_plane(topology.kind):
        raise ConfigError(f"topology must be a SquareGrid or a HexGrid.rhombus, not {topology!r}")
    sizes = topology.shape[::-1]
    if topology.without_mask().coordinates.tolist() != make_box(topology.kind, *sizes).coordinates.tolist():
        raise ConfigError(
            f"{topology!r} has no straight borders to neighbours: use HexGrid.rhombus(width, height)"
        )
    if any(parse_wraps(topology.wraps, "xy")):
        raise ConfigError("a grid that wraps is its own neighbour; use wraps=False")
