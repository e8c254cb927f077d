"""The patterns of a tile set, in their order, and what sockets and neighbour rules let touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.tiles.neighbour_rules import Beside, RuleWriter, apply_predicate
from wavefold.tiles.orientation import Symmetry, parse_symmetry, ring_of
from wavefold.tiles.rules import Relation, Rules
from wavefold.tiles.tile import Pattern, Tile, flip_socket, parse_suffix, patterns_of
from wavefold.topology import lattice_class, single_cell

MOST_PATTERNS = 100_000
MOST_IN_TABLE = 4096  # patterns; the table of what may touch has a byte for each pair and direction

Allowed = Callable[[Pattern, Pattern, str], bool]


class PatternTable:
    """Tiles in all their orientations, at all their heights.

    Attributes
    ----------
    patterns : tile by tile, orientation by orientation, in each from the lowest height to the highest
    tile_of : [pattern] the index of its tile
    symmetries : what each tile's symmetry means, by its name
    """

    def __init__(self, tiles: Sequence[Tile], topology: str) -> None:
        self.tiles, self.topology = tiles, topology
        self.ring = ring_of(topology)
        self.directions = single_cell(topology).directions
        self.patterns: tuple[Pattern, ...] = tuple(
            pattern for tile in tiles for pattern in patterns_of(tile, self.ring, len(self.directions))
        )
        if len(self.patterns) > MOST_PATTERNS:
            raise TileSetError(f"{len(self.patterns):,} patterns are too many; at most {MOST_PATTERNS:,}")

    @cached_property
    def tile_of(self) -> list[int]:
        number = {tile.name: index for index, tile in enumerate(self.tiles)}
        return [number[pattern.tile.name] for pattern in self.patterns]

    @cached_property
    def symmetries(self) -> dict[str, Symmetry]:
        return {tile.name: parse_symmetry(tile.symmetry, self.ring, tile.name) for tile in self.tiles}

    def list_kinds(self) -> list[int]:
        """[pattern] a number for each tile that may not touch its own kind; -1 for the others."""
        kinds = {tile.name: number for number, tile in enumerate(tile for tile in self.tiles if tile.apart)}
        return [kinds.get(pattern.tile.name, -1) for pattern in self.patterns]

    def find_spelling(self, name: str) -> int | None:
        """The pattern that another spelling means: `road@180` where it looks as drawn, `grass@r0l1`."""
        tile, _, text = name.partition("@")
        found = parse_suffix(text, self.ring)
        if found is None or tile not in self.symmetries:
            return None
        orientation, level = found
        variant = self.symmetries[tile].variant_of.get(orientation)
        levels = [
            number
            for number, pattern in enumerate(self.patterns)
            if variant is not None
            and pattern.tile.name == tile
            and pattern.orientation == self.symmetries[tile].variants[variant]
        ]
        return levels[level] if level < len(levels) else None

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
            for side, back in enumerate(lattice_class(self.topology).opposite_sides())
        ]

    def _sockets_and_heights(self, number: int) -> list[tuple[Any, int]]:
        """[side] the socket and height a pattern shows; without sockets, what matches nothing."""
        pattern = self.patterns[number]
        if pattern.sockets is None:
            return [(f"{number}>", -1)] * len(self.directions)
        return list(zip(pattern.sockets, pattern.heights, strict=True))

    def _tabulate(self, beside: Sequence[Beside], allowed: Allowed | None) -> NDArray[np.bool_]:
        """bool [direction, pattern, pattern] from sockets, rules and the function, in this order."""
        opposite = lattice_class(self.topology).opposite_sides()
        table = np.stack([relation.table() for relation in self._relate_sockets()])
        if all(tile.sockets is None for tile in self.tiles):
            table[:] = not any(rule.allowed for rule in beside)
        if beside:
            writer = RuleWriter(
                self.ring, self.directions, opposite, self.patterns, self.symmetries, self._names().patterns
            )
            for rule in sorted(beside, key=lambda rule: not rule.allowed):
                writer.write(table, rule)
        if any(tile.levels > 1 for tile in self.tiles):
            heights = np.array([pattern.heights for pattern in self.patterns])
            for side, back in enumerate(opposite):
                table[side] &= heights[:, side, None] == heights[None, :, back]
        if allowed is not None:
            table = apply_predicate(table, self.patterns, self.directions, opposite, allowed)
        return table

    def _names(self) -> Rules:
        """Rules without relations, to look up patterns by name."""
        return Rules(
            [pattern.name for pattern in self.patterns],
            [],
            tiles=[tile.name for tile in self.tiles],
            tile_of=self.tile_of,
            other_name=self.find_spelling,
        )
