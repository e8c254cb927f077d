"""Which propagation method suits which rules."""

import numpy as np
import pytest
from benchmarks.propagations import TEXTURES, draw_texture

import wavefold as wf
from wavefold.kernels import constants as c
from wavefold.solver.engine.rule_table import build_rule_table, choose_method


def learn_noise(side, colours):
    """A set of windows of 2 x 2: colours squared classes, and about as many patterns as cells."""
    return wf.learn(np.random.default_rng(1).integers(0, colours, (side, side)), n=2, symmetry=1)


@pytest.mark.parametrize(
    ("side", "colours", "method"),
    [(28, 8, c.AC3_CLASSES), (50, 10, c.AC3_CLASSES), (28, 14, c.AC3_REMOVALS), (50, 16, c.AC3_REMOVALS)],
)
def test_wide_rules_are_propagated_by_classes_if_these_are_few_else_by_removals(side, colours, method):
    tiles = learn_noise(side, colours)
    assert len(tiles) > 512
    assert choose_method(tiles.rules, "auto") == method


def test_many_classes_are_propagated_by_removals_however_many_patterns_each_has():
    side, colours, blur, n = TEXTURES[3]
    few = wf.learn(draw_texture(side, colours, blur), n=n, symmetry=1).rules
    many = learn_noise(80, 14).rules
    assert len(few) < 4 * len(few.relations[0].rows)
    assert len(many) > 20 * len(many.relations[0].rows)
    assert choose_method(few, "auto") == choose_method(many, "auto") == c.AC3_REMOVALS


def test_socket_sets_keep_classes_and_narrow_rules_the_methods_of_one_word_or_row():
    assert choose_method(wf.TileSet.load("medieval").rules, "auto") == c.AC3_CLASSES
    assert choose_method(wf.TileSet.load("pipes").rules, "auto") == c.AC3_TABLES
    assert choose_method(wf.learn("metro", n=3, symmetry=8).rules, "auto") == c.AC3_ROWS


def test_other_weights_of_the_same_rules_share_all_of_the_table_but_the_weights():
    rules = wf.TileSet.load("pipes").rules
    other = rules.with_weights(rules.weights + 1)
    graph = wf.Problem(rules, wf.SquareGrid(4, 4)).kernel_graph
    first, second = (build_rule_table(each, c.AC3_TABLES, graph) for each in (rules, other))
    assert first.allowed_by_page is second.allowed_by_page
    assert not np.array_equal(first.weight, second.weight)
    assert build_rule_table(other, c.AC3_TABLES, graph) is second
