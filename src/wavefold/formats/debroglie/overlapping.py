"""The overlapping model: every window of n x n tiles of the sample, as drawn and turned."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import FormatError
from wavefold.formats.debroglie.adjacent import turn_samples
from wavefold.formats.debroglie.document import ConfigDocument, ModelData
from wavefold.formats.debroglie.references import (
    Model,
    check_frequencies,
    make_document_title,
    parse_factor,
    parse_reference,
)
from wavefold.formats.debroglie.rotations import PlacedName, Rotations
from wavefold.formats.debroglie.sources import ColourValue, ConfigSource
from wavefold.formats.tiled.learn import TileName
from wavefold.formats.tiled.tileset import orient_tile_picture
from wavefold.options.learn import LARGEST_WINDOW
from wavefold.tiles import LearnedTileSet, ring_of
from wavefold.tiles.learning.occurrences import Occurrences
from wavefold.tiles.learning.overlapping import relate_overlaps
from wavefold.tiles.learning.samples import Sample
from wavefold.tiles.learning.windows import Numbers, check_count, find_windows, merge_equal, number_parts

DEFAULT_WINDOW = 2
CROP_SHARE = 2.0**-12  # of their weight: an edge of a map is cut only where windows do not go on beyond it


def build_overlapping(
    document: ConfigDocument, source: ConfigSource, rotations: Rotations, where: str
) -> Model:
    """The tiles of a configuration with an overlapping model."""
    if source.rows is None or source.kind != "square":
        raise FormatError(f"{where}: an overlapping model needs a flat sample, a picture or a map of Tiled")
    n = window_size(document.model, where)
    order: dict[PlacedName, int] = {}
    samples = []
    for sample, names, wraps in turn_samples(source.rows, rotations, document.wraps_input):
        if (sample < 0).any():
            raise FormatError(
                f"{where}: rotationTreatment 'missing' leaves holes in the sample, which an overlapping "
                "model does not read; use 'unchanged' or 'generated'"
            )
        shared = np.array([order.setdefault(name, len(order)) for name in names], np.int64)
        after = [(0, (n - 1) * wrap) for wrap in wraps[::-1]]  # the part of windows beyond the edge
        samples.append(np.pad(shared[sample], after, mode="wrap"))
    values = [tile_value(tile, source) for tile in order]
    windows = find_windows([Sample(each, values, source.coloured) for each in samples], n, periodic=False)
    number = number_parts(windows.cells)
    cells, counts = merge_equal(windows.cells, number, windows.counts)
    whole = len(cells)
    is_constrained = document.ground is not None or bool(document.constraints)
    if is_constrained or len(np.unique(cells[:, 0, 0])) < len(values):
        cells, counts = add_crops(cells, counts, outside=len(values))
    check_count(len(cells), n, 1)
    with np.errstate(all="ignore"):  # invalid factors are refused below
        factors = np.append(read_factors(document, source, rotations, order, where), 1)
        weights = counts * factors[cells].prod(axis=(1, 2))
    weights[whole:] *= CROP_SHARE
    check_frequencies(weights.tolist(), where)
    tiles = LearnedTileSet(
        [f"p{pattern}" for pattern in range(len(cells))],
        [values[value] for value in cells[:, 0, 0].tolist()],
        weights.tolist(),
        relate_overlaps(cells),
        coloured=source.coloured,
        n=n,
        title=make_document_title(document),
        occurrences=Occurrences(windows.maps, number[:, None].astype(np.int32)),
    )
    tiles.size = (document.width, document.height)
    meant = map(ColourValue, values) if source.coloured else values
    return Model(tiles, dict(zip(order, meant, strict=True)))


def add_crops(cells: Numbers, counts: Numbers, outside: int) -> tuple[Numbers, Numbers]:
    """The windows [window, row, column], then what stands at the edges of a map; and the counts of all.

    The last cells of a map are not the first of a window but others of the windows before them. So a crop is
    what a window has below some row and right of some column, and the number `outside` beyond that. As no
    window begins with that number, crops fit nowhere else.
    """
    for axis in (1, 2):
        crops = [cells]
        for _ in range(1, cells.shape[axis]):
            crops.append(np.roll(crops[-1], -1, axis))
            np.moveaxis(crops[-1], axis, 0)[-1] = outside
        every = np.concatenate(crops)
        cells, counts = merge_equal(every, number_parts(every), np.tile(counts, len(crops)))
    return cells, counts


def window_size(model: ModelData, where: str) -> int:
    """The side of a window; all sides must be equal."""
    sides = {side or model.n or DEFAULT_WINDOW for side in (model.n_x, model.n_y)}
    if len(sides) > 1:
        raise FormatError(f"{where}, model: nX and nY must be equal: windows are square here")
    side = sides.pop()
    if not 1 <= side <= LARGEST_WINDOW:
        raise FormatError(f"{where}, model: n must be a whole number from 1 to {LARGEST_WINDOW}, not {side}")
    return side


def tile_value(tile: PlacedName, source: ConfigSource) -> Any:
    """The value of a cell: a colour, or a name with its picture."""
    if source.coloured:
        return tuple(source.pictures[tile.name][0, 0].tolist())
    way = ring_of(source.kind).spell(tile.orientation)
    name = tile.name if way == "0" else f"{tile.name}@{way}"
    picture = source.pictures.get(tile.name)
    return name if picture is None else TileName(name, orient_tile_picture(picture, tile.orientation))


def read_factors(
    document: ConfigDocument,
    source: ConfigSource,
    rotations: Rotations,
    order: dict[PlacedName, int],
    where: str,
) -> NDArray[np.float64]:
    """[tile, in this order] by how much each of its places in a window multiplies the weight of that."""
    factors = np.ones(len(order))
    for index, tile in enumerate(document.tiles):
        if tile.multiply_frequency is not None and tile.value is not None:
            here = f"{where}, tiles[{index}]"
            factor = parse_factor(tile.multiply_frequency, here)
            for each in rotations.every(rotations.canonical(parse_reference(tile.value, source, here))):
                if each in order:
                    factors[order[each]] *= factor
    return factors
