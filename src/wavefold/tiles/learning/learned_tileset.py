"""Tile sets learned from samples."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.options.names import RecommendedOrder
from wavefold.options.values import parse_integer
from wavefold.tiles.learning.windows import Occurrence, Occurrences
from wavefold.tiles.rules import Relation, Rules
from wavefold.tiles.tile import Tile
from wavefold.tiles.tileset import TileSet
from wavefold.topology import Topology


class LearnedTileSet(TileSet):
    """A tile set of patterns learned from samples, with their values and frequencies.

    Attributes
    ----------
    n, symmetry, periodic : the options with which the samples were read
    scales : for each sample, the number of pixels across that were read as one; empty for a set from a file
    values : [pattern] the value of the top-left cell of the window: a colour, or a value of the array
    ground_pattern : the number of the ground pattern, which is the last one, or None; see `ground_masks`
    """

    def __init__(
        self,
        names: Sequence[str],
        values: Sequence[Hashable],
        counts: Sequence[float],
        relations: Sequence[Relation],
        *,
        coloured: bool,
        n: int = 1,
        symmetry: int = 1,
        periodic: bool = False,
        ground: bool = False,
        title: str = "",
        occurrences: Occurrences | None = None,
        scales: Sequence[int] = (),
        order: RecommendedOrder | None = None,
    ) -> None:
        self.n, self.symmetry, self.periodic = n, symmetry, periodic
        self.ground_pattern = len(names) - 1 if ground else None
        self.values = tuple(values)
        self.scales = tuple(scales)
        self._learned = tuple(relations)
        self._occurrences = occurrences
        self._coloured = coloured
        super().__init__(
            (
                Tile(name, None, float(count), picture=choose_picture(value, coloured))
                for name, value, count in zip(names, values, counts, strict=True)
            ),
            name=title,
            order=order,
        )

    @cached_property
    def rules(self) -> Rules:
        """The compiled rules."""
        names = [tile.name for tile in self.tiles]
        weights = [tile.weight for tile in self.tiles]
        return Rules(
            names,
            self._relations(),
            weights,
            values=self.values,
            topology=self.topology,
            order=self.order,
        )

    def _relations(self) -> list[Relation]:
        return list(self._learned)

    @property
    def occurrences(self) -> Occurrences | None:
        """The positions of the patterns in the samples; None for a set from a file."""
        return self._occurrences

    def sources(self, pattern: int | str) -> list[Occurrence]:
        """List where a pattern, given by number or name, occurs in the samples, row by row.

        Positions are in cells after upscaling was undone. Raises TileSetError for a set from a file.
        """
        if self._occurrences is None:
            raise TileSetError("files do not store where patterns occur; learn the set again")
        return self._occurrences.find(self._find_number(pattern))

    def _find_number(self, pattern: int | str) -> int:
        names = self.rules.names
        number = names.index(pattern) if pattern in names else parse_integer(pattern)
        if number is None or not 0 <= number < len(names):
            raise TileSetError(f"there is no pattern {pattern!r}; patterns are 0 to {len(names) - 1:,}")
        return number

    def without_patterns(self, patterns: Iterable[int | str]) -> LearnedTileSet:
        """Return a copy without some patterns, given by number or name; the others keep their names."""
        left_out = sorted({self._find_number(each) for each in patterns})
        if self.ground_pattern in left_out:
            raise TileSetError("the ground pattern cannot be left out; learn with ground=False instead")
        if len(left_out) == len(self):
            raise TileSetError("at least one pattern must remain")
        kept = np.setdiff1d(np.arange(len(self)), left_out)
        made = LearnedTileSet(
            [self.tiles[each].name for each in kept],
            [self.values[each] for each in kept],
            self.rules.weights[kept].tolist(),
            [each.restrict(kept) for each in self.rules.relations],
            coloured=self._coloured,
            n=self.n,
            symmetry=self.symmetry,
            periodic=self.periodic,
            ground=self.ground_pattern is not None,
            title=self.name,
            occurrences=None if self._occurrences is None else self._occurrences.renumber(kept),
            scales=self.scales,
        )
        made.description, made.size, made.sweeps = self.description, self.size, self.sweeps
        made.objects, made._constraints = self.objects, self._constraints
        return made

    def ground_masks(self, topology: Topology) -> NDArray[np.bool_]:
        """bool [cell, pattern] for `Problem(masks=...)`: the ground pattern in the bottom row only."""
        if self.ground_pattern is None:
            raise TileSetError("the set was learned without a ground; learn it with ground=True")
        if topology.kind != self.topology or topology.shape is None:
            raise TileSetError(f"a ground needs a SquareGrid, not {topology!r}")
        rows = topology.to_array(np.arange(topology.cell_count), missing=-1)
        bottom = np.zeros(topology.cell_count, bool)
        bottom[rows[-1][rows[-1] >= 0]] = True
        masks = np.repeat(~bottom[:, None], len(self), axis=1)
        masks[:, self.ground_pattern] = bottom
        return masks


def choose_picture(value: Any, coloured: bool) -> NDArray[np.uint8] | None:
    """A pixel of the colour; for other values, their attribute `picture`, if any."""
    return make_pixel(value) if coloured else getattr(value, "picture", None)


def make_pixel(colour: Sequence[int]) -> NDArray[np.uint8]:
    """uint8 [1, 1, RGBA]: a picture of one pixel."""
    return np.array([[(*colour, 255)[:4]]], np.uint8)


def name_values(values: Sequence[Hashable]) -> Iterator[str]:
    """Yield a distinct tile name for each value, if possible its text."""
    taken: set[str] = set()
    for value in values:
        text = str(value)
        name = text.replace("@", " ") or f"value {len(taken)}"
        while name in taken:
            name += "'"
        taken.add(name)
        yield name
