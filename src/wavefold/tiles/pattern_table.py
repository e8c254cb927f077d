"""The patterns of a tile set, in their order, and what sockets, neighbour rules and a function let touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.tiles.groups import Groups, find_group
from wavefold.tiles.orientation import Orientation, Symmetry, parse_symmetry, ring_of
from wavefold.tiles.rules import Relation, Rules
from wavefold.tiles.tile import Pattern, Tile, flip_socket, parse_suffix, patterns_of
from wavefold.topology import lattice_class, single_cell

MOST_PATTERNS = 100_000
MOST_IN_TABLE = 4096  # patterns; the table of what may touch has a byte for each pair and direction
MOST_RULES = 10_000

INITIALS = {
    "N": "north", "E": "east", "S": "south", "W": "west", "U": "up", "D": "down",
    "NE": "northeast", "SE": "southeast", "SW": "southwest", "NW": "northwest",
}  # fmt: skip

Allowed = Callable[[Pattern, Pattern, str], bool]
Table = NDArray[np.bool_]  # [direction, pattern, pattern]: may b stand in that direction of a?


# --- neighbour rules, as users write them ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Beside:
    """`there` may stand beside `here` (or may not, with allowed=False), on these sides of it, or on any.

    The name of a tile or group means any of its patterns, a full name that one; several may be listed.
    Sides are those of `here` as it was drawn. If `here` can be turned or mirrored, the rule turns with it:
    `Beside("road", "gate", "east")` lets a gate stand south of `road@90`, and `Beside("road@0", "gate@0",
    "east")` only `gate@90`.

    >>> Beside("lava", ("water", "ice"), allowed=False)
    Beside(here='lava', there=('water', 'ice'), sides=(), allowed=False)
    """

    here: str | tuple[str, ...]
    there: str | tuple[str, ...]
    sides: str | tuple[str, ...] = ()
    allowed: bool = True


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


def as_tuple(value: str | Iterable[str]) -> tuple[str, ...]:
    """One name, or several, as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value)


def find_side(word: str, compass: Sequence[str]) -> int:
    """The index of a side by its name or initials: `north`, or `N`."""
    name = INITIALS.get(word, word)
    if name not in compass:
        raise TileSetError(f"there is no side {word!r}; {suggest(word, compass)}")
    return list(compass).index(name)


# --- patterns -------------------------------------------------------------------------------------


class PatternTable:
    """Tiles in all their orientations, at all their heights.

    Attributes
    ----------
    patterns : tile by tile, orientation by orientation, in each from the lowest height to the highest
    tile_of : [pattern] the index of its tile
    symmetries : what each tile's symmetry means, by its name
    groups : {name: patterns}
    """

    def __init__(self, tiles: Sequence[Tile], topology: str, groups: Groups | None = None) -> None:
        self.tiles, self.topology = tiles, topology
        self.ring = ring_of(topology)
        self.directions = single_cell(topology).directions
        self.opposite = single_cell(topology).opposite_sides()
        self.patterns: tuple[Pattern, ...] = tuple(
            pattern for tile in tiles for pattern in patterns_of(tile, topology)
        )
        if len(self.patterns) > MOST_PATTERNS:
            raise TileSetError(f"{len(self.patterns):,} patterns are too many; at most {MOST_PATTERNS:,}")
        self.groups: dict[str, NDArray[np.int64]] = {}
        if groups:
            names = self.build_rules([])
            self.groups = {group: find_group(group, groups, names) for group in groups}

    @cached_property
    def tile_of(self) -> list[int]:
        number = {tile.name: index for index, tile in enumerate(self.tiles)}
        return [number[pattern.tile.name] for pattern in self.patterns]

    @cached_property
    def symmetries(self) -> dict[str, Symmetry]:
        return {tile.name: parse_symmetry(tile.symmetry, self.ring, tile.name) for tile in self.tiles}

    @cached_property
    def has_side(self) -> list[list[bool]]:
        """[pattern, side]: whether the cells it stands in have that side.

        If not, nothing matches there, which keeps the pattern out of cells that point another way.
        """
        drawn, sides = lattice_class(self.topology).drawn_sides(), range(len(self.directions))
        exists = {
            turned: [side in {self.ring.move_side(each, turned) for each in drawn} for side in sides]
            for turned in self.ring.list_orientations()
        }
        return [exists[pattern.orientation] for pattern in self.patterns]

    @cached_property
    def _index(self) -> dict[tuple[str, Orientation, int], int]:
        return {(each.tile.name, each.orientation, each.level): i for i, each in enumerate(self.patterns)}

    def _find(self, tile: str, orientation: Orientation, level: int) -> int | None:
        """The pattern that a tile looks like in this orientation, at this height."""
        symmetry = self.symmetries[tile]
        variant = symmetry.variant_of.get(orientation)
        return None if variant is None else self._index.get((tile, symmetry.variants[variant], level))

    def find_spelling(self, name: str) -> int | None:
        """The pattern that another spelling means: `road@180` where it looks as drawn, `grass@r0l1`."""
        tile, _, text = name.partition("@")
        found = parse_suffix(text, self.ring)
        return None if found is None or tile not in self.symmetries else self._find(tile, *found)

    def build_rules(self, relations: Sequence[Relation], weights: ArrayLike | None = None) -> Rules:
        """The patterns with these relations. Patterns of a tile that stands apart are of one kind."""
        apart = {tile.name: number for number, tile in enumerate(tile for tile in self.tiles if tile.apart)}
        return Rules(
            [pattern.name for pattern in self.patterns],
            relations,
            weights,
            tiles=[tile.name for tile in self.tiles],
            tile_of=self.tile_of,
            kinds=[apart.get(pattern.tile.name, -1) for pattern in self.patterns],
            topology=self.topology,
            other_name=self.find_spelling,
            groups=self.groups,
        )

    # --- what may touch -------------------------------------------------------------------------

    def relate(self, beside: Sequence[Beside], allowed: Allowed | None) -> list[Relation]:
        """One relation per side: what sockets, neighbour rules and the function let touch."""
        if not beside and allowed is None and all(tile.sockets is not None for tile in self.tiles):
            return self._relate_sockets()
        if len(self.patterns) > MOST_IN_TABLE:
            raise TileSetError(
                f"{len(self.patterns):,} patterns are too many for neighbour rules or a function; "
                f"at most {MOST_IN_TABLE:,} (sockets have no such limit)"
            )
        return [Relation.from_allowed(side) for side in self._tabulate(beside, allowed)]

    def _relate_sockets(self) -> list[Relation]:
        shown = [self._sockets_and_heights(number) for number in range(len(self.patterns))]
        facing = [[(flip_socket(socket), height) for socket, height in row] for row in shown]
        return [
            Relation.from_sockets([row[side] for row in shown], [row[back] for row in facing])
            for side, back in enumerate(self.opposite)
        ]

    def _sockets_and_heights(self, number: int) -> list[tuple[Any, int]]:
        """[side] the socket and height a pattern shows; without socket or side, what matches nothing."""
        pattern, nothing = self.patterns[number], (f"{number}>", -1)
        if pattern.sockets is None:
            return [nothing] * len(self.directions)
        shown = zip(pattern.sockets, pattern.heights, self.has_side[number], strict=True)
        return [(socket, height) if exists else nothing for socket, height, exists in shown]

    def _tabulate(self, beside: Sequence[Beside], allowed: Allowed | None) -> Table:
        """The table from sockets, rules and the function, in this order."""
        table = np.stack([relation.table() for relation in self._relate_sockets()])
        if all(tile.sockets is None for tile in self.tiles):
            table[:] = not any(rule.allowed for rule in beside)
        if beside:
            names = self.build_rules([])
            for rule in sorted(beside, key=lambda rule: not rule.allowed):
                self._write(table, rule, names)
        if any(tile.levels > 1 for tile in self.tiles):
            heights = np.array([pattern.heights for pattern in self.patterns])
            for side, back in enumerate(self.opposite):
                table[side] &= heights[:, side, None] == heights[None, :, back]
        exists = np.array(self.has_side)
        for side, back in enumerate(self.opposite):
            table[side] &= exists[:, side, None] & exists[None, :, back]
        return table if allowed is None else self._apply(allowed, table)

    @cached_property
    def _moves(self) -> list[tuple[list[int], NDArray[np.int64]]]:
        """For each orientation: the side that each side becomes, the pattern that each becomes (or -1)."""
        moves = []
        for orientation in self.ring.list_orientations():
            sides = [self.ring.move_side(side, orientation) for side in range(len(self.directions))]
            moved = [
                self._find(each.tile.name, orientation.after(each.orientation, self.ring.sides), each.level)
                for each in self.patterns
            ]
            moves.append((sides, np.array([-1 if each is None else each for each in moved])))
        return moves

    def _write(self, table: Table, rule: Beside, names: Rules) -> None:
        """Mark the pairs of a rule as allowed or forbidden, from both sides, in every turn of its tiles."""
        sides = [find_side(each, self.directions) for each in as_tuple(rule.sides)]
        there = find_patterns(names, rule.there)
        for name in as_tuple(rule.here) or ("",):
            here, turn = find_patterns(names, name), Orientation()
            if sides and "@" not in name:  # the tile as drawn, or however it is placed first
                turn = self.patterns[int(here[0])].orientation
                here = np.array([each for each in here if self.patterns[each].orientation == turn])
            for (side_to, moved), side in product(self._moves, sides or range(len(self.directions))):
                near, far = moved[here], moved[there]
                near, far = near[near >= 0], far[far >= 0]
                toward = side_to[self.ring.move_side(side, turn)]
                table[toward][np.ix_(near, far)] = rule.allowed
                table[self.opposite[toward]][np.ix_(far, near)] = rule.allowed

    def _apply(self, allowed: Allowed, table: Table) -> Table:
        """The table without the pairs a function refuses. It is asked from both sides; both must allow."""
        asked = np.zeros_like(table)
        for side, here, there in np.argwhere(table).tolist():
            pair = self.patterns[here], self.patterns[there], self.directions[side]
            try:
                asked[side, here, there] = bool(allowed(*pair))
            except Exception as error:
                raise TileSetError(
                    f"allowed({pair[0].name!r}, {pair[1].name!r}, {pair[2]!r}) failed: "
                    f"{type(error).__name__}: {error}"
                ) from error
        return np.stack([asked[side] & asked[back].T for side, back in enumerate(self.opposite)])


def find_patterns(rules: Rules, names: str | tuple[str, ...]) -> NDArray[np.int64]:
    """The patterns of these names, in order."""
    listed = as_tuple(names)
    if not listed or not all(listed):
        raise TileSetError("a neighbour rule must name a tile on both sides, as Beside('road', 'grass')")
    return np.unique(np.concatenate([rules.patterns(each) for each in listed]))
