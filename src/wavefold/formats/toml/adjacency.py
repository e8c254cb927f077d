"""Rules as lists of what may touch: for tables of pairs, learned rules and rules from functions.

A group says: each of `there` may stand on that side of each of `here`. Patterns that allow the same share a
group, so a list is about as long as there are patterns, not pairs. The order of the groups is kept: rules
that are written and read again are the same down to their digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from wavefold.errors import FormatError, suggest
from wavefold.kernels.host.bitsets import count_words, locate_bits, unpack_bits
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.tiles import Pattern, Relation, TileSet
from wavefold.tiles.neighbour_rules import find_side, list_hard_rules, to_tuple
from wavefold.tiles.pattern_table import MOST_IN_TABLE

if TYPE_CHECKING:
    from wavefold.formats.toml.document import Document
    from wavefold.formats.toml.models import GroupTable


class ListedTileSet(TileSet):
    """A tile set with rules or weights beyond those of its tiles, read from a file or learned.

    Attributes
    ----------
    listed : what may touch, within what sockets and rules allow
    weights : one for each pattern, in place of the tiles' weights
    """

    def __init__(
        self,
        plain: TileSet,
        listed: Sequence[Relation] | None,
        weights: Sequence[float] | None,
    ) -> None:
        super().__init__(
            plain.tiles,
            plain.topology,
            plain.name,
            beside=plain.beside,
            groups=plain.groups,
            description=plain.description,
            size=plain.size,
            order=plain.order,
            sweeps=plain.sweeps,
            shares=plain.shares,
            calibration=plain.calibration,
            objects=plain.objects,
            constraints=plain.constraints,
        )
        self.listed, self.weights = listed, weights

    def _pattern_weights(self) -> Sequence[float]:
        return super()._pattern_weights() if self.weights is None else self.weights

    def _relations(self) -> list[Relation]:
        if self.listed is None:
            return super()._relations()
        if not list_hard_rules(self.beside) and all(tile.sockets is None for tile in self.tiles):
            return list(self.listed)
        check_table(len(self))
        otherwise = super()._relations()
        return [
            Relation.from_allowed(mine.table() & theirs.table())
            for mine, theirs in zip(self.listed, otherwise, strict=True)
        ]


# --- reading ------------------------------------------------------------------------------------


def parse_relations(
    document: Document, touching: dict[str, list[GroupTable]], tiles: TileSet
) -> list[Relation]:
    """One relation for each side; of two opposite sides one may be left out."""
    named = index_patterns(tiles.patterns)
    named |= {name: numbers.tolist() for name, numbers in tiles.pattern_table.groups.items()}
    found: dict[int, Relation] = {}
    for word, groups in touching.items():
        with document.at("touching", word):
            side = find_side(word, tiles.directions)
            if side in found:
                raise FormatError(f"the {tiles.directions[side]} side is listed twice")
            found[side] = build_relation(groups, named, len(tiles))
    document.check()
    sides = range(len(tiles.directions))
    return document.attempt(lambda: [find_relation(side, found, tiles) for side in sides], "touching")


def find_relation(side: int, found: dict[int, Relation], tiles: TileSet) -> Relation:
    """What was listed for a side, or for the side across; if for both, they must agree."""
    back = tiles.opposite[side]
    here, there = tiles.directions[side], tiles.directions[back]
    if side not in found and back not in found:
        raise FormatError(f"there must be a list for {here!r} or {there!r}")
    if side not in found:
        check_table(len(tiles))
        return Relation.from_allowed(np.ascontiguousarray(found[back].table().T))
    if back in found and not found[side].is_transpose_of(found[back]):
        raise FormatError(f"{here!r} and {there!r} do not list the same pairs; leave one of them out")
    return found[side]


def build_relation(groups: Sequence[GroupTable], named: dict[str, list[int]], count: int) -> Relation:
    """The groups of one side. If each pattern is in one, they are the classes, in their order."""
    class_of, listed = np.full(count, -1, np.int32), 0
    for number, group in enumerate(groups):
        class_of[find_numbers(group.here, named)] = number
        listed += sum(len(named[name]) for name in to_tuple(group.here))
    if listed == count and (class_of >= 0).all():
        rows = np.zeros((len(groups), count_words(count)), np.uint64)
        for row, group in zip(rows, groups, strict=True):
            np.bitwise_or.at(row, *locate_bits(np.array(find_numbers(group.there, named), np.int64)))
        return Relation(class_of, rows)
    check_table(count)
    table = np.zeros((count, count), bool)
    for group in groups:  # one at a time: each may name all patterns
        table[np.ix_(find_numbers(group.here, named), find_numbers(group.there, named))] = True
    return Relation.from_allowed(table)


def check_table(count: int) -> None:
    """Raise if there are too many patterns for a table of all pairs."""
    if count > MOST_IN_TABLE:
        raise FormatError(
            f"with more than {MOST_IN_TABLE:,} patterns each side must be listed, "
            "with each pattern in one group, and without sockets"
        )


def index_patterns(patterns: Sequence[Pattern]) -> dict[str, list[int]]:
    """{name: patterns}: a tile's name stands for all its patterns; `name@0` is the tile as drawn."""
    found: dict[str, list[int]] = {}
    for number, pattern in enumerate(patterns):
        name = pattern.name
        found[name if "@" in name else f"{name}@0"] = [number]
        found.setdefault(pattern.tile.name, []).append(number)
    return found


def find_numbers(names: str | Sequence[str], named: dict[str, list[int]]) -> list[int]:
    """The patterns these names stand for, each once."""
    numbers: set[int] = set()
    for name in to_tuple(names):
        checkpoint()
        if name not in named:
            raise FormatError(f"there is no tile or pattern {name!r}; {suggest(name, named)}")
        numbers.update(named[name])
    return list(numbers)


# --- writing ------------------------------------------------------------------------------------


Group = tuple[list[int], list[int]]  # numbers of the patterns here, and of those there


def list_side_groups(tiles: TileSet) -> Iterator[tuple[str, list[Group]]]:
    """The name of each side, and its groups; without sides that follow from the one across."""
    relations = tiles.rules.relations
    for side, back in enumerate(tiles.opposite):
        if side > back and is_implied_by(relations[side], relations[back]):
            continue
        yield tiles.directions[side], list(list_relation_groups(relations[side]))


def list_relation_groups(relation: Relation) -> Iterator[Group]:
    """A group for each class; one row at a time to save memory."""
    count = relation.class_of.size
    sizes = np.bincount(relation.class_of, minlength=len(relation.rows))
    members = np.split(np.argsort(relation.class_of, kind="stable"), np.cumsum(sizes)[:-1])
    for here, row in zip(members, relation.rows, strict=True):
        yield here.tolist(), np.flatnonzero(unpack_bits(row, count)).tolist()


def is_implied_by(relation: Relation, across: Relation) -> bool:
    """Whether reading the opposite side gives exactly this relation."""
    if relation.class_of.size > MOST_IN_TABLE:
        return False
    again = Relation.from_allowed(np.ascontiguousarray(across.table().T))
    return are_relations_equal(again, relation)


def are_relations_equal(one: Relation, other: Relation) -> bool:
    """Whether two relations are the same, down to the order of their classes."""
    return np.array_equal(one.class_of, other.class_of) and np.array_equal(one.rows, other.rows)


def make_unique_names(tiles: TileSet) -> list[str]:
    """[pattern] a name that means it alone: `road@0` as drawn, where `road` means every turn, or a group."""
    alone = np.bincount(tiles.rules.tile_of)[tiles.rules.tile_of] == 1
    return [
        pattern.name
        if "@" in pattern.name or (single and pattern.name not in tiles.groups)
        else f"{pattern.name}@0"
        for pattern, single in zip(tiles.patterns, alone.tolist(), strict=True)
    ]
