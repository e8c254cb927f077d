"""A tile set whose rules were given as a table of pairs: what `TileSet.from_allowed` makes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import TileSetError
from wavefold.tiles.rules import Relation, parse_weights
from wavefold.tiles.tile import Tile
from wavefold.tiles.tileset import TileSet, check_topology
from wavefold.topology import single_cell


class TableTileSet(TileSet):
    """A tile set whose rules were given as a table.

    Attributes
    ----------
    table : bool [direction, pattern, pattern]: may b stand in that direction of a?
    """

    def __init__(
        self,
        names: Sequence[str],
        allowed: ArrayLike,
        weights: ArrayLike | None,
        topology: str,
        pictures: Sequence[NDArray[np.uint8]] | None,
    ) -> None:
        lattice = single_cell(check_topology(topology))
        try:
            table = np.asarray(allowed, bool)
        except ValueError as error:
            raise TileSetError(f"the table is not an array [direction, pattern, pattern]: {error}") from None
        if pictures is not None and len(pictures) != len(names):
            raise TileSetError(f"there are {len(names)} tiles but {len(pictures)} pictures")
        opposite = lattice.opposite_sides()
        sides = len(opposite)
        if table.shape != (sides, len(names), len(names)):
            raise TileSetError(
                f"the table has shape {table.shape}; {len(names)} tiles on {topology} cells "
                f"need {(sides, len(names), len(names))}: direction, pattern, pattern"
            )
        for side, back in enumerate(opposite):
            if (table[side] != table[back].T).any():
                here, there = np.argwhere(table[side] != table[back].T)[0]
                raise TileSetError(
                    f"the table contradicts itself: {names[here]!r} with {names[there]!r} to the "
                    f"{lattice.directions[side]} is {table[side, here, there]}, the same pair seen from "
                    f"the {lattice.directions[back]} is {table[back, there, here]}"
                )
        self.table = table
        numbers = parse_weights(np.ones(len(names)) if weights is None else weights, names).tolist()
        art: Sequence[NDArray[np.uint8] | None] = [None] * len(names) if pictures is None else pictures
        super().__init__(
            (
                Tile(name, None, weight, picture=picture)
                for name, weight, picture in zip(names, numbers, art, strict=True)
            ),
            topology,
        )

    def _relations(self) -> list[Relation]:
        return [Relation.from_allowed(side) for side in self.table]
