"""The refined base of a world, and the activities of its windows.

A window has too few sweeps to lose all traces of its first solution. So activities are calibrated on windows
that are solved and refined like those of a world, with the same number of sweeps.
"""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.host.seeding import mix
from wavefold.options.groups import MOST_SWEEPS
from wavefold.options.values import parse_in_range, parse_integer
from wavefold.solver.budget import Budget, Meter
from wavefold.solver.problem import Problem
from wavefold.solver.refine import refine
from wavefold.solver.refine.activities import RESTARTED, Activities
from wavefold.solver.refine.chain import Chain
from wavefold.solver.refine.refine import RefineRun, choose_activities
from wavefold.solver.search.certificate import build_plane_problem
from wavefold.solver.shares import Shares
from wavefold.storage.cache import RESULTS, BoundedCache
from wavefold.tiles import TileSet
from wavefold.tiles.calibration import digest_calibrated
from wavefold.topology import make_box
from wavefold.worlds import base as bases
from wavefold.worlds.base import BaseTurn, find_base, find_large_torus, find_turns, plane_cache_key
from wavefold.worlds.plan import PatternGrid
from wavefold.worlds.window_solver import Refining, WindowRefiner, WindowSolver

SWEEPS_DIVISOR = 8  # a window has this part of the sweeps recommended for a whole map
BASE_SWEEPS = 3  # of the base, for each sweep of a window
MOST_VARIANTS, MOST_BLOCK_CELLS, LEAST_BLOCK_SIDE = 8, 80_000, 23  # cells of all variants together
WINDOW_SIDE = 64  # of the windows on which activities are calibrated
ROUNDS, WINDOWS = 8, 3  # of calibration, and windows in each round
MIN_CHANGED_SHARE = 0.4  # of a window; if less changes, windows are solved before they are refined
PURPOSE = 0x5EED_0F_CA1B  # in seeds
MOST_CACHED = 64  # tile sets

known_blocks: BoundedCache[PatternGrid] = BoundedCache(MOST_CACHED)
known_refined_bases: BoundedCache[PatternGrid] = BoundedCache(MOST_CACHED)
known_settings: BoundedCache[Refining] = BoundedCache(MOST_CACHED)
known_turns: BoundedCache[tuple[BaseTurn, ...]] = BoundedCache(MOST_CACHED)


def resolve_refining(tiles: TileSet, sweeps: object, shares: Shares | None = None) -> Refining | None:
    """Return the settings for refining of `World(refine=…, shares=…)`; None for no refining.

    A pure function of the tiles and the arguments, computed once and cached on disk.
    """
    if isinstance(sweeps, Refining):
        return sweeps
    if not isinstance(shares, Shares | None):
        raise ConfigError(f"shares must be Shares, such as wf.Shares({{'water': 0.3}}), not {shares!r:.80}")
    number = count_window_sweeps(tiles, sweeps)
    if number == 0:
        if shares is not None:
            raise ConfigError("Shares need refining: use refine=1 or more")
        return None
    key = activity_cache_key(tiles, number, shares)
    names = None if shares is None else tuple(shares.shares)
    return known_settings.get((*key, names), lambda: load_settings(tiles, number, shares))


def count_window_sweeps(tiles: TileSet, sweeps: object) -> int:
    """Return the number of sweeps that `refine=` means for each window of a world."""
    if sweeps is False:
        return 0
    if isinstance(sweeps, str) and sweeps == "auto":
        return -(-refine.recommend_sweeps(tiles) // (SWEEPS_DIVISOR * estimate_effort(tiles)))
    if sweeps is True or parse_integer(sweeps) is None:
        raise ConfigError(f"refine must be 'auto', False or a number of sweeps, not {sweeps!r:.80}")
    return parse_in_range("refine", sweeps, 0, MOST_SWEEPS)


def estimate_effort(tiles: TileSet) -> int:
    """Estimate the time of a window relative to one of up to 256 patterns; at most 8."""
    return min(8, max(1, tiles.rules.words // 4))


def digest_refined(tiles: TileSet) -> str:
    """Return a digest of the parts of a tile set that a refined world depends on."""
    activities = (f"{tile} = {activity!r}" for tile, activity in tiles.activities.items())
    return sha256(
        "\n".join((plane_cache_key(tiles), digest_calibrated(tiles), *activities)).encode()
    ).hexdigest()


def activity_cache_key(tiles: TileSet, sweeps: int, shares: Shares | None) -> tuple[Hashable, ...]:
    """Return a key of everything that activities depend on, with names resolved to patterns."""
    problem = Problem(tiles, make_box(tiles.topology, 1, 1), own_constraints=False)
    asked = {} if shares is None else shares.shares
    listed = ((tuple(problem.patterns_named(name).tolist()), float(share)) for name, share in asked.items())
    return digest_refined(tiles), tiles.asked_weights.tobytes(), sweeps, shares is None, *listed


def find_base_turns(tiles: TileSet, refining: Refining) -> tuple[BaseTurn, ...]:
    """Find the orientations that the base of a refined world may have; cached on disk."""
    key = activity_cache_key(tiles, refining.sweeps, refining.shares)

    def make() -> dict[str, NDArray[Any]]:
        found = find_turns(tiles.rules, label_weights(tiles, refining.shares))
        ways = np.array([[each.exchanged, each.right, each.down] for each in found]).reshape(-1, 3)
        return {"ways": ways, "counterparts": np.array([each.counterparts for each in found])}

    def load() -> tuple[BaseTurn, ...]:
        kept = RESULTS.get(("turns", *key), make)
        rows = zip(kept["ways"].tolist(), kept["counterparts"], strict=True)
        return tuple(BaseTurn(bool(way[0]), way[1], way[2], counterparts) for way, counterparts in rows)

    return known_turns.get(key, load)


def label_weights(tiles: TileSet, shares: Shares | None) -> NDArray[np.int64]:
    """Number the patterns by weight and share; a pattern may become one with the same number."""
    ground, problem = (
        getattr(tiles, "ground_pattern", None),
        Problem(tiles, make_box(tiles.topology, 1, 1), own_constraints=False),
    )
    marks = np.zeros(len(tiles))
    for number, name in enumerate(() if shares is None else shares.shares):
        marks[problem.patterns_named(name)] = 1 + number
    if ground is not None:
        marks[ground] = -1
    labels = np.unique(
        np.stack([tiles.rules.weights, tiles.asked_weights, marks]), axis=1, return_inverse=True
    )
    return np.asarray(labels[1].reshape(-1), np.int64)


def find_refined_base(tiles: TileSet, refining: Refining) -> PatternGrid:
    """Return the base [variant, row, column] of a refined world, cached on disk; see `build_blocks`."""
    key = activity_cache_key(tiles, refining.sweeps, refining.shares)

    def load_blocks() -> PatternGrid:
        return RESULTS.get(("blocks", *key), lambda: {"blocks": build_blocks(tiles, refining)})["blocks"]

    return known_blocks.get(key, load_blocks)


def build_blocks(tiles: TileSet, refining: Refining) -> PatternGrid:
    """Build variants of a block with the same border, so that any two of them fit beside each other.

    The repetition of a single block would be visible, because areas as large as a window survive in windows
    that are solved on it. So the inside is solved and refined again for each variant.
    """
    block = find_refined_torus(tiles, refining.sweeps, refining.shares)
    variants = min(MOST_VARIANTS, MOST_BLOCK_CELLS // estimate_effort(tiles) // block.size)
    blocks = [block]
    if min(block.shape) < LEAST_BLOCK_SIDE or variants < 2:
        return np.stack(blocks)
    solver = WindowSolver(tiles.rules, getattr(tiles, "ground_pattern", None))
    free = np.ones(block.shape, bool)
    free[0] = free[:, 0] = False
    for number in range(1, variants):
        plane = np.pad(block, ((0, 1), (0, 1)), mode="wrap")
        solver.solve_again(plane, mix(PURPOSE, number))
        blocks.append(refine_torus(tiles, plane[:-1, :-1], refining.sweeps, refining.shares, number, free))
    return np.stack(blocks)


def find_refined_torus(tiles: TileSet, sweeps: int, shares: Shares | None) -> PatternGrid:
    """Return the base [row, column] of the tiles, refined like a whole map towards the target shares."""
    key = activity_cache_key(tiles, sweeps, shares)
    return known_refined_bases.get(key, lambda: refine_torus(tiles, find_plain_base(tiles), sweeps, shares))


def find_plain_base(tiles: TileSet) -> NDArray[np.int64]:
    """Find a repeating map [row, column], larger than for unrefined worlds if a short search finds one."""
    usual = find_base(tiles)
    sides = bases.SIDES
    larger = (bases.LARGER_SIDE, *sides) if len(sides) > 1 and estimate_effort(tiles) == 1 else sides
    found = find_large_torus(tiles, usual.certificate, larger) if len(usual.patterns) < larger[0] else None
    return usual.patterns if found is None else found


def refine_torus(
    tiles: TileSet,
    base: NDArray[Any],
    sweeps: int,
    shares: Shares | None,
    seed: int = 0,
    free: NDArray[np.bool_] | None = None,
) -> PatternGrid:
    """Refine a repeating map [row, column] towards the target shares.

    sweeps : the number for a window; the map has more
    free : [row, column] which cells may change; None: all
    """
    rows, columns = base.shape
    problem = build_plane_problem(tiles, make_box(tiles.topology, columns, rows, wraps=True))
    may_change = None if free is None else free.reshape(-1)
    chain = Chain(problem, base.reshape(-1), mix(PURPOSE, seed), may_change)
    run = RefineRun(chain, choose_activities(chain, problem, shares), BASE_SWEEPS * sweeps, True)
    run.run(Meter(Budget.of(None)), None, None)
    return run.finished.reshape(rows, columns)


def load_settings(tiles: TileSet, sweeps: int, shares: Shares | None) -> Refining:
    """Return the result of `find_settings`, cached on disk."""

    def make() -> dict[str, NDArray[Any]]:
        found = find_settings(tiles, sweeps, shares)
        return {"activities": found.activities, "solve": np.array(found.solve)}

    kept = RESULTS.get(("settings", *activity_cache_key(tiles, sweeps, shares)), make)
    return Refining(sweeps, kept["activities"], shares, bool(kept["solve"]))


def find_settings(tiles: TileSet, sweeps: int, shares: Shares | None) -> Refining:
    """Find settings with which windows have the target frequencies after this many sweeps.

    If refining changes windows too little, they are solved before they are refined.
    """
    base = find_refined_torus(tiles, sweeps, shares)
    run = WindowCalibration(tiles, base, sweeps, shares)
    activities = run.find_activities(solve=False)
    if run.changed_share >= MIN_CHANGED_SHARE:
        return Refining(sweeps, activities, shares)
    run = WindowCalibration(tiles, base, sweeps, shares)
    return Refining(sweeps, run.find_activities(solve=True), shares, solve=True)


class WindowCalibration:
    """Windows on a base that are refined repeatedly with different activities.

    changed_share : the share of cells of the last windows that differ from the base, relative to the share in
        windows that are independent of it
    """

    def __init__(self, tiles: TileSet, base: PatternGrid, sweeps: int, shares: Shares | None) -> None:
        self._solver = WindowSolver(tiles.rules, getattr(tiles, "ground_pattern", None))
        self._base, self._sweeps = base, sweeps
        side = self._side = WINDOW_SIDE if estimate_effort(tiles) == 1 else WINDOW_SIDE // 2
        problem = build_plane_problem(tiles, make_box(tiles.topology, side, side))
        asked = choose_activities(Chain(problem, np.zeros(side * side, np.int64), 0), problem, shares)
        self._found = Activities(asked.group_of, asked.asked * WINDOWS, asked.pool_of, RESTARTED)
        if shares is None:
            self._found.start_from(asked.values)
        self.changed_share = 0.0

    def find_activities(self, solve: bool) -> NDArray[np.int64]:
        """Find the activities [pattern] for refining windows."""
        found = self._found
        return found.calibrate(ROUNDS, lambda number: self._count(number, solve))[found.group_of]

    def _count(self, number: int, solve: bool) -> NDArray[np.int64]:
        """Count the cells of each group in the windows of one round."""
        found, side = self._found, self._side + 2
        rows, columns = self._base.shape
        refiner = WindowRefiner(Refining(self._sweeps, found.values[found.group_of]))
        seen = np.zeros(found.asked.size, np.int64)
        differ, elsewhere = 0, 0
        for seed in (mix(PURPOSE, number, each) for each in range(WINDOWS)):
            shifted = np.roll(self._base, (seed % rows, (seed >> 32) % columns), (0, 1))
            before = np.pad(shifted, ((0, 2 * side), (0, 2 * side)), mode="wrap")  # a base may be small
            plane = before[:side, :side].copy()
            if solve:
                self._solver.solve_again(plane, seed)
            refiner.refine(self._solver.shape(plane.shape), plane, seed)
            differ += int((plane != before[:side, :side]).sum())
            elsewhere += int((plane != before[side // 2 :, side // 2 :][:side, :side]).sum())
            seen += found.count(plane[1:-1, 1:-1].reshape(-1))
        self.changed_share = differ / max(1, elsewhere)
        return seen
