"""The looks of maps by cell order: which order is safe, isotropic and faithful.

Only the audit judges orders: a solve never changes its order because of the looks of its maps.
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

# The first of equally good ones wins: scanline leaves streaks that are not measured.
ORDERS = ("random", "spiral", "entropy", "scanline")
REFINED = "refined"
PLAIN_RUNGS = {"backtrack"}


@dataclass(frozen=True, slots=True)
class OrderLook:
    """Maps of one order, or refined maps; figures are None if none was solved."""

    order: str  # or "refined"
    runs: int
    solved: int
    safe: bool  # all were solved by plain backtracking alone
    faithfulness: Faithfulness | None
    isotropy: Isotropy | None

    @property
    def is_isotropic(self) -> bool | None:
        """Whether directions differ by chance only; None if they could not be compared."""
        return None if self.isotropy is None else self.isotropy.holds

    def to_dict(self) -> dict[str, object]:
        """Plain data, for JSON."""
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
    """Solve and measure maps `width` cells across in each order, and refined ones as `generate` makes them.

    Orders are judged without the set's own constraints, which refined maps have. No map, and no refinement,
    may take longer than `patience`, in milliseconds.
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
    """The solved maps; stops after two failures."""
    maps: list[Solution] = []
    for seed in range(seeds):
        found = try_solve(problem, seed, FULL_BUDGET * problem.cell_count, order, "auto", patience)
        if isinstance(found, Solution):
            maps.append(found)
        elif seed - len(maps) >= 1:
            break
    return maps


def refine_maps(maps: Sequence[Solution], patience: float) -> list[Solution]:
    """The maps, refined like `generate` does; none if it does not refine them, or if that takes too long."""
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
    """The order that is safe and isotropic, and of several the most faithful; None if no map was solved.

    If none is both, a safe one, or else the one that solved most maps. Distances that differ by less than
    their noise count as equal: then the first in `ORDERS` is chosen.
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
