"""The rules the benchmark measures with are the public ones."""

import os
from pathlib import Path

import numpy as np
import pytest
from benchmarks.data import DATA_VARIABLE, forty_tiles, load_rule_set
from benchmarks.maps import nineteen_grids
from benchmarks.parts import by_pairs, by_predicate, by_rows, plain_tiles, solve_plainly
from benchmarks.peers import REFERENCE_MILLISECONDS, fastest_peer, measure_reference, read_samples, scale_peer

from support import compiled_only
from wavefold.api import generate
from wavefold.reports.checker import check
from wavefold.solver import Problem
from wavefold.topology import SquareGrid


@pytest.fixture
def data():
    if not os.environ.get(DATA_VARIABLE):
        pytest.skip(f"NOT CHECKED: the public samples; name their folder in {DATA_VARIABLE}")
    return Path(os.environ[DATA_VARIABLE])


def test_every_public_sample_is_learned_as_it_should_be(data):
    for case, sample in read_samples(data):
        assert (len(sample.tiles), sample.tiles.rules.weights.sum()) == (case["patterns"], case["weight"])
        assert sample.problem(5).topology.wraps == (case["periodic_output"],) * 2


def test_nineteen_hex_grids_join_without_gap_or_overlap():
    assert nineteen_grids().cell_count == 19 * 217


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
    assert fastest_peer("Knots", 64) == ("C with AVX2", 0.57)
    assert fastest_peer("Skyline", 100) is None


@compiled_only
def test_peers_are_scaled_by_the_same_work_on_this_machine():
    assert scale_peer(REFERENCE_MILLISECONDS) == pytest.approx(measure_reference())
    assert 0.05 < measure_reference() < 50
