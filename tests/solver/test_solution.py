"""What a solve gives back."""

import numpy as np
import pytest

import wavefold as wf
from support import CASTLE, CHESS, PETERSEN, TOWERS, colouring


def test_a_solution_speaks_in_tile_names_laid_out_in_rows():
    solution = wf.generate(CHESS, wf.SquareGrid(3, 2), seed=1)
    assert solution.values.shape == solution.array.shape == (2, 3)
    assert set(solution.values.reshape(-1).tolist()) == {"white", "black"}
    assert (solution.array.reshape(-1) == solution.patterns).all()
    assert solution.patterns.dtype == np.int64


def test_turned_patterns_carry_the_name_of_their_tile():
    solution = wf.generate(CASTLE, wf.SquareGrid(4, 4), seed=1)
    assert set(solution.values.reshape(-1)) <= {tile.name for tile in CASTLE.tiles}


def test_cells_that_do_not_exist_are_empty():
    mask = np.array([[True, False], [True, True]])
    solution = wf.generate(CHESS, wf.SquareGrid(2, 2, mask=mask))
    assert solution.patterns.shape == (3,)
    assert solution.array[0, 1] == -1
    assert solution.values[0, 1] is None


def test_cubes_have_layers():
    assert wf.generate(TOWERS, wf.CubeGrid(2, 3, 4)).array.shape == (4, 3, 2)


def test_graphs_have_one_value_per_cell_and_no_array():
    solution = wf.generate(colouring(3), PETERSEN)
    assert solution.values.shape == (10,)
    with pytest.raises(wf.ConfigError, match="no rows and columns"):
        _ = solution.array


def test_a_solution_shows_what_it_is():
    solution = wf.generate(CHESS, wf.SquareGrid(3, 2), seed=7)
    assert repr(solution) == "Solution(6 cells, seed 7, 1 decision)"
    assert repr(solution.problem).startswith("Problem(TileSet(2 tiles, 2 patterns, square), SquareGrid(3, 2)")


def test_an_unknown_ending_is_refused_before_anything_is_written(tmp_path):
    solution = wf.generate(CHESS, wf.SquareGrid(3, 2))
    with pytest.raises(wf.ConfigError, match=r"unknown ending; known: .*\.png"):
        solution.save(tmp_path / "map.xyz")
    assert list(tmp_path.iterdir()) == []
