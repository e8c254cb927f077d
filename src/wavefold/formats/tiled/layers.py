"""Tile layers of Tiled's maps, in any encoding, as arrays of global tile numbers."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.formats.nodes import LARGEST_NUMBER, Node
from wavefold.formats.schema import MOST_CELLS

MOST_NESTED = 16
CODES = {"zlib": zlib.MAX_WBITS, "gzip": 16 + zlib.MAX_WBITS}

Cells = NDArray[np.uint32]  # [row, column] global tile numbers with flags; 0: no tile


class Box(NamedTuple):
    """A rectangle of cells."""

    left: int
    top: int
    width: int
    height: int

    def around(self, other: Box) -> Box:
        """The smallest that holds both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        right = max(self.left + self.width, other.left + other.width)
        bottom = max(self.top + self.height, other.top + other.height)
        return Box(left, top, right - left, bottom - top)


class Layer(NamedTuple):
    """A tile layer, in groups or not."""

    name: str
    visible: bool  # with every group it is in
    node: Node
    infinite: bool = False  # whether its map is infinite, so that it is made of chunks


def tile_layers(
    root: Node, visible: bool = True, depth: int = 0, endless: bool | None = None
) -> Iterator[Layer]:
    """Every tile layer of a map, from the lowest up."""
    endless = root.flag("infinite", False) if endless is None else endless
    for node in root.every("layers"):
        kind = node.text("type")
        shown = visible and node.flag("visible", True)
        if kind == "tilelayer":
            yield Layer(node.text("name", ""), shown, node, endless)
        elif kind == "group":
            if depth >= MOST_NESTED:
                node.fail(f"is nested too deeply: more than {MOST_NESTED} groups")
            yield from tile_layers(node, shown, depth + 1, endless)


def layer_cells(layer: Layer) -> Cells:
    """The cells of a layer; of an infinite map, in the rectangle around them."""
    node = layer.node
    if layer.infinite or "chunks" in node:
        return infinite_cells(layer)[0]
    _, _, width, height = extent(node)
    return decode_cells(node, node, width, height)


def infinite_cells(layer: Layer) -> tuple[Cells, Box]:
    """The cells of a layer of an infinite map, and their rectangle."""
    node = layer.node
    data = node.fields.get("data")
    alone = "chunks" not in node and (data.strip() if isinstance(data, str) else data)
    parts = [node] if alone else node.every("chunks")
    return join_chunks(node, [(part, Box(*extent(part))) for part in parts])


def extent(node: Node) -> tuple[int, int, int, int]:
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
    """The chunks of an infinite map in the smallest array around them; gaps are empty."""
    if not chunks:
        return np.zeros((0, 0), np.uint32), Box(0, 0, 0, 0)
    whole = reduce(Box.around, (box for _, box in chunks))
    check_size(node, whole.width, whole.height)
    if sum(box.width * box.height for _, box in chunks) > MOST_CELLS:
        node.fail(f"has chunks of more than {MOST_CELLS:,} cells in all; no more can be read")
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
    """Numbers: a list in JSON, text with commas in XML."""
    if not part.is_xml:
        return part.wholes("data")
    text = part.text("data").strip().rstrip(",")
    if not re.fullmatch(r"[0-9,\s]*", text, re.ASCII):
        part.fail("is not a row of whole numbers with commas between them", "data")
    try:
        return [int(each) for each in text.split(",")] if text else []
    except ValueError:  # two commas, a space inside a number, or thousands of digits
        part.fail("is not a row of whole numbers with commas between them", "data")


def decompress(part: Node, compression: str, size: int) -> bytes:
    """The bytes of Base64 text, decompressed: as many as expected, and never more."""
    try:
        octets = base64.b64decode("".join(part.text("data").split()), validate=True)
    except ValueError as error:
        part.fail(f"is not valid Base64: {error}", "data")
    whole = True
    if compression == "zstd":
        octets, whole = decompress_zstd(part, octets, size)
    elif compression:
        if compression not in CODES:
            part.fail(f"is compressed by {compression!r}; expected zlib, gzip or zstd", "data")
        reader = zlib.decompressobj(CODES[compression])
        try:
            octets = reader.decompress(octets, size + 1)
        except zlib.error as error:
            part.fail(f"is not valid {compression} data: {error}", "data")
        whole = reader.eof or len(octets) > size
    if len(octets) != size or not whole:
        found = f"more than {size:,}" if len(octets) > size else f"{len(octets):,}"
        cut_off = "" if whole else ", and is cut off"
        part.fail(f"unpacks to {found} bytes{cut_off}; expected {size:,}: 4 for each cell", "data")
    return octets


def decompress_zstd(part: Node, octets: bytes, size: int) -> tuple[bytes, bool]:
    """Decompress zstd, and tell whether it is complete; needs Python 3.14."""
    try:
        zstd = import_module("compression.zstd")
    except ImportError:
        part.fail(
            "is compressed by zstd, which needs Python 3.14; choose another Tile Layer Format in the map's "
            "properties in Tiled, and save it again",
            "data",
        )
    reader = zstd.ZstdDecompressor()
    try:
        return reader.decompress(octets, size + 1), reader.eof
    except (zstd.ZstdError, EOFError) as error:
        part.fail(f"is not valid zstd data: {error}", "data")
