"""A problem: tiles, a place to put them, and everything that must hold. Frozen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.common.bitsets import pack_bits
from wavefold.errors import ConfigError, TileSetError
from wavefold.fields import Fields, Sampled
from wavefold.kernels.constants import RANK_BITS, CellGraph
from wavefold.tiles import LearnedTileSet, Rules, TileSet
from wavefold.topology import SquareGrid, Topology

if TYPE_CHECKING:
    from wavefold.solver.constraint import Constraint


MOST_WORDS = 2**31 - 1  # the trail counts words in 32 bits


class Pin(NamedTuple):
    """What a cell must be: a name as the author wrote it, and the patterns it leaves."""

    cell: int
    name: Any
    patterns: NDArray[np.int64]
    kind: str = "pin"  # or "ban": then the name is what the cell must not be


class Problem:
    """Tiles, a topology, and what must hold beyond the rules.

    Parameters
    ----------
    tiles : the tile set (or bare `Rules`)
    topology : where the cells are; of the kind the tiles are drawn for
    pins : {coordinate: tile}; a tile name means any of its patterns, a full pattern name exactly one,
        a list of names any of them
    constraints : objects that remove what can no longer be part of a solution
    weights : float [cell, pattern], or [pattern] for all cells; instead of the tile set's own.
        0 means: only if nothing else fits
    masks : bool [cell, pattern], or [pattern] for all cells; False forbids. A set learned with a ground has
        it in the bottom row of a SquareGrid, and nowhere else
    fields : values at every cell; what the tiles say about them (`Tile.limits`, `TileSet.allowed_at`) holds,
        and what the fields say about tiles (`Fields.with_limits`, `with_factors`)
    """

    def __init__(
        self,
        tiles: TileSet | Rules,
        topology: Topology,
        pins: Mapping[Any, Any] | None = None,
        constraints: Iterable[Constraint] = (),
        weights: ArrayLike | None = None,
        masks: ArrayLike | None = None,
        fields: Fields | None = None,
    ) -> None:
        if not isinstance(tiles, TileSet | Rules):
            raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('pipes'), not {tiles!r}")
        if not isinstance(topology, Topology):
            raise ConfigError(f"the topology must be a grid, as SquareGrid(64, 48), not {topology!r}")
        if not isinstance(pins, Mapping | None):
            raise ConfigError(f"pins must be a dict {{coordinate: tile}}, not {pins!r}")
        if not isinstance(constraints, Iterable):
            raise ConfigError(f"constraints must be a list, not {constraints!r}")
        self.tiles = tiles
        self.topology = topology
        self._shared: dict[Any, Any] = {}
        self.rules = tiles.rules if isinstance(tiles, TileSet) else tiles
        self._check_size()
        self._check_fit()
        if isinstance(tiles, Rules):
            self._check_pairs()
        self.constraints = tuple(constraints)
        for constraint in self.constraints:
            if not callable(getattr(constraint, "prune", None)):
                raise ConfigError(f"{constraint!r} is not a constraint: it has no method prune(view)")
        self.pins = tuple(self._pins(pins or {}))
        self.masks = None if masks is None else self._per_cell(masks, "masks", np.bool_)
        sampled = self._sampled(fields)
        for permitted in (None if sampled is None else sampled.masks(tiles), self._on_ground()):
            if permitted is not None:
                self.masks = permitted if self.masks is None else permitted & self.masks
        self.weights = None if weights is None else self._checked_weights(weights)
        if sampled is not None and sampled.fields.factors:
            self.weights = self._checked_weights(sampled.weights(self.rules, own=self.weights))

    def __repr__(self) -> str:
        extras = [f"{len(self.pins)} pins"] if self.pins else []
        extras += [f"{len(self.constraints)} constraints"] if self.constraints else []
        extras += ["masks"] if self.masks is not None else []
        return f"Problem({', '.join([repr(self.tiles), repr(self.topology), *extras])})"

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_shared": {}}  # others make their own

    def shared(self, name: Any, make: Callable[[], Any]) -> Any:
        """Something all solvers of this problem need, made once."""
        if name not in self._shared:
            self._shared[name] = make()
        return self._shared[name]

    @property
    def cell_count(self) -> int:
        """How many cells there are to decide."""
        return self.topology.cell_count

    @cached_property
    def graph(self) -> CellGraph:
        """Who touches whom: `neighbour` int32 [cell, direction] (-1 outside), `opposite` [direction]."""
        return self.topology.graph()

    @cached_property
    def domains(self) -> NDArray[np.uint64]:
        """[cell, word] what masks and pins leave to each cell, before anything is propagated."""
        return self.domains_with(self.pins, np.ones(self.cell_count, bool))

    def domains_with(self, pins: Sequence[Pin], masked: NDArray[np.bool_]) -> NDArray[np.uint64]:
        """[cell, word] with these pins, and masks in force only where `masked`."""
        full = pack_bits(np.ones(len(self.rules), bool))
        domains = np.tile(full, (self.cell_count, 1))
        if self.masks is not None:
            rows = pack_bits(np.atleast_2d(self.masks))
            domains = np.where(masked[:, None], rows, full)
        for pin in pins:
            domains[pin.cell] &= self.rules.words_for(pin.patterns)
        return np.ascontiguousarray(domains, np.uint64)

    def patterns_named(self, name: Any) -> NDArray[np.int64]:
        """The patterns a name, a value or a list of them stands for."""
        is_value = self.rules.values is not None  # a tuple may be one
        if isinstance(name, list | set | frozenset) or (isinstance(name, tuple) and not is_value):
            every = [self.rules.patterns(each) for each in name]
            return np.unique(np.concatenate(every)) if every else np.zeros(0, np.int64)
        return self.rules.patterns(name)

    def cell(self, place: Any) -> int:
        """The number of a cell, from its coordinate (or its number)."""
        if (
            isinstance(place, int | np.integer)
            and not isinstance(place, bool)
            and self.topology.kind != "graph"
        ):
            if not 0 <= place < self.cell_count:
                raise ConfigError(f"there is no cell number {place}: they go from 0 to {self.cell_count - 1}")
            return int(place)
        return self.topology.cell_at(place)

    def _pins(self, pins: Mapping[Any, Any]) -> Iterable[Pin]:
        for place, name in pins.items():
            cell = self.cell(place)
            yield Pin(cell, name, self.patterns_named(name))

    def _on_ground(self) -> NDArray[np.bool_] | None:
        """What a set learned with a ground has in the bottom row, and nowhere else."""
        tiles, grid = self.tiles, self.topology
        if not isinstance(tiles, LearnedTileSet) or tiles.ground_pattern is None:
            return None
        return tiles.ground_masks(grid) if isinstance(grid, SquareGrid) else None

    def _sampled(self, fields: Fields | None) -> Sampled | None:
        if fields is None:
            return None
        if not isinstance(fields, Fields):
            raise ConfigError(f"fields must be given as Fields(altitude=Noise(0.02)), not {fields!r}")
        return fields.sampled(self.topology)

    def _per_cell(self, values: ArrayLike, name: str, kind: Any) -> NDArray[Any]:
        """An array [cell, pattern] or [pattern], checked."""
        patterns = len(self.rules)
        try:
            array = np.array(values, kind, order="C")  # a copy: a problem is frozen
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{name} must be an array: {error}") from None
        if array.shape not in ((self.cell_count, patterns), (patterns,)):
            raise ConfigError(
                f"{name} has shape {array.shape}; it must be [cell, pattern] = "
                f"{(self.cell_count, patterns)}, or [pattern] = {(patterns,)} for all cells"
            )
        return array

    def _checked_weights(self, values: ArrayLike) -> NDArray[np.float64]:
        weights = np.atleast_2d(self._per_cell(values, "weights", np.float64))
        wrong = np.argwhere(~(np.isfinite(weights) & (weights >= 0)))
        if wrong.size:
            cell, pattern = wrong[0]
            where = f" at {self.topology.describe(int(cell))}" if len(weights) > 1 else ""
            raise ConfigError(
                f"the weight of {self.rules.names[pattern]!r}{where} is {weights[cell, pattern]:g}; "
                "weights must be finite numbers of at least 0"
            )
        if not weights.max(initial=0) > 0:
            raise ConfigError("all weights are 0; at least one must be above")
        return weights

    def _check_fit(self) -> None:
        """The rules must speak of every side a cell of this topology has."""
        drawn_for, kind = self.rules.topology, self.topology.kind
        if drawn_for not in ("graph", kind):
            raise TileSetError(f"these tiles are drawn for {drawn_for} cells, but this topology is {kind}")
        needed = int(self.topology.graph().rule.max(initial=-1)) + 1
        if len(self.rules.relations) < needed:
            raise TileSetError(
                f"the rules have {len(self.rules.relations)} relations, but this topology needs {needed}: "
                "one per direction on grids, two per label (there and back) on graphs"
            )

    def _check_pairs(self) -> None:
        """Seen from the other side, a pair must be as allowed: kernels rely on it."""
        graph, relations = self.topology.graph(), self.rules.relations
        for direction, back in enumerate(graph.opposite):
            here, there = int(graph.rule[direction]), int(graph.rule[back])
            if here <= there and not relations[here].is_transpose_of(relations[there]):
                name = self.topology.directions[direction]
                raise TileSetError(
                    f"the rules contradict themselves: the relation to the {name} allows other pairs than "
                    f"the one back, to the {self.topology.directions[back]}; transpose one"
                )

    def _check_size(self) -> None:
        words = self.cell_count * self.rules.words
        if words > MOST_WORDS or self.cell_count >= 1 << RANK_BITS:
            raise ConfigError(
                f"{self.cell_count:,} cells of {len(self.rules):,} patterns are more than a solve can hold; "
                f"at most {(1 << RANK_BITS) - 1:,} cells and {MOST_WORDS:,} words of 64 patterns"
            )
