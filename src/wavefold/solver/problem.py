"""Problems: tiles, a topology, and all further requirements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypedDict, Unpack
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, TileSetError
from wavefold.fields import Fields, SampledFields
from wavefold.kernels.constants import RANK_BITS
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.kernels.structs import CellGraph, KernelGraph
from wavefold.options.names import CellKey, CellLike, Corner, TileLike
from wavefold.options.values import check_flag
from wavefold.solver.memory import check_grid_memory
from wavefold.solver.propagators import Propagator, find_propagators, narrow_domains
from wavefold.solver.shares import Shares
from wavefold.solver.symmetric_counts import round_tallies
from wavefold.tiles import LearnedTileSet, Rules, TileSet
from wavefold.tiles.tileset_arguments import find_fault
from wavefold.topology import Topology
from wavefold.topology.base import TopologyPart

if TYPE_CHECKING:  # a constraint is called with a problem
    from wavefold.solver.constraint import ConstraintLike, Prunes

MOST_WORDS = 2**31 - 1  # the trail numbers words in 32 bits

# Pairs of relations that were checked, which takes a second for thousands of patterns
_checked_pairs: WeakKeyDictionary[Rules, set[tuple[int, int]]] = WeakKeyDictionary()


class Pin(NamedTuple):
    """A requirement on a cell: a name in the author's terms, and the patterns that it allows."""

    cell: int
    name: TileLike
    patterns: NDArray[np.int64]
    kind: Literal["pin", "ban"] = "pin"  # or "ban": then the name is the excluded tile
    noun: str = ""  # the noun in explanations, if not the kind


class Changes(TypedDict, total=False):
    """The arguments of `Problem.replace`."""

    pins: tuple[Pin, ...]
    constraints: tuple[Prunes, ...]
    masks: NDArray[np.bool_] | None
    weights: NDArray[np.float64] | None


class ProblemOptions(TypedDict, total=False):
    """The options of `Problem`, without tiles and topology."""

    pins: Mapping[Any, TileLike] | None
    constraints: Iterable[ConstraintLike]
    weights: ArrayLike | None
    masks: ArrayLike | None
    fields: Fields | None
    own_constraints: bool


class Problem:
    """Tiles, a topology, and all requirements beyond the rules. Frozen; `replace` returns a changed copy.

    Parameters
    ----------
    tiles : the tile set, or bare `Rules`
    topology : where the cells are; of the kind the tiles are drawn for
    pins : {coordinate: tile}; a tile name means any of its patterns, a full pattern name exactly one,
        a list of names any of them
    constraints : rules about many cells, in addition to those of the tile set
    weights : float [cell, pattern], or [pattern] for all cells, instead of those of the tile set.
        Patterns of weight 0 are used only if nothing else fits
    masks : bool [cell, pattern], or [pattern] for all cells; False forbids. A set learned with a ground has
        it in the bottom row of a SquareGrid, and nowhere else
    fields : values at every cell. The requirements of tiles on them hold (`Tile.limits`,
        `TileSet.allowed_at`), and so do limits and factors of the fields (`Fields.with_limits`,
        `with_factors`)
    own_constraints : whether `TileSet.constraints` hold
    """

    tiles: TileSet | Rules
    rules: Rules
    topology: Topology
    constraints: tuple[Prunes, ...]
    shares: Shares | None  # the target of refining, given among the constraints
    pins: tuple[Pin, ...]
    masks: NDArray[np.bool_] | None  # [cell, pattern] or [pattern], read-only; fields and ground included
    weights: NDArray[np.float64] | None  # [cell, pattern] or the single row [1, pattern], read-only
    field_values: Mapping[str, NDArray[np.float64]]  # {field: [cell]}

    def __init__(
        self,
        tiles: TileSet | Rules,
        topology: Topology,
        pins: Mapping[CellKey, TileLike] | None = None,
        constraints: Iterable[ConstraintLike] = (),
        weights: ArrayLike | None = None,
        masks: ArrayLike | None = None,
        fields: Fields | None = None,
        own_constraints: bool = True,
    ) -> None:
        if not isinstance(tiles, TileSet | Rules):
            raise TileSetError(f"tiles must be a TileSet such as TileSet.load('pipes'), not {tiles!r}")
        if not isinstance(topology, Topology):
            raise ConfigError(f"topology must be a grid such as SquareGrid(64, 48), not {topology!r}")
        if not isinstance(pins, Mapping | None):
            raise ConfigError(f"pins must be a dict {{coordinate: tile}}, not {pins!r}")
        if not isinstance(constraints, Iterable):
            raise ConfigError(f"constraints must be a list, not {constraints!r}")
        check_flag("own_constraints", own_constraints)
        rules = tiles.rules if isinstance(tiles, TileSet) else tiles
        own = tiles.constraints if own_constraints and isinstance(tiles, TileSet) else ()
        listed = (*(each for each in own if applies_to(each, topology)), *constraints)
        shares = [each for each in listed if isinstance(each, Shares)]
        if len(shares) > 1:
            raise ConfigError("constraints contains several Shares; name all tiles in one")
        self._assign(tiles=tiles, rules=rules, topology=topology, shares=shares[0] if shares else None)
        self._assign(constraints=tuple(each for each in listed if not isinstance(each, Shares)))
        check_grid_memory(topology)
        self._check_size()
        self._check_fit()
        self._check_pairs(is_trusted=isinstance(tiles, TileSet))
        for constraint in self.constraints:
            if fault := find_fault(constraint):
                raise ConfigError(fault)
        self._assign(pins=tuple(self._read_pins(pins or {})))
        permitted = None if masks is None else self._read_per_cell(masks, "masks", np.bool_)
        sampled = self._sample(fields)
        for more in (None if sampled is None else sampled.masks(tiles), self.ground_masks()):
            if more is not None:
                permitted = more if permitted is None else more & permitted
        weighed = None if weights is None else self._read_weights(weights)
        if sampled is not None and sampled.fields.factors:
            weighed = self._read_weights(sampled.weights(rules, own=weighed))
        self._assign(masks=permitted, weights=weighed, field_values={} if sampled is None else sampled.values)
        _ = self.propagators  # raises if a constraint names an unknown tile
        for constraint in self.constraints:
            if callable(check := getattr(constraint, "check_problem", None)):
                check(self)

    def _assign(self, **values: Any) -> None:
        """Set attributes during construction; arrays become read-only."""
        for value in values.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Problem is frozen: use problem.replace({name}=...)")

    def __repr__(self) -> str:
        extras = [f"{len(self.pins)} pins"] if self.pins else []
        extras += [f"{len(self.constraints)} constraints"] if self.constraints else []
        extras += ["masks"] if self.masks is not None else []
        return f"Problem({', '.join([repr(self.tiles), repr(self.topology), *extras])})"

    def __getstate__(self) -> dict[str, Any]:
        derived = {"kernel_graph", "_orders"}  # not pickled
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    def replace(self, **changes: Unpack[Changes]) -> Problem:
        """Return a copy with other pins (a tuple of `Pin`), constraints, masks or weights.

        Nothing is parsed or checked: masks and weights must be arrays as in the attributes of a problem.
        """
        unknown = changes.keys() - {"pins", "constraints", "masks", "weights"}
        if unknown:
            raise TypeError(f"a problem cannot replace {', '.join(sorted(unknown))}")
        other = object.__new__(Problem)
        stale = {"domains"} if changes.keys() & {"pins", "masks", "constraints"} else set()
        stale |= {"propagators", "pruners"} if "constraints" in changes else set()
        kept = {name: value for name, value in self.__dict__.items() if name not in stale}
        other.__dict__.update(kept)
        other._assign(**changes)
        return other

    def part(self, cells: NDArray[np.int64], weights: NDArray[np.float64] | None = None) -> Problem:
        """Return a problem of some of the cells, with their domains and these weights.

        It has no constraints, because these may depend on any cell.
        """
        other = object.__new__(Problem)
        part = TopologyPart(self.topology, cells)
        other._assign(tiles=self.tiles, rules=self.rules, topology=part, constraints=(), pins=(), masks=None)
        other._assign(shares=None, field_values={})
        other._assign(weights=weights, domains=self.domains[part.cells])
        return other

    @property
    def cell_count(self) -> int:
        """The number of cells."""
        return self.topology.cell_count

    @cached_property
    def graph(self) -> CellGraph:
        """The cell graph: `neighbour` int32 [cell, direction] (-1 outside), `opposite` [direction]."""
        return self.topology.graph()

    @cached_property
    def kernel_graph(self) -> KernelGraph:
        """`graph` in the form that kernels take."""
        return KernelGraph(*self.graph)

    def order_of_cells(self, rule: str, corner: Corner) -> NDArray[np.int32]:
        """Return the cell of each rank: by "scanline" from a corner, or by "spiral"."""
        if (rule, corner) not in self._orders:
            topology = self.topology
            self._orders[rule, corner] = topology.scan(corner) if rule == "scanline" else topology.spiral()
        return self._orders[rule, corner]

    @cached_property
    def _orders(self) -> dict[tuple[str, str], NDArray[np.int32]]:
        return {}

    @cached_property
    def propagators(self) -> tuple[Propagator, ...]:
        """The propagators of all constraints that consist of propagators."""
        found = [find_propagators(each, self) for each in self.constraints]
        return round_tallies(tuple(each for several in found if several is not None for each in several))

    @cached_property
    def pruners(self) -> tuple[Prunes, ...]:
        """The constraints that have only `prune`, which is called after each propagation."""
        return tuple(each for each in self.constraints if not callable(getattr(each, "propagators", None)))

    @cached_property
    def domains(self) -> NDArray[np.uint64]:
        """uint64 [cell, word], read-only: the domains by masks, pins and restrictions, before propagation."""
        domains = self.domains_with(self.pins, np.ones(self.cell_count, bool))
        narrow_domains(domains, self.propagators)
        domains.flags.writeable = False
        return domains

    def domains_with(self, pins: Sequence[Pin], masked: NDArray[np.bool_]) -> NDArray[np.uint64]:
        """Return the domains [cell, word] with these pins, and with masks only where `masked` [cell]."""
        full = pack_bits(np.ones(len(self.rules), bool))
        domains = np.tile(full, (self.cell_count, 1))
        if self.masks is not None:
            rows = pack_bits(np.atleast_2d(self.masks))
            domains = np.where(masked[:, None], rows, full)
        for pin in pins:
            domains[pin.cell] &= self.rules.words_for(pin.patterns)
        return np.ascontiguousarray(domains, np.uint64)

    def patterns_named(self, name: TileLike) -> NDArray[np.int64]:
        """Return the patterns that a name, a value, or a list of these stands for."""
        return list_patterns(self.rules, name)

    def cell(self, position: CellLike) -> int:
        """Return the number of a cell, given by its coordinate or its number."""
        if (
            isinstance(position, int | np.integer)
            and not isinstance(position, bool)
            and not self.topology.has_named_cells
        ):
            if not 0 <= position < self.cell_count:
                raise ConfigError(f"there is no cell {position}; cells are numbered 0–{self.cell_count - 1}")
            return int(position)
        return self.topology.cell_at(position)

    def _read_pins(self, pins: Mapping[CellKey, TileLike]) -> Iterable[Pin]:
        for place, name in pins.items():
            cell = self.cell(place)
            yield Pin(cell, name, self.patterns_named(name))

    def ground_masks(self) -> NDArray[np.bool_] | None:
        """Return the masks of a set learned with a ground, or None; see `masks`."""
        tiles, grid = self.tiles, self.topology
        if not isinstance(tiles, LearnedTileSet) or tiles.ground_pattern is None:
            return None
        has_rows = grid.kind == tiles.topology and grid.shape is not None
        return tiles.ground_masks(grid) if has_rows else None

    def _sample(self, fields: Fields | None) -> SampledFields | None:
        if fields is None:
            return None
        if not isinstance(fields, Fields):
            raise ConfigError(f"fields must be given as Fields(altitude=Noise(0.02)), not {fields!r}")
        return fields.sampled(self.topology)

    def _read_per_cell(self, values: ArrayLike, name: str, kind: Any) -> NDArray[Any]:
        """Parse an array [cell, pattern] or [pattern]."""
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

    def _read_weights(self, values: ArrayLike) -> NDArray[np.float64]:
        weights = np.atleast_2d(self._read_per_cell(values, "weights", np.float64))
        wrong = np.argwhere(~(np.isfinite(weights) & (weights >= 0)))
        if wrong.size:
            cell, pattern = wrong[0]
            where = f" at {self.topology.describe(int(cell))}" if len(weights) > 1 else ""
            raise ConfigError(
                f"the weight of {self.rules.names[pattern]!r}{where} is {weights[cell, pattern]:g}; "
                "weights must be finite numbers of at least 0"
            )
        if not weights.max(initial=0) > 0:
            raise ConfigError("all weights are 0; at least one must be above 0")
        return weights

    def _check_fit(self) -> None:
        """Raise unless the rules have a relation for every side of a cell."""
        drawn_for, kind = self.rules.topology, self.topology.kind
        if drawn_for not in ("graph", kind):
            raise TileSetError(f"these tiles are drawn for {drawn_for} cells, but this topology is {kind}")
        needed = int(self.topology.graph().rule.max(initial=-1)) + 1
        if len(self.rules.relations) < needed:
            raise TileSetError(
                f"the rules have {len(self.rules.relations)} relations, but this topology needs {needed}: "
                "one per direction on grids, two per label (forward and back) on graphs"
            )

    def _check_pairs(self, is_trusted: bool) -> None:
        """Raise unless opposite relations are transposes of each other, as kernels require.

        is_trusted : skip the check, for the rules of a tile set
        """
        graph, relations = self.topology.graph(), self.rules.relations
        known = _checked_pairs.setdefault(self.rules, set())
        for direction, back in enumerate(graph.opposite):
            here, there = int(graph.rule[direction]), int(graph.rule[back])
            if here > there or (here, there) in known:
                continue
            if not is_trusted and not relations[here].is_transpose_of(relations[there]):
                name = self.topology.directions[direction]
                raise TileSetError(
                    f"the relations to the {name} and to the {self.topology.directions[back]} allow "
                    "different pairs; one must be the transpose of the other"
                )
            known.add((here, there))

    def _check_size(self) -> None:
        words = self.cell_count * self.rules.words
        if words > MOST_WORDS or self.cell_count >= 1 << RANK_BITS:
            raise ConfigError(
                f"{self.cell_count:,} cells of {len(self.rules):,} patterns are too large to solve; "
                f"at most {(1 << RANK_BITS) - 1:,} cells and {MOST_WORDS:,} words of 64 patterns"
            )


def list_patterns(rules: Rules, name: Any) -> NDArray[np.int64]:
    """Return the patterns that a name, a value, or a list of these stands for."""
    is_value = rules.values is not None  # a value may be a tuple
    if isinstance(name, list | set | frozenset) or (isinstance(name, tuple) and not is_value):
        every = [rules.patterns(each) for each in name]
        return np.unique(np.concatenate(every)) if every else np.zeros(0, np.int64)
    return rules.patterns(name)


def applies_to(constraint: Any, topology: Topology) -> bool:
    """Return whether a tile set's own constraint applies to a topology: maps that wrap have no border."""
    method = getattr(constraint, "applies_to", None)
    return bool(method(topology)) if callable(method) else True
