"""Soft pairs that keep lines apart: roads, corridors and rivers that run side by side look like a comb."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from wavefold.tiles.neighbour_rules import Beside
from wavefold.tiles.tile import Tile

COMPASS = ("north", "east", "south", "west")


def keep_apart(
    lines: Iterable[Tile], group: str, is_bare: Callable[[str], bool], weight: float
) -> Iterator[Beside]:
    """A factor on tiles of the group beside the bare sides of these tiles, through which no line goes."""
    for tile in lines:
        assert tile.sockets is not None
        sides = tuple(side for side, socket in zip(COMPASS, tile.sockets, strict=True) if is_bare(socket))
        if sides:
            yield Beside(tile.name, group, sides, weight=weight)
