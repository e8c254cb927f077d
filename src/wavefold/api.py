"""Short functions for common tasks, such as `generate` and `solve`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from wavefold.errors import ConfigError, OutOfBudget
from wavefold.fields import Fields
from wavefold.kernels.host.checkpoint import LimitReached, checkpoint, limiting
from wavefold.kernels.host.threads import count_threads
from wavefold.options.names import CellKey, Propagation, SearchName, Sweeps, TileLike, Undo
from wavefold.options.values import check_flag, check_function, parse_list, parse_size
from wavefold.plugins.registry import available, load_extension
from wavefold.reports.diagnostics import Diagnostic, open_diagnostics
from wavefold.solver import Budget, Ladder, Partial, Solution, Solver
from wavefold.solver.budget import Meter
from wavefold.solver.constraint import ConstraintLike
from wavefold.solver.engine.events import Batch
from wavefold.solver.heuristics import Choice, Order
from wavefold.solver.refine.refine import count_sweeps
from wavefold.solver.shared_problems import make_problem
from wavefold.solver.statistics import Refinement, Statistics
from wavefold.tiles import Relation, Rules, TileSet
from wavefold.topology import Graph, Topology, get_lattice_class

if TYPE_CHECKING:  # `show` alone takes them
    from wavefold.patchwork import Patchwork
    from wavefold.worlds import World

PROBLEM_OPTIONS = ("pins", "constraints", "weights", "masks", "fields", "own_constraints")
GRID_EXAMPLES = {  # of a grid, by the kind of its cells
    "square": "SquareGrid(64, 48)",
    "hex": "HexGrid(radius=8)",
    "cube": "CubeGrid(16, 16, 4)",
    "graph": "Graph(cells, edges)",
}

Cell = TypeVar("Cell", bound=Hashable)
Value = TypeVar("Value", bound=Hashable)
Label = TypeVar("Label", bound=Hashable)


def tilesets() -> list[str]:
    """The names `TileSet.load` accepts."""
    return available("tileset")


def default_budget(cells: int) -> Budget:
    """The default budget of `generate`: 100,000 decisions, and 200 more per cell.

    A map without conflicts needs at most one decision per cell. A problem that exceeds this budget is
    probably impossible, or needs another order.
    """
    return Budget(decisions=100_000 + 200 * parse_size("cells", cells, smallest=0))


def generate(
    tiles: TileSet | Rules,
    topology: Topology | None = None,
    seed: int = 0,
    *,
    pins: Mapping[CellKey, TileLike] | None = None,
    constraints: Iterable[ConstraintLike] = (),
    weights: ArrayLike | None = None,
    masks: ArrayLike | None = None,
    fields: Fields | None = None,
    own_constraints: bool = True,
    order: Order = "auto",
    propagation: Propagation = "auto",
    search: SearchName | Ladder = "auto",
    undo: Undo = "delta",
    choice: Choice | None = None,
    random: Callable[[int], int] | None = None,
    refine: Sweeps = "auto",
    budget: Budget | int | None = None,
    progress: Callable[[int, int], None] | None = None,
    diagnostics: Iterable[str | Diagnostic] = (),
) -> Solution:
    """Make a map: the keywords of `Problem` and `Solver`, and a budget (see `default_budget`).

    Without a topology the map has the size that the tile set recommends, `tiles.size`.

    refine : how many sweeps of `Solution.refine` follow; "auto": as many as the tile set recommends, but none
        if an order, a choice or a random provider is named; False: the plain algorithm
    progress : called now and then with the work done and all work, in cells
    diagnostics : receivers of events, by name, as "jsonl=log.jsonl", or as `Diagnostic` objects

    Raises `Contradiction` if it is proved that none exists, `OutOfBudget` if none was found in time.
    """
    if topology is None:
        topology = recommended_grid(tiles)
    check_function("progress", progress)
    check_flag("own_constraints", own_constraints)
    problem_options = {
        "pins": pins,
        "constraints": constraints,
        "weights": weights,
        "masks": masks,
        "fields": fields,
    }
    solver_options = {
        "order": order,
        "propagation": propagation,
        "search": search,
        "undo": undo,
        "choice": choice,
    }
    meter = Meter(Budget.of(budget))
    try:
        with limiting(meter.check_time):
            generation = prepare_generation(
                tiles,
                topology,
                refine,
                budget,
                seed=seed,
                own_constraints=own_constraints,
                random=random,
                **problem_options,
                **solver_options,
            )
            checkpoint()
    except LimitReached as stop:
        text = f"{stop}, while setting up; raise the budget"
        raise OutOfBudget(text, stats=Statistics(), phase="setting up") from None
    return generation.run(progress, diagnostics, meter.started)


@dataclass(frozen=True, slots=True)
class Generation:
    """The preparation of a map: the solver, and how the map will be refined.

    sweeps, left_out : the number of sweeps, and the reason if "auto" leaves out refining
    """

    solver: Solver
    sweeps: int
    left_out: str
    budget: Budget | int | None

    def run(
        self,
        progress: Callable[[int, int], None] | None = None,
        diagnostics: Iterable[str | Diagnostic] = (),
        started: float | None = None,
    ) -> Solution:
        """Make the map. The parameters and errors are those of `generate`.

        started : the start time of the budget, see `Meter`; by default now
        """
        cells = self.solver.problem.cell_count
        shown = None if progress is None else ProgressSteps(progress, cells, self.sweeps)

        def make(listener: Callable[[Batch], object] | None) -> Solution:
            given = Budget.of(self.budget)
            meter = Meter(default_budget(cells) if self.budget is None else given, started)
            solution = self.solver.run_within(meter, shown and shown.show_run)
            left = given.left_after(meter.spent, solution.stats.decisions)
            show_sweep = shown and shown.show_sweep
            return refine_solved(solution, self.sweeps, self.left_out, left, show_sweep, listener)

        with open_diagnostics(diagnostics) as group:
            return group.run(self.solver, make)


def prepare_generation(
    tiles: TileSet | Rules,
    topology: Topology,
    refine: Sweeps = "auto",
    budget: Budget | int | None = None,
    **options: Any,
) -> Generation:
    """Prepare the problem and the solver, as `generate` does before the search."""
    problem_options = {name: options.pop(name) for name in PROBLEM_OPTIONS if name in options}
    problem = make_problem(tiles, topology, **problem_options)
    solver = Solver(problem, **options)
    steering = options.get("order", "auto"), options.get("choice"), options.get("random")
    sweeps, left_out = count_sweeps(refine, problem, steering != ("auto", None, None))
    count_threads()  # an error of the setting is due before the search, not after it
    return Generation(solver, sweeps, left_out, budget)


class ProgressSteps(NamedTuple):
    """Calls `show` with the work done and the total work. A cell counts once, and once per sweep."""

    show: Callable[[int, int], None]
    cells: int
    sweeps: int

    def show_run(self, decided: int, _cells: int) -> None:
        """Show how many cells are decided."""
        self.show(decided, self.cells * (1 + self.sweeps))

    def show_sweep(self, done: int, _sweeps: int) -> None:
        """Show how many sweeps are done."""
        self.show(self.cells * (1 + done), self.cells * (1 + self.sweeps))


def refine_solved(
    solution: Solution,
    sweeps: int,
    left_out: str,
    budget: Budget,
    progress: Callable[[int, int], None] | None = None,
    listener: Callable[[Batch], object] | None = None,
) -> Solution:
    """Refine a solved map with its seed, within this budget."""
    if left_out:
        return replace(solution, stats=replace(solution.stats, refinement=Refinement(left_out=left_out)))
    if not sweeps:
        return solution
    return solution.refine(sweeps, seed=solution.seed, budget=budget, progress=progress, listener=listener)


def recommended_grid(tiles: TileSet | Rules) -> Topology:
    """A grid of the size that the tiles recommend; raises if they recommend none."""
    size = tiles.size if isinstance(tiles, TileSet) else None
    if not isinstance(tiles, TileSet) or size is None:
        grid = GRID_EXAMPLES.get(tiles.topology, f"a grid of kind {tiles.topology!r}")
        raise ConfigError(f"these tiles recommend no size; pass a topology, such as {grid}")
    return get_lattice_class(tiles.topology).of_size(*size)


def solve(
    cells: Iterable[Cell],
    values: Iterable[Value],
    allowed: Callable[[Value, Value], bool] | Callable[[Value, Value, Label], bool],
    edges: Iterable[Sequence[Hashable]],
    *,
    pins: Mapping[Cell, Value | Collection[Value]] | None = None,
    weights: Mapping[Value, float] | None = None,
    constraints: Iterable[ConstraintLike] = (),
    seed: int = 0,
    order: Order = "auto",
    search: SearchName | Ladder = "auto",
    budget: Budget | int | None = None,
) -> dict[Cell, Value]:
    """Assign a value to each cell, so that `allowed(a, b)` holds along every edge.

    Cells and values are anything hashable. An edge is (a, b) or (a, b, label); `allowed` is read in the
    direction the edge is written, and gets the label as a third argument if edges have labels.
    `pins` maps a cell to its value or to a list of values. The result maps every cell to its value.

    >>> solve("abc", range(3), lambda x, y: x < y, edges=[("a", "b"), ("b", "c")])
    {'a': 0, 'b': 1, 'c': 2}
    """
    domain = parse_list("values", values)
    if not callable(allowed):
        raise ConfigError(f"allowed must be a function, not {allowed!r}")
    if not domain:
        raise ConfigError("there are no values: every cell needs one")
    try:
        if len(set(domain)) != len(domain):
            raise ConfigError("values must differ from each other")
    except TypeError as error:
        raise ConfigError(f"values must be hashable: {error}") from None
    given, links = parse_list("cells", cells), parse_list("edges", edges)
    graph = Graph(links, cells=given)
    if len(graph.cells) > len(given):
        raise ConfigError(f"an edge names {graph.cells[len(given)]!r}, which is not among the cells")
    if not isinstance(weights, Mapping | None):
        raise ConfigError(f"weights must be a dict {{value: weight}}, not {weights!r}")
    labelled = any(len(link) == 3 for link in links)
    rules = _build_rules(allowed, domain, graph.labels if labelled else ("",), labelled, weights)
    solution = generate(
        rules, graph, seed, pins=pins, constraints=constraints, order=order, search=search, budget=budget
    )
    found: dict[Cell, Value] = dict(zip(graph.cells, solution.values.tolist(), strict=True))  # type: ignore[arg-type]
    return found


def _build_rules(
    allowed: Callable[..., bool],
    values: list[Value],
    labels: tuple[Hashable, ...],
    labelled: bool,
    weights: Mapping[Value, float] | None,
) -> Rules:
    """Rules with two relations per label, one for each direction. The predicate is called once per pair."""
    relations = []
    for label in labels:
        extra = (label,) if labelled else ()
        table = np.array([[bool(allowed(a, b, *extra)) for b in values] for a in values])
        relations += [Relation.from_allowed(table), Relation.from_allowed(table.T)]
    names = [str(value) for value in values]
    if len(set(names)) != len(names):
        names = [repr(value) for value in values]
    numbers = [1.0 if weights is None else weights.get(value, 1.0) for value in values]
    return Rules(names, relations, numbers, values=values)


def show(what: Solver | World | Patchwork | Solution | Partial | TileSet, *, height: int = 420) -> object:
    """Show a solver or a world as a live board in a notebook; a map, a patchwork or a tile set as a picture.

    The board of a solver controls this solver object: it can step, run, pause and go back, display the
    possible tiles of cells, and paint. Its `solution` is the map on the screen. A world can be moved and
    zoomed. `height` is in pixels. Boards need the extra `wavefold[studio]`.
    """
    return load_extension("wavefold.notebook", "show", "studio")(what, height=height)
