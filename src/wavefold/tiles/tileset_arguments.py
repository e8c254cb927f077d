"""Checks of the arguments of a tile set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any, get_args

import numpy as np

from wavefold.errors import TileSetError
from wavefold.options.names import RecommendedOrder
from wavefold.options.values import parse_integer
from wavefold.tiles.rules import Rules
from wavefold.tiles.tile import Pattern, Tile, check_tile
from wavefold.topology import get_lattice_class, is_lattice, list_drawn_directions, list_lattice_kinds

ORDERS = get_args(RecommendedOrder)
SHARE_TOLERANCE = 1e-6  # rounding: shares may add up to this much more than 1


def check_text(what: str, value: object) -> str:
    """Return the text. Raises TileSetError for another type."""
    if not isinstance(value, str):
        raise TileSetError(f"the {what} of a tile set must be text, not {value!r}")
    return value


def check_topology(topology: str) -> str:
    """Return the name of the topology. Raises TileSetError unless it is a lattice."""
    if not is_lattice(topology):
        kinds = " or ".join(", ".join(list_lattice_kinds()).rsplit(", ", 1))
        raise TileSetError(f"the topology of a tile set must be {kinds}, not {topology!r}")
    return topology


def check_size(size: object, topology: str) -> tuple[int, ...]:
    """Return the size as a tuple. Raises TileSetError unless it suits the topology."""
    axes = len(get_lattice_class(topology).axes)
    numbers = [parse_integer(each) for each in size] if isinstance(size, tuple | list) else []
    found = tuple(number for number in numbers if number is not None and number > 0)
    if len(found) != len(numbers) or len(found) != axes:
        words = "[columns, rows, layers]" if axes == 3 else "[columns, rows]"
        raise TileSetError(
            f"the size of maps of {topology} cells must be {words}, each at least 1, not {size!r}"
        )
    return found


def check_order(order: object) -> RecommendedOrder | None:
    """Return the recommended order. Raises TileSetError for an unknown one."""
    if order is not None and order not in ORDERS:
        raise TileSetError(f"the order of a tile set must be 'scanline' or 'spiral', not {order!r}")
    return order  # type: ignore[return-value]


def check_tiles(tiles: Sequence[Tile], topology: str) -> None:
    """Raise TileSetError for the first invalid tile or duplicate name."""
    if not tiles:
        raise TileSetError("a tile set needs at least one tile")
    compass = list_drawn_directions(topology)
    seen: set[str] = set()
    for tile in tiles:
        check_tile(tile, compass, topology)
        if tile.name in seen:
            raise TileSetError(f"two tiles are called {tile.name!r}; names must differ")
        seen.add(tile.name)


def check_pictures(tiles: Sequence[Tile], patterns: Sequence[Pattern]) -> None:
    """Raise TileSetError if a tile with a tuple of pictures does not have one per pattern."""
    for tile in tiles:
        for pictures in (tile.picture, tile.flat_picture):
            if isinstance(pictures, tuple):
                given, needed = len(pictures), sum(each.tile is tile for each in patterns)
                if given != needed:
                    raise TileSetError(f"tile {tile.name!r} has {given} pictures for {needed} patterns")


def check_shares(shares: object, names: Rules) -> dict[str, float]:
    """Return the shares of a tile set as a dict.

    Raises TileSetError for unknown names, for patterns named twice, and for a total above 1. `names` needs
    tiles and groups, but no relations.
    """
    if not isinstance(shares, Mapping):
        raise TileSetError(
            f"the shares of a tile set must be a dict such as {{'water': 0.3}}, not {shares!r}"
        )
    named = np.zeros(len(names), bool)
    for name, share in shares.items():
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise TileSetError(f"the share of {name!r} must be a number from 0 to 1, not {share!r}")
        try:
            patterns = names.patterns(name)
        except TileSetError as error:
            raise TileSetError(f"shares: {error}") from None
        if named[patterns].any():
            pattern = names.names[int(patterns[named[patterns].argmax()])]
            raise TileSetError(
                f"shares: {pattern!r} is named twice, by {name!r} and by another tile or group"
            )
        named[patterns] = True
    if (total := fsum(shares.values())) > 1 + SHARE_TOLERANCE:
        raise TileSetError(f"shares: the total is {total:.9g}; it must not exceed 1")
    return dict(shares)


def check_constraints(constraints: Any) -> tuple[Any, ...]:
    """Return the constraints of a tile set as a tuple. Raises TileSetError for other objects."""
    if not isinstance(constraints, Iterable):
        raise TileSetError(f"constraints must be a list, not {constraints!r}")
    found = tuple(constraints)
    for each in found:
        if fault := find_fault(each):
            raise TileSetError(fault)
    return found


def find_fault(constraint: Any) -> str:
    """The reason why an object is not a constraint; "" if it is one."""
    if isinstance(constraint, type):
        name = constraint.__name__
        return f"{name} is a class, not a constraint: call it, {name}(…)"
    if not callable(getattr(constraint, "prune", None)):
        return f"{constraint!r:.80} is not a constraint: it has no method prune(view)"
    return ""
