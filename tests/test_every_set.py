"""Proof on every bundled set and every public one: large maps are solved, and nothing waits too long.

The public sets and samples are in the folder that WAVEFOLD_DATA names. `make test-slow` tries few seeds of
each; `make test-slow SEEDS=100` tries a hundred.
"""

import json
import os
from collections import Counter
from pathlib import Path
from time import perf_counter, process_time

import pytest
from benchmarks.data import DATA_VARIABLE
from benchmarks.peers import read_samples

import wavefold as wf
from support import compiled_only
from wavefold.topology import get_lattice_class, make_box

pytestmark = [pytest.mark.slow, compiled_only]

SEEDS = range(int(os.environ.get("WAVEFOLD_TEST_SEEDS", "10")))
DECISIONS_PER_CELL = 40  # a budget that is the same on slow and busy machines
SHORT = wf.Budget(ms=2_000)
LATEST = 3.0  # seconds; a busy machine may be late by itself
ENOUGH = 3  # runs out of budget: the rest would only repeat them
LARGE = ("castle", "castle.xml", "pipes")  # of these, one very large map
PUBLIC = Path(os.environ.get(DATA_VARIABLE, "missing"))


needs_public = pytest.mark.skipif(
    not PUBLIC.is_dir(), reason=f"{DATA_VARIABLE} names no folder: public sets and samples are NOT tested"
)


def public_sets():
    """Each public set and each subset of it, as the cases list them."""
    path = PUBLIC / "mxgmn" / "cases.json"
    cases = json.loads(path.read_text(encoding="utf-8"))["tilesets"] if path.is_file() else []
    return [(str(PUBLIC / "mxgmn" / "tilesets" / f"{case['name']}.xml"), case["subset"]) for case in cases]


EVERY_SET = [*((name, None) for name in wf.tilesets()), *public_sets()]


def name_of(case):
    return " ".join([Path(case[0]).stem, *filter(None, case[1:])])


def load(case):
    name, subset = case
    return wf.TileSet.load(name) if subset is None else wf.TileSet.load(name, subset=subset)


def grid_of(tiles, side, wraps):
    """A square map; of cubes, with a few layers."""
    return make_box(
        tiles.topology, *(side, side, 4)[: len(get_lattice_class(tiles.topology).axes)], wraps=wraps
    )


def solve(problem, seed, order="auto"):
    """A map, checked, within a budget of decisions."""
    solution = wf.Solver(problem, seed, order).run(
        wf.Budget(decisions=DECISIONS_PER_CELL * problem.cell_count)
    )
    assert wf.check(problem, solution) == []
    return solution


def try_seeds(problem):
    """How runs end, and how often."""
    ends, slowest = Counter(), 0.0
    for seed in SEEDS:
        started = process_time()
        try:
            solve(problem, seed)
            ends["solved"] += 1
        except (wf.Contradiction, wf.OutOfBudget) as error:
            ends[type(error).__name__] += 1
        slowest = max(slowest, process_time() - started)
        if ends["OutOfBudget"] == ENOUGH:
            break
    print(f"{problem.topology!r}: {dict(ends)}, slowest {slowest:.2f} s")
    return ends


@pytest.mark.parametrize("case", EVERY_SET, ids=name_of)
def test_every_set_is_solved_on_wrapped_maps_of_256(case):
    tiles = load(case)
    assert try_seeds(wf.Problem(tiles, grid_of(tiles, 256, wraps=True))) == {"solved": len(SEEDS)}


@pytest.mark.parametrize("case", EVERY_SET, ids=name_of)
def test_every_set_gets_an_answer_in_time_on_wrapped_maps_of_255(case):
    """Solved, proved impossible or out of budget; the same for all seeds, as far as it is certain."""
    tiles = load(case)
    problem = wf.Problem(tiles, grid_of(tiles, 255, wraps=True))
    ends = try_seeds(problem)
    assert not (ends["solved"] and ends["Contradiction"])
    if ends["OutOfBudget"]:
        started = perf_counter()
        with pytest.raises(wf.OutOfBudget):
            wf.Solver(problem).run(SHORT)
        assert perf_counter() - started < LATEST


@pytest.mark.parametrize("case", [case for case in EVERY_SET if case[0].lower().endswith(LARGE)], ids=name_of)
def test_a_map_of_2048_is_solved(case):
    """The number of repairs must not grow with the map: each visits all cells that were narrowed."""
    problem = wf.Problem(load(case), wf.SquareGrid(2048, 2048))
    assert solve(problem, 1).stats.repairs < 300


def test_a_large_map_in_entropy_order_needs_no_more_repairs_than_a_smaller_one():
    tiles = load(("castle", None))
    repairs = {}
    for side in (512, 1024):
        problem = wf.Problem(tiles, wf.SquareGrid(side, side))
        repairs[side] = solve(problem, 1, "entropy").stats.repairs
    assert repairs[1024] <= repairs[512] + 64


@needs_public
def test_the_public_sets_are_among_those_above():
    assert len(public_sets()) > 10


@needs_public
def test_every_public_sample_is_solved_or_proved_impossible():
    for case, sample in read_samples(PUBLIC):
        problem = sample.problem(48)
        ends = try_seeds(problem)
        assert len(ends) == 1, case["name"]
        assert "OutOfBudget" not in ends, case["name"]
