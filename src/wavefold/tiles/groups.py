"""Groups of tiles: one name for several tiles, valid wherever the name of a tile is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.tiles.rules import Rules

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
