"""Run a comparison: maps of each join with the same seeds and build order, counted and timed.

The independent checker checks every map. All figures except times are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from time import process_time

from wavefold.errors import ConfigError, WavefoldError
from wavefold.patchwork.arguments import build_fields, has_limits
from wavefold.patchwork.patchwork import Patchwork, Progress
from wavefold.patchwork.plan import Key, find_plan, make_plan
from wavefold.patchwork.state import COUNTS
from wavefold.plugins.registry import load_all
from wavefold.reports.checker import check
from wavefold.reports.comparing.results import Case, CaseResult, Comparison, GridStep, MapResult
from wavefold.tiles import TileSet

RETRIED_JOIN = "fixed"  # compared with several numbers of retries, on which it depends most


def list_cases(
    tiles: TileSet,
    joins: Sequence[str] | None = None,
    retries: Sequence[int] = (1, 3),
    preset: str | None = None,
    *,
    plain: bool = True,
    driven: bool = True,
) -> list[Case]:
    """List the cases of a comparison: every join with and without fields; `fixed` with each retry number.

    Fields have no effect on tiles without limits, so these are compared only without fields.
    """
    names = list(load_all("join"))
    presets: list[str | None] = [None] if plain else []
    if driven and (has_limits(tiles) or preset is not None):
        presets.append(preset or find_plan(tiles.topology).fields_preset)
    if not presets:
        raise ConfigError(
            "fields have no effect on these tiles, which have no limits; compare them without fields"
        )
    return [
        Case(join, tried, name)
        for name in presets
        for join in (names if joins is None else joins)
        for tried in (retries if join == RETRIED_JOIN else (None,))
    ]


def compare(
    tiles: TileSet,
    cases: Iterable[Case],
    keys: Sequence[Key],
    seeds: Iterable[int],
    radius: int = 8,
    presets: bool = False,
    progress: Progress | None = None,
) -> Comparison:
    """Populate a map for each case and seed; calls `progress(done, maps)` after each map.

    Before each case, a map with another seed is populated to fill caches; it does not count.
    """
    wanted, numbers = list(dict.fromkeys(cases)), tuple(seeds)
    if not wanted or not numbers:
        raise ConfigError("a comparison needs at least one join and one seed")
    total = (len(numbers) + 1) * len(wanted)
    done = 0

    def outcomes_of(case: Case) -> Iterator[MapResult]:
        nonlocal done
        for seed in (max(numbers) + 1, *numbers):
            yield make_map(tiles, case, keys, seed, radius, presets)
            done += 1
            if progress is not None:
                progress(done, total)

    trials = tuple(CaseResult(case, tuple(outcomes_of(case))[1:]) for case in wanted)
    return Comparison(tiles, radius, tuple(keys), numbers, trials, presets)


def make_map(
    tiles: TileSet, case: Case, keys: Sequence[Key], seed: int, radius: int, presets: bool = False
) -> MapResult:
    """Populate a map and measure it. A grid that cannot be solved is a result; other errors are raised."""
    map = create_map(tiles, case, seed, radius, presets)
    error = ""
    started = process_time()
    try:
        map.populate_all(keys)
    except ConfigError:
        raise
    except WavefoldError as problem:
        error = str(problem)
    seconds = process_time() - started
    report = map.report
    return MapResult(
        seed,
        seconds,
        error,
        len(check(map)),
        {name: getattr(report, name) for name in COUNTS},
        report.soft_masks_asked,
        report.soft_masks_met,
        len(report.grids),
        tuple(list_steps(map, keys)),
    )


def create_map(tiles: TileSet, case: Case, seed: int, radius: int, presets: bool) -> Patchwork:
    """Create a map without grids."""
    fields = build_fields(tiles, case.preset, seed)
    return Patchwork(tiles, radius, seed, case.join, case.retries, fields, presets)


def rebuild_map(comparison: Comparison, case: Case, seed: int) -> Patchwork:
    """Populate one of the maps again, to draw it."""
    map = create_map(comparison.tiles, case, seed, comparison.radius, comparison.presets)
    map.populate_all(comparison.keys)
    return map


def list_steps(map: Patchwork, keys: Sequence[Key]) -> Iterator[GridStep]:
    """Yield a step for each grid, or a single one if all were solved together.

    A grid that could not be solved is the last step.
    """
    reports, plan = map.report.grids, make_plan(map.tiles.topology, map.radius)
    together = len(reports) > 1 and not any(report.attempts for report in reports[1:])
    there: set[Key] = set()
    for report in reports[:1] if together else reports:
        trouble = (report.unfixed, report.replaced, report.widened, report.dropped)
        beside = len(there.intersection(plan.neighbours(report.key)))
        yield GridStep(beside, report.attempts <= 1 and not any(trouble), report.changed, report.dropped)
        there.add(report.key)
    if len(reports) < len(keys):
        yield GridStep(len(there.intersection(plan.neighbours(keys[len(reports)]))), False, 0, 0)
