"""Rules, the compiled form of a tile set: which patterns may touch, as numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from hashlib import blake2b
from types import NoneType
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, TileSetError, suggest
from wavefold.kernels.host.bitsets import count_words, pack_bits, unpack_bits
from wavefold.kernels.host.checkpoint import Steps, finish_steps
from wavefold.options.names import RecommendedOrder, TopologyKind
from wavefold.options.values import check_function, check_type, shorten

HASHED_ROWS = 1 << 11  # rows


class RuleShape:
    """A cache key for data computed from rules without their weights."""


class Rules:
    """Patterns with their names and weights, and relations that define which of them may touch.

    Attributes
    ----------
    names : the names of the patterns; a rotated tile has a suffix (`road@90`)
    weights : float64 [pattern], given by the author or learned
    tiles, tile_of : the names of the tiles, and int32 [pattern] -> index of its tile
    relations : one per direction of the topology (for graphs, two per label: forward and back)
    kinds : int32 [pattern]; patterns of the same kind may not touch, even if a relation allows it; -1: none
    topology : the kind of topology the relations are for
    values : [pattern] the value it represents, such as a colour; None: the name of its tile
    other_name : a function that returns the pattern for another spelling of a name, or None
    soft : factors on pairs of patterns, for refining; or None
    groups : {name: patterns}: names for several tiles, valid wherever the name of a tile is
    order : the recommended order, "scanline" or "spiral"; None: least entropy. Not part of the digest
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
        topology: TopologyKind = "graph",
        other_name: Callable[[str], int | None] | None = None,
        groups: Mapping[str, NDArray[np.int64]] | None = None,
        soft: SoftPairs | None = None,
        order: RecommendedOrder | None = None,
    ) -> None:
        lists = {"names": names, "relations": relations, "tiles": tiles, "values": values}
        for name, given in lists.items():
            check_type(name, given, (Iterable, NoneType), "a list")
        check_type("groups", groups, (Mapping, NoneType), "a dict")
        check_type("topology", topology, str, 'a name such as "square"')
        check_function("other_name", other_name)
        check_type("soft", soft, (SoftPairs, NoneType), "a SoftPairs or None")
        if order is not None and order not in get_args(RecommendedOrder):
            raise ConfigError(f"unknown order {order!r}; {suggest(order, get_args(RecommendedOrder))}")
        self.topology = topology
        self._other_name = other_name
        self.groups = dict(groups or {})
        self.soft = soft
        self.order = order
        self.names = tuple(names)
        if not self.names:
            raise TileSetError("a tile set needs at least one tile")
        self.relations = tuple(relations)
        self.tiles = self.names if tiles is None else tuple(tiles)
        count = len(self.names)
        self.tile_of = parse_numbers("tile_of", np.arange(count) if tile_of is None else tile_of)
        self.kinds = parse_numbers("kinds", np.full(count, -1) if kinds is None else kinds)
        self.weights = parse_weights(np.ones(count) if weights is None else weights, self.names)
        self.values = None if values is None else tuple(values)
        self.shape = RuleShape()
        self._check_lengths()

    def _check_lengths(self) -> None:
        """Raise unless all arrays with one entry per pattern have the right length."""
        count = len(self)
        lengths = {"kinds": self.kinds.size, "tile_of": self.tile_of.size}
        lengths |= {"values": count if self.values is None else len(self.values)}
        for number, relation in enumerate(self.relations):
            words = count_words(count)
            fits = relation.class_of.shape == (count,) and relation.rows.shape[1:] == (words,)
            lengths[f"relation {number}"] = count if fits else relation.class_of.size
            if not fits and relation.class_of.size == count:
                raise TileSetError(f"the rows of relation {number} do not have {count} patterns")
        for name, length in lengths.items():
            if length != count:
                raise TileSetError(f"there are {count} patterns, but {name} has {length} entries")
        if self.tile_of.min() < 0 or self.tile_of.max() >= len(self.tiles):
            raise TileSetError(f"tile_of must give each pattern a tile, from 0 to {len(self.tiles) - 1}")

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Rules({len(self)} patterns of {len(self.tiles)} tiles, {len(self.relations)} relations)"

    @property
    def words(self) -> int:
        """The number of 64-bit words in a domain."""
        return int(self.relations[0].rows.shape[1]) if self.relations else count_words(len(self))

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """bool [direction, a, b]: may b stand in that direction of a? Computed at each access."""
        apart = (self.kinds[:, None] == self.kinds[None, :]) & (self.kinds >= 0)
        return np.stack([relation.table() & ~apart for relation in self.relations])

    def allows(self, direction: int, pattern: int) -> NDArray[np.bool_]:
        """bool [pattern]: the row of `allowed` for this direction and pattern."""
        relation = self.relations[direction]
        row = unpack_bits(relation.rows[relation.class_of[pattern]], len(self))
        kind = self.kinds[pattern]
        return row if kind < 0 else row & (self.kinds != kind)

    @cached_property
    def patterns_by_name(self) -> dict[str, NDArray[np.int64]]:
        """{name: patterns} for the names of tiles, groups and patterns; `name@0` is the tile as drawn."""
        found = {name: np.array([number]) for number, name in enumerate(self.names)}
        found |= {f"{name}@0": number for name, number in found.items() if "@" not in name}
        for tile, name in enumerate(self.tiles):
            found[name] = np.flatnonzero(self.tile_of == tile)
        return found | self.groups

    @cached_property
    def patterns_by_value(self) -> dict[Hashable, NDArray[np.int64]]:
        """{value: patterns}."""
        groups: dict[Hashable, list[int]] = {}
        for number, value in enumerate(self.values or ()):
            groups.setdefault(value, []).append(number)
        return {value: np.array(numbers) for value, numbers in groups.items()}

    def patterns(self, name: Hashable) -> NDArray[np.int64]:
        """The patterns of a tile, a group, a full name or a value. Raises TileSetError for an unknown one."""
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
        """A digest of the rules and weights. Equal rules have the same digest on every machine."""
        return finish_steps((id(self), "digest"), self._compute_digest)

    def _compute_digest(self) -> Steps[str]:
        """Compute the digest in steps: thousands of patterns take a tenth of a second."""
        digest = blake2b(self.topology.encode(), digest_size=16)
        for array in (self.weights.astype("<f8"), self.kinds.astype("<i4"), self.tile_of.astype("<i4")):
            digest.update(array.tobytes())
        for relation in self.relations:
            digest.update(relation.class_of.astype("<i4").tobytes())
            for start in range(0, len(relation.rows), HASHED_ROWS):
                yield
                digest.update(relation.rows[start : start + HASHED_ROWS].astype("<u8").tobytes())
        return digest.hexdigest()

    @cached_property
    def soft_digest(self) -> str:
        """A digest of the soft pairs, which only refining uses; empty without soft pairs."""
        if self.soft is None:
            return ""
        parts = self.soft.row_of.astype("<i4").tobytes() + self.soft.factors.astype("<f8").tobytes()
        return blake2b(parts, digest_size=16).hexdigest()

    def with_weights(self, weights: ArrayLike) -> Rules:
        """Return the same rules with other weights [pattern]; relations and `shape` are shared."""
        other = copy(self)
        other.__dict__.pop("digest", None)
        other.weights = parse_weights(weights, self.names)
        return other

    def words_for(self, patterns: NDArray[np.int64]) -> NDArray[np.uint64]:
        """uint64 [word]: a domain of exactly these patterns."""
        flags = np.zeros(len(self), bool)
        flags[patterns] = True
        return pack_bits(flags)


def parse_numbers(name: str, values: ArrayLike) -> NDArray[np.int32]:
    """Whole numbers, one for each pattern."""
    try:
        return np.array(values, np.int32)
    except (TypeError, ValueError, OverflowError):
        raise TileSetError(f"{name} must be a whole number for each pattern, not {shorten(values)}") from None


def parse_weights(weights: ArrayLike, names: Sequence[str]) -> NDArray[np.float64]:
    """Return weights as float64. Raises TileSetError unless all are finite numbers above 0."""
    try:
        numbers = np.array(weights, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise TileSetError(f"weights must be numbers: {error}") from None
    if numbers.shape != (len(names),):
        raise TileSetError(f"there are {len(names)} patterns, but weights have shape {numbers.shape}")
    wrong = np.flatnonzero(~(np.isfinite(numbers) & (numbers > 0)))
    if wrong.size:
        name, weight = names[int(wrong[0])], numbers[wrong[0]]
        raise TileSetError(
            f"tile {name!r} has weight {weight:g}; weights must be finite numbers above 0 "
            "(to exclude a tile, leave it out or mask it)"
        )
    return numbers


class SoftPairs(NamedTuple):
    """Factors on pairs of patterns that touch, by which refining prefers or avoids them.

    `factors[row_of[side, a]][b]` is the factor for b on that side of a. It equals the factor for a on the
    opposite side of b.
    """

    row_of: NDArray[np.int32]  # [relation, pattern] index of a row, or -1: all factors are 1
    factors: NDArray[np.float64]  # [row, pattern]

    @classmethod
    def from_tables(cls, tables: Iterable[NDArray[np.float64]]) -> SoftPairs:
        """Make soft pairs from one table [pattern, pattern] per relation."""
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
        """float64 [pattern, pattern]: the factors of one relation."""
        rows = np.concatenate([self.factors, np.ones((1, self.factors.shape[1]))])  # the last is row -1
        table: NDArray[np.float64] = rows[self.row_of[relation]]
        return table


class Relation(NamedTuple):
    """The rules for one direction: the bits of `rows[class_of[a]]` are the patterns allowed beside a."""

    class_of: NDArray[np.int32]  # [pattern]
    rows: NDArray[np.uint64]  # [class, word]

    @classmethod
    def from_allowed(cls, allowed: NDArray[np.bool_]) -> Relation:
        """Make a relation from a table [pattern, pattern]."""
        rows, class_of = np.unique(pack_bits(allowed), axis=0, return_inverse=True)
        return cls(class_of.reshape(-1).astype(np.int32), np.ascontiguousarray(rows))

    @classmethod
    def from_sockets(cls, here: Sequence[Hashable], there: Sequence[Hashable]) -> Relation:
        """Make a relation from the sockets [pattern] on this side, and on the opposite side.

        No table is built: ten thousand patterns with a few sockets need only a few rows.
        """
        number: dict[Hashable, int] = {}
        class_of = np.array([number.setdefault(socket, len(number)) for socket in here], np.int32)
        facing = np.array([number.get(socket, -1) for socket in there])
        rows = pack_bits(facing[None, :] == np.arange(len(number))[:, None])
        return cls(class_of, rows)

    def is_transpose_of(self, other: Relation) -> bool:
        """Whether both relations allow the same pairs, from opposite sides. Tests parts, to save memory."""
        patterns = self.class_of.size
        flags = unpack_bits(other.rows, patterns)
        for start in range(0, patterns, 512):
            columns = slice(start, start + 512)
            mine = unpack_bits(self.rows[self.class_of[columns]], patterns)
            if (mine != flags[:, columns][other.class_of].T).any():
                return False
        return True

    def restrict(self, kept: NDArray[np.integer]) -> Relation:
        """Return the relation of these patterns only, renumbered in this order."""
        classes, class_of = np.unique(self.class_of[kept], return_inverse=True)
        flags = unpack_bits(self.rows[classes], self.class_of.size)[:, kept]
        return Relation(class_of.reshape(-1).astype(np.int32), pack_bits(flags))

    def table(self) -> NDArray[np.bool_]:
        """bool [a, b]: may b stand on this side of a?"""
        return unpack_bits(self.rows, self.class_of.size)[self.class_of]
