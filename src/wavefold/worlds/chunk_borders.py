"""Join chunks with masks for a border beside fixed neighbours, and check seams.

For neighbours from elsewhere, such as a town drawn by hand. An endless `World` needs none of this.
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
Flags = NDArray[np.bool_]
ChunkLike: TypeAlias = Solution | NDArray[np.generic] | Sequence[object]  # rows, or one row or column
Cells = NDArray[Any]  # objects [row, column]: None, or the permitted patterns of a cell


class Mismatch(NamedTuple):
    """Two cells of two chunks that may not touch, with the fields of a `Violation`."""

    kind: str  # "seam"
    cells: tuple[int, ...]  # numbers row by row: of the first chunk, of the other
    text: str


def boundaries(tiles: TileSet | Rules, topology: Lattice, **neighbours: ChunkLike | None) -> Flags:
    """Bool [cell, pattern] for `Problem(masks=...)`: the patterns that fit beside the given neighbours.

    Neighbours are named by their side: north, east, south, west; on hexagons (rhombuses of them) the six
    directions of the topology, of which two touch at a single corner. Each is a whole chunk [row, column],
    a Solution, or only the row or column that faces this one, along x or y. A cell is a pattern or a name;
    None or -1 if it is unknown.

    >>> masks = boundaries(tiles, grid, north=town, west=[None, "road", None])
    >>> generate(tiles, grid, masks=masks)
    """
    rules = get_rules(tiles)
    check_grid(topology)
    height, width = topology.shape
    opposite = topology.graph().opposite
    masks: Flags = np.ones((height, width, len(rules)), np.bool_)
    beside: dict[tuple[int, int], list[str]] = {}
    for side, given in neighbours.items():
        step = step_to(topology, side)
        if given is None:
            continue
        chunk = Chunk.facing(rules, given, step, (width, height), side)
        for direction, x, y, outside in chunk.touching(topology, width, height):
            masks[y, x] &= patterns_beside(rules, opposite[direction], outside)
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
    """Every pair of touching cells of two chunks that may not touch; `other` lies to that side of `one`.

    Chunks are given as in `boundaries`. Unknown cells match everything.
    """
    rules = get_rules(tiles)
    topology = grid_for(rules)
    step = step_to(topology, side)
    here = cells_of(rules, one, step, "one")
    height, width = here.shape
    chunk = Chunk.facing(rules, other, step, (width, height), "other")
    found = []
    for direction, x, y, outside in chunk.touching(topology, width, height):
        inside = here[y, x]
        if inside is None or patterns_beside(rules, direction, inside)[outside].any():
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
    """A neighbour, and where its first cell is relative to the first cell of the chunk beside it."""

    cells: Cells
    x: int
    y: int

    @classmethod
    def facing(
        cls, rules: Rules, given: Any, step: tuple[int, int], size: tuple[int, int], side: str
    ) -> Chunk:
        """The neighbour in that direction of a chunk of this size. Raises ConfigError if borders differ."""
        cells = cells_of(rules, given, step, side)
        rows, columns = cells.shape
        (right, down), (width, height) = step, size
        for axis, has, needs in (("columns", columns, width), ("rows", rows, height)):
            if has != needs and not (right if axis == "columns" else down):
                raise ConfigError(f"{side} has {has} {axis}; the border to it has {needs}")
        return cls(cells, (-columns, 0, width)[right + 1], (-rows, 0, height)[down + 1])

    def touching(
        self, topology: Any, width: int, height: int
    ) -> list[tuple[int, int, int, NDArray[np.int64]]]:
        """(direction, x, y, the neighbour's patterns) of every cell beside a known cell of this neighbour."""
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


def patterns_beside(rules: Rules, direction: int, patterns: NDArray[np.int64]) -> Flags:
    """bool [pattern]: the patterns that may be in this direction of a cell with one of these."""
    flags = np.zeros(len(rules), np.bool_)
    for pattern in patterns.tolist():
        flags |= rules.allows(direction, pattern)
    return flags


def cells_of(rules: Rules, given: Any, step: tuple[int, int], side: str) -> Cells:
    """Objects [row, column]: None, or the permitted patterns. A border becomes a row or a column."""
    array = objects(given.array if isinstance(given, Solution) else given, side)
    known: dict[Any, NDArray[np.int64] | None] = {}
    cells = np.empty(array.shape, object)
    for index in np.ndindex(*array.shape):
        value = array[index]
        try:
            if value not in known:
                known[value] = patterns_of(rules, value, side)
        except TypeError:
            raise ConfigError(f"{side} holds {value!r}, which is neither a pattern nor a name") from None
        cells[index] = known[value]
    if cells.ndim == 1:
        return cells[None] if step[1] else cells[:, None]
    return cells


def objects(given: Any, side: str) -> Cells:
    """A chunk or a border as an array of objects. A tuple in it is one cell: it may be a colour."""
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


def patterns_of(rules: Rules, value: Any, side: str) -> NDArray[np.int64] | None:
    """The permitted patterns of one cell; None if it is unknown."""
    number = parse_integer(value)
    if value is None or number == UNKNOWN:
        return None
    if number is None:
        return rules.patterns(value)
    if not 0 <= number < len(rules):
        raise ConfigError(
            f"{side} holds {number}, which is not a pattern: they go from 0 to {len(rules) - 1}"
        )
    return np.array([number])


def format_names(rules: Rules, patterns: NDArray[np.int64]) -> str:
    """The name of a pattern, or the names of the tiles of several."""
    names: Mapping[str, None]
    if patterns.size == 1:
        names = {rules.names[int(patterns[0])]: None}
    else:
        names = dict.fromkeys(rules.tiles[rules.tile_of[pattern]] for pattern in patterns.tolist())
    return " or ".join(repr(name) for name in names)


def step_to(topology: Any, side: str) -> tuple[int, int]:
    """(dx, dy), in chunks, to the neighbour on this side."""
    if side not in topology.directions:
        raise ConfigError(f"there is no side {side!r}; {suggest(side, topology.directions)}")
    right, down = topology.steps[topology.directions.index(side)].tolist()
    return right, down


def grid_for(rules: Rules) -> Lattice:
    """A single-cell grid of the topology of the rules, for its steps."""
    if not is_uniform_plane(rules.topology):
        raise TileSetError(f"chunks are made of squares or hexagons; these tiles are for {rules.topology}s")
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
        raise ConfigError("a grid that wraps is its own neighbour: make one without wraps")
