"""What fields wish for: which patterns each cell of a world should be one of, and which are likely there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import pack_bits
from wavefold.common.cache import BoundedCache, array_bytes
from wavefold.fields import Fields
from wavefold.tiles import TileSet
from wavefold.topology import box
from wavefold.world.samples import Samples

MEMORY = 32 << 20  # bytes of wishes that are kept, and as many of shares
MOST_SHARE = 1e12

Words = NDArray[np.uint64]  # [row, column, word]: the patterns a cell should be one of
Shares = NDArray[
    np.float64
]  # [row, column, group]: what the weights of a group of patterns are multiplied by


class Wished(NamedTuple):
    """What fields wish for in a rectangle."""

    words: Words | None
    shares: Shares | None

    def cut(self, where: tuple[slice, slice]) -> Wished:
        """A part of it."""
        words, shares = self
        return Wished(None if words is None else words[where], None if shares is None else shares[where])

    def unmet(self, patterns: NDArray[np.int32]) -> NDArray[np.bool_] | None:
        """[row, column] where these patterns are not what was wished for; None if nothing can be unmet."""
        return None if self.words is None else ~granted(self.words, patterns)


class FieldWishes:
    """Limits and factors of tiles, looked up in fields; in blocks, so that no cell is asked about twice."""

    def __init__(self, tiles: TileSet, fields: Fields, block: int) -> None:
        self.tiles, self.fields, self.block = tiles, fields, block
        self.samples = Samples(fields, box(tiles.topology, block, block))
        self.has_limits = (
            any(tile.limits for tile in tiles.tiles) or tiles.allowed_at is not None or bool(fields.limits)
        )
        self.groups, self.group_of = groups_of(tiles, fields)
        self._words: BoundedCache[Words] = BoundedCache(MEMORY, array_bytes)
        self._shares: BoundedCache[Shares] = BoundedCache(MEMORY, array_bytes)
        for tile in fields.limits:
            tiles.rules.patterns(tile)  # or an error, before any chunk is made

    def wished(self, x: int, y: int, width: int, height: int) -> Wished:
        """Everything for the rectangle whose first cell is (x, y)."""
        words = self.at(x, y, width, height) if self.has_limits else None
        place = (x, y, width, height)
        shares = self._cut(self._shares, self._shared, *place) if self.groups else None
        return Wished(words, shares)

    def at(self, x: int, y: int, width: int, height: int) -> Words:
        """uint64 [row, column, word] for the rectangle whose first cell is (x, y)."""
        return self._cut(self._words, self._worded, x, y, width, height)

    def met(self, patterns: NDArray[np.int32], x: int, y: int) -> tuple[int, int]:
        """How many cells of this rectangle have a wish, and at how many of them it is fulfilled."""
        height, width = patterns.shape
        if not self.has_limits:
            return 0, 0
        words = self.at(x, y, width, height)
        everything = pack_bits(np.ones(len(self.tiles.rules), bool))
        asked = (words != everything).any(axis=2)
        return int(asked.sum()), int((asked & granted(words, patterns)).sum())

    def _cut(
        self,
        blocks: BoundedCache[NDArray[Any]],
        make: Callable[[int, int], NDArray[Any]],
        x: int,
        y: int,
        width: int,
        height: int,
    ) -> NDArray[Any]:
        """A rectangle out of the blocks it lies in."""
        side, cut = self.block, None
        for j in range(y // side, (y + height - 1) // side + 1):
            for i in range(x // side, (x + width - 1) // side + 1):
                block = blocks.get((i, j), lambda i=i, j=j: make(i * side, j * side))  # type: ignore[misc]
                if cut is None:
                    cut = np.empty((height, width, block.shape[2]), block.dtype)
                from_x, to_x = max(x, i * side), min(x + width, (i + 1) * side)
                from_y, to_y = max(y, j * side), min(y + height, (j + 1) * side)
                cut[from_y - y : to_y - y, from_x - x : to_x - x] = block[
                    from_y - j * side : to_y - j * side, from_x - i * side : to_x - i * side
                ]
        assert cut is not None
        return cut

    def _worded(self, x: int, y: int) -> Words:
        masks = self.samples.block(x, y).masks(self.tiles)
        return pack_bits(masks).reshape(self.block, self.block, -1)

    def _shared(self, x: int, y: int) -> Shares:
        sampled = self.samples.block(x, y)
        factors = [sampled.factor(tile, factor) for tile, factor in self.fields.factors.items()]
        shares = np.ones((self.block**2, len(self.groups)))
        for group, members in enumerate(self.groups):
            for factor in members:
                shares[:, group] *= factors[factor]
        return np.minimum(shares, MOST_SHARE).reshape(self.block, self.block, -1)


def granted(words: Words, patterns: NDArray[np.int32]) -> NDArray[np.bool_]:
    """[row, column] whether a pattern is one of those wished for."""
    word = np.take_along_axis(words, (patterns >> 6).astype(np.int64)[:, :, None], axis=2)[:, :, 0]
    return np.asarray((word >> (patterns & 63).astype(np.uint64)) & np.uint64(1) != 0)


def groups_of(tiles: TileSet, fields: Fields) -> tuple[list[tuple[int, ...]], NDArray[np.int32]]:
    """Which factors, by number, each group of patterns has; and [pattern] -> its group, or -1."""
    rules = tiles.rules
    named: list[tuple[int, ...]] = [()] * len(rules)
    for number, tile in enumerate(fields.factors):
        for pattern in rules.patterns(tile).tolist():
            named[pattern] += (number,)
    groups = [each for each in dict.fromkeys(named) if each]
    return groups, np.array([groups.index(each) if each else -1 for each in named], np.int32)
