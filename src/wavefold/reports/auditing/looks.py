"""Compare the looks of maps by order: which order is safe, isotropic and faithful.

The result is only reported; solves never choose their order by looks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wavefold.reports.auditing.trials import FULL_BUDGET, try_solve
from wavefold.reports.measuring.faithfulness import Faithfulness
from wavefold.reports.measuring.isotropy import Isotropy
from wavefold.reports.measuring.lines import PatternLabels
from wavefold.reports.measuring.measurement import measure_frequencies
from wavefold.solver import Budget, Problem, Solution
from wavefold.solver.refine.refine import count_sweeps
from wavefold.tiles import TileSet
from wavefold.topology import get_lattice_class

# Best first among equally good orders; scanline is last, because it leaves streaks that are not measured.
ORDERS = ("random", "spiral", "entropy", "scanline")
REFINED = "refined"
PLAIN_RUNGS = {"backtrack"}


@dataclass(frozen=True, slots=True)
class OrderLook:
    """The looks of maps of one order, or of refined maps; None if no map was solved."""

    order: str  # or "refined"
    runs: int
    solved: int
    safe: bool  # whether plain backtracking alone solved all maps
    faithfulness: Faithfulness | None
    isotropy: Isotropy | None

    @property
    def is_isotropic(self) -> bool | None:
        """Whether directions differ only by chance; None if they were not compared."""
        return None if self.isotropy is None else self.isotropy.holds

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "order": self.order,
            "runs": self.runs,
            "solved": self.solved,
            "safe": self.safe,
            "isotropic": self.is_isotropic,
            "faithfulness": None if self.faithfulness is None else self.faithfulness.tiles.to_dict(),
            "isotropy": None if self.isotropy is None else self.isotropy.to_dict(),
        }


def compare_orders(
    tiles: TileSet, width: int, seeds: int, patience: float, tick: Callable[[], None] = lambda: None
) -> list[OrderLook]:
    """Solve and measure maps in each order, and refined maps as made by `generate`.

    Only the refined maps have the set's own constraints.

    width : cells across a map
    patience : time limit of each map and of each refinement, in milliseconds
    """
    problem = Problem(tiles, get_lattice_class(tiles.topology).of_width(width), own_constraints=False)
    labels = PatternLabels(tiles)
    found: list[OrderLook] = []
    for order in ORDERS:
        tick()
        maps = solve_maps(problem, order, seeds, patience)
        safe = len(maps) == seeds and all(set(each.stats.rungs) <= PLAIN_RUNGS for each in maps)
        found.append(measure_look(labels, order, seeds, safe, maps))
    tick()
    refined = refine_maps(solve_maps(Problem(tiles, problem.topology), "auto", seeds, patience), patience)
    if refined:
        found.append(measure_look(labels, REFINED, seeds, len(refined) == seeds, refined))
    return found


def solve_maps(problem: Problem, order: str, seeds: int, patience: float) -> list[Solution]:
    """Solve maps, and stop after two failures."""
    maps: list[Solution] = []
    for seed in range(seeds):
        found = try_solve(problem, seed, FULL_BUDGET * problem.cell_count, order, "auto", patience)
        if isinstance(found, Solution):
            maps.append(found)
        elif seed - len(maps) >= 1:
            break
    return maps


def refine_maps(maps: Sequence[Solution], patience: float) -> list[Solution]:
    """Refine the maps like `generate`; returns none if it would not refine them, or on a timeout."""
    refined = []
    for each in maps:
        sweeps, _ = count_sweeps("auto", each.problem, has_custom_order=False)
        after = each.refine(sweeps, seed=each.seed, budget=Budget(ms=patience)) if sweeps else each
        if after is each or after.provisional:
            return []
        refined.append(after)
    return refined


def measure_look(
    labels: PatternLabels, order: str, runs: int, safe: bool, maps: Sequence[Solution]
) -> OrderLook:
    """Measure the looks of these maps."""
    faithfulness, isotropy = measure_frequencies(labels, maps) if maps else (None, None)
    return OrderLook(order, runs, len(maps), safe, faithfulness, isotropy)


def choose_order(looks: Sequence[OrderLook]) -> str | None:
    """Choose the most faithful of the orders that are safe and isotropic; None if no map was solved.

    If no order is both, choose a safe one, or else the one that solved the most maps. If distances differ by
    less than their noise, choose the first in `ORDERS`.
    """
    orders = [each for each in looks if each.order != REFINED and each.faithfulness is not None]
    if not orders:
        return None
    rank = {each.order: (not each.safe, each.is_isotropic is False, -each.solved) for each in orders}
    best = min(rank.values())
    left = [each for each in orders if rank[each.order] == best]
    tiles = [each.faithfulness.tiles for each in left if each.faithfulness is not None]
    limit = min(each.distance + each.floor for each in tiles)
    return next(each.order for each, own in zip(left, tiles, strict=True) if own.distance <= limit)
