"""Refine a map until the order of decisions no longer shows: sweeps, calibration, statistics."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.constants import LOG_BITS
from wavefold.kernels.host.checkpoint import LimitReached, limiting
from wavefold.kernels.host.seeding import mix
from wavefold.kernels.logarithms import take_logs
from wavefold.kernels.refine import structs as refine_structs
from wavefold.options.groups import MOST_SWEEPS
from wavefold.options.values import (
    check_flag,
    check_function,
    format_count,
    parse_in_range,
    parse_integer,
    parse_seed,
)
from wavefold.solver.budget import Budget, Meter
from wavefold.solver.constraint import describe_constraint
from wavefold.solver.engine.events import REPLACED, Batch, Listener
from wavefold.solver.engine.rule_table import round_weights
from wavefold.solver.problem import Problem
from wavefold.solver.propagators import Propagator, Tally
from wavefold.solver.refine.activities import (
    FRACTION,
    Activities,
    ShareLimits,
    join_pools,
    pool_groups,
    pool_stored,
)
from wavefold.solver.refine.chain import Chain
from wavefold.solver.refine.tables import find_untestable
from wavefold.solver.shares import Shares
from wavefold.solver.statistics import Refinement, Share
from wavefold.tiles import Rules, TileSet

DEFAULT_SWEEPS = 40  # for a set without a recommendation
TRIAL_SWEEPS = 2  # before window sizes that change little are dropped
PURPOSE = 0x5EED_0F_5EE9  # mixed into the seed, because a solver uses the same seed
Progress = Callable[[int, int], None]


class RefineResult(NamedTuple):
    """A refined map."""

    patterns: NDArray[np.int64]  # [cell]
    refinement: Refinement
    is_cut_short: bool  # whether the time limit ended refining


def refine(
    problem: Problem,
    patterns: NDArray[np.int64],
    sweeps: int,
    shares: Shares | None = None,
    calibrate: bool = True,
    seed: int = 0,
    budget: Budget | int | None = None,
    progress: Progress | None = None,
    listener: Listener | None = None,
) -> RefineResult:
    """Refine a valid map [cell]; the parameters are those of `Solution.refine`."""
    sweeps = parse_in_range("sweeps", sweeps, 0, MOST_SWEEPS)
    check_flag("calibrate", calibrate)
    check_function("progress", progress)
    check_function("listener", listener)
    if shares is not None and not isinstance(shares, Shares):
        raise ConfigError(f"shares must be given as Shares({{'water': 0.3}}), not {shares!r}")
    shares = problem.shares if shares is None else shares
    meter = Meter(Budget.of(budget))
    tests = list_testable_propagators(problem)
    chain = Chain(problem, patterns, mix(PURPOSE, parse_seed(seed)), None, tests)
    activities = choose_activities(chain, problem, shares)
    run = RefineRun(chain, activities, sweeps, calibrate or shares is not None)
    is_cut_short = False
    try:
        with limiting(meter.check_time):
            run.run(meter, progress, listener)
    except LimitReached:
        is_cut_short = True
    return RefineResult(run.finished.astype(np.int64), run.report(shares), is_cut_short)


def count_sweeps(refine: object, problem: Problem, has_custom_order: bool) -> tuple[int, str]:
    """Return the number of sweeps that `refine=` means for a map, and why "auto" chose none.

    has_custom_order : whether an order, a choice, a random provider or a `Heuristics` was given; "auto" does
        not refine such maps
    """
    if refine is False:
        if problem.shares is not None:
            raise ConfigError("Shares need refining and cannot be combined with refine=False")
        return 0, ""
    if not (isinstance(refine, str) and refine == "auto"):
        if refine is True or parse_integer(refine) is None:
            raise ConfigError(f"refine must be 'auto', False or a number of sweeps, not {refine!r}")
        sweeps = parse_in_range("refine", refine, 0, MOST_SWEEPS)
        if sweeps == 0 and problem.shares is not None:
            raise ConfigError("Shares need refining and cannot be combined with refine=0")
        if sweeps:
            list_testable_propagators(problem)  # raises before the search, not after it
        return sweeps, ""
    if isinstance(problem.tiles, Rules) and problem.shares is None:
        return 0, ""
    if has_custom_order and problem.shares is None:
        sweeps = recommend_sweeps(problem.tiles)
        why = f"an order or a choice was given; to refine the map, set refine to a number such as {sweeps}"
        return 0, why if sweeps else ""
    untestable = find_untestable(problem)
    if untestable is not None:
        return 0, f"windows cannot be tested for {describe_constraint(untestable)}"
    return recommend_sweeps(problem.tiles), ""


def recommend_sweeps(tiles: TileSet | Rules) -> int:
    """Return the recommended number of sweeps for maps of a tile set."""
    recommended = tiles.sweeps if isinstance(tiles, TileSet) else None
    return DEFAULT_SWEEPS if recommended is None else int(recommended)


def list_testable_propagators(problem: Problem) -> tuple[Propagator, ...]:
    """List the propagators that windows are tested for; raises if there is no test for a constraint."""
    untestable = find_untestable(problem)
    if untestable is not None:
        raise ConfigError(
            f"a map with {describe_constraint(untestable)} cannot be refined: windows cannot be tested for "
            "it; use refine=False"
        )
    return problem.propagators


def choose_activities(chain: Chain, problem: Problem, shares: Shares | None) -> Activities:
    """Create the activities: a group for each tile, or name in `Shares`, with its target number of cells."""
    rules = problem.rules
    group_of = rules.tile_of
    share_logs = compute_share_logs(problem)
    chain.set_activities(share_logs)
    stored = read_stored_activities(problem, share_logs)
    if shares is None:
        pool_of = pool_groups(chain, group_of)
        if isinstance(problem.tiles, TileSet) and problem.tiles.activities:
            pool_of = join_pools(pool_of, pool_stored(problem.tiles, stored))
        found = Activities(group_of, chain.ask_by_weight(group_of), pool_of)
        found.start_from(stored)
        return found
    group_of = group_of + np.int32(len(shares.shares))
    for number, name in enumerate(shares.shares):
        patterns = problem.patterns_named(name)
        twice = group_of[patterns] < len(shares.shares)
        if twice.any():
            pattern = rules.names[patterns[twice.argmax()]]
            raise ConfigError(f"shares: {pattern!r} is named twice, by {name!r} and by another tile or group")
        group_of[patterns] = number
    asked = chain.ask_by_weight(group_of)
    cells = problem.cell_count * FRACTION
    named = np.array([round(share * cells) for share in shares.shares.values()], np.int64)
    rest, by_weight = max(0, cells - int(named.sum())), max(1, int(asked[named.size :].sum()))
    asked[named.size :] = [int(number) * rest // by_weight for number in asked[named.size :]]
    asked[: named.size] = named
    pool_of = pool_groups(chain, group_of)
    pool_of[: named.size] = pool_of.size + np.arange(named.size)
    found = Activities(group_of, asked, pool_of)
    start = np.concatenate([np.zeros(named.size, np.int64), stored])
    found.start_from(start[: pool_of.size])  # the last tiles may have been named
    return found


def compute_share_logs(problem: Problem) -> NDArray[np.int64]:
    """Compute the ln of the factor of `TileSet.shares` on the weight of each pattern, in 1 / 2**LOG_BITS."""
    if not isinstance(problem.tiles, TileSet) or not problem.tiles.shares:
        return np.zeros(len(problem.rules), np.int64)
    asked, own = problem.tiles.asked_weights, problem.rules.weights
    return np.asarray(take_logs(round_weights(asked)) - take_logs(round_weights(own)))


def read_stored_activities(problem: Problem, share_logs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Read the stored activity of each tile; without any, return those that the set's shares suggest."""
    stored = problem.tiles.activities if isinstance(problem.tiles, TileSet) else {}
    tiles = problem.rules.tiles
    if stored:
        return np.array([round(stored.get(tile, 0.0) * (1 << LOG_BITS)) for tile in tiles], np.int64)
    _, first = np.unique(problem.rules.tile_of, return_index=True)
    return share_logs[first]


class RefineRun:
    """The sweeps of one refinement.

    With `calibrate`, the activities are corrected after each sweep until the end, because a map follows its
    activities slowly and would drift away if they were fixed earlier.

    finished : int32 [cell] the map after the last whole sweep
    """

    def __init__(self, chain: Chain, activities: Activities, sweeps: int, calibrate: bool) -> None:
        self._chain, self._activities, self._sweeps = chain, activities, sweeps
        self._calibrate = calibrate
        chain.set_activities(activities.values[activities.group_of] if calibrate else 0 * chain.rules.weight)
        self.done = 0
        self.finished = chain.map.pattern.copy()
        self._nearest = activities.count(self.finished)  # [group] the counts nearest to the target so far

    def run(self, meter: Meter, progress: Progress | None, listener: Listener | None) -> None:
        """Run all sweeps; stops early if the budget of decisions (here: proposed cells) is spent."""
        chain = self._chain
        while self.done < self._sweeps and chain.free_cells:
            if int(chain.state[refine_structs.PROPOSED]) >= meter.last_decision:
                break
            chain.sweep()
            self._note(self._activities.count(chain.map.pattern))
            if listener is not None:
                listener(list_replaced(self.finished, chain.map.pattern, self.done + 1))
            self.finished = chain.map.pattern.copy()
            self.done += 1
            if progress is not None:
                progress(self.done, self._sweeps)

    def _note(self, seen: NDArray[np.int64]) -> None:
        """Keep the counts nearest to the target, and correct the activities."""
        chain, activities = self._chain, self._activities
        away, before = (np.abs(each * FRACTION - activities.asked) for each in (seen, self._nearest))
        self._nearest = np.where(away < before, seen, self._nearest)
        if self.done + 1 in (TRIAL_SWEEPS, self._sweeps // 2):
            chain.drop_useless_sizes()
        if self._calibrate:
            activities.correct(seen)
            chain.set_activities(activities.values[activities.group_of])

    def report(self, shares: Shares | None) -> Refinement:
        """Return the statistics of the refinement."""
        state, problem = self._chain.state, self._chain.problem
        return Refinement(
            sweeps=self.done,
            proposed=int(state[refine_structs.PROPOSED]),
            windows=int(state[refine_structs.WINDOWS]),
            accepted=int(state[refine_structs.ACCEPTED]),
            dead_ends=int(state[refine_structs.DEAD_ENDS]),
            changed=int(state[refine_structs.CHANGED]),
            shares=(found := self._report_shares(problem, shares)),
            missed=tuple(name for name, share in found.items() if share.why),
        )

    def _report_shares(self, problem: Problem, shares: Shares | None) -> dict[str, Share]:
        activities, cells = self._activities, problem.cell_count
        names = [*map(str, shares.shares if shares is not None else ()), *problem.rules.tiles]
        asked, seen, nearest = (
            (each / cells).tolist()
            for each in (activities.asked / FRACTION, activities.count(self.finished), self._nearest)
        )
        named = () if shares is None else shares.shares
        far = 1.0 if shares is None else shares.tolerance
        tests = tuple(each for each in self._chain.propagators if isinstance(each, Tally))
        group_of = activities.group_of
        limits = ShareLimits(problem, tests, group_of, np.array(asked), names, len(named))
        found = {}
        for group in np.unique(group_of).tolist():
            why = ""
            if group < len(named) and abs(asked[group] - seen[group]) > far:
                why = limits.explain(group, seen[group]) or self._describe_nearest(nearest[group])
            found[names[group]] = Share(asked[group], seen[group], nearest[group], why)
        return found

    def _describe_nearest(self, share: float) -> str:
        sweeps = format_count(self.done, "sweeps")
        return f"the nearest share in {sweeps} was {share:.1%}; more sweeps may come nearer"


def list_replaced(before: NDArray[np.int32], after: NDArray[np.int32], sweep: int) -> Batch:
    """List the cells that differ between two maps as a batch of events, with the sweep as the decision."""
    cells = np.flatnonzero(before != after)
    batch = np.empty((cells.size, 4), np.int32)
    batch[:, 0], batch[:, 1], batch[:, 2], batch[:, 3] = REPLACED, cells, after[cells], sweep
    batch.flags.writeable = False
    return batch
