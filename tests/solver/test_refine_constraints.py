"""Refined maps satisfy their constraints, after every sweep."""

import numpy as np
import pytest

import wavefold as wf
from support import PIPES, compiled_only
from wavefold.solver.refine.chain import Chain

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
