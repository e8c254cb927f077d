"""Checks of the arguments of a tile set; groups; the result of calibration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from hashlib import blake2b
from math import fsum, isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.names import RecommendedOrder
from wavefold.options.values import parse_integer
from wavefold.tiles.rules import Rules
from wavefold.tiles.tile import Pattern, Tile, check_tile
from wavefold.topology import get_lattice_class, is_lattice, list_drawn_directions, list_lattice_kinds

if TYPE_CHECKING:
    from wavefold.tiles.tileset import TileSet


Groups = Mapping[str, Sequence[str]]
WILDCARDS = "*?["  # a name with one of these is a wildcard, as in file names: coast-*


def parse_groups(groups: object) -> dict[str, tuple[str, ...]]:
    """Check the groups of a tile set; return {group: names}."""
    if not isinstance(groups, Mapping):
        raise TileSetError(f"groups must be a dict such as {{'water': ['sea', 'coast-*']}}, not {groups!r}")
    found = {}
    for group, names in groups.items():
        if (
            not isinstance(group, str)
            or not group
            or "@" in group
            or any(sign in group for sign in WILDCARDS)
        ):
            raise TileSetError(
                f"the name of a group must be text without '@', '*', '?' or '[', not {group!r}"
            )
        listed = (names,) if isinstance(names, str) else names
        if not isinstance(listed, tuple | list) or not all(isinstance(name, str) for name in listed):
            raise TileSetError(
                f"group {group!r} must be a list of tiles such as ['sea', 'coast-*'], not {names!r}"
            )
        if not listed:
            raise TileSetError(f"group {group!r} is empty; list its tiles, such as ['sea', 'coast-*']")
        found[group] = tuple(listed)
    return found


def find_group(group: str, groups: Groups, rules: Rules) -> NDArray[np.int64]:
    """The patterns of a group, in order. `rules` needs tiles, but no relations or groups."""
    checkpoint()
    listed = [each for name in groups[group] for each in list_members(group, name, groups, rules)]
    members = np.unique(np.concatenate([rules.patterns(each) for each in listed]))
    if group in rules.tiles and not np.isin(rules.patterns(group), members).all():
        raise TileSetError(
            f"group {group!r} has the name of a tile that is not a member; choose another name"
        )
    return members


def list_members(group: str, name: str, groups: Groups, rules: Rules) -> list[str]:
    """The names of the tiles, or of the pattern, that one entry of a group stands for."""
    if name in rules.patterns_by_name:
        return [name]
    if name in groups:
        raise TileSetError(
            f"group {group!r} contains the group {name!r}; list the tiles of that group instead"
        )
    if any(sign in name for sign in WILDCARDS):
        matching = [tile for tile in rules.tiles if fnmatchcase(tile, name)]
        if not matching:
            raise TileSetError(f"group {group!r}: no tile matches {name!r}; {suggest(name, rules.tiles)}")
        return matching
    try:
        rules.patterns(name)
    except TileSetError as error:
        raise TileSetError(f"group {group!r}: {error}") from None
    return [name]


LARGEST_ACTIVITY = 100  # larger than any activity that calibration finds


@dataclass(frozen=True, slots=True)
class Calibration:
    """The result of calibration.

    activities : {tile: ln of a factor on its weight}; tiles that are hard to place have larger factors
    digest : the digest of the tile set (`digest_calibrated`); if it differs, the activities are out of date
    seeds, rounds, size : the number of maps that were refined, the number of rounds, the size of the maps
    reached : {tile: (target share of cells, share in the refined maps)}
    """

    activities: Mapping[str, float]
    digest: str
    seeds: int = 0
    rounds: int = 0
    size: tuple[int, ...] = ()
    reached: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for tile, activity in self.activities.items():
            is_number = isinstance(activity, Real) and not isinstance(activity, bool) and isfinite(activity)
            if not is_number or abs(activity) > LARGEST_ACTIVITY:
                raise TileSetError(
                    f"the activity of {tile!r} must be from -{LARGEST_ACTIVITY} to {LARGEST_ACTIVITY}, "
                    f"not {activity!r}"
                )

    def fits(self, tiles: TileSet) -> bool:
        """Whether the tile set is unchanged since calibration."""
        return self.digest == digest_calibrated(tiles)


def digest_calibrated(tiles: TileSet) -> str:
    """A digest of everything that activities depend on: tiles, weights, shares, rules and soft pairs."""
    shares = (f"{name} = {share!r}" for name, share in sorted(tiles.shares.items()))
    parts = "\n".join((tiles.rules.digest, tiles.rules.soft_digest, *tiles.rules.tiles, *shares))
    return blake2b(parts.encode(), digest_size=8).hexdigest()


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
