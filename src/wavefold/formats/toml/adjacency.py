"""Rules as lists of allowed pairs: for tables of pairs, learned rules and rules from functions.

In a group, each of `there` may stand on that side of each of `here`. Patterns with the same neighbours share
a group, so the length of a list grows with the number of patterns, not of pairs. The order of the groups is
kept, so that written and re-read rules have the same digest.
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
from wavefold.tiles.pattern_table import MOST_TABLE_PATTERNS

if TYPE_CHECKING:
    from wavefold.formats.toml.document import Document
    from wavefold.formats.toml.models import GroupTable


class ListedTileSet(TileSet):
    """A tile set with rules or weights in addition to those of its tiles, read from a file or learned.

    Attributes
    ----------
    listed : the allowed pairs; sockets and neighbour rules must allow them, too
    weights : one per pattern, in place of the weights of the tiles
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
        by_tiles = super()._relations()
        return [
            Relation.from_allowed(listed.table() & other.table())
            for listed, other in zip(self.listed, by_tiles, strict=True)
        ]


# --- reading ------------------------------------------------------------------------------------


def parse_relations(
    document: Document, touching: dict[str, list[GroupTable]], tiles: TileSet
) -> list[Relation]:
    """One relation per side. One of two opposite sides may be left out."""
    named = index_patterns(tiles.patterns)
    named |= {name: numbers.tolist() for name, numbers in tiles.pattern_table.groups.items()}
    found: dict[int, Relation] = {}
    for word, groups in touching.items():
        with document.at("touching", word):
            side = find_side(word, tiles.directions)
            if side in found:
                raise FormatError(f"side {tiles.directions[side]!r} is listed twice")
            found[side] = build_relation(groups, named, len(tiles))
    document.check()
    sides = range(len(tiles.directions))
    return document.attempt(lambda: [find_relation(side, found, tiles) for side in sides], "touching")


def find_relation(side: int, found: dict[int, Relation], tiles: TileSet) -> Relation:
    """The relation of a side, from its own list or that of the opposite side. Two lists must agree."""
    back = tiles.opposite[side]
    here, there = tiles.directions[side], tiles.directions[back]
    if side not in found and back not in found:
        raise FormatError(f"needs a list for {here!r} or {there!r}")
    if side not in found:
        check_table(len(tiles))
        return Relation.from_allowed(np.ascontiguousarray(found[back].table().T))
    if back in found and not found[side].is_transpose_of(found[back]):
        raise FormatError(f"{here!r} and {there!r} list different pairs; leave out one of them")
    return found[side]


def build_relation(groups: Sequence[GroupTable], named: dict[str, list[int]], count: int) -> Relation:
    """The relation of the groups of one side. If each pattern is in one group, the groups are the classes."""
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
    for group in groups:  # one at a time, because each may name all patterns
        table[np.ix_(find_numbers(group.here, named), find_numbers(group.there, named))] = True
    return Relation.from_allowed(table)


def check_table(count: int) -> None:
    """Raise for too many patterns for a table of all pairs."""
    if count > MOST_TABLE_PATTERNS:
        raise FormatError(
            f"with more than {MOST_TABLE_PATTERNS:,} patterns each side must be listed, "
            "with each pattern in one group, and without sockets"
        )


def index_patterns(patterns: Sequence[Pattern]) -> dict[str, list[int]]:
    """{name: patterns}. The name of a tile means all its patterns; `name@0` means the tile as drawn."""
    found: dict[str, list[int]] = {}
    for number, pattern in enumerate(patterns):
        name = pattern.name
        found[name if "@" in name else f"{name}@0"] = [number]
        found.setdefault(pattern.tile.name, []).append(number)
    return found


def find_numbers(names: str | Sequence[str], named: dict[str, list[int]]) -> list[int]:
    """The patterns that these names mean, each once."""
    numbers: set[int] = set()
    for name in to_tuple(names):
        checkpoint()
        if name not in named:
            raise FormatError(f"there is no tile or pattern {name!r}; {suggest(name, named)}")
        numbers.update(named[name])
    return list(numbers)


# --- writing ------------------------------------------------------------------------------------


Group = tuple[list[int], list[int]]  # the patterns here, and the patterns there


def list_side_groups(tiles: TileSet) -> Iterator[tuple[str, list[Group]]]:
    """The name and the groups of each side, without sides that the opposite side implies."""
    relations = tiles.rules.relations
    for side, back in enumerate(tiles.opposite):
        if side > back and is_implied_by(relations[side], relations[back]):
            continue
        yield tiles.directions[side], list(list_relation_groups(relations[side]))


def list_relation_groups(relation: Relation) -> Iterator[Group]:
    """One group per class, one at a time to save memory."""
    count = relation.class_of.size
    sizes = np.bincount(relation.class_of, minlength=len(relation.rows))
    members = np.split(np.argsort(relation.class_of, kind="stable"), np.cumsum(sizes)[:-1])
    for here, row in zip(members, relation.rows, strict=True):
        yield here.tolist(), np.flatnonzero(unpack_bits(row, count)).tolist()


def is_implied_by(relation: Relation, across: Relation) -> bool:
    """Whether the relation of the opposite side gives exactly this one."""
    if relation.class_of.size > MOST_TABLE_PATTERNS:
        return False
    implied = Relation.from_allowed(np.ascontiguousarray(across.table().T))
    return are_relations_equal(implied, relation)


def are_relations_equal(one: Relation, other: Relation) -> bool:
    """Whether two relations are equal, including the order of their classes."""
    return np.array_equal(one.class_of, other.class_of) and np.array_equal(one.rows, other.rows)


def make_unique_names(tiles: TileSet) -> list[str]:
    """[pattern] a name that means only this pattern, such as `road@0` where `road` means every turn."""
    alone = np.bincount(tiles.rules.tile_of)[tiles.rules.tile_of] == 1
    return [
        pattern.name
        if "@" in pattern.name or (single and pattern.name not in tiles.groups)
        else f"{pattern.name}@0"
        for pattern, single in zip(tiles.patterns, alone.tolist(), strict=True)
    ]
