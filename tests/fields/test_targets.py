"""What fields ask of cells: the same for any rectangle, computed once for each block."""

import numpy as np
import pytest

import wavefold as wf
from support import everything_touches
from wavefold.fields.targets import SAMPLES, FieldTargets, allows
from wavefold.kernels.host.bitsets import pack_bits

PAINT = everything_touches([1.0, 2.0, 1.0], ["black", "white", "grey"])
NOISE = wf.Noise(0.05, seed=1)
FIELDS = wf.Fields(dark=NOISE, wet=NOISE.rescaled(0, 9))
LIMITED = FIELDS.with_limits({"black": {"dark": (0, 1)}}).with_factors({"white": "wet", "grey": 2.0})
SIDE = 6


@pytest.fixture
def targets():
    return FieldTargets(PAINT, LIMITED, wf.SquareGrid(SIDE, SIDE))


@pytest.mark.parametrize("rectangle", [(0, 0, 6, 6), (-9, 4, 13, 5), (5, 5, 2, 2), (10**9, -(10**9), 7, 1)])
def test_a_rectangle_is_cut_from_the_blocks_it_lies_in(targets, rectangle):
    x, y, width, height = rectangle
    grid = wf.SquareGrid(width, height)
    masks = LIMITED.masks(PAINT, grid, origin=(x, y))
    weights = LIMITED.weights(PAINT, grid, origin=(x, y)).reshape(height, width, -1)
    found = targets.rectangle(x, y, width, height)
    assert (found.words == pack_bits(masks).reshape(height, width, -1)).all()
    white, grey = (int(PAINT.rules.patterns(name)[0]) for name in ("white", "grey"))
    assert (found.group_factors[..., targets.group_of[white]] * 2.0 == weights[..., white]).all()
    assert (found.group_factors[..., targets.group_of[grey]] == 2.0).all()


def test_patterns_without_a_factor_have_no_group(targets):
    assert targets.group_of[PAINT.rules.patterns("black")[0]] == -1
    assert len(targets.groups) == 2


def test_fields_without_limits_and_factors_ask_nothing():
    found = FieldTargets(PAINT, FIELDS, wf.SquareGrid(SIDE, SIDE)).rectangle(0, 0, 3, 3)
    assert found == (None, None)
    assert found.find_unmet(np.zeros((3, 3), np.int32)) is None


def test_met_soft_masks_are_counted(targets):
    black = np.full((SIDE, SIDE), int(PAINT.rules.patterns("black")[0]), np.int32)
    excluded = ~LIMITED.masks(PAINT, wf.SquareGrid(SIDE, SIDE), origin=(0, 0)).all(axis=1)
    assert targets.count_met(black, 0, 0) == (excluded.sum(), 0)
    assert targets.count_met(black * 0 + 1, 0, 0) == (excluded.sum(), excluded.sum())
    assert (targets.rectangle(0, 0, SIDE, SIDE).find_unmet(black).reshape(-1) == excluded).all()


def test_blocks_of_any_grid_have_weights(targets):
    disk = wf.HexGrid(2)
    weights = FieldTargets(PAINT, LIMITED, disk).weights(7, -3)
    assert (weights == LIMITED.weights(PAINT, disk, origin=(7, -3))).all()


def test_a_field_is_sampled_once_for_a_block(targets):
    SAMPLES.forget()
    targets.rectangle(0, 0, SIDE, SIDE)
    sampled = SAMPLES.made
    FieldTargets(PAINT, LIMITED, wf.SquareGrid(SIDE, SIDE)).rectangle(0, 0, SIDE, SIDE)
    assert SAMPLES.made == sampled


def test_many_patterns_are_found_in_their_words():
    flags = np.random.default_rng(1).random((2, 3, 130)) < 0.5
    patterns = np.array([[0, 63, 64], [65, 128, 129]], np.int32)
    expected = np.take_along_axis(flags, patterns[..., None], axis=2)[..., 0]
    assert (allows(pack_bits(flags), patterns) == expected).all()
