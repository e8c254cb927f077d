"""Refined regions: what is fixed stays, masks that are met stay met, and reuse never shows."""

import numpy as np

import wavefold as wf
from support import PIPES, compiled_only
from wavefold.kernels.host.bitsets import has_bit, single_bits
from wavefold.solver.refine.region_refiner import RefinePass, RegionRefiner, list_met_masks
from wavefold.solver.search.region import Region, SoftMasks

pytestmark = compiled_only
PROBLEM = wf.Problem(PIPES, wf.SquareGrid(12, 10))
CELLS = np.arange(PROBLEM.cell_count)
PATTERNS = wf.Solver(PROBLEM, 3).run().patterns
PLAIN = np.zeros(len(PROBLEM.rules), np.int64)


def refine(region, refiner=None, free=None, patterns=PATTERNS):
    refiner = refiner or RegionRefiner(PROBLEM, by_cell=True)
    return refiner.refine(region, patterns, PLAIN, [RefinePass(1, 3, free)])


def test_fixed_cells_stay_and_the_others_change_to_a_valid_map():
    fixed = CELLS[::3]
    found, proposals = refine(Region(fixed=(fixed, PATTERNS[fixed])))
    assert (found[fixed] == PATTERNS[fixed]).all()
    assert (found != PATTERNS).any()
    assert 0 < proposals.accepted <= proposals.made
    assert wf.check(PROBLEM, found) == []


def test_only_cells_that_a_pass_frees_change():
    free = CELLS % 12 < 5
    found, _ = refine(Region(), free=free)
    assert set(np.flatnonzero(found != PATTERNS)) <= set(np.flatnonzero(free))


def test_masks_that_are_met_stay_met():
    words = single_bits(PATTERNS, PROBLEM.rules.words)
    required, preferred = CELLS[:40], CELLS[40:60]
    region = Region(required=(required, words[required]), preferred=SoftMasks(preferred, words))
    found, _ = refine(region)
    assert (found[:60] == PATTERNS[:60]).all()
    assert (found[60:] != PATTERNS[60:]).any()


def test_masks_that_are_not_met_are_left_alone():
    other = (PATTERNS + 1) % len(PROBLEM.rules)
    words = single_bits(other, PROBLEM.rules.words)
    cells, _ = list_met_masks(Region(preferred=SoftMasks(CELLS, words)), PATTERNS.astype(np.int32))
    assert cells.size == 0
    both = words | single_bits(PATTERNS, PROBLEM.rules.words)
    region = Region(required=(CELLS, both), preferred=SoftMasks(CELLS[:5], ~words))
    cells, allowed = list_met_masks(region, PATTERNS.astype(np.int32))
    assert (cells == CELLS).all()
    assert not has_bit(allowed[:5], np.arange(5), other[:5]).any()


def test_weights_of_cells_count():
    weights = np.tile(PROBLEM.rules.weights, (PROBLEM.cell_count, 1))
    crossing = PROBLEM.rules.patterns("┼")[0]
    weights[:, crossing] *= 50
    plain, _ = refine(Region(weights=np.tile(PROBLEM.rules.weights, (PROBLEM.cell_count, 1))))
    heavy, _ = refine(Region(weights=weights))
    assert (heavy == crossing).sum() > 2 * (plain == crossing).sum()


def test_what_was_refined_before_never_shows():
    refiner = RegionRefiner(PROBLEM)
    fixed = CELLS[:30]
    region = Region(fixed=(fixed, PATTERNS[fixed]))
    first, _ = refine(region, refiner)
    refine(Region(), refiner, patterns=first)
    assert (refine(region, refiner)[0] == first).all()
