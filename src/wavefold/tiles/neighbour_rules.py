"""Neighbour rules: pairs of tiles that are allowed, forbidden, or weighted in refining."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.tiles.rules import Rules

MOST_RULES = 10_000

SIDE_INITIALS = {
    "N": "north", "E": "east", "S": "south", "W": "west", "U": "up", "D": "down",
    "NE": "northeast", "SE": "southeast", "SW": "southwest", "NW": "northwest",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Beside:
    """A rule that `there` may stand beside `here`, on some sides or on any; with allowed=False, it may not.

    A rule with a weight neither allows nor forbids: the weight is a factor on each such pair. Refining
    prefers pairs with factors above 1 and avoids those below 1. Factors of several rules multiply. Maps that
    are not refined ignore them.

    The name of a tile or group stands for all of its patterns, a full name for that pattern; several names
    may be listed. Sides are those of `here` as drawn. The rule is rotated and mirrored with `here`:
    `Beside("road", "gate", "east")` allows any gate south of `road@90`; `Beside("road@0", "gate@0", "east")`
    allows only `gate@90` there.

    >>> Beside("lava", ("water", "ice"), allowed=False)
    Beside(here='lava', there=('water', 'ice'), sides=(), allowed=False, weight=None)
    >>> Beside("bridge", "bridge", weight=0.2).weight
    0.2
    """

    here: str | tuple[str, ...]
    there: str | tuple[str, ...]
    sides: str | tuple[str, ...] = ()
    allowed: bool = True
    weight: float | None = None


def parse_rules(rules: object) -> tuple[Beside, ...]:
    """Check neighbour rules; return them as a tuple."""
    listed = tuple(rules) if isinstance(rules, Iterable) else (rules,)
    if len(listed) > MOST_RULES:
        raise TileSetError(
            f"there are {len(listed):,} neighbour rules, more than {MOST_RULES:,}; use TileSet.from_allowed"
        )
    for rule in listed:
        if not isinstance(rule, Beside):
            raise TileSetError(
                f"a neighbour rule must be written Beside('road', 'grass', 'east'), not {rule!r}"
            )
        for part in (rule.here, rule.there, rule.sides):
            if not isinstance(part, str | tuple | list) or not all(isinstance(each, str) for each in part):
                raise TileSetError(f"a neighbour rule must consist of names, not {part!r}: {rule!r}")
        if not isinstance(rule.allowed, bool):
            raise TileSetError(f"allowed must be True or False, not {rule.allowed!r}: {rule!r}")
        if rule.weight is not None:
            check_weight(rule)
    return listed


def check_weight(rule: Beside) -> None:
    """Raise unless the weight of a rule is a number above 0 and the rule does not forbid."""
    weight = rule.weight
    if isinstance(weight, bool) or not isinstance(weight, Real) or not (isfinite(weight) and weight > 0):
        raise TileSetError(
            f"the weight of a neighbour rule must be a number above 0, not {weight!r}: {rule!r}"
        )
    if not rule.allowed:
        raise TileSetError(f"weight= and allowed=False cannot be combined; leave out one of them: {rule!r}")


def list_hard_rules(rules: Sequence[Beside]) -> list[Beside]:
    """The rules without a weight."""
    return [rule for rule in rules if rule.weight is None]


def to_tuple(value: str | Iterable[str]) -> tuple[str, ...]:
    """Return one name, or several, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value)


def find_side(word: str, compass: Sequence[str]) -> int:
    """The index of a side by its name or initials: `north`, or `N`."""
    name = SIDE_INITIALS.get(word, word)
    if name not in compass:
        raise TileSetError(f"there is no side {word!r}; {suggest(word, compass)}")
    return list(compass).index(name)


def find_patterns(rules: Rules, names: str | tuple[str, ...]) -> NDArray[np.int64]:
    """The patterns with one of these names, in order."""
    listed = to_tuple(names)
    if not listed or not all(listed):
        raise TileSetError("a neighbour rule must name two tiles, such as Beside('road', 'grass')")
    return np.unique(np.concatenate([rules.patterns(each) for each in listed]))
