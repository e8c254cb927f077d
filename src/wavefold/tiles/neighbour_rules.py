"""Neighbour rules: which tiles may stand beside which, which may not, which seldom do."""

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

INITIALS = {
    "N": "north", "E": "east", "S": "south", "W": "west", "U": "up", "D": "down",
    "NE": "northeast", "SE": "southeast", "SW": "southwest", "NW": "northwest",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Beside:
    """`there` may stand beside `here` (or may not, with allowed=False), on these sides of it, or on any.

    With a weight, the rule changes nothing about what may touch: it is a factor on each such pair, by which
    refining prefers maps (above 1) or avoids them (below 1). Factors of several rules multiply. A map that is
    only solved, not refined, ignores them.

    The name of a tile or group means any of its patterns, a full name that one; several may be listed.
    Sides are those of `here` as it was drawn. If `here` can be turned or mirrored, the rule turns with it:
    `Beside("road", "gate", "east")` lets a gate stand south of `road@90`, and `Beside("road@0", "gate@0",
    "east")` only `gate@90`.

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
    """The rules as a tuple; raises with an example of how a rule is written."""
    listed = tuple(rules) if isinstance(rules, Iterable) else (rules,)
    if len(listed) > MOST_RULES:
        raise TileSetError(
            f"there are {len(listed):,} neighbour rules; at most {MOST_RULES:,}, or use a table"
        )
    for rule in listed:
        if not isinstance(rule, Beside):
            raise TileSetError(f"a neighbour rule is written Beside('road', 'grass', 'east'), not {rule!r}")
        for part in (rule.here, rule.there, rule.sides):
            if not isinstance(part, str | tuple | list) or not all(isinstance(each, str) for each in part):
                raise TileSetError(f"a neighbour rule is made of names, not of {part!r}: {rule!r}")
        if not isinstance(rule.allowed, bool):
            raise TileSetError(f"allowed must be True or False, not {rule.allowed!r}: {rule!r}")
        if rule.weight is not None:
            check_weight(rule)
    return listed


def check_weight(rule: Beside) -> None:
    """Raise unless a rule's weight is a factor."""
    weight = rule.weight
    if isinstance(weight, bool) or not isinstance(weight, Real) or not (isfinite(weight) and weight > 0):
        raise TileSetError(
            f"the weight of a neighbour rule must be a number above 0, not {weight!r}: {rule!r}"
        )
    if not rule.allowed:
        raise TileSetError(
            f"a rule forbids a pair or weighs it, not both; leave out weight or allowed: {rule!r}"
        )


def list_hard_rules(rules: Sequence[Beside]) -> list[Beside]:
    """The rules that say what may touch, without those that only weigh pairs."""
    return [rule for rule in rules if rule.weight is None]


def to_tuple(value: str | Iterable[str]) -> tuple[str, ...]:
    """One name, or several, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value)


def find_side(word: str, compass: Sequence[str]) -> int:
    """The index of a side by its name or initials: `north`, or `N`."""
    name = INITIALS.get(word, word)
    if name not in compass:
        raise TileSetError(f"there is no side {word!r}; {suggest(word, compass)}")
    return list(compass).index(name)


def find_patterns(rules: Rules, names: str | tuple[str, ...]) -> NDArray[np.int64]:
    """The patterns of these names, in order."""
    listed = to_tuple(names)
    if not listed or not all(listed):
        raise TileSetError("a neighbour rule must name a tile on both sides: Beside('road', 'grass')")
    return np.unique(np.concatenate([rules.patterns(each) for each in listed]))
