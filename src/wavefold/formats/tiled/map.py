"""Maps in Tiled's terms: tile layers, tile sets, numbers and flags in cells, positions of cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.formats.nodes import Node
from wavefold.formats.schema import MOST_CELLS
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.layers import Layer, tile_layers
from wavefold.formats.tiled.tileset import TiledTileSet
from wavefold.storage.memory_file import AnyFile
from wavefold.tiles import Orientation
from wavefold.topology import CubeGrid, HexGrid, SquareGrid, Topology

MOST_SETS = 64
MARK, NEVER = "wavefold", "never"

NUMBER = 0x0FFFFFFF  # the bits of a cell's value that are a number; the others are flags
# Tiled swaps x and y first, then flips left to right, then top to bottom. Bit 28 means nothing on squares.
FLIPS = (
    (0x20000000, Orientation(3, True)),
    (0x80000000, Orientation(0, True)),
    (0x40000000, Orientation(2, True)),
)
# On hexagons Tiled flips left to right and top to bottom first, then turns clockwise by 60 and 120 degrees.
# Mirrored means for us that the first direction becomes the last: left to right, if hexagons are pointy.
HEX_FLIPS = {
    "y": ((0x80000000, Orientation(0, True)), (0x40000000, Orientation(3, True))),
    "x": ((0x80000000, Orientation(5, True)), (0x40000000, Orientation(2, True))),
}
HEX_TURNS = ((0x20000000, Orientation(1)), (0x10000000, Orientation(2)))


class TiledMap:
    """A map of Tiled.

    Attributes
    ----------
    layers : the tile layers, the lowest first
    never : those of them that show what must not touch
    stagger_axis : along which hexagons are shifted: "y" for pointy-top, "x" for flat-top ones; "" on squares
    set_nodes : the tile sets by the first of their numbers
    """

    def __init__(self, root: Node, orientations: tuple[str, ...] = ("orthogonal", "hexagonal")) -> None:
        self.root = root
        self.orientation = root.text("orientation")
        if self.orientation not in orientations:
            root.fail(f"is {self.orientation}; only {' and '.join(orientations)} maps can be read")
        self.stagger_axis = root.text("staggeraxis", "y") if self.orientation == "hexagonal" else ""
        if self.stagger_axis not in ("", "x", "y"):
            root.fail_field("staggeraxis", "x or y")
        self.layers = list(tile_layers(root))
        self.never = [layer for layer in self.layers if is_never(layer)]
        self.set_nodes = index_set_nodes(root)
        self._sets: dict[int, TiledTileSet] = {}  # those read so far
        self._files: dict[AnyFile, Node] = {}

    def choose_layers(self, wanted: Iterable[str] | None, among: list[Layer]) -> list[Layer]:
        """The layers with these names; None: the lowest that is visible and not a negative example."""
        names = [layer.name for layer in among]
        if wanted is None:
            shown = [layer for layer in among if layer.visible and layer not in self.never]
            if not shown:
                self.root.fail(f"has no visible tile layer; name one with layer='…'; {suggest('', names)}")
            return shown[:1]
        found = []
        for name in wanted:
            named = [layer for layer in among if layer.name == name]
            if len(named) != 1:
                self.root.fail(f"has {len(named) or 'no'} tile layers {name!r}; {suggest(name, names)}")
            found += named
        return found

    def find_tile(self, value: int, layer: Node, cell: str) -> tuple[int, int]:
        """The first number of the tile set that a cell's value belongs to, and the tile's number in it."""
        firsts = sorted(self.set_nodes)
        index = bisect_right(firsts, value & NUMBER) - 1
        if index < 0:
            self.refuse_tile(value, layer, cell)
        return firsts[index], (value & NUMBER) - firsts[index]

    def refuse_tile(self, value: int, layer: Node, cell: str) -> None:
        """Raise: a cell has a tile that does not exist."""
        layer.fail(f"has a tile {value & NUMBER} at {cell}, which no tile set of the map has")

    def tileset_at(self, first: int) -> TiledTileSet:
        """A tile set, in its own file or in the map, read on first use."""
        if first not in self._sets:
            node = self.set_nodes[first]
            if "source" in node:
                path = node.file("source", "a tile set")
                if path not in self._files:
                    self._files[path] = read_document(path, "tileset")
                node = self._files[path]
            self._sets[first] = TiledTileSet(node, self.root.source)
        return self._sets[first]


def decode_orientation(value: int, stagger_axis: str = "") -> Orientation:
    """The orientation in the flags of a cell's value."""
    steps = (*HEX_FLIPS[stagger_axis], *HEX_TURNS) if stagger_axis else FLIPS
    orientation = Orientation()
    for flag, step in steps:
        if value & flag:
            orientation = step.after(orientation, 6 if stagger_axis else 4)
    return orientation


def is_never(layer: Layer) -> bool:
    """Whether a layer shows what must not touch."""
    mark = layer.node.custom(MARK)
    if mark not in (None, NEVER):
        layer.node.fail(f"has the property {MARK} = {mark!r}; the only known value is {NEVER!r}")
    return mark == NEVER


def index_set_nodes(root: Node) -> dict[int, Node]:
    """The tile sets of a map, by the first of their numbers."""
    nodes: dict[int, Node] = {}
    for node in root.every("tilesets"):
        first = node.whole("firstgid", least=1, most=NUMBER)
        if first in nodes or len(nodes) == MOST_SETS:
            node.fail(f"is one too many: at most {MOST_SETS} tile sets, each with its own firstgid")
        nodes[first] = node
    return nodes


# --- positions of cells: rows and columns, shifted for hexagons, layers for cubes -----------------


class Chart(NamedTuple):
    """A grid of Tiled, and the positions of cells on it."""

    cells: NDArray[np.int64]  # [layer, row, column] numbers of cells; -1 where there is none
    stagger: str  # "odd" or "even": the rows (columns, if flat) that are shifted by half; "" on squares
    origin: tuple[int, ...]  # the coordinate at the first place (of layer 0)
    corner: tuple[int, int] = (0, 0)  # Tiled's column and row of the first place, on infinite maps

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.cells.shape[2])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.cells.shape[1])


def make_chart(topology: Topology, origin: tuple[int, ...] | None = None) -> Chart:
    """The chart of a topology that Tiled can show; with its origin in a world, on an infinite map.

    Columns and rows of an infinite map are those of the world. Hexagon (q, r), if pointy, lies in column
    q + r // 2 of row r: odd rows are always shifted, at any origin of the map.
    """
    if isinstance(topology, HexGrid):
        return make_hex_chart(topology, origin)
    if not isinstance(topology, SquareGrid | CubeGrid):
        raise ConfigError(f"Tiled shows square, hex and cube cells, not those of a {topology.kind}")
    numbers = topology.to_array(np.arange(topology.cell_count), missing=-1)
    layers = numbers if numbers.ndim == 3 else numbers[None]
    if origin is None:
        return Chart(layers, "", (0,) * len(topology.axes))
    return Chart(layers, "", origin, (origin[0], origin[1]))


def make_hex_chart(topology: HexGrid, origin: tuple[int, ...] | None = None) -> Chart:
    """Axial coordinates as offsets: a row of pointy hexagons moves left by one every second row."""
    q, r = (topology.coordinates + np.array(origin or (0, 0), np.int64)).T
    flat = topology.layout == "flat"
    along, across = (q, r) if flat else (r, q)  # rows of pointy hexagons are columns of flat ones
    lines, positions = along, across + along // 2
    first_line, first_position = int(lines.min()), int(positions.min())
    size = int(np.ptp(lines) + 1) * int(np.ptp(positions) + 1)
    if size > MOST_CELLS:
        raise ConfigError(f"the map has room for {size:,} cells in Tiled; at most {MOST_CELLS:,} can be read")
    cells = np.full((int(np.ptp(lines)) + 1, int(np.ptp(positions)) + 1), -1, np.int64)
    cells[lines - first_line, positions - first_position] = np.arange(topology.cell_count)
    start = (first_line, first_position - first_line // 2)
    corner = (first_line, first_position) if flat else (first_position, first_line)
    return Chart(
        (cells.T if flat else cells)[None],
        "odd" if origin is not None or first_line % 2 == 0 else "even",
        start if flat else start[::-1],
        (0, 0) if origin is None else corner,
    )


def stagger_axis(topology: Topology) -> str:
    """The axis along which Tiled shifts: y for pointy hexagons, x for flat ones; "" on squares."""
    if not isinstance(topology, HexGrid):
        return ""
    return "x" if topology.layout == "flat" else "y"
