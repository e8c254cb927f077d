"""Targets of cells in a plane, from fields: soft masks, and factors on the weights of patterns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.fields.fields import Fields, describe_field
from wavefold.fields.positions import CellPositions
from wavefold.fields.sampled import CellPatternWeights, SampledFields
from wavefold.fields.sources import Source, Values, make_read_only
from wavefold.kernels.host.bitsets import has_bit, pack_bits
from wavefold.storage.cache import BoundedCache, array_bytes
from wavefold.tiles import TileSet
from wavefold.topology import Lattice

MASK_BYTES = FACTOR_BYTES = 32 << 20  # of cached blocks
WEIGHT_BYTES = 256 << 20  # larger: blocks have all patterns, and a region can lie in seven blocks
LARGEST_FACTOR = 1e12
SAMPLE_BYTES = 32 << 20  # 1,000 blocks of 64 x 64 cells
# {(field, grid, x, y): float64 [cell]}. Fields are identified by their digests, so that a change of one field
# keeps the samples of the others.
SAMPLES: BoundedCache[NDArray[np.float64]] = BoundedCache(SAMPLE_BYTES, array_bytes)

MaskWords = NDArray[np.uint64]  # [..., word]: the patterns that the fields allow in a cell, lowest bit first
GroupFactors = NDArray[np.float64]  # [..., group]: the factor on the weights of a group of patterns


class Targets(NamedTuple):
    """The targets of a rectangle; None where the fields set none."""

    words: MaskWords | None  # [row, column, word]
    group_factors: GroupFactors | None  # [row, column, group]

    def cut(self, where: tuple[slice, slice]) -> Targets:
        """The targets of a part of the rectangle, given as [rows, columns]."""
        words, factors = self
        return Targets(None if words is None else words[where], None if factors is None else factors[where])

    def find_unmet(self, patterns: NDArray[np.int32]) -> NDArray[np.bool_] | None:
        """bool [row, column]: whether the pattern is not allowed; None without masks."""
        return None if self.words is None else ~allows(self.words, patterns)


class FieldTargets:
    """The targets of each cell, from limits and factors of tiles, computed and cached by block.

    grid : the shape of a block; a block is identified by the position of its cell (0, 0)
    groups : for each group of patterns with the same factors: the indices of these factors in
    `fields.factors`
    group_of : int32 [pattern] -> group, or -1 without factors
    """

    def __init__(self, tiles: TileSet, fields: Fields, grid: Any) -> None:
        self.tiles, self.fields, self.grid = tiles, fields, grid
        self.has_masks = (
            any(tile.limits for tile in tiles.tiles) or tiles.allowed_at is not None or bool(fields.limits)
        )
        self.groups, self.group_of = group_patterns(tiles, fields)
        self.every_pattern = pack_bits(np.ones(len(tiles.rules), bool))  # [word] of a cell without a mask
        self._samples = SampleCache(fields, grid)
        self._words: BoundedCache[MaskWords] = BoundedCache(MASK_BYTES, array_bytes)
        self._group_factors: BoundedCache[GroupFactors] = BoundedCache(FACTOR_BYTES, array_bytes)
        self._weights: BoundedCache[CellPatternWeights] = BoundedCache(WEIGHT_BYTES, array_bytes)
        for tile in fields.limits:
            tiles.rules.patterns(tile)  # raises for an unknown tile

    # --- one block ------------------------------------------------------------------------------

    def words(self, x: int, y: int) -> MaskWords:
        """uint64 [cell, word]: the allowed patterns in each cell of a block."""
        return self._words.get((x, y), lambda: pack_bits(self._samples.block(x, y).masks(self.tiles)))

    def group_factors(self, x: int, y: int) -> GroupFactors:
        """float64 [cell, group]: the factor on the weights of each group in each cell of a block."""
        return self._group_factors.get((x, y), lambda: self._compute_group_factors(x, y))

    def weights(self, x: int, y: int) -> CellPatternWeights:
        """float64 [cell, pattern]: the weights of the rules times their factors in each cell of a block."""
        return self._weights.get((x, y), lambda: self._samples.block(x, y).weights(self.tiles.rules))

    def _compute_group_factors(self, x: int, y: int) -> GroupFactors:
        sampled = self._samples.block(x, y)
        factors = [sampled.factor(tile, factor) for tile, factor in self.fields.factors.items()]
        found = np.ones((sampled.places.count, len(self.groups)))
        for group, members in enumerate(self.groups):
            for factor in members:
                found[:, group] *= factors[factor]
        return np.minimum(found, LARGEST_FACTOR)

    # --- rectangles, if blocks are boxes --------------------------------------------------------

    def rectangle(self, x: int, y: int, width: int, height: int) -> Targets:
        """The targets of a rectangle with its first cell at (x, y)."""
        words = self.masks(x, y, width, height) if self.has_masks else None
        factors = self._cut(self.group_factors, x, y, width, height) if self.groups else None
        return Targets(words, factors)

    def masks(self, x: int, y: int, width: int, height: int) -> MaskWords:
        """uint64 [row, column, word]: the allowed patterns in each cell of a rectangle."""
        return self._cut(self.words, x, y, width, height)

    def count_met(self, patterns: NDArray[np.int32], x: int, y: int) -> tuple[int, int]:
        """Count the cells of a rectangle that have a soft mask, and those that satisfy it."""
        if not self.has_masks:
            return 0, 0
        height, width = patterns.shape
        words = self.masks(x, y, width, height)
        is_masked = (words != self.every_pattern).any(axis=2)
        return int(is_masked.sum()), int((is_masked & allows(words, patterns)).sum())

    def _cut(
        self, block_at: Callable[[int, int], NDArray[Any]], x: int, y: int, width: int, height: int
    ) -> NDArray[Any]:
        """Assemble a rectangle [row, column, ...] from blocks."""
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
    """bool [row, column]: whether the words [row, column, word] allow each pattern."""
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


class SampleCache:
    """The values of fields in blocks of cells; each block is a copy of `grid` in the plane."""

    def __init__(self, fields: Fields, grid: Lattice) -> None:
        self.fields, self.grid, self._shape = fields, grid, repr(grid)
        self._identity = {name: identify(name, source) for name, source in fields.sources.items()}

    def block(self, x: int, y: int) -> SampledFields:
        """All fields at the cells of the block with its cell (0, 0) at (x, y)."""
        places = CellPositions(self.grid, (x, y))
        values = Values()
        for name, source in self.fields.sources.items():
            key = (self._identity[name], self._shape, x, y)
            values[name] = SAMPLES.get(key, partial(sample_cells, name, source, places))
        return SampledFields(self.fields, places, values)


def sample_cells(name: str, source: Source, places: CellPositions) -> NDArray[np.float64]:
    """float64 [cell]: the values of a field, read-only."""
    return make_read_only(source.at(places, describe_field(name)))


def identify(name: str, source: Source) -> object:
    """The digest of a field; for a function, which has no digest, a new object."""
    try:
        return source.digest(describe_field(name))
    except ConfigError:
        return object()
