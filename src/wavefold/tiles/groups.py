"""Groups of tiles: one name for several, usable wherever the name of a tile is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.tiles.rules import Rules

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
