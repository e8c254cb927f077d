"""Maps drawn in Tiled: what stood beside what may stand there again.

A tile that is flipped or turned in the map is a pattern of its own, called as anywhere else: `road@90`,
`road@m`. An empty cell is not part of the map. Pairs that touch on a layer with the custom property
`wavefold` = "never" must not.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.formats.tiled.map import DrawnLayers, Numbers, PlacedTile
from wavefold.formats.tiled.pictures import moved_picture
from wavefold.tiles import Pixels, Relation, Tile, TileSet, learn_adjacency, ring_of

RING = ring_of("square")


class TileName(str):
    """What stands in a cell: the name of a pattern, which knows its picture."""

    picture: Pixels

    def __new__(cls, name: str, picture: Pixels) -> TileName:
        """The name is a text like any other."""
        made = super().__new__(cls, name)
        made.picture = picture
        return made

    def __getnewargs__(self) -> tuple[str, Pixels]:  # type: ignore[override]
        """What a copy is made from."""
        return str(self), self.picture


Rows: TypeAlias = list[list[TileName | None]]  # None: no tile


class MapTileSet(TileSet):
    """Tiles of a drawn map in the orientations they stood in, weighed by how often each did."""

    def __init__(
        self, tiles: Iterable[Tile], counts: Sequence[float], allowed: NDArray[np.bool_], name: str
    ) -> None:
        super().__init__(tiles, name=name)
        self.counts = tuple(counts)  # [pattern]
        self._table = allowed

    def _pattern_weights(self) -> Sequence[float]:
        return self.counts

    def _relations(self) -> list[Relation]:
        return [Relation.from_allowed(side) for side in self._table]


def read_tiled_map(
    path: str | os.PathLike[str], layer: str | Sequence[str] | None = None, periodic: bool = False
) -> MapTileSet:
    """The tiles of a drawn map, .tmx or .tmj, and what stood beside what.

    `layer` is the name of the tile layer to learn from, or several; the lowest visible one, if not given.
    `periodic` says whether opposite edges of the map touch.
    """
    drawn = DrawnLayers(Path(path))
    wanted = [drawn.read(each) for each in drawn.examples(layer)]
    never = [drawn.read(each) for each in drawn.never]
    names = names_of(drawn)
    learned = learn_adjacency(
        [rows(each, names) for each in wanted], periodic, negative=[rows(each, names) for each in never]
    )
    number = {name: number for number, name in enumerate(learned.values)}
    tiles, order = [], []
    for name, placed in drawn.tiles().items():
        shown = [each for each in placed if names[drawn.met[each]] in number]  # not only where it must not be
        if shown:
            here = [number[names[drawn.met[each]]] for each in shown]
            weight = float(learned.rules.weights[here].sum())
            tiles.append(Tile(name, None, weight, ways(shown), drawn.picture(shown[0])))
            order += here
    allowed = learned.rules.allowed[:, order][:, :, order]
    return MapTileSet(tiles, learned.rules.weights[order].tolist(), allowed, Path(path).stem)


def read_tiled_sample(path: str | os.PathLike[str], layer: str | None = None) -> Rows:
    """A drawn map as rows of names, for `learn` and `learn_adjacency`."""
    drawn = DrawnLayers(Path(path))
    numbers = drawn.read(drawn.examples(layer)[0])
    return rows(numbers, names_of(drawn))


def read_tiled_never(path: str | os.PathLike[str]) -> list[Rows]:
    """The layers of a map that show what must not be, for `learn_adjacency(negative=...)`."""
    drawn = DrawnLayers(Path(path))
    numbers = [drawn.read(each) for each in drawn.never]
    names = names_of(drawn)
    return [rows(each, names) for each in numbers]


def ways(placed: Iterable[PlacedTile]) -> tuple[str, ...]:
    """Orientations as a tile lists them: "0", "90", "m"."""
    return tuple(RING.spell(each.orientation) for each in placed)


def names_of(drawn: DrawnLayers) -> list[TileName]:
    """The name of each pattern met, by its number."""
    named: dict[int, TileName] = {}
    for tile, placed in drawn.tiles().items():
        picture = drawn.picture(placed[0])
        for each, way in zip(placed, ways(placed), strict=True):
            name = tile if way == "0" else f"{tile}@{way}"
            named[drawn.met[each]] = TileName(name, moved_picture(picture, each.orientation))
    return [named[number] for number in range(len(named))]


def rows(numbers: Numbers, names: Sequence[TileName]) -> Rows:
    """A layer as rows of names."""
    by_number = [*names, None]  # -1 is the last
    return [[by_number[number] for number in row] for row in numbers.tolist()]
