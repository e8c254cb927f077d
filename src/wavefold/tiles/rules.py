"""Rules: which patterns may touch, as numbers. What tile sets are compiled to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.kernels.host.bitsets import count_words, pack_bits, unpack_bits
from wavefold.kernels.host.checkpoint import Steps, finish_steps
from wavefold.options.names import RecommendedOrder

HASHED_AT_ONCE = 1 << 11  # rows


class RuleShape:
    """Stands for all of some rules but their weights: a key for what is computed without these."""


class Rules:
    """Which patterns may stand beside which, their weights and their names.

    Attributes
    ----------
    names : the name of each pattern; a turned tile has a suffix (`road@90`)
    weights : float64 [pattern], the author's numbers or the counts learned
    tiles, tile_of : names of the tiles, and int32 [pattern] -> index of its tile
    relations : one per direction of the topology (per label and way, on graphs)
    kinds : int32 [pattern]; patterns of the same kind may not touch, whatever the relations allow; -1: none
    topology : the kind of cells the relations are for; a relation is a direction there
    values : what a pattern stands for outside, if not its tile's name (colours, the user's values)
    other_name : finds the pattern that another spelling of a name means, or None
    soft : factors on pairs of patterns, for refining; or None
    groups : {name: patterns} names for several tiles; they stand wherever the name of a tile may
    order : the order recommended for maps, "scanline" or "spiral"; None: least entropy. The digest omits it
    """

    def __init__(
        self,
        names: Sequence[str],
        relations: Sequence[Relation],
        weights: ArrayLike | None = None,
        *,
        tiles: Sequence[str] | None = None,
        tile_of: ArrayLike | None = None,
        kinds: ArrayLike | None = None,
        values: Sequence[Hashable] | None = None,
        topology: str = "graph",
        other_name: Callable[[str], int | None] | None = None,
        groups: Mapping[str, NDArray[np.int64]] | None = None,
        soft: SoftPairs | None = None,
        order: RecommendedOrder | None = None,
    ) -> None:
        self.topology = topology
        self._other_name = other_name
        self.groups = dict(groups or {})
        self.soft = soft
        self.order = order
        self.names = tuple(names)
        if not self.names:
            raise TileSetError("there are no tiles: a tile set needs at least one")
        self.relations = tuple(relations)
        self.tiles = self.names if tiles is None else tuple(tiles)
        count = len(self.names)
        self.tile_of = np.arange(count, dtype=np.int32) if tile_of is None else np.array(tile_of, np.int32)
        self.kinds = np.full(count, -1, np.int32) if kinds is None else np.array(kinds, np.int32)
        self.weights = parse_weights(np.ones(count) if weights is None else weights, self.names)
        self.values = None if values is None else tuple(values)
        self.shape = RuleShape()
        self._check_lengths()

    def _check_lengths(self) -> None:
        """Raise unless everything that is listed per pattern has as many entries as there are patterns."""
        count = len(self)
        lengths = {"kinds": self.kinds.size, "tile_of": self.tile_of.size}
        lengths |= {"values": count if self.values is None else len(self.values)}
        for number, relation in enumerate(self.relations):
            words = count_words(count)
            fits = relation.class_of.shape == (count,) and relation.rows.shape[1:] == (words,)
            lengths[f"relation {number}"] = count if fits else relation.class_of.size
            if not fits and relation.class_of.size == count:
                raise TileSetError(f"relation {number} has rows for another number of patterns than {count}")
        for name, length in lengths.items():
            if length != count:
                raise TileSetError(f"there are {count} patterns but {name} lists {length}")
        if self.tile_of.min() < 0 or self.tile_of.max() >= len(self.tiles):
            raise TileSetError(f"tile_of must give each pattern one of the {len(self.tiles)} tiles, from 0")

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Rules({len(self)} patterns of {len(self.tiles)} tiles, {len(self.relations)} relations)"

    @property
    def words(self) -> int:
        """64-bit words in a domain."""
        return int(self.relations[0].rows.shape[1]) if self.relations else count_words(len(self))

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """bool [direction, pattern, pattern]: may b stand in that direction of a? Computed at each access."""
        apart = (self.kinds[:, None] == self.kinds[None, :]) & (self.kinds >= 0)
        return np.stack([relation.table() & ~apart for relation in self.relations])

    def allows(self, direction: int, pattern: int) -> NDArray[np.bool_]:
        """bool [pattern]: what may stand in that direction of one pattern; a row of `allowed`."""
        relation = self.relations[direction]
        row = unpack_bits(relation.rows[relation.class_of[pattern]], len(self))
        kind = self.kinds[pattern]
        return row if kind < 0 else row & (self.kinds != kind)

    @cached_property
    def patterns_by_name(self) -> dict[str, NDArray[np.int64]]:
        """Patterns by tile or group (all of them) and by pattern name (that one; `name@0` as drawn)."""
        found = {name: np.array([number]) for number, name in enumerate(self.names)}
        found |= {f"{name}@0": number for name, number in found.items() if "@" not in name}
        for tile, name in enumerate(self.tiles):
            found[name] = np.flatnonzero(self.tile_of == tile)
        return found | self.groups

    @cached_property
    def patterns_by_value(self) -> dict[Hashable, NDArray[np.int64]]:
        """Patterns by what they stand for outside."""
        groups: dict[Hashable, list[int]] = {}
        for number, value in enumerate(self.values or ()):
            groups.setdefault(value, []).append(number)
        return {value: np.array(numbers) for value, numbers in groups.items()}

    def patterns(self, name: Hashable) -> NDArray[np.int64]:
        """The patterns of a tile or group, by its name; or of a value; or the one that has this full name."""
        if self.values is not None:
            try:
                return self.patterns_by_value[name]
            except (KeyError, TypeError):
                pass
        if isinstance(name, str) and name in self.patterns_by_name:
            return self.patterns_by_name[name]
        if isinstance(name, str) and self._other_name is not None:
            other = self._other_name(name)
            if other is not None:
                return np.array([other])
        known = (
            [*self.tiles, *self.groups]
            if self.values is None
            else [repr(value) for value in self.patterns_by_value]
        )
        shown = name if isinstance(name, str) and self.values is None else repr(name)
        what = "tile" if self.values is None else "value"
        raise TileSetError(f"there is no {what} {name!r}; {suggest(shown, known)}")

    @cached_property
    def digest(self) -> str:
        """A name for what the rules allow and weigh; equal rules have equal digests on every machine."""
        return finish_steps((id(self), "digest"), self._compute_digest)

    def _compute_digest(self) -> Steps[str]:
        """In steps: for thousands of patterns it takes a tenth of a second."""
        digest = blake2b(self.topology.encode(), digest_size=16)
        for array in (self.weights.astype("<f8"), self.kinds.astype("<i4"), self.tile_of.astype("<i4")):
            digest.update(array.tobytes())
        for relation in self.relations:
            digest.update(relation.class_of.astype("<i4").tobytes())
            for start in range(0, len(relation.rows), HASHED_AT_ONCE):
                yield
                digest.update(relation.rows[start : start + HASHED_AT_ONCE].astype("<u8").tobytes())
        return digest.hexdigest()

    @cached_property
    def soft_digest(self) -> str:
        """A name for the soft pairs, which matter to refining alone; empty without any."""
        if self.soft is None:
            return ""
        parts = self.soft.row_of.astype("<i4").tobytes() + self.soft.factors.astype("<f8").tobytes()
        return blake2b(parts, digest_size=16).hexdigest()

    def with_weights(self, weights: ArrayLike) -> Rules:
        """The same rules with other weights [pattern]; what may touch is shared, and so is `shape`."""
        other = copy(self)
        other.__dict__.pop("digest", None)
        other.weights = parse_weights(weights, self.names)
        return other

    def words_for(self, patterns: NDArray[np.int64]) -> NDArray[np.uint64]:
        """[word] with the bits of these patterns set."""
        flags = np.zeros(len(self), bool)
        flags[patterns] = True
        return pack_bits(flags)


def parse_weights(weights: ArrayLike, names: Sequence[str]) -> NDArray[np.float64]:
    """The weights as float64; raises for the first that is not a finite number above zero."""
    try:
        numbers = np.array(weights, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise TileSetError(f"weights must be numbers: {error}") from None
    if numbers.shape != (len(names),):
        raise TileSetError(f"there are {len(names)} patterns but weights of shape {numbers.shape}")
    wrong = np.flatnonzero(~(np.isfinite(numbers) & (numbers > 0)))
    if wrong.size:
        name, weight = names[int(wrong[0])], numbers[wrong[0]]
        raise TileSetError(
            f"tile {name!r} has weight {weight:g}; weights must be finite numbers above 0 "
            "(leave a tile out, or mask it, if it should never appear)"
        )
    return numbers


class SoftPairs(NamedTuple):
    """Factors on pairs of patterns that touch: how much refining prefers or avoids them.

    `factors[row_of[side, a]][b]` is the factor on b on that side of a; the same as that on a on the opposite
    side of b.
    """

    row_of: NDArray[np.int32]  # [relation, pattern], or -1: no factors
    factors: NDArray[np.float64]  # [row, pattern]; 1: none

    @classmethod
    def from_tables(cls, tables: Iterable[NDArray[np.float64]]) -> SoftPairs:
        """From a table [pattern, pattern] for each relation; one is needed at a time."""
        row_of, factors, count = [], [], 0
        for table in tables:
            patterns = np.flatnonzero((table != 1).any(axis=1))
            rows, number = np.unique(table[patterns], axis=0, return_inverse=True)
            row_of.append(np.full(len(table), -1, np.int32))
            row_of[-1][patterns] = number.reshape(-1) + count
            factors.append(rows)
            count += len(rows)
        return cls(np.array(row_of), np.concatenate(factors))

    def table(self, relation: int) -> NDArray[np.float64]:
        """[pattern, pattern] of one side."""
        rows = np.concatenate([self.factors, np.ones((1, self.factors.shape[1]))])  # the last: no factors
        table: NDArray[np.float64] = rows[self.row_of[relation]]
        return table


class Relation(NamedTuple):
    """One side of the rules. `rows[class_of[a]]` holds, as bits, every b that may stand there beside a."""

    class_of: NDArray[np.int32]  # [pattern]
    rows: NDArray[np.uint64]  # [class, word]

    @classmethod
    def from_allowed(cls, allowed: NDArray[np.bool_]) -> Relation:
        """From a table [pattern, pattern]."""
        rows, class_of = np.unique(pack_bits(allowed), axis=0, return_inverse=True)
        return cls(class_of.reshape(-1).astype(np.int32), np.ascontiguousarray(rows))

    @classmethod
    def from_sockets(cls, here: Sequence[Hashable], there: Sequence[Hashable]) -> Relation:
        """From the socket each pattern shows on this side, and on the side that would face it.

        Never builds a table: ten thousand patterns with a few sockets stay a few rows.
        """
        number: dict[Hashable, int] = {}
        class_of = np.array([number.setdefault(socket, len(number)) for socket in here], np.int32)
        facing = np.array([number.get(socket, -1) for socket in there])
        rows = pack_bits(facing[None, :] == np.arange(len(number))[:, None])
        return cls(class_of, rows)

    def is_transpose_of(self, other: Relation) -> bool:
        """Whether both allow the same pairs, read from either side. Column by column: no whole table."""
        patterns = self.class_of.size
        flags = unpack_bits(other.rows, patterns)
        for start in range(0, patterns, 512):
            columns = slice(start, start + 512)
            mine = unpack_bits(self.rows[self.class_of[columns]], patterns)
            if (mine != flags[:, columns][other.class_of].T).any():
                return False
        return True

    def restrict(self, kept: NDArray[np.integer]) -> Relation:
        """The same between these patterns alone, renumbered in this order."""
        classes, class_of = np.unique(self.class_of[kept], return_inverse=True)
        flags = unpack_bits(self.rows[classes], self.class_of.size)[:, kept]
        return Relation(class_of.reshape(-1).astype(np.int32), pack_bits(flags))

    def table(self) -> NDArray[np.bool_]:
        """[pattern, pattern]: may b stand on this side of a?"""
        return unpack_bits(self.rows, self.class_of.size)[self.class_of]
