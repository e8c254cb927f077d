"""The overlapping model: every window of n x n tiles of the sample, as it is and as it is turned."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import FormatError
from wavefold.formats.debroglie.adjacent import turned_samples
from wavefold.formats.debroglie.document import ConfigDocument, ModelData
from wavefold.formats.debroglie.references import Model, document_title, parse_factor, parse_reference
from wavefold.formats.debroglie.rotations import PlacedName, Rotations
from wavefold.formats.debroglie.sources import ConfigSource
from wavefold.formats.tiled.learn import TileName
from wavefold.formats.tiled.tileset import transform_picture
from wavefold.tiles import LearnedTileSet, learn, ring_of
from wavefold.tiles.learning.overlapping import LARGEST_WINDOW

DEFAULT_WINDOW = 2


def build_overlapping(
    document: ConfigDocument, source: ConfigSource, rotations: Rotations, where: str
) -> Model:
    """The tiles of a configuration with an overlapping model."""
    if source.rows is None or source.kind != "square":
        raise FormatError(f"{where}: an overlapping model needs a flat sample, a picture or a map of Tiled")
    n = window_size(document.model, where)
    order: dict[PlacedName, int] = {}
    samples = []
    for sample, names, wraps in turned_samples(source.rows, rotations, document.wraps_input):
        if (sample < 0).any():
            raise FormatError(
                f"{where}: rotationTreatment 'missing' leaves holes in the sample, which an overlapping "
                "model does not read; use 'unchanged' or 'generated'"
            )
        shared = np.array([order.setdefault(name, len(order)) for name in names], np.int64)
        after = [(0, (n - 1) * wrap) for wrap in wraps[::-1]]  # what windows reach around the edge
        samples.append(np.pad(shared[sample], after, mode="wrap"))
    values = [tile_value(tile, source) for tile in order]
    tiles = learn([to_values(sample, values, source.coloured) for sample in samples], n, 1, False)
    factors = read_factors(document, source, rotations, order, where)
    if (factors != 1).any():
        tiles = weigh_windows(tiles, samples, factors, source.coloured)
    tiles.name = document_title(document)
    tiles.size = (document.width, document.height)
    return Model(tiles, dict(zip(order, values, strict=True)))


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
    """What a cell holds: a colour, or a name with its picture."""
    if source.coloured:
        return tuple(source.pictures[tile.name][0, 0].tolist())
    way = ring_of(source.kind).spell(tile.orientation)
    name = tile.name if way == "0" else f"{tile.name}@{way}"
    picture = source.pictures.get(tile.name)
    return name if picture is None else TileName(name, transform_picture(picture, tile.orientation))


def to_values(sample: NDArray[np.int64], values: list[Any], coloured: bool) -> Any:
    """The sample as `learn` takes it: uint8 [row, column, RGBA], or rows of names."""
    if coloured:
        return np.array(values, np.uint8)[sample]
    return [[values[number] for number in row] for row in sample.tolist()]


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


def weigh_windows(
    tiles: LearnedTileSet, samples: list[NDArray[np.int64]], factors: NDArray[np.float64], coloured: bool
) -> LearnedTileSet:
    """The same windows, each as often as it was seen, times the factors of its cells."""
    seen = tiles.occurrences
    assert seen is not None  # just learned
    weights = tiles.rules.weights.copy()
    done = np.zeros(len(weights), bool)
    for sample, windows in zip(samples, seen.maps, strict=True):
        for row, column in np.argwhere(windows >= 0).tolist():
            pattern = int(seen.pattern_of[windows[row, column], 0])
            if not done[pattern]:
                done[pattern] = True
                weights[pattern] *= factors[sample[row : row + tiles.n, column : column + tiles.n]].prod()
    return LearnedTileSet(
        list(tiles.rules.names),
        tiles.values,
        weights.tolist(),
        tiles.rules.relations,
        coloured=coloured,
        n=tiles.n,
        symmetry=1,
        occurrences=seen,
    )
