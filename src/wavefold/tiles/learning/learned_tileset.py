"""The tile set that is learned from samples: patterns, what they stand for, how often each was found."""

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
    """Patterns learned from samples, with what each stands for and how often it was found.

    Attributes
    ----------
    n, symmetry, periodic : how the samples were read
    scales : for each sample, how many pixels across were read as one; of a set from a file, none
    values : what each pattern stands for: a colour, or a value of the array; of a window, its top-left
    ground_pattern : the pattern found last, if it is the ground; see `ground_masks`
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
                Tile(name, None, float(count), picture=picture_of(value, coloured))
                for name, value, count in zip(names, values, counts, strict=True)
            ),
            name=title,
            order=order,
        )

    @cached_property
    def rules(self) -> Rules:
        """The tile set as numbers, made once."""
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
        """Where in the samples the patterns were seen; None of a set from a file."""
        return self._occurrences

    def sources(self, pattern: int | str) -> list[Occurrence]:
        """Where in the samples a pattern, by its number or name, was seen, sample by sample and row by row.

        Cells of a sample are counted after its scale was undone. Sets from a file do not have this.
        """
        if self._occurrences is None:
            raise TileSetError("a set from a file does not say where its patterns were seen; learn it again")
        return self._occurrences.find(self._find_number(pattern))

    def _find_number(self, pattern: int | str) -> int:
        names = self.rules.names
        number = names.index(pattern) if pattern in names else parse_integer(pattern)
        if number is None or not 0 <= number < len(names):
            raise TileSetError(f"there is no pattern {pattern!r}: they are numbered 0 to {len(names) - 1:,}")
        return number

    def without_patterns(self, patterns: Iterable[int | str]) -> LearnedTileSet:
        """The same set without some patterns, by their numbers or names; the others keep their names."""
        left_out = sorted({self._find_number(each) for each in patterns})
        if self.ground_pattern in left_out:
            raise TileSetError("the pattern of the ground cannot be left out; learn without a ground instead")
        if len(left_out) == len(self):
            raise TileSetError("at least one pattern must be left")
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
        """bool [cell, pattern] for `Problem(masks=...)`: the ground fills the bottom row, nothing else."""
        if self.ground_pattern is None:
            raise TileSetError("this set was learned without a ground; learn it with ground=True")
        if topology.kind != self.topology or topology.shape is None:
            raise TileSetError(f"only a SquareGrid has a bottom row for the ground, not {topology!r}")
        rows = topology.to_array(np.arange(topology.cell_count), missing=-1)
        bottom = np.zeros(topology.cell_count, bool)
        bottom[rows[-1][rows[-1] >= 0]] = True
        masks = np.repeat(~bottom[:, None], len(self), axis=1)
        masks[:, self.ground_pattern] = bottom
        return masks


def picture_of(value: Any, coloured: bool) -> NDArray[np.uint8] | None:
    """A pixel of a colour; of other values, the picture they bring along, if any."""
    return pixel(value) if coloured else getattr(value, "picture", None)


def pixel(colour: Sequence[int]) -> NDArray[np.uint8]:
    """[1, 1, RGBA]: a picture of one pixel."""
    return np.array([[(*colour, 255)[:4]]], np.uint8)


def name_values(values: Sequence[Hashable]) -> Iterator[str]:
    """A tile's name for each value: its text, if that is a name and no other value has the same."""
    taken: set[str] = set()
    for value in values:
        text = str(value)
        name = text.replace("@", " ") or f"value {len(taken)}"
        while name in taken:
            name += "'"
        taken.add(name)
        yield name
