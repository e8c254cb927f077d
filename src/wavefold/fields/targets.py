"""The targets of cells in a plane, from fields: soft masks, and factors for the weights of patterns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.fields.fields import Fields, describe_field
from wavefold.fields.positions import CellPositions
from wavefold.fields.sampled import SampledFields
from wavefold.fields.sources import Source, Values, freeze
from wavefold.kernels.host.bitsets import has_bit, pack_bits
from wavefold.storage.cache import BoundedCache, array_bytes
from wavefold.tiles import TileSet
from wavefold.topology import Lattice

MASK_MEMORY = SHARE_MEMORY = 32 << 20  # bytes of cached blocks
WEIGHT_MEMORY = 256 << 20  # a row for every pattern, and a region may lie in seven blocks at once
LARGEST_SHARE = 1e12

MaskWords = NDArray[np.uint64]  # [..., word]: the patterns that the fields allow in a cell, lowest bit first
GroupFactors = NDArray[np.float64]  # [..., group]: the factor for the weights of a group of patterns
CellPatternWeights = NDArray[np.float64]  # [cell, pattern]


class Targets(NamedTuple):
    """The targets of a rectangle; None where the fields set none."""

    words: MaskWords | None  # [row, column, word]
    shares: GroupFactors | None  # [row, column, group]

    def cut(self, where: tuple[slice, slice]) -> Targets:
        """Part of the rectangle, [rows, columns]."""
        words, shares = self
        return Targets(None if words is None else words[where], None if shares is None else shares[where])

    def unmet(self, patterns: NDArray[np.int32]) -> NDArray[np.bool_] | None:
        """bool [row, column] where a pattern is not one of those allowed; None if there are no masks."""
        return None if self.words is None else ~allows(self.words, patterns)


class FieldTargets:
    """The targets of each cell, from limits and factors of tiles, computed and cached block by block.

    grid : the shape of a block; a block is identified by where cell (0, 0) of the grid lies

    groups, group_of : patterns whose weights have the same factors form a group: the factors of each, by
        their position in `fields.factors`, and int32 [pattern] -> group, or -1 if the weight has no factor
    """

    def __init__(self, tiles: TileSet, fields: Fields, grid: Any) -> None:
        self.tiles, self.fields, self.grid = tiles, fields, grid
        self.has_masks = (
            any(tile.limits for tile in tiles.tiles) or tiles.allowed_at is not None or bool(fields.limits)
        )
        self.groups, self.group_of = group_patterns(tiles, fields)
        self.every_pattern = pack_bits(np.ones(len(tiles.rules), bool))  # [word] of a cell with no mask
        self._samples = SampleCache(fields, grid)
        self._words: BoundedCache[MaskWords] = BoundedCache(MASK_MEMORY, array_bytes)
        self._shares: BoundedCache[GroupFactors] = BoundedCache(SHARE_MEMORY, array_bytes)
        self._weights: BoundedCache[CellPatternWeights] = BoundedCache(WEIGHT_MEMORY, array_bytes)
        for tile in fields.limits:
            tiles.rules.patterns(tile)  # raises for an unknown tile before a world begins

    # --- one block ------------------------------------------------------------------------------

    def words(self, x: int, y: int) -> MaskWords:
        """uint64 [cell, word]: the patterns that are allowed in each cell of a block."""
        return self._words.get((x, y), lambda: pack_bits(self._samples.block(x, y).masks(self.tiles)))

    def shares(self, x: int, y: int) -> GroupFactors:
        """float64 [cell, group]: the factor for the weights of each group in each cell of a block."""
        return self._shares.get((x, y), lambda: self._compute_shares(x, y))

    def weights(self, x: int, y: int) -> CellPatternWeights:
        """float64 [cell, pattern]: the weights of the rules times their factors in each cell of a block."""
        return self._weights.get((x, y), lambda: self._samples.block(x, y).weights(self.tiles.rules))

    def _compute_shares(self, x: int, y: int) -> GroupFactors:
        sampled = self._samples.block(x, y)
        factors = [sampled.factor(tile, factor) for tile, factor in self.fields.factors.items()]
        shares = np.ones((sampled.places.count, len(self.groups)))
        for group, members in enumerate(self.groups):
            for factor in members:
                shares[:, group] *= factors[factor]
        return np.minimum(shares, LARGEST_SHARE)

    # --- rectangles, if blocks are boxes --------------------------------------------------------

    def rectangle(self, x: int, y: int, width: int, height: int) -> Targets:
        """The targets of the rectangle whose first cell is (x, y)."""
        words = self.masks(x, y, width, height) if self.has_masks else None
        shares = self._cut(self.shares, x, y, width, height) if self.groups else None
        return Targets(words, shares)

    def masks(self, x: int, y: int, width: int, height: int) -> MaskWords:
        """uint64 [row, column, word]: the patterns that are allowed in the cells of a rectangle."""
        return self._cut(self.words, x, y, width, height)

    def count_met(self, patterns: NDArray[np.int32], x: int, y: int) -> tuple[int, int]:
        """How many cells of this rectangle have a soft mask, and how many of these meet it."""
        if not self.has_masks:
            return 0, 0
        height, width = patterns.shape
        words = self.masks(x, y, width, height)
        is_masked = (words != self.every_pattern).any(axis=2)
        return int(is_masked.sum()), int((is_masked & allows(words, patterns)).sum())

    def _cut(
        self, block_at: Callable[[int, int], NDArray[Any]], x: int, y: int, width: int, height: int
    ) -> NDArray[Any]:
        """[row, column, ...] of a rectangle, out of the blocks it lies in."""
        across, down = self.grid.width, self.grid.height
        cut: NDArray[Any] | None = None
        for top in range(y // down * down, y + height, down):
            for left in range(x // across * across, x + width, across):
                block = block_at(left, top).reshape(down, across, -1)
                if cut is None:
                    cut = np.empty((height, width, block.shape[2]), block.dtype)
                from_x, to_x = max(x, left), min(x + width, left + across)
                from_y, to_y = max(y, top), min(y + height, top + down)
                cut[from_y - y : to_y - y, from_x - x : to_x - x] = block[
                    from_y - top : to_y - top, from_x - left : to_x - left
                ]
        assert cut is not None
        return cut


def allows(words: MaskWords, patterns: NDArray[np.int32]) -> NDArray[np.bool_]:
    """bool [row, column]: whether each pattern is one of those in the words [row, column, word]."""
    rows = words.reshape(-1, words.shape[-1])
    return has_bit(rows, np.arange(len(rows)), patterns.reshape(-1)).reshape(patterns.shape)


def group_patterns(tiles: TileSet, fields: Fields) -> tuple[list[tuple[int, ...]], NDArray[np.int32]]:
    """Group patterns by the factors of their weights; see `FieldTargets.groups`."""
    rules = tiles.rules
    factors_of: list[tuple[int, ...]] = [()] * len(rules)
    for index, tile in enumerate(fields.factors):
        for pattern in rules.patterns(tile).tolist():
            factors_of[pattern] += (index,)
    groups = [each for each in dict.fromkeys(factors_of) if each]
    return groups, np.array([groups.index(each) if each else -1 for each in factors_of], np.int32)


MEMORY = 32 << 20  # bytes: 1,000 blocks of 64 x 64 cells

# {(field, grid, x, y): float64 [cell]}. A field is identified by its digest, so that a change of one field
# does not sample the others again.
SAMPLES: BoundedCache[NDArray[np.float64]] = BoundedCache(MEMORY, array_bytes)


class SampleCache:
    """The values of fields at blocks of cells, each block a copy of `grid` somewhere in the plane."""

    def __init__(self, fields: Fields, grid: Lattice) -> None:
        self.fields, self.grid, self._shape = fields, grid, repr(grid)
        self._identity = {name: identify(name, source) for name, source in fields.sources.items()}

    def block(self, x: int, y: int) -> SampledFields:
        """Every field at the cells of the grid when its cell (0, 0) lies at (x, y)."""
        places = CellPositions(self.grid, (x, y))
        values = Values()
        for name, source in self.fields.sources.items():
            key = (self._identity[name], self._shape, x, y)
            values[name] = SAMPLES.get(key, lambda s=source, n=name: freeze(s.at(places, describe_field(n))))  # type: ignore[misc]
        return SampledFields(self.fields, places, values)


def identify(name: str, source: Source) -> object:
    """The digest of a field; for a function, which has none, a new object that equals no other."""
    try:
        return source.digest(describe_field(name))
    except ConfigError:
        return object()
