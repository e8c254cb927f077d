"""Neighbour rules written one by one: what may, and what may not, stand beside what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.tiles.orientation import Orientation, Ring, Symmetry
from wavefold.tiles.tile import Pattern

INITIALS = {
    "N": "north", "E": "east", "S": "south", "W": "west", "U": "up", "D": "down",
    "NE": "northeast", "SE": "southeast", "SW": "southwest", "NW": "northwest",
}  # fmt: skip


MOST_RULES = 10_000


@dataclass(frozen=True, slots=True)
class Beside:
    """`there` may stand beside `here` (or may not, with allowed=False), on these sides of it, or on any.

    A tile's name means any of its patterns, a full name that one; several may be listed. Sides are those of
    `here` as it was drawn. If `here` can be turned or mirrored, the rule turns with it: `Beside("road",
    "gate", "east")` lets a gate stand south of `road@90`, and `Beside("road@0", "gate@0", "east")` only
    `gate@90`.

    >>> Beside("lava", ("water", "ice"), allowed=False)
    Beside(here='lava', there=('water', 'ice'), sides=(), allowed=False)
    """

    here: str | tuple[str, ...]
    there: str | tuple[str, ...]
    sides: str | tuple[str, ...] = ()
    allowed: bool = True


class RuleWriter:
    """Writes neighbour rules into tables [direction, pattern, pattern], in every turn of their tiles."""

    def __init__(
        self,
        ring: Ring,
        compass: Sequence[str],
        opposite: Sequence[int],
        patterns: Sequence[Pattern],
        symmetries: dict[str, Symmetry],
        named: Callable[[str], NDArray[np.int64]],
    ) -> None:
        self.ring, self.compass, self.opposite, self.named = ring, compass, opposite, named
        self.patterns = patterns
        index = {(each.tile.name, each.orientation, each.level): i for i, each in enumerate(patterns)}
        self.moves = [
            (
                [ring.move_side(side, orientation) for side in range(len(compass))],
                np.array([self._turn(each, orientation, symmetries, index) for each in patterns]),
            )
            for orientation in ring.list_orientations()
        ]

    def _turn(
        self,
        pattern: Pattern,
        orientation: Orientation,
        symmetries: dict[str, Symmetry],
        index: dict[tuple[str, Orientation, int], int],
    ) -> int:
        """The index of the pattern that this one looks like once it is turned, or -1."""
        symmetry = symmetries[pattern.tile.name]
        variant = symmetry.variant_of.get(orientation.after(pattern.orientation, self.ring.sides))
        if variant is None:
            return -1
        return index[pattern.tile.name, symmetry.variants[variant], pattern.level]

    def write(self, table: NDArray[np.bool_], rule: Beside) -> None:
        """Mark the pairs of a rule as allowed or forbidden in a table, from both sides."""
        sides = [find_side(each, self.compass) for each in as_tuple(rule.sides)]
        there = self._patterns(rule.there)
        for name in as_tuple(rule.here) or ("",):
            here, turn = self._patterns(name), self.ring.list_orientations()[0]
            if sides and "@" not in name:  # the tile as drawn, or however it is placed first
                turn = self.patterns[int(here[0])].orientation
                here = np.array([each for each in here if self.patterns[each].orientation == turn])
            for (side_to, moved), side in product(self.moves, sides or range(len(self.compass))):
                near, far = moved[here], moved[there]
                near, far = near[near >= 0], far[far >= 0]
                toward = side_to[self.ring.move_side(side, turn)]
                table[toward][np.ix_(near, far)] = rule.allowed
                table[self.opposite[toward]][np.ix_(far, near)] = rule.allowed

    def _patterns(self, names: str | tuple[str, ...]) -> NDArray[np.int64]:
        listed = as_tuple(names)
        if not listed or not all(listed):
            raise TileSetError("a neighbour rule must name a tile on both sides, as Beside('road', 'grass')")
        return np.unique(np.concatenate([self.named(each) for each in listed]))


def as_tuple(value: str | Iterable[str]) -> tuple[str, ...]:
    """One name, or several, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value)


def find_side(word: str, compass: Sequence[str]) -> int:
    """The index of a side by its name or initials: `north`, or `N`."""
    name = INITIALS.get(word, word)
    if name not in compass:
        raise TileSetError(f"there is no side {word!r}; {suggest(word, compass)}")
    return list(compass).index(name)


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
    return listed


def apply_predicate(
    table: NDArray[np.bool_],
    patterns: Sequence[Pattern],
    compass: Sequence[str],
    opposite: Sequence[int],
    allowed: Callable[[Pattern, Pattern, str], bool],
) -> NDArray[np.bool_]:
    """The table without the pairs a predicate refuses. It is asked from both sides, and both must allow."""
    asked = np.zeros_like(table)
    for side, here, there in np.argwhere(table).tolist():
        try:
            asked[side, here, there] = bool(allowed(patterns[here], patterns[there], compass[side]))
        except Exception as error:
            raise TileSetError(
                f"allowed({patterns[here].name!r}, {patterns[there].name!r}, {compass[side]!r}) failed: "
                f"{type(error).__name__}: {error}"
            ) from error
    return np.stack([asked[side] & asked[back].T for side, back in enumerate(opposite)])
