"""Maps of Tiled: tile layers in any encoding, tile sets, the values of cells and their positions."""

from __future__ import annotations

import base64
import re
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import reduce
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.formats.nodes import LARGEST_NUMBER, Node
from wavefold.formats.schema import MOST_CELLS
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.tileset import TiledTileSet
from wavefold.storage.files import AnyFile
from wavefold.tiles import Orientation
from wavefold.topology import CubeGrid, HexGrid, SquareGrid, Topology

MOST_NESTED = 16  # groups of layers inside each other
ZLIB_WINDOW_BITS = {"zlib": zlib.MAX_WBITS, "gzip": 16 + zlib.MAX_WBITS}  # by compression
MOST_SETS = 64  # tile sets of one map
MARK_PROPERTY, NEVER_MARK = "wavefold", "never"  # of a layer with negative examples
NUMBER_BITS = 0x0FFFFFFF  # the bits of a cell's value that are a number; the others are flags
# Tiled swaps x and y first, then flips left to right, then top to bottom. Bit 28 has no meaning on squares.
FLIPS = (
    (0x20000000, Orientation(3, True)),
    (0x80000000, Orientation(0, True)),
    (0x40000000, Orientation(2, True)),
)
# On hexagons Tiled flips left to right and top to bottom first, then turns clockwise by 60 and 120 degrees.
# Our mirror image exchanges the first direction and the last: left and right, if hexagons are pointy.
HEX_FLIPS = {
    "y": ((0x80000000, Orientation(0, True)), (0x40000000, Orientation(3, True))),
    "x": ((0x80000000, Orientation(5, True)), (0x40000000, Orientation(2, True))),
}
HEX_TURNS = ((0x20000000, Orientation(1)), (0x10000000, Orientation(2)))

Cells = NDArray[np.uint32]  # [row, column] global tile numbers with flags; 0: no tile


class Box(NamedTuple):
    """A rectangle of cells."""

    left: int
    top: int
    width: int
    height: int

    def around(self, other: Box) -> Box:
        """The smallest box that contains both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        right = max(self.left + self.width, other.left + other.width)
        bottom = max(self.top + self.height, other.top + other.height)
        return Box(left, top, right - left, bottom - top)


class Layer(NamedTuple):
    """A tile layer."""

    name: str
    visible: bool  # the layer and all groups that contain it
    node: Node
    infinite: bool = False  # whether the map is infinite: the layer consists of chunks


def list_tile_layers(
    root: Node, visible: bool = True, depth: int = 0, endless: bool | None = None
) -> Iterator[Layer]:
    """The tile layers of a map, from the lowest to the highest."""
    endless = root.flag("infinite", False) if endless is None else endless
    for node in root.every("layers"):
        kind = node.text("type")
        shown = visible and node.flag("visible", True)
        if kind == "tilelayer":
            yield Layer(node.text("name", ""), shown, node, endless)
        elif kind == "group":
            if depth >= MOST_NESTED:
                node.fail(f"is nested too deeply; at most {MOST_NESTED} groups can be read")
            yield from list_tile_layers(node, shown, depth + 1, endless)


def read_layer(layer: Layer) -> Cells:
    """The cells of a layer; for an infinite map, the rectangle around all tiles."""
    node = layer.node
    if layer.infinite or "chunks" in node:
        return read_infinite_layer(layer)[0]
    _, _, width, height = read_extent(node)
    return decode_cells(node, node, width, height)


def read_infinite_layer(layer: Layer) -> tuple[Cells, Box]:
    """The cells of a layer of an infinite map, and their rectangle."""
    node = layer.node
    data = node.fields.get("data")
    alone = "chunks" not in node and (data.strip() if isinstance(data, str) else data)
    parts = [node] if alone else node.every("chunks")
    return join_chunks(node, [(part, Box(*read_extent(part))) for part in parts])


def read_extent(node: Node) -> tuple[int, int, int, int]:
    """x, y, width and height of a layer or chunk; raises if it is too large."""
    x, y = (node.whole(name, 0, -LARGEST_NUMBER) for name in "xy")
    width, height = node.whole("width", least=1), node.whole("height", least=1)
    check_size(node, width, height)
    return x, y, width, height


def check_size(node: Node, width: int, height: int) -> None:
    """Raise if an array of this size would be too large."""
    if width * height > MOST_CELLS:
        node.fail(f"has {width:,} x {height:,} cells; at most {MOST_CELLS:,} can be read")


def join_chunks(node: Node, chunks: list[tuple[Node, Box]]) -> tuple[Cells, Box]:
    """Join the chunks of an infinite map in the smallest array around all tiles; gaps are empty."""
    if not chunks:
        return np.zeros((0, 0), np.uint32), Box(0, 0, 0, 0)
    whole = reduce(Box.around, (box for _, box in chunks))
    check_size(node, whole.width, whole.height)
    if sum(box.width * box.height for _, box in chunks) > MOST_CELLS:
        node.fail(f"has too many cells in its chunks; at most {MOST_CELLS:,} can be read")
    cells = np.zeros((whole.height, whole.width), np.uint32)
    for chunk, (left, top, width, height) in chunks:
        x, y = left - whole.left, top - whole.top
        cells[y : y + height, x : x + width] = decode_cells(node, chunk, width, height)
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    if not rows.size:
        return cells[:0, :0], Box(0, 0, 0, 0)
    (top, bottom), (left, right) = ((int(each[0]), int(each[-1]) + 1) for each in (rows, columns))
    drawn = Box(whole.left + left, whole.top + top, right - left, bottom - top)
    return cells[top:bottom, left:right], drawn


# --- encodings of cells ---------------------------------------------------------------------------


def decode_cells(layer: Node, part: Node, width: int, height: int) -> Cells:
    """The cells of a layer or of one of its chunks."""
    encoding = layer.text("encoding", "csv")
    if encoding == "base64":
        octets = decompress(part, layer.text("compression", ""), width * height * 4)
        return np.frombuffer(octets, "<u4").astype(np.uint32).reshape(height, width)
    if encoding == "xml":
        numbers: Any = [tile.whole("gid", 0, most=(1 << 32) - 1) for tile in part.every("tiles")]
    elif encoding == "csv":
        numbers = parse_csv(part)
    else:
        layer.fail_field("encoding", "csv or base64")
    if len(numbers) != width * height:
        part.fail(f"holds {len(numbers):,} cells; expected {width} x {height}", "data")
    try:
        return np.array(numbers, np.uint32).reshape(height, width)
    except OverflowError:
        part.fail("holds a number outside 0 to 4,294,967,295", "data")


def parse_csv(part: Node) -> list[int]:
    """Read whole numbers: a list in JSON, text with commas in XML."""
    if not part.is_xml:
        return part.wholes("data")
    text = part.text("data").strip().rstrip(",")
    if not re.fullmatch(r"[0-9,\s]*", text, re.ASCII):
        part.fail("is not a list of whole numbers with commas", "data")
    try:
        return [int(each) for each in text.split(",")] if text else []
    except ValueError:  # two commas, a space within a number, or thousands of digits
        part.fail("is not a list of whole numbers with commas", "data")


def decompress(part: Node, compression: str, size: int) -> bytes:
    """Decode and decompress Base64 text of exactly `size` bytes; never decompresses more."""
    try:
        octets = base64.b64decode("".join(part.text("data").split()), validate=True)
    except ValueError as error:
        part.fail(f"is not valid Base64: {error}", "data")
    whole = True
    if compression == "zstd":
        octets, whole = decompress_zstd(part, octets, size)
    elif compression:
        if compression not in ZLIB_WINDOW_BITS:
            part.fail(f"has the unknown compression {compression!r}; expected zlib, gzip or zstd", "data")
        reader = zlib.decompressobj(ZLIB_WINDOW_BITS[compression])
        try:
            octets = reader.decompress(octets, size + 1)
        except zlib.error as error:
            part.fail(f"is not valid {compression} data: {error}", "data")
        whole = reader.eof or len(octets) > size
    if len(octets) != size or not whole:
        found = f"more than {size:,}" if len(octets) > size else f"{len(octets):,}"
        cut_off = "" if whole else ", and is cut off"
        part.fail(f"unpacks to {found} bytes{cut_off}; expected {size:,}, 4 per cell", "data")
    return octets


def decompress_zstd(part: Node, octets: bytes, size: int) -> tuple[bytes, bool]:
    """Decompress zstd data, and return whether they are complete. Needs Python 3.14."""
    try:
        zstd = import_module("compression.zstd")
    except ImportError:
        part.fail(
            "is compressed with zstd, which needs Python 3.14; choose another Tile Layer Format in the "
            "properties of the map in Tiled, and save it again",
            "data",
        )
    reader = zstd.ZstdDecompressor()
    try:
        return reader.decompress(octets, size + 1), reader.eof
    except (zstd.ZstdError, EOFError) as error:
        part.fail(f"is not valid zstd data: {error}", "data")


class TiledMap:
    """A map of Tiled.

    Attributes
    ----------
    layers : the tile layers, the lowest first
    never : the layers with negative examples, whose pairs must not touch
    stagger_axis : the axis along which hexagons are shifted: "y" if pointy-top, "x" if flat-top; "" on
        squares
    set_nodes : the tile sets, by their first number
    """

    def __init__(self, root: Node, orientations: tuple[str, ...] = ("orthogonal", "hexagonal")) -> None:
        self.root = root
        self.orientation = root.text("orientation")
        if self.orientation not in orientations:
            root.fail(f"is {self.orientation}; only {' and '.join(orientations)} maps can be read")
        self.stagger_axis = root.text("staggeraxis", "y") if self.orientation == "hexagonal" else ""
        if self.stagger_axis not in ("", "x", "y"):
            root.fail_field("staggeraxis", "x or y")
        self.layers = list(list_tile_layers(root))
        self.never = [layer for layer in self.layers if is_never(layer)]
        self.set_nodes = index_set_nodes(root)
        self._sets: dict[int, TiledTileSet] = {}  # read so far
        self._files: dict[AnyFile, Node] = {}

    def choose_layers(self, wanted: Iterable[str] | None, among: list[Layer]) -> list[Layer]:
        """The layers with these names; for None, the lowest visible one without negative examples."""
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
        """The tile of a cell: the first number of its tile set, and its own number in the set."""
        firsts = sorted(self.set_nodes)
        index = bisect_right(firsts, value & NUMBER_BITS) - 1
        if index < 0:
            self.refuse_tile(value, layer, cell)
        return firsts[index], (value & NUMBER_BITS) - firsts[index]

    def refuse_tile(self, value: int, layer: Node, cell: str) -> None:
        """Raise for a tile that does not exist."""
        layer.fail(f"has a tile {value & NUMBER_BITS} at {cell}, which is in no tile set of the map")

    def tileset_at(self, first: int) -> TiledTileSet:
        """The tile set with this first number, read on first use."""
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
    """Whether a layer has negative examples."""
    mark = layer.node.custom(MARK_PROPERTY)
    if mark not in (None, NEVER_MARK):
        layer.node.fail(
            f"has the property {MARK_PROPERTY} = {mark!r}; the only known value is {NEVER_MARK!r}"
        )
    return mark == NEVER_MARK


def index_set_nodes(root: Node) -> dict[int, Node]:
    """{first number: tile set} of a map."""
    nodes: dict[int, Node] = {}
    for node in root.every("tilesets"):
        first = node.whole("firstgid", least=1, most=NUMBER_BITS)
        if first in nodes or len(nodes) == MOST_SETS:
            node.fail(f"is one too many or has the firstgid of another; at most {MOST_SETS} can be read")
        nodes[first] = node
    return nodes


# --- positions of cells ---------------------------------------------------------------------------


class Chart(NamedTuple):
    """The cells of a map at their positions in Tiled."""

    cells: NDArray[np.int64]  # [layer, row, column] cell numbers; -1 where there is no cell
    stagger: str  # the rows (columns, if flat-top) shifted by half a cell: "odd", "even", or "" on squares
    origin: tuple[int, ...]  # the coordinate at the first position of layer 0
    corner: tuple[int, int] = (0, 0)  # on infinite maps, Tiled's column and row of the first position

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.cells.shape[2])

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.cells.shape[1])


def make_chart(topology: Topology, origin: tuple[int, ...] | None = None) -> Chart:
    """The chart of a topology; with an origin in a world, on an infinite map.

    Columns and rows of an infinite map are those of the world. A pointy hexagon (q, r) is in column q + r //
    2 of row r, so that odd rows are shifted for any origin.
    """
    if isinstance(topology, HexGrid):
        return make_hex_chart(topology, origin)
    if not isinstance(topology, SquareGrid | CubeGrid):
        raise ConfigError(f"Tiled supports square, hex and cube cells, not {topology.kind} cells")
    numbers = topology.to_array(np.arange(topology.cell_count), missing=-1)
    layers = numbers if numbers.ndim == 3 else numbers[None]
    if origin is None:
        return Chart(layers, "", (0,) * len(topology.axes))
    return Chart(layers, "", origin, (origin[0], origin[1]))


def make_hex_chart(topology: HexGrid, origin: tuple[int, ...] | None = None) -> Chart:
    """The chart of hexagons, with axial coordinates converted to offset coordinates."""
    q, r = (topology.coordinates + np.array(origin or (0, 0), np.int64)).T
    flat = topology.layout == "flat"
    along, across = (q, r) if flat else (r, q)  # rows of pointy hexagons correspond to columns of flat ones
    lines, positions = along, across + along // 2
    first_line, first_position = int(lines.min()), int(positions.min())
    size = int(np.ptp(lines) + 1) * int(np.ptp(positions) + 1)
    if size > MOST_CELLS:
        raise ConfigError(f"the map has {size:,} positions in Tiled; at most {MOST_CELLS:,} can be read")
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


def find_stagger_axis(topology: Topology) -> str:
    """Tiled's stagger axis: "y" for pointy hexagons, "x" for flat ones, "" for squares."""
    if not isinstance(topology, HexGrid):
        return ""
    return "x" if topology.layout == "flat" else "y"
