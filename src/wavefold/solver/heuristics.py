"""Heuristics: the options for the choice of cells and tiles, and their translation to numbers for kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.kernels import constants as c
from wavefold.options.names import ChoiceName, Corner, OrderName, Pick, Ties
from wavefold.options.option import Option, check_options, option_group
from wavefold.options.values import parse_in_range
from wavefold.plugins.registry import available, find, is_offered
from wavefold.solver.problem import Problem

KEYS = {
    "entropy": c.BY_ENTROPY,
    "domain": c.BY_DOMAIN,
    "both": c.BY_DOMAIN,
    "score": c.BY_SCORE,
    "scanline": c.BY_RANK,
    "spiral": c.BY_RANK,
    "random": c.BY_RANK,
}
PICKS = {"weighted": c.PICK_WEIGHTED, "heaviest": c.PICK_HEAVIEST}
UNIT = 1 << 16
LARGEST_FACTOR = 1024
NO_CAP = 1 << 62
MOST_PRIORS = 10**15
TILE_SETTINGS = (  # besides `caps` and `priors`
    "pick", "match_neighbours", "match_base", "match_boost", "uniform_pick_fraction", "local_share", "choice",
)  # fmt: skip

CellScore: TypeAlias = Callable[[int, int, int, int], int]
TileScore: TypeAlias = Callable[[int, int, int], int]


@option_group("heuristics")
@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Heuristics:
    """The choice of cells and tiles. All fields can be combined.

    >>> Heuristics(order="both", most_constraining=True, central=True)
    >>> Heuristics(order="scanline", corner="southeast", uniform_pick_fraction=0.2)

    Other packages can add heuristics by name, in the entry point groups `wavefold.order` and
    `wavefold.choice`.

    **Choice of cells**

    order : "entropy" (least Shannon entropy in nats, with weights as priors), "domain" (fewest remaining
        patterns), "both" (cells with the fewest patterns *and* the least entropy; if there are none, cells
        with either), "score" (least `domain_factor * patterns + entropy_factor * entropy`), "scanline",
        "spiral" (from the centre outward), "random"; or a function, see below
    corner : where "scanline" starts
    ties : the order of equal cells: "random" (by a keyed hash), "scanline" or "spiral"
    most_constraining : among equal cells, prefer the one with the most undecided neighbours; only with
        "both", unless `most_constraining_alone` is set
    central : among equal cells, prefer the one nearest to the centre
    soft_constraining : from 0 to 1, how often one of the equal cells is drawn instead, with a probability
        proportional to its undecided neighbours
    shortlist : the most equal cells that are compared
    degree : added to a cell's key for every neighbour that is decided or missing
    bias, influence : the key is multiplied by `1 + bias * influence`; `influence` is one number per cell
    perimeter : the key of cells at the edge is multiplied by `1 + perimeter`: if positive, the interior
        comes first; if negative, the edge

    **Choice of tiles**

    pick : "weighted" (drawn) or "heaviest" (by weight descending, then number ascending)
    match_neighbours : multiply a tile's weight by `match_base + match_boost * matches`, where matches is
        the number of neighbours decided for the same tile
    uniform_pick_fraction : 0 draws by weight, 1 draws evenly, values between blend both
    local_share : the α of `α * local + (1 - α) * global`; the global part lowers the weight of tiles that
        are used more often than their share of all weights
    caps : {tile: most cells it should have}; a share of all cells if below 1. A tile may exceed its cap
        where nothing else fits
    priors : {tile: number of cells in earlier maps}, as counted by `Solution.usage`. Tiles below their share
        of all weights are drawn more often, up to 8 times, and others less often, so that the frequencies
        over a series of maps match the weights. Without any count, nothing changes

    An `order` function is called as `order(cell, remaining, entropy, undecided_neighbours)` and returns an
    integer within ±2**36, lowest first (entropy is in nats / 2**20). A `choice` function is called as
    `choice(cell, pattern, weight)` and returns the weight to use; the heaviest tile of a set has a weight of
    2**23 to 2**24. Functions compiled with `numba.njit` run at full speed; plain Python functions are slower.
    """

    order: Annotated[OrderName | CellScore, Option("which cell next", "Order of cells")] = "entropy"
    corner: Annotated[Corner, Option('where `"scanline"` starts', "Where rows start")] = "northwest"
    ties: Annotated[
        Ties,
        Option(
            'how ties between cells are broken: `"random"`, `"scanline"` or `"spiral"`', "Among equal cells"
        ),
    ] = "random"
    most_constraining: Annotated[
        bool,
        Option(
            'with `"both"`: among equals, the cell with most undecided neighbours', "Prefer crowded places"
        ),
    ] = False
    most_constraining_alone: Annotated[
        bool, Option("… and with a single criterion, too", "… with one criterion, too")
    ] = False
    central: Annotated[bool, Option("among equals, the cell nearest to the centre", "Prefer the middle")] = (
        False
    )
    soft_constraining: Annotated[
        float,
        Option(
            "0 to 1: how often one of the equals is drawn instead, by its undecided neighbours",
            "Chance of a crowded place",
            low=0,
            high=1,
        ),
    ] = 0.0
    shortlist: Annotated[
        int,
        Option(
            "how many equal cells are compared at most, 1 to 1024", "Equal cells compared", low=1, high=1024
        ),
    ] = 32
    domain_factor: Annotated[
        float,
        Option(
            'the factor for the number of patterns in `"score"`',
            "Weight of the number of tiles left",
            low=0,
            high=LARGEST_FACTOR,
        ),
    ] = 1.0
    entropy_factor: Annotated[
        float,
        Option(
            'the factor for the entropy in `"score"`', "Weight of the entropy", low=0, high=LARGEST_FACTOR
        ),
    ] = 1.0
    degree: Annotated[
        float,
        Option(
            "added to a cell's key for each neighbour that is decided or missing",
            "Stay beside what is decided",
            low=0,
            high=LARGEST_FACTOR,
        ),
    ] = 0.0
    bias: Annotated[
        float,
        Option(
            "the key is multiplied by `1 + bias * influence`",
            "Strength of the influence",
            low=-1,
            high=LARGEST_FACTOR,
        ),
    ] = 0.0
    influence: Annotated[
        ArrayLike | None,
        Option("for `bias`: a field, or an expression of fields", "Influence", plain=str | None),
    ] = None
    perimeter: Annotated[
        float,
        Option(
            "the key of cells at the edge is multiplied by `1 + perimeter`: above 0 the interior "
            "comes first, below 0 the edge",
            "Edge first or last",
            low=-1,
            high=LARGEST_FACTOR,
        ),
    ] = 0.0
    pick: Annotated[
        Pick, Option('which tile: `"weighted"` (drawn by weight) or `"heaviest"`', "Draw a tile")
    ] = "weighted"
    match_neighbours: Annotated[
        bool,
        Option(
            "multiply weights by `match_base + match_boost * neighbours of the same tile`",
            "Like the neighbours",
        ),
    ] = False
    match_base: Annotated[
        float, Option("the first number of that formula", "… at least", low=0, high=LARGEST_FACTOR)
    ] = 1.0
    match_boost: Annotated[
        float, Option("the second", "… and for each neighbour", low=0, high=LARGEST_FACTOR)
    ] = 3.0
    uniform_pick_fraction: Annotated[
        float, Option("0 draws by weight, 1 evenly, between them a blend", "Draw evenly", low=0, high=1)
    ] = 0.0
    local_share: Annotated[
        float,
        Option(
            "below 1, tiles that are used more often than their weight suggests become rarer",
            "Balance the tiles",
            low=0,
            high=1,
        ),
    ] = 1.0
    caps: Annotated[
        Mapping[str, float],
        Option(
            "`{tile = the most cells that it may have}`; a share of all cells if below 1",
            "Most cells of a tile",
            low=0,
        ),
    ] = field(default_factory=dict)
    priors: Annotated[
        Mapping[str, int],
        Option(
            "`{tile = cells of earlier maps}`: tiles below their share are chosen more often",
            "Cells of earlier maps",
            low=0,
            high=MOST_PRIORS,
        ),
    ] = field(default_factory=dict)
    choice: Annotated[TileScore | None, Option("which tile", "Choice of tiles")] = None

    def __post_init__(self) -> None:
        check_options(self)
        # Copies, because the caller may continue to update its dicts.
        object.__setattr__(self, "caps", dict(self.caps))
        object.__setattr__(self, "priors", dict(self.priors))

    @classmethod
    def of(cls, order: Order) -> Heuristics:
        """Return the heuristics for a name, a function, or `Heuristics`."""
        if isinstance(order, Heuristics):
            return order
        return _from_name(order) if isinstance(order, str) else cls(order=order)

    @property
    def name(self) -> str:
        """The name of the order, for statistics."""
        return self.order if isinstance(self.order, str) else getattr(self.order, "__name__", "function")

    def complete(self) -> Heuristics:
        """Return a copy with the order for complete search: fewest patterns first, from a corner."""
        return replace(
            self, order="score", domain_factor=1.0, entropy_factor=0.0, degree=0.0, ties="scanline"
        )

    def knobs(self, problem: Problem) -> NDArray[np.int64]:
        """Return the settings for kernels, int64 [knob]; the solver adds the addresses of functions."""
        knobs = np.zeros(c.KNOBS_SIZE, np.int64)
        by_name = isinstance(self.order, str)
        knobs[c.ORDER] = KEYS[self.order] if isinstance(self.order, str) else c.BY_USER
        both = self.order == "both"
        knobs[c.BY_TWO] = both
        constraining = self.most_constraining and (both or self.most_constraining_alone)
        ranked = by_name and knobs[c.ORDER] == c.BY_RANK
        if not ranked and (both or constraining or self.central or self.soft_constraining):
            knobs[c.SHORTLIST] = self.shortlist
        knobs[c.CONSTRAINING] = constraining
        knobs[c.CENTRAL] = self.central
        knobs[c.SOFT_CONSTRAINING] = to_fixed_point(self.soft_constraining)
        # Only the ratios matter; keys have room for factors up to 1.
        largest = max(1.0, self.domain_factor, self.entropy_factor, self.degree)
        knobs[c.DOMAIN_FACTOR] = to_fixed_point(self.domain_factor / largest)
        knobs[c.ENTROPY_FACTOR] = to_fixed_point(self.entropy_factor / largest)
        knobs[c.DEGREE_FACTOR] = to_fixed_point(
            self.degree / largest if self.order == "score" else self.degree
        )
        knobs[c.BIASED] = self.bias != 0 or self.perimeter != 0
        knobs[c.PICK] = PICKS[self.pick]
        knobs[c.MATCH_BASE] = to_fixed_point(self.match_base) if self.match_neighbours else UNIT
        knobs[c.MATCH_BOOST] = to_fixed_point(self.match_boost) if self.match_neighbours else 0
        knobs[c.UNIFORM] = to_fixed_point(self.uniform_pick_fraction)
        knobs[c.LOCAL] = to_fixed_point(self.local_share)
        knobs[c.CAPPED] = bool(self.caps)
        carrying = any(self.priors.values())
        knobs[c.CARRYING] = carrying
        knobs[c.TALLYING] = bool(self.caps) or self.local_share != 1 or carrying
        knobs[c.PER_CELL] = problem.weights is not None and len(problem.weights) > 1
        adjusted = self.match_neighbours or self.uniform_pick_fraction or knobs[c.TALLYING]
        knobs[c.PLAIN] = self.pick == "weighted" and not adjusted and not knobs[c.PER_CELL]
        return knobs

    def check(self, problem: Problem) -> None:
        """Raise `ConfigError` if a setting does not fit the problem."""
        if self.caps:
            self.cap_counts(problem)
        if self.priors:
            self.prior_counts(problem)
        if self.bias:
            self.biases(problem)
        if self.order == "scanline" and self.corner != "northwest":
            problem.order_of_cells("scanline", self.corner)

    @property
    def is_shuffled(self) -> bool:
        """Whether the sequence of cells depends on the seed."""
        return self._sequence_rule == "random"

    @property
    def _sequence_rule(self) -> str:
        fixed = isinstance(self.order, str) and KEYS[self.order] == c.BY_RANK
        return str(self.order) if fixed else self.ties

    def sequence(self, problem: Problem) -> NDArray[np.int32]:
        """Return the cell of each rank, in a fixed order or for breaking ties; not for shuffled orders."""
        corner = self.corner if self.order == "scanline" else "northwest"
        return problem.order_of_cells(self._sequence_rule, corner)

    def biases(self, problem: Problem) -> NDArray[np.int64]:
        """Return the factor on the key of each cell, in 1/65536."""
        cells = problem.cell_count
        factor = np.ones(cells)
        if self.bias:
            if self.influence is None:
                raise ConfigError("bias needs influence: one number per cell")
            try:
                influence = np.asarray(self.influence, np.float64).reshape(-1)
            except (TypeError, ValueError) as error:
                raise ConfigError(f"influence must be {cells} numbers, one per cell: {error}") from None
            if influence.shape != (cells,) or not np.isfinite(influence).all():
                raise ConfigError(f"influence must be {cells} finite numbers, one per cell")
            factor *= 1 + self.bias * influence
        if self.perimeter:
            factor[(problem.graph.neighbour == c.NOWHERE).any(axis=1)] *= 1 + self.perimeter
        return np.clip(np.rint(factor * UNIT), 0, LARGEST_FACTOR * UNIT).astype(np.int64)

    def cap_counts(self, problem: Problem) -> NDArray[np.int64]:
        """Return the most cells that each tile should have."""
        counts = np.full(len(problem.rules.tiles), NO_CAP, np.int64)
        for name, cap in self.caps.items():
            check_tile("caps", name, problem)
            if isinstance(cap, bool) or not isinstance(cap, int | float) or not 0 <= cap <= NO_CAP:
                raise ConfigError(f"the cap of {name!r} must be a number from 0 to {NO_CAP:g}, not {cap!r}")
            counts[problem.rules.tiles.index(name)] = int(cap * problem.cell_count) if cap < 1 else int(cap)
        return counts

    def prior_counts(self, problem: Problem) -> list[int]:
        """Return the number of cells of each tile in earlier maps."""
        counts = [0] * len(problem.rules.tiles)
        for name, count in self.priors.items():
            check_tile("priors", name, problem)
            allowed = parse_in_range(f"the prior of {name!r}", count, 0, MOST_PRIORS)
            counts[problem.rules.tiles.index(name)] = allowed
        return counts


Order: TypeAlias = Literal["auto"] | OrderName | str | Heuristics | CellScore
Choice: TypeAlias = ChoiceName | str | Heuristics | TileScore


@cache
def _from_name(order: str) -> Heuristics:
    """Return the heuristics of this name; always the same object, because caches depend on its identity."""
    if order.startswith("scanline:"):
        corner: Any = order.removeprefix("scanline:")  # checked there
        return Heuristics(order="scanline", corner=corner)
    found = find_named("order", order)
    return found if isinstance(found, Heuristics) else Heuristics(order=found)


def find_choice(choice: Any) -> Any:
    """Resolve a choice of tiles, given by name or not, to `Heuristics`, a function, or None."""
    return find_named("choice", choice) if isinstance(choice, str) else choice


def find_named(kind: str, name: str) -> Any:
    """Return the order or choice of this name."""
    if not is_offered(kind, name):
        known = ["auto"] * (kind == "order") + available(kind)
        raise ConfigError(f"unknown {kind} {name!r}; {suggest(name, known)}")
    return find(kind, name)


@cache
def combine_heuristics(order: Heuristics, choice: Heuristics) -> Heuristics:
    """Combine the cell settings of `order` with the tile settings of `choice`; always the same object."""
    settings = {name: getattr(choice, name) for name in TILE_SETTINGS}
    return replace(order, **settings, caps=choice.caps or order.caps, priors=choice.priors or order.priors)


def to_fixed_point(value: float) -> int:
    """Convert a number to units of 1/65536."""
    return round(value * UNIT)


def check_tile(what: str, name: Any, problem: Problem) -> None:
    """Raise unless the problem has a tile of this name."""
    if name not in problem.rules.tiles:
        raise ConfigError(f"{what}: unknown tile {name!r}; {suggest(name, problem.rules.tiles)}")


# --- named in `plugins.BUILT_IN` ------------------------------------------------------------------

ENTROPY, DOMAIN, BOTH, SCORE, SCANLINE, SPIRAL, RANDOM = (
    Heuristics(order=name) for name in ("entropy", "domain", "both", "score", "scanline", "spiral", "random")
)
WEIGHTED, HEAVIEST = Heuristics(pick="weighted"), Heuristics(pick="heaviest")
EVEN, MATCHING = Heuristics(uniform_pick_fraction=1.0), Heuristics(match_neighbours=True)
