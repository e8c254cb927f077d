"""Where the objects of a tile set stand on a map: a pure function of the seed, each cell and its tile.

Every object has a number at every cell of the plane, mixed from the seed, its name and the cell's
coordinates. It stands on a cell with one of its tiles if the number there is low enough for its density, and
lower than at every cell nearer than `apart`. Tiles elsewhere do not matter: so a part of a world, in whatever
order it is read, has the objects of the whole, and where a cell changes, only its own object does.
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

PURPOSE, JITTER = 0x0B1EC7, 1  # set these numbers apart from others of the same seed and cell
BITS = 53  # of a number are compared with a density
GRAIN = 256  # jitter is a multiple of 1 / GRAIN cells

Places = NDArray[np.int64]  # [cell, axis]: coordinates


class PlacedObject(NamedTuple):
    """An object on a map.

    Attributes
    ----------
    name : of the `MapObject`
    coordinate : its cell: (x, y), (q, r) or (x, y, z); of a part of a world, in the world
    position : the point where it stands, in cells from the corner of cell (0, 0), y downwards; of hexagons,
        in hexagons from the middle of cell (0, 0); of cubes, (x, y, z) on the ground of its layer
    """

    name: str
    coordinate: tuple[int, ...]
    position: tuple[float, ...]


class Placements(NamedTuple):
    """All objects of some cells, in the order of the cells."""

    cells: NDArray[np.int64]  # [object] the index of its cell
    kinds: NDArray[np.int64]  # [object] the index of its `MapObject` in `TileSet.objects`
    jitter: NDArray[np.float64]  # [object, (x, y)] in cells, from the middle of its cell


def list_objects(
    tiles: object, grid: Topology, patterns: NDArray[np.int64], seed: int, origin: tuple[int, ...] | None
) -> list[PlacedObject]:
    """The objects on a map of this grid, whose coordinate (0, 0) lies at `origin`."""
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
    """The same as arrays; None if the tiles have no objects, or the cells no coordinates."""
    if not isinstance(tiles, TileSet) or not tiles.objects or not isinstance(grid, Lattice):
        return None
    places = grid.coordinates.astype(np.int64)
    return place_objects(tiles, places, patterns, seed, origin, find_wrapped_spans(grid))


def place_objects(
    tiles: TileSet,
    places: Places,
    patterns: NDArray[np.int64],
    seed: int,
    origin: tuple[int, ...] | None = None,
    spans: tuple[int, ...] | None = None,
) -> Placements:
    """The objects on cells at these coordinates, with these patterns [cell]; none where a pattern is -1.

    Where several could stand in one cell, the first of the tile set does.

    origin : what is added to coordinates before a number is drawn for them
    spans : how many cells each axis has that wraps; 0 for those that do not
    """
    free = np.ones(len(patterns), bool)
    at = places if origin is None else places + np.array(origin, np.int64)
    found: list[Placements] = []
    for kind, each in enumerate(tiles.objects):
        suits = np.zeros(len(tiles.rules) + 1, bool)  # the last is for -1
        suits[each.patterns(tiles.rules)] = True
        numbers = Numbers(fold_seed(seed), each.name, spans)
        cells = np.flatnonzero(suits[patterns] & free)
        cells = cells[numbers.find_standing(at[cells], each, tiles.topology)]
        free[cells] = False
        found.append(
            Placements(cells, np.full(len(cells), kind), numbers.draw_jitter(at[cells], each.jitter))
        )
    cells, kinds, jitter = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(cells)
    return Placements(cells[order], kinds[order], jitter[order])


def find_wrapped_spans(grid: Lattice) -> tuple[int, ...] | None:
    """How many cells each axis of a grid has that wraps, 0 for those that do not; None if none does."""
    wraps = grid.wraps if isinstance(grid.wraps, tuple) else (grid.wraps,) * len(grid.axes)
    spans = tuple(span if wrap else 0 for span, wrap in zip(grid.shape[::-1], wraps, strict=True))
    return spans if any(spans) else None


class Numbers:
    """The numbers of one object, uint64, at every cell of the plane."""

    def __init__(self, seed: int, name: str, spans: tuple[int, ...] | None) -> None:
        key = int.from_bytes(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest(), "big")
        self.state = mix(PURPOSE, seed, key)
        self.spans = spans

    def draw(self, places: Places, purpose: int = 0) -> NDArray[np.uint64]:
        """[cell] the number at these coordinates [cell, axis]; where an axis wraps, those are equal."""
        axes = list(places.T)
        for axis, span in enumerate(self.spans or ()):
            if span:
                axes[axis] = axes[axis] % span
        return mix_arrays(mix(self.state, purpose), *axes)

    def find_standing(self, places: Places, each: MapObject, topology: str) -> NDArray[np.int64]:
        """Which of these cells, as indices in order, have a number that is low enough, and lowest nearby."""
        numbers = self.draw(places)
        chosen = np.flatnonzero(numbers >> np.uint64(64 - BITS) < np.uint64(round(each.density * 2**BITS)))
        for offset in list_offsets_within(topology, each.apart):  # the nearest first: most have lost early
            rivals = self.draw(places[chosen] + offset)
            chosen = chosen[~(rivals < numbers[chosen])]
        return chosen

    def draw_jitter(self, places: Places, jitter: float) -> NDArray[np.float64]:
        """[cell, (x, y)] how far from the middle of its cell an object stands, in cells."""
        bits = self.draw(places, JITTER)
        halves = np.stack([bits >> np.uint64(32), bits & np.uint64(0xFFFFFFFF)], axis=1)
        shares = halves.astype(np.float64) / 2**31 - 1  # from -1 to 1
        return np.asarray(np.round(shares * jitter * GRAIN) / GRAIN)


@cache
def list_offsets_within(topology: str, apart: int) -> tuple[tuple[int, ...], ...]:
    """The steps, by axis, from a cell to all that are nearer than `apart`, the nearest first."""
    grid = get_lattice_class(topology)
    reach = range(1 - apart, apart)
    offsets = [offset for offset in product(reach, repeat=len(grid.axes)) if any(offset)]
    near = [(grid.distance(*offset), offset) for offset in offsets]
    return tuple(offset for distance, offset in sorted(near) if distance < apart)
