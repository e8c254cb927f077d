"""The rules the benchmark measures with are the public ones."""

import os
from pathlib import Path

import numpy as np
import pytest

from wavefold.api import generate
from wavefold.bench.baselines import by_pairs, by_predicate, by_rows, plain_tiles, solve_plainly
from wavefold.bench.hexes import PAIRS, hex_rules, nineteen_grids
from wavefold.bench.peers import fastest_peer
from wavefold.bench.rulesets import forty_tiles, load_rule_set
from wavefold.bench.samples import Sample, read_samples, sample_problem
from wavefold.bench.setup import DATA_VARIABLE
from wavefold.checker import check
from wavefold.solver import Problem
from wavefold.topology import SquareGrid


@pytest.fixture
def data():
    if not os.environ.get(DATA_VARIABLE):
        pytest.skip(f"NOT CHECKED: the public samples; name their folder in {DATA_VARIABLE}")
    return Path(os.environ[DATA_VARIABLE])


def test_every_public_sample_has_as_many_patterns_and_windows_as_it_should(data):
    found = list(read_samples(data))
    assert found
    for case, sample in found:
        assert (case["name"], len(sample.patterns), sum(sample.counts)) == (
            case["name"],
            case["patterns"],
            case["weight"],
        )


def test_overlaps_of_a_public_sample_agree_pixel_by_pixel(data):
    sample = {each.name: each for _, each in read_samples(data)}["Flowers"]
    assert (sample.rules().allowed == overlaps(sample)).all()


def test_the_public_hex_table_has_924_states_and_the_right_pairs(data):
    rules = hex_rules(data)
    assert len(rules) == 924
    assert (rules.allowed.sum(axis=(1, 2)) == PAIRS).all()
    assert rules.kinds.max() == 12


def test_nineteen_hex_grids_join_without_gap_or_overlap():
    assert nineteen_grids().cell_count == 19 * 217


def small_sample(ground=False):
    pixels = np.array([[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [2, 2, 2, 2]])
    patterns = {
        pixels[y : y + 2, x : x + 2].tobytes(): pixels[y : y + 2, x : x + 2]
        for y in range(3)
        for x in range(3)
    }
    return Sample("Box", list(patterns.values()), [1] * len(patterns), periodic_output=False, ground=ground)


def overlaps(sample):
    """[direction, pattern, pattern] straight from the definition: north, east, south, west."""
    count = len(sample.patterns)
    table = np.zeros((4, count, count), bool)
    for a, here in enumerate(sample.patterns):
        for b, there in enumerate(sample.patterns):
            table[0, a, b] = (here[:-1] == there[1:]).all()
            table[1, a, b] = (here[:, 1:] == there[:, :-1]).all()
            table[2, a, b] = (here[1:] == there[:-1]).all()
            table[3, a, b] = (here[:, :-1] == there[:, 1:]).all()
    return table


def test_overlaps_agree_pixel_by_pixel():
    sample = small_sample()
    assert (sample.rules().allowed == overlaps(sample)).all()


def test_ground_is_the_bottom_row_and_nowhere_else():
    sample = small_sample(ground=True)
    problem = sample_problem(sample, sample.rules(), 4)
    masks = problem.masks.reshape(4, 4, -1)
    assert masks[-1].sum() == 4
    assert masks[-1, :, -1].all()
    assert not masks[:-1, :, -1].any()


def test_forty_tiles_are_forty_and_always_fit():
    tiles = forty_tiles()
    assert len(tiles) == 40
    problem = Problem(tiles, SquareGrid(6, 6))
    assert check(problem, generate(tiles, problem.topology, seed=3, order="scanline")) == []


def test_plain_solvers_agree_whatever_form_the_rules_have():
    tiles = plain_tiles(forty_tiles())
    grid = SquareGrid(5, 5)
    neighbours = grid.graph().neighbour.tolist()
    maps = [solve_plainly(tiles, neighbours, form(tiles), 2) for form in (by_predicate, by_pairs, by_rows)]
    assert maps[0] == maps[1] == maps[2]
    assert check(Problem(forty_tiles(), grid), np.array(maps[0])) == []


def test_reference_tables_are_turned_to_our_directions(tmp_path):
    allowed = np.zeros((4, 2, 2), bool)  # left, down, right, up: 1 stands only to the right of 0
    allowed[2, 0, 1] = allowed[0, 1, 0] = True
    np.savez(tmp_path / "Line.npz", allowed=allowed, weight=np.array([1, 2]))
    rules = load_rule_set(tmp_path / "Line.npz").tiles.rules
    assert rules.allowed[1, 0, 1]  # east
    assert rules.allowed[3, 1, 0]  # west
    assert rules.allowed.sum() == 2


def test_the_fastest_peer_is_the_fastest_at_that_size():
    assert fastest_peer("Skyline", 48) == ("fast-wfc (C++)", 21)
    assert fastest_peer("City", 256) == ("gridbugs/wfc (Rust)", 283)
    assert fastest_peer("Skyline", 100) is None
