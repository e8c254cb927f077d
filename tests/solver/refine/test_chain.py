"""Rounds of windows: boxes that do not touch, and that come to every cell equally often."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import CHESS, PIPES, compiled_only
from wavefold.kernels.refine import structs as refine_structs
from wavefold.solver.refine import chain
from wavefold.solver.refine.chain import PROPOSALS_PER_CELL, Chain, RoundPlan

FREE = wf.TileSet([wf.Tile("a"), wf.Tile("b")])


def list_blocks(plan, windows):
    """For each window of a round and each axis: how far its box may reach, and where its block ends."""
    for index in range(windows):
        rows, left = [], index
        for row in plan.rounds.axis.tolist():
            span, blocks = row[refine_structs.SPAN], row[refine_structs.BLOCKS]
            block, left = left % blocks, left // blocks
            start, stop = block * span // blocks, (block + 1) * span // blocks
            ways = stop - start - row[refine_structs.LENGTH] - row[refine_structs.GAP] + 1
            assert ways >= 1 or blocks == 1
            rows.append((start + ways - 1 + row[refine_structs.LENGTH], stop, blocks))
        yield rows


@given(
    st.tuples(st.integers(1, 40), st.integers(1, 40)),
    st.booleans(),
    st.sampled_from((2, 3, 5, 8, 12)),
    st.integers(1, 5),
    st.integers(0, 2**63),
)
def test_blocks_leave_a_gap_and_propose_as_many_cells_as_asked(size, wraps, side, sizes, seed):
    problem = wf.Problem(FREE, wf.SquareGrid(*size, wraps=wraps))
    plan = RoundPlan(problem)
    plan.begin(seed, np.ones(problem.cell_count, bool))
    proposed = 0
    rounds, windows = plan.prepare(side, sizes, always=False)
    for _ in range(rounds):
        for rows in list_blocks(plan, windows):
            assert all(end < stop or blocks == 1 for end, stop, blocks in rows)
        chance = plan.rounds.number[refine_structs.CHANCE]
        cells = np.prod(plan.rounds.axis[:, refine_structs.LENGTH].astype(object))
        proposed += windows * int(cells) * int(chance) / 2**32
    assert proposed == pytest.approx(PROPOSALS_PER_CELL * problem.cell_count / sizes, rel=1e-6)


@compiled_only
@pytest.mark.parametrize("wraps", [False, True])
@pytest.mark.parametrize("side", [3, 8])
def test_every_cell_is_proposed_equally_often(wraps, side):
    """Cells that may have either of two patterns that may touch: each proposal is kept."""
    problem = wf.Problem(FREE, wf.SquareGrid(20, 13, wraps=wraps))
    under = Chain(problem, np.zeros(260, np.int32), seed=5, sizes=(side,))
    changes = np.zeros(260)
    for _ in range(600):
        before = under.map.pattern.copy()
        under.sweep(always=True)
        changes += before != under.map.pattern
    expected = changes.mean()
    assert abs(changes - expected).max() < 5 * np.sqrt(expected)


@compiled_only
@pytest.mark.parametrize("name", ["castle", "meadow", "knots"])
def test_any_number_of_threads_gives_the_same_map(name, monkeypatch):
    used, run = Counter(), chain.run_in_threads

    def count_and_run(step, threads):
        used[threads] += 1
        run(step, threads)

    monkeypatch.setattr(chain, "run_in_threads", count_and_run)
    monkeypatch.setattr(chain, "LEAST_SHARED_WORDS", 1 << 10)
    monkeypatch.setattr(chain, "WORDS_AT_ONCE", 1 << 7)
    found = []
    solution = wf.generate(wf.TileSet.load(name), wf.SquareGrid(96, 80), seed=3, refine=False)
    for threads in (1, 2, 5):
        monkeypatch.setenv("WAVEFOLD_THREADS", str(threads))
        found.append(solution.refine(4))
    assert {1, 2, 5} <= set(used)
    assert all((each.patterns == found[0].patterns).all() for each in found)
    assert all(each.stats.refinement == found[0].stats.refinement for each in found)
    assert not wf.check(solution.problem, found[0])


@compiled_only
def test_hexagons_and_cubes_are_refined_in_threads_alike(monkeypatch):
    for tiles, grid in (
        (wf.TileSet.load("medieval"), wf.HexGrid(14)),
        (wf.TileSet.load("blocks"), wf.CubeGrid(14, 14, 8)),
    ):
        found = []
        solution = wf.generate(tiles, grid, seed=1, refine=False)
        for threads in (1, 3):
            monkeypatch.setenv("WAVEFOLD_THREADS", str(threads))
            found.append(solution.refine(1).patterns)
        assert (found[0] == found[1]).all()


def test_a_map_without_free_cells_is_not_changed():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 2), {(0, 0): "white", (1, 1): "white"})
    solution = wf.Solver(problem, 1).run()
    assert (solution.refine(2).patterns == solution.patterns).all()


# --- refined maps satisfy their constraints, after every sweep ------------------------------------


CASES = {
    "connected": [wf.Connected(tiles=["─", "┌", "┐", "└", "┘"])],
    "joined": [wf.Connected(tiles=["─", "│", "┼", "┌", "┐", "└", "┘"], joins=[(0, 0), (7, 7)])],
    "count": [wf.Count("┼", 2, 3), wf.Count(" ", 5, 20, area=(0, 0, 4, 8))],
}


@pytest.mark.parametrize("name", CASES)
def test_constraints_hold_after_every_sweep(name):
    problem = wf.Problem(PIPES, wf.SquareGrid(8, 8), constraints=CASES[name])
    for seed in range(3):
        solution = wf.Solver(problem, seed, "entropy").run(50_000)
        chain = Chain(problem, solution.patterns, seed, None, problem.propagators)
        for _ in range(6):
            chain.sweep()
            assert wf.check(problem, chain.map.pattern.astype(np.int64)) == []
        assert (chain.map.pattern != solution.patterns).any()


@compiled_only
def test_rivers_of_refined_maps_run_downhill():
    problem = wf.Problem(wf.TileSet.load("medieval"), wf.HexGrid.rectangle(24, 24))
    for seed in range(3):
        refined = wf.Solver(problem, seed).run().refine(3, seed=seed)
        assert refined.stats.refinement.changed > 0
        assert wf.check(problem, refined) == []
