"""Place the objects of a tile set on a map.

Each object has a hash at every cell of the plane, made from the seed, its name and the coordinates. It is
placed on a cell with one of its tiles if the hash is low enough for its density, and lower than at all cells
nearer than `apart`. Tiles of other cells have no influence: each part of a world has the same objects as the
whole, and editing a cell affects only the object of that cell.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.seeding import fold_seed, mix, mix_arrays
from wavefold.tiles import MapObject, TileSet
from wavefold.topology import Lattice, Topology, get_lattice_class

OBJECT_SALT, JITTER_SALT = 0x0B1EC7, 1  # make these hashes independent of others of the same seed and cell
DENSITY_BITS = 53  # bits of a hash that are compared with a density
JITTER_STEPS = 256  # steps per cell

CellCoordinates = NDArray[np.int64]  # [cell, axis]


class PlacedObject(NamedTuple):
    """An object on a map.

    Attributes
    ----------
    name : the name of the `MapObject`
    coordinate : its cell, as (x, y), (q, r) or (x, y, z); for a part of a world, the cell of the world
    position : its point, in cells from the corner of cell (0, 0), y downwards; for hexagons, in hexagons from
        the middle of cell (0, 0); for cubes, (x, y, z) on the ground of its layer
    """

    name: str
    coordinate: tuple[int, ...]
    position: tuple[float, ...]


class Placements(NamedTuple):
    """The objects on some cells, in the order of the cells."""

    cells: NDArray[np.int64]  # [object] index of its cell
    kinds: NDArray[np.int64]  # [object] index of its `MapObject` in `TileSet.objects`
    jitter: NDArray[np.float64]  # [object, (x, y)] offset from the middle of its cell, in cells


def list_objects(
    tiles: object, grid: Topology, patterns: NDArray[np.int64], seed: int, origin: tuple[int, ...] | None
) -> list[PlacedObject]:
    """List the objects on a map; `origin` is the cell of the world at coordinate (0, 0) of the grid."""
    found = find_placements(tiles, grid, patterns, seed, origin)
    if found is None:
        return []
    assert isinstance(tiles, TileSet)
    assert isinstance(grid, Lattice)
    places = grid.coordinates[found.cells].astype(np.int64)
    if origin is not None:
        places += np.array(origin, np.int64)
    points = np.stack([np.asarray(axis, np.float64) for axis in grid.positions(places.T)], axis=1)
    points[:, :2] += found.jitter + (0.5 if grid.rectangular_cells else 0.0)
    return [
        PlacedObject(tiles.objects[kind].name, tuple(place), tuple(point))
        for kind, place, point in zip(found.kinds.tolist(), places.tolist(), points.tolist(), strict=True)
    ]


def find_placements(
    tiles: object, grid: Topology, patterns: NDArray[np.int64], seed: int, origin: tuple[int, ...] | None
) -> Placements | None:
    """The objects of `list_objects` as arrays; None if the tiles have no objects or cells no coordinates."""
    if not isinstance(tiles, TileSet) or not tiles.objects or not isinstance(grid, Lattice):
        return None
    places = grid.coordinates.astype(np.int64)
    return place_objects(tiles, places, patterns, seed, origin, find_wrapped_spans(grid))


def place_objects(
    tiles: TileSet,
    places: CellCoordinates,
    patterns: NDArray[np.int64],
    seed: int,
    origin: tuple[int, ...] | None = None,
    spans: tuple[int, ...] | None = None,
) -> Placements:
    """Place objects on cells with these coordinates and patterns [cell]; no object is placed on pattern -1.

    If several objects fit in a cell, the first of the tile set is placed.

    origin : added to the coordinates before hashing
    spans : the number of cells along each axis that wraps, 0 for other axes; None: no axis wraps
    """
    free = np.ones(len(patterns), bool)
    at = places if origin is None else places + np.array(origin, np.int64)
    found: list[Placements] = []
    for kind, each in enumerate(tiles.objects):
        suits = np.zeros(len(tiles.rules) + 1, bool)  # the last entry is for pattern -1
        suits[each.patterns(tiles.rules)] = True
        numbers = CellHashes(fold_seed(seed), each.name, spans)
        cells = np.flatnonzero(suits[patterns] & free)
        cells = cells[numbers.select_cells(at[cells], each, tiles.topology)]
        free[cells] = False
        found.append(
            Placements(cells, np.full(len(cells), kind), numbers.draw_jitter(at[cells], each.jitter))
        )
    cells, kinds, jitter = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(cells)
    return Placements(cells[order], kinds[order], jitter[order])


def find_wrapped_spans(grid: Lattice) -> tuple[int, ...] | None:
    """The number of cells along each axis that wraps, 0 for other axes; None if no axis wraps."""
    wraps = grid.wraps if isinstance(grid.wraps, tuple) else (grid.wraps,) * len(grid.axes)
    spans = tuple(span if wrap else 0 for span, wrap in zip(grid.shape[::-1], wraps, strict=True))
    return spans if any(spans) else None


class CellHashes:
    """The hashes of one object, uint64, at every cell of the plane."""

    def __init__(self, seed: int, name: str, spans: tuple[int, ...] | None) -> None:
        key = int.from_bytes(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest(), "big")
        self.state = mix(OBJECT_SALT, seed, key)
        self.spans = spans

    def draw(self, places: CellCoordinates, purpose: int = 0) -> NDArray[np.uint64]:
        """Hash coordinates; along an axis that wraps, coordinates are taken modulo its span."""
        axes = list(places.T)
        for axis, span in enumerate(self.spans or ()):
            if span:
                axes[axis] = axes[axis] % span
        return mix_arrays(mix(self.state, purpose), *axes)

    def select_cells(self, places: CellCoordinates, each: MapObject, topology: str) -> NDArray[np.int64]:
        """The indices of the cells on which the object is placed."""
        numbers = self.draw(places)
        chosen = np.flatnonzero(
            numbers >> np.uint64(64 - DENSITY_BITS) < np.uint64(round(each.density * 2**DENSITY_BITS))
        )
        for offset in list_offsets_within(topology, each.apart):  # near cells first: they exclude most
            rivals = self.draw(places[chosen] + offset)
            chosen = chosen[~(rivals < numbers[chosen])]
        return chosen

    def draw_jitter(self, places: CellCoordinates, jitter: float) -> NDArray[np.float64]:
        """[cell, (x, y)]: the offset of the object from the middle of its cell, in cells."""
        bits = self.draw(places, JITTER_SALT)
        halves = np.stack([bits >> np.uint64(32), bits & np.uint64(0xFFFFFFFF)], axis=1)
        shares = halves.astype(np.float64) / 2**31 - 1  # from -1 to 1
        return np.asarray(np.round(shares * jitter * JITTER_STEPS) / JITTER_STEPS)


@cache
def list_offsets_within(topology: str, apart: int) -> tuple[tuple[int, ...], ...]:
    """The offsets to all cells nearer than `apart`, the nearest first."""
    grid = get_lattice_class(topology)
    reach = range(1 - apart, apart)
    offsets = [offset for offset in product(reach, repeat=len(grid.axes)) if any(offset)]
    near = [(grid.distance(*offset), offset) for offset in offsets]
    return tuple(offset for distance, offset in sorted(near) if distance < apart)
