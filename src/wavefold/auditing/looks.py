"""What maps look like, by the order in which they are decided: which order is safe, isotropic and faithful.

Only the audit judges orders: a solve never changes its order because of how its maps would look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wavefold.auditing.trials import FULL_BUDGET, try_solve
from wavefold.errors import ConfigError
from wavefold.measuring.blocks import number_blocks
from wavefold.measuring.faithfulness import Faithfulness, measure_faithfulness
from wavefold.measuring.isotropy import Isotropy, measure_isotropy
from wavefold.measuring.lines import PatternLabels
from wavefold.solver import Budget, Problem, Solution
from wavefold.solver.refining.refine import recommend_sweeps
from wavefold.tiles import TileSet
from wavefold.topology import lattice_class

# If several are as good as each other, the first: scanline leaves streaks where nothing measures them.
ORDERS = ("random", "spiral", "entropy", "scanline")
REFINED = "refined"
PLAIN_RUNGS = {"backtrack"}


@dataclass(frozen=True, slots=True)
class OrderLook:
    """Maps of one order, or maps that were refined; figures are None if none was solved."""

    order: str  # or "refined"
    runs: int
    solved: int
    safe: bool  # all were solved by plain backtracking alone
    faithfulness: Faithfulness | None
    isotropy: Isotropy | None

    @property
    def is_isotropic(self) -> bool | None:
        """Whether directions differ by chance only; None if that could not be compared."""
        return None if self.isotropy is None else self.isotropy.holds

    def to_dict(self) -> dict[str, Any]:
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
    """Solve and measure maps `width` cells across in each order, and refine those of one that was solved.

    No map, and no refinement, may take longer than `patience`, in milliseconds.
    """
    problem = Problem(tiles, lattice_class(tiles.topology).of_width(width), own_constraints=False)
    labels = PatternLabels(tiles)
    found: list[OrderLook] = []
    solved: list[Solution] = []
    for order in ORDERS:
        tick()
        maps = solve_maps(problem, order, seeds, patience)
        solved = maps if len(maps) > len(solved) else solved
        safe = len(maps) == seeds and all(set(each.stats.rungs) <= PLAIN_RUNGS for each in maps)
        found.append(measure_look(labels, order, seeds, safe, maps))
    tick()
    refined = refine_maps(solved, patience)
    return [*found, measure_look(labels, REFINED, len(solved), True, refined)] if refined else found


def solve_maps(problem: Problem, order: str, seeds: int, patience: float) -> list[Solution]:
    """The maps that were found; after two that were not, no more are tried."""
    maps: list[Solution] = []
    for seed in range(seeds):
        found = try_solve(problem, seed, FULL_BUDGET * problem.cell_count, order, "auto", patience)
        if isinstance(found, Solution):
            maps.append(found)
        elif seed - len(maps) >= 1:
            break
    return maps


def refine_maps(maps: Sequence[Solution], patience: float) -> list[Solution]:
    """The maps as `generate` would refine them; none if that takes too long, or cannot be done."""
    refined = []
    for each in maps:
        sweeps = recommend_sweeps(each.problem.tiles)
        try:
            after = each.refine(sweeps, seed=each.seed, budget=Budget(ms=patience))
        except ConfigError:
            return []
        if after.provisional:
            return []
        refined.append(after)
    return refined


def measure_look(
    labels: PatternLabels, order: str, runs: int, safe: bool, maps: Sequence[Solution]
) -> OrderLook:
    """What these maps look like."""
    if not maps:
        return OrderLook(order, runs, 0, False, None, None)
    arrays = [each.array for each in maps]
    blocks = number_blocks([each.shape for each in arrays])
    isotropy = measure_isotropy(labels, arrays, blocks)
    return OrderLook(order, runs, len(maps), safe, measure_faithfulness(maps, blocks), isotropy)


def choose_order(looks: Sequence[OrderLook]) -> str | None:
    """The order that is safe and isotropic, and of several the most faithful; None if no map was solved.

    If none is both, a safe one, or the one that solved most maps. Distances that differ by less than their
    noise count as equal: then the earlier in `ORDERS` is chosen.
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
