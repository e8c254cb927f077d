"""A tile: what the author drew, and what its sides show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError

__all__ = ["Pattern", "Tile"]


@dataclass(frozen=True, slots=True)
class Tile:
    """One picture and the socket on each of its sides. Two sides match if their sockets are equal.

    `sockets` go round clockwise in the topology's order of directions: north, east, south, west on
    squares; northeast, east, … on hexagons; north, east, south, west, up, down on cubes.
    `turns` lists how many steps clockwise the tile may also be turned: 90° each on squares and
    cubes (around the vertical), 60° on hexagons. The weight counts for each of them.
    """

    name: str
    sockets: tuple[str, ...]
    weight: float = 1.0
    turns: tuple[int, ...] = (0,)
    picture: NDArray[np.uint8] | None = field(default=None, compare=False, repr=False)  # [row, column, RGBA]


class Pattern(NamedTuple):
    """A tile in one position."""

    name: str
    tile: int
    turn: int  # steps clockwise
    sockets: tuple[str, ...]


def patterns_of(tile: Tile, index: int, ring: int, degrees: int) -> Iterator[Pattern]:
    """The tile in each of its turns; the first `ring` sides go round, the rest stay (up, down)."""
    if not isinstance(tile.turns, tuple | list) or not tile.turns or len(set(tile.turns)) != len(tile.turns):
        raise TileSetError(f"tile {tile.name!r} must list each of its turns once, not {tile.turns!r}")
    for turn in tile.turns:
        if not isinstance(turn, int) or not 0 <= turn < ring:
            raise TileSetError(
                f"tile {tile.name!r} cannot be turned {turn!r} times; turns go from 0 to {ring - 1}"
            )
        sockets = tuple(tile.sockets)
        around = tuple(sockets[(side - turn) % ring] for side in range(ring))
        name = tile.name if turn == 0 else f"{tile.name}@{turn * degrees}"
        yield Pattern(name, index, turn, around + sockets[ring:])
