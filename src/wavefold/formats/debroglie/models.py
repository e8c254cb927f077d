"""The models of DeBroglie: adjacent (single tiles) and overlapping (windows of n x n tiles)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import FormatError
from wavefold.formats.debroglie.document import AdjacencyData, ConfigDocument, ModelData
from wavefold.formats.debroglie.references import (
    Model,
    check_frequencies,
    check_known,
    make_title,
    parse_direction,
    parse_factor,
    parse_reference,
)
from wavefold.formats.debroglie.rotations import PlacedName, Rotations, move_all
from wavefold.formats.debroglie.sources import ColourValue, ConfigSource, Rows
from wavefold.formats.loaded import find_exact_name
from wavefold.formats.tiled.learn import TileName
from wavefold.formats.tiled.tileset import make_unique, orient_tile_picture
from wavefold.formats.toml.adjacency import ListedTileSet
from wavefold.options.groups import LARGEST_WINDOW
from wavefold.tiles import LearnedTileSet, Orientation, Pixels, Relation, Tile, TileSet, get_ring
from wavefold.tiles.learning.overlapping import relate_overlaps
from wavefold.tiles.learning.samples import Sample
from wavefold.tiles.learning.windows import (
    IntArray,
    Occurrences,
    check_count,
    find_windows,
    merge_equal,
    number_parts,
)
from wavefold.topology import make_single_cell

MOST_PATTERNS = 4096
FORWARD_SIDES = ("east", "south", "up")  # pairs are stored in these directions only
# (field, opposite field, side): the tiles of the first field stand on this side of those of the second.
FIELD_PAIRS = (("right", "left", "east"), ("down", "up", "south"), ("below", "above", "down"))


class PairTable:
    """The allowed pairs of tiles, and the frequency of each tile."""

    def __init__(self, kind: str) -> None:
        cell = make_single_cell(kind)
        self.kind, self.sides, self.opposite = kind, cell.directions, cell.opposite_sides()
        self.frequency: dict[PlacedName, float] = {}
        self.pairs: set[tuple[str, PlacedName, PlacedName]] = set()

    def allow(self, here: Iterable[PlacedName], side: int, there: Iterable[PlacedName]) -> None:
        """Allow each of `there` on this side of each of `here`."""
        name = self.sides[side]
        listed = list(there)
        for one in here:
            for other in listed:
                self.frequency.setdefault(one, 0)
                self.frequency.setdefault(other, 0)
                if name in FORWARD_SIDES:
                    self.pairs.add((name, one, other))
                else:
                    self.pairs.add((self.sides[self.opposite[side]], other, one))

    def add_sample(
        self, sample: NDArray[np.int64], names: list[PlacedName], wraps: tuple[bool, bool]
    ) -> None:
        """Count the tiles of a sample [row, column], and allow its touching pairs; -1 is a hole."""
        found, counts = np.unique(sample[sample >= 0], return_counts=True)
        for number, count in zip(found.tolist(), counts.tolist(), strict=True):
            self.frequency[names[number]] = self.frequency.get(names[number], 0) + count
        for axis, name in ((1, "east"), (0, "south")):
            beside = np.roll(sample, -1, axis=axis)
            if not wraps[1 - axis]:
                beside[(slice(None), -1) if axis else -1] = -1
            both = (sample >= 0) & (beside >= 0)
            seen = np.unique(np.stack([sample[both], beside[both]], axis=1), axis=0)
            self.pairs |= {(name, names[one], names[other]) for one, other in seen.tolist()}

    def tables(self, order: dict[PlacedName, int]) -> Iterator[NDArray[np.bool_]]:
        """bool [pattern a, pattern b] per side: whether b may stand on that side of a."""
        found = {name: np.zeros((len(order), len(order)), bool) for name in self.sides}
        for name, one, other in self.pairs:
            found[name][order[one], order[other]] = True
        for side, back in enumerate(self.opposite):
            yield found[self.sides[side]] | found[self.sides[back]].T


def build_adjacent(document: ConfigDocument, source: ConfigSource, rotations: Rotations, where: str) -> Model:
    """Build the tiles of a configuration with an adjacent model."""
    table = PairTable(source.kind)
    if source.rows is not None:
        for sample, names, wraps in turn_samples(source.rows, rotations, document.wraps_input):
            table.add_sample(sample, names, wraps)
    for index, entry in enumerate(document.adjacencies):
        here, side, there = read_adjacency(entry, source, rotations, f"{where}, adjacencies[{index}]")
        for move in rotations.group:
            turned = rotations.move_side(table.sides.index(side), move) if side in table.sides else -1
            if turned < 0:
                raise FormatError(
                    f"{where}, adjacencies[{index}]: square cells have no sides above and below"
                )
            table.allow(move_all(rotations, here, move), turned, move_all(rotations, there, move))
    if document.auto_adjacency:
        allow_matching_edges(table, source, rotations, document.auto_adjacency_tolerance, where)
    if document.adjacencies or document.auto_adjacency:
        for tile in table.frequency:
            table.frequency[tile] = 1 / len(rotations.every(tile))
    if not table.frequency:
        raise FormatError(f"{where}: needs a sample or adjacencies")
    apply_factors(document, source, rotations, table, where)
    return make_tileset(document, source, table, where)


def turn_samples(
    rows: Rows, rotations: Rotations, wraps: tuple[bool, ...]
) -> Iterator[tuple[NDArray[np.int64], list[PlacedName], tuple[bool, bool]]]:
    """For each turn, the sample as numbers [row, column], the tiles by number, and the wraps of x and y."""
    order: dict[PlacedName, int] = {}
    numbers = np.array([[order.setdefault(cell, len(order)) for cell in row] for row in rows], np.int64)
    for move in rotations.group:
        moved = [rotations.move(tile, move) for tile in order]
        known = np.array([number if tile is not None else -1 for number, tile in enumerate(moved)], np.int64)
        flipped = numbers[:, ::-1] if move.mirrored else numbers
        sample = known[np.rot90(flipped, k=-move.turn)]
        turned = (wraps[1], wraps[0]) if move.turn % 2 else (wraps[0], wraps[1])
        yield sample, [tile or PlacedName("") for tile in moved], turned


def read_adjacency(
    entry: AdjacencyData, source: ConfigSource, rotations: Rotations, where: str
) -> tuple[list[PlacedName], str, list[PlacedName]]:
    """The tiles of an entry, the side, and the tiles that may stand on that side."""

    def tiles(references: list[int | str] | None) -> list[PlacedName]:
        found = [parse_reference(each, source, where) for each in references or []]
        for tile in found if source.pictures else ():
            check_known(tile.name, source.pictures, where)
        return [rotations.canonical(each) for each in found]

    for there, here, side in FIELD_PAIRS:
        if getattr(entry, here) is not None and getattr(entry, there) is not None:
            return tiles(getattr(entry, here)), side, tiles(getattr(entry, there))
    if entry.src is None or entry.dest is None or entry.direction is None:
        raise FormatError(f"{where}: needs left and right, up and down, or above and below")
    return tiles(entry.src), parse_direction(entry.direction, where), tiles(entry.dest)


def apply_factors(
    document: ConfigDocument, source: ConfigSource, rotations: Rotations, table: PairTable, where: str
) -> None:
    """Multiply the frequencies of tiles and their turned versions by the configured factors."""
    for index, tile in enumerate(document.tiles):
        if tile.multiply_frequency is not None and tile.value is not None:
            here = f"{where}, tiles[{index}]"
            factor = parse_factor(tile.multiply_frequency, here)
            for each in rotations.every(rotations.canonical(parse_reference(tile.value, source, here))):
                if each in table.frequency:
                    table.frequency[each] *= factor
    check_frequencies(table.frequency.values(), where)


def allow_matching_edges(
    table: PairTable, source: ConfigSource, rotations: Rotations, tolerance: float, where: str
) -> None:
    """Allow pairs of tiles whose pictures agree along the common edge."""
    if source.kind == "cube":
        raise FormatError(f"{where}: autoAdjacency of a voxSet cannot be read yet; list adjacencies instead")
    pictures = orient_pictures(source, rotations, where)
    if source.coloured or len({picture.shape for picture in pictures.values()}) != 1:
        raise FormatError(f"{where}: autoAdjacency needs pictures of tiles, all of one size")
    names, stack = list(pictures), np.stack(list(pictures.values())).astype(np.int64)
    edges = {"east": (stack[:, :, -1], stack[:, :, 0]), "south": (stack[:, -1], stack[:, 0])}
    for name, (near, far) in edges.items():
        side = table.sides.index(name)
        for tile, edge in zip(names, near, strict=True):
            difference = np.abs(far - edge).mean(axis=(1, 2)) / 255
            table.allow(
                [tile], side, [names[each] for each in np.flatnonzero(difference <= tolerance).tolist()]
            )


def orient_pictures(source: ConfigSource, rotations: Rotations, where: str) -> dict[PlacedName, Pixels]:
    """The picture of every tile in every orientation."""
    if not source.pictures:
        raise FormatError(f"{where}: autoAdjacency needs pictures of tiles")
    return {
        tile: orient_tile_picture(source.pictures[tile.name], tile.orientation)
        for name in source.pictures
        for tile in rotations.every(PlacedName(name))
    }


def make_tileset(document: ConfigDocument, source: ConfigSource, table: PairTable, where: str) -> Model:
    """Build tiles with the orientations that occur, and the table of allowed pairs."""
    if len(table.frequency) > MOST_PATTERNS:
        raise FormatError(
            f"{where}: has {len(table.frequency):,} tiles; at most {MOST_PATTERNS:,} can be read"
        )
    ways: dict[str, list[Orientation]] = {tile.name: [] for tile in table.frequency}  # in order of appearance
    for tile in sorted(table.frequency, key=lambda tile: (tile.orientation.mirrored, tile.orientation.turn)):
        ways[tile.name].append(tile.orientation)
    placed = [PlacedName(name, way) for name, listed in ways.items() for way in listed]
    order = {tile: number for number, tile in enumerate(placed)}
    ring, titles = get_ring(source.kind), make_tile_titles(list(ways), source)
    tiles = [
        Tile(titles[name], None, 1.0, tuple(map(ring.spell, listed)), source.pictures.get(name))
        for name, listed in ways.items()
    ]
    size = (document.width, document.height, document.depth)[: len(make_single_cell(source.kind).axes)]
    plain = TileSet(tiles, source.kind, make_title(document), size=size)
    relations = [Relation.from_allowed(side) for side in table.tables(order)]
    found = ListedTileSet(plain, relations, [float(table.frequency[tile]) for tile in order])
    return Model(found, {tile: find_exact_name(found.rules, number) for tile, number in order.items()})


def make_tile_titles(names: list[str], source: ConfigSource) -> dict[str, str]:
    """{name: unique title}: the author's name of each tile, if there is one."""
    authors = {name: word for word, name in source.names.items()}
    titles: dict[str, str] = {}
    for name in names:
        title = authors.get(name, name).replace("@", "_") or "_"
        titles[name] = make_unique(title, titles.values())
    return titles


DEFAULT_WINDOW = 2
CROP_SHARE = 2.0**-12  # factor on the weight of cut windows, which are used only at the edges of a map


def build_overlapping(
    document: ConfigDocument, source: ConfigSource, rotations: Rotations, where: str
) -> Model:
    """Build the tiles of a configuration with an overlapping model."""
    if source.rows is None or source.kind != "square":
        raise FormatError(f"{where}: an overlapping model needs a picture or a map of Tiled as a sample")
    n = find_window_size(document.model, where)
    order: dict[PlacedName, int] = {}
    samples = []
    for sample, names, wraps in turn_samples(source.rows, rotations, document.wraps_input):
        if (sample < 0).any():
            raise FormatError(
                f"{where}: rotationTreatment 'missing' leaves holes in the sample, which overlapping "
                "models do not support; use 'unchanged' or 'generated'"
            )
        shared = np.array([order.setdefault(name, len(order)) for name in names], np.int64)
        after = [(0, (n - 1) * wrap) for wrap in wraps[::-1]]  # the part of windows beyond the edge
        samples.append(np.pad(shared[sample], after, mode="wrap"))
    values = [make_tile_value(tile, source) for tile in order]
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
        title=make_title(document),
        occurrences=Occurrences(windows.maps, number[:, None].astype(np.int32)),
    )
    tiles.size = (document.width, document.height)
    meant = map(ColourValue, values) if source.coloured else values
    return Model(tiles, dict(zip(order, meant, strict=True)))


def add_crops(cells: IntArray, counts: IntArray, outside: int) -> tuple[IntArray, IntArray]:
    """Append the cut windows for the edges of a map to the windows [window, row, column] and their counts.

    The windows of the last rows and columns reach beyond the map. A cut window is the part of a window below
    some row and right of some column; its other cells have the number `outside`. No window begins with this
    number, so cut windows fit only at the edges.
    """
    for axis in (1, 2):
        crops = [cells]
        for _ in range(1, cells.shape[axis]):
            crops.append(np.roll(crops[-1], -1, axis))
            np.moveaxis(crops[-1], axis, 0)[-1] = outside
        every = np.concatenate(crops)
        cells, counts = merge_equal(every, number_parts(every), np.tile(counts, len(crops)))
    return cells, counts


def find_window_size(model: ModelData, where: str) -> int:
    """The width of windows, which must equal their height."""
    sides = {side or model.n or DEFAULT_WINDOW for side in (model.n_x, model.n_y)}
    if len(sides) > 1:
        raise FormatError(f"{where}, model: nX and nY must be equal")
    side = sides.pop()
    if not 1 <= side <= LARGEST_WINDOW:
        raise FormatError(f"{where}, model: n must be a whole number from 1 to {LARGEST_WINDOW}, not {side}")
    return side


def make_tile_value(tile: PlacedName, source: ConfigSource) -> Any:
    """The value of a cell: a colour, or a name with its picture."""
    if source.coloured:
        return tuple(source.pictures[tile.name][0, 0].tolist())
    way = get_ring(source.kind).spell(tile.orientation)
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
    """float64 [tile, in this order]: the factor on the weight of a window for each cell with this tile."""
    factors = np.ones(len(order))
    for index, tile in enumerate(document.tiles):
        if tile.multiply_frequency is not None and tile.value is not None:
            here = f"{where}, tiles[{index}]"
            factor = parse_factor(tile.multiply_frequency, here)
            for each in rotations.every(rotations.canonical(parse_reference(tile.value, source, here))):
                if each in order:
                    factors[order[each]] *= factor
    return factors
