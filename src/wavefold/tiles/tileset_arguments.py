"""Arguments of a tile set: checks, groups of tiles, and the result of calibration."""

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
WILD = "*?["  # what makes a name a pattern of names, as in file names: coast-*


def parse_groups(groups: object) -> dict[str, tuple[str, ...]]:
    """{group: names} with each list as a tuple; raises with an example of how groups are written."""
    if not isinstance(groups, Mapping):
        raise TileSetError(f"groups must be a dict such as {{'water': ['sea', 'coast-*']}}, not {groups!r}")
    found = {}
    for group, names in groups.items():
        if not isinstance(group, str) or not group or "@" in group or any(sign in group for sign in WILD):
            raise TileSetError(f"the name of a group must be a word without '@', '*', '?' and '[': {group!r}")
        listed = (names,) if isinstance(names, str) else names
        if not isinstance(listed, tuple | list) or not all(isinstance(name, str) for name in listed):
            raise TileSetError(
                f"group {group!r} must list names of tiles such as ['sea', 'coast-*'], not {names!r}"
            )
        if not listed:
            raise TileSetError(f"group {group!r} is empty; list its tiles, such as ['sea', 'coast-*']")
        found[group] = tuple(listed)
    return found


def find_group(group: str, groups: Groups, rules: Rules) -> NDArray[np.int64]:
    """The patterns of a group, in order. `rules` have the tiles; they need not have relations, or groups."""
    checkpoint()
    listed = [each for name in groups[group] for each in find_names(group, name, groups, rules)]
    members = np.unique(np.concatenate([rules.patterns(each) for each in listed]))
    if group in rules.tiles and not np.isin(rules.patterns(group), members).all():
        raise TileSetError(
            f"group {group!r} has the name of a tile that it does not contain; choose another name"
        )
    return members


def find_names(group: str, name: str, groups: Groups, rules: Rules) -> list[str]:
    """The tiles, or the pattern, that one entry of a group means."""
    if name in rules.patterns_by_name:
        return [name]
    if name in groups:
        raise TileSetError(
            f"group {group!r} contains the group {name!r}; list the tiles of that group instead"
        )
    if any(sign in name for sign in WILD):
        matching = [tile for tile in rules.tiles if fnmatchcase(tile, name)]
        if not matching:
            raise TileSetError(f"group {group!r}: no tile matches {name!r}; {suggest(name, rules.tiles)}")
        return matching
    try:
        rules.patterns(name)
    except TileSetError as error:
        raise TileSetError(f"group {group!r}: {error}") from None
    return [name]


LARGEST = 100  # beyond any that is found


@dataclass(frozen=True, slots=True)
class Calibration:
    """Activities of tiles, how they were found, and how near maps then come to the targets.

    activities : {tile: ln of the factor that makes up for how hard it is to place}
    digest : of what they were found for, see `digest_calibrated`; after any change there they are stale
    seeds, rounds, size : how many maps of which size were refined, and how often
    reached : {tile: (the target share of cells, the share in maps)}
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
            if not is_number or abs(activity) > LARGEST:
                raise TileSetError(
                    f"the activity of {tile!r} must be from -{LARGEST} to {LARGEST}, not {activity!r}"
                )

    def fits(self, tiles: TileSet) -> bool:
        """Whether the activities were found for these tiles, weights, shares and rules."""
        return self.digest == digest_calibrated(tiles)


def digest_calibrated(tiles: TileSet) -> str:
    """A digest of all that activities depend on: names, weights and shares, what may touch, soft pairs."""
    shares = (f"{name} = {share!r}" for name, share in sorted(tiles.shares.items()))
    parts = "\n".join((tiles.rules.digest, tiles.rules.soft_digest, *tiles.rules.tiles, *shares))
    return blake2b(parts.encode(), digest_size=8).hexdigest()


ORDERS = get_args(RecommendedOrder)  # that a tile set may recommend
SLACK = 1e-6  # by which shares may add up to more than one


def check_text(what: str, value: object) -> str:
    """The text; raises for anything else."""
    if not isinstance(value, str):
        raise TileSetError(f"the {what} of a tile set must be text, not {value!r}")
    return value


def check_topology(topology: str) -> str:
    """The name of a grid that tiles can be drawn for; raises for any other."""
    if not is_lattice(topology):
        kinds = " or ".join(", ".join(list_lattice_kinds()).rsplit(", ", 1))
        raise TileSetError(f"tiles are drawn for {kinds} cells, not {topology!r}")
    return topology


def check_size(size: object, topology: str) -> tuple[int, ...]:
    """A size for maps of this kind as a tuple; raises for anything else."""
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
    """The order that a tile set may recommend; raises for any other."""
    if order is not None and order not in ORDERS:
        raise TileSetError(f"the order of a tile set must be 'scanline' or 'spiral', not {order!r}")
    return order  # type: ignore[return-value]


def check_tiles(tiles: Sequence[Tile], topology: str) -> None:
    """Raise for the first tile that cannot be used, or whose name another has."""
    if not tiles:
        raise TileSetError("there are no tiles: a tile set needs at least one")
    compass = list_drawn_directions(topology)
    seen: set[str] = set()
    for tile in tiles:
        check_tile(tile, compass, topology)
        if tile.name in seen:
            raise TileSetError(f"two tiles are called {tile.name!r}; names must differ")
        seen.add(tile.name)


def check_pictures(tiles: Sequence[Tile], patterns: Sequence[Pattern]) -> None:
    """Raise for a tile that lists pictures, but not one for each of its patterns."""
    for tile in tiles:
        for pictures in (tile.picture, tile.flat_picture):
            if isinstance(pictures, tuple):
                given, needed = len(pictures), sum(each.tile is tile for each in patterns)
                if given != needed:
                    raise TileSetError(f"tile {tile.name!r} has {given} pictures for {needed} patterns")


def check_shares(shares: object, names: Rules) -> dict[str, float]:
    """The shares of a tile set as a dict; raises for unknown names, and for more than there is.

    `names` have the tiles and groups; they need no relations.
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
            raise TileSetError(f"the shares of the tile set: {error}") from None
        if named[patterns].any():
            pattern = names.names[int(patterns[named[patterns].argmax()])]
            raise TileSetError(
                f"the shares name {pattern!r} twice: as {name!r}, and in another tile or group"
            )
        named[patterns] = True
    if (total := fsum(shares.values())) > 1 + SLACK:
        raise TileSetError(f"the shares of a tile set add up to {total:.9g}; they must not exceed 1")
    return dict(shares)


def check_constraints(constraints: Any) -> tuple[Any, ...]:
    """What holds in maps of a tile set; raises for what is not a constraint."""
    if not isinstance(constraints, Iterable):
        raise TileSetError(f"constraints must be a list, not {constraints!r}")
    found = tuple(constraints)
    for each in found:
        if fault := find_fault(each):
            raise TileSetError(fault)
    return found


def find_fault(constraint: Any) -> str:
    """Why an object is not a constraint; "" if it is one."""
    if isinstance(constraint, type):
        name = constraint.__name__
        return f"{name} is a class, not a constraint: call it, {name}(…)"
    if not callable(getattr(constraint, "prune", None)):
        return f"{constraint!r:.80} is not a constraint: it has no method prune(view)"
    return ""
