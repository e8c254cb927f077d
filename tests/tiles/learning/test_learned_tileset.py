"""What a learned set keeps: how it was learned, and its ground."""

import numpy as np
import pytest

import wavefold as wf
from support import compiled_only
from wavefold.tiles.learning import LearnedTileSet, learn

ISLAND = np.array(["......", "..##..", ".####.", ".###..", "......"], "U6").view("U1").reshape(5, 6)


def test_how_a_set_was_learned_is_kept():
    tiles = learn(ISLAND, n=2, symmetry=3, periodic=False)
    assert isinstance(tiles, LearnedTileSet)
    assert (tiles.n, tiles.symmetry, tiles.periodic, tiles.ground_pattern) == (2, 3, False, None)
    assert tiles.topology == "square"
    assert tiles.rules.names == tuple(f"p{number}" for number in range(len(tiles)))


def test_the_ground_is_the_pattern_found_last_in_the_bottom_row_and_nowhere_else():
    sample = np.array([[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [2, 2, 2, 2]])
    tiles = learn(sample, n=2, symmetry=2, ground=True)
    assert tiles.ground_pattern == len(tiles) - 1
    grid = wf.SquareGrid(5, 6, wraps=True)
    solution = wf.generate(tiles, grid, masks=tiles.ground_masks(grid))
    assert ((solution.array == tiles.ground_pattern) == (np.arange(6) == 5)[:, None]).all()


def test_a_ground_needs_a_bottom_row_and_to_be_asked_for():
    with pytest.raises(wf.TileSetError, match="ground=True"):
        learn(ISLAND).ground_masks(wf.SquareGrid(3, 3))
    with pytest.raises(wf.TileSetError, match="SquareGrid"):
        learn(ISLAND, ground=True).ground_masks(wf.HexGrid(radius=1))


@compiled_only
def test_a_ground_is_in_the_bottom_row_without_being_asked_for():
    tiles = wf.learn("seabed")
    problem = wf.Problem(tiles, wf.SquareGrid(9, 7))
    solution = wf.Solver(problem, seed=1).run()
    assert (solution.array[-1] == tiles.ground_pattern).all()
    assert (solution.array[:-1] != tiles.ground_pattern).all()
    assert not wf.check(problem, solution)
    wishes = np.ones((63, len(tiles)), bool)
    assert (
        wf.Problem(tiles, wf.SquareGrid(9, 7), masks=wishes).masks == tiles.ground_masks(problem.topology)
    ).all()


@pytest.mark.parametrize("ground", [False, True])
def test_patterns_that_are_left_out_are_on_no_map_and_the_others_keep_their_names(tmp_path, ground):
    sample = np.array([[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [2, 2, 2, 2]])
    tiles = learn(sample, n=2, symmetry=1, periodic=False, ground=ground)
    unwanted = [number for number, value in enumerate(tiles.values) if value == 1]
    fewer = tiles.without_patterns([f"p{number}" for number in unwanted])
    kept = np.setdiff1d(np.arange(len(tiles)), unwanted)
    assert fewer.rules.names == tuple(tiles.rules.names[number] for number in kept)
    assert (fewer.rules.allowed == tiles.rules.allowed[:, kept][:, :, kept]).all()
    assert fewer.sources(0) == tiles.sources(int(kept[0]))
    assert (fewer.ground_pattern is not None) == ground
    solution = wf.generate(fewer, wf.SquareGrid(7, 6), seed=2)
    assert 1 not in solution.values
    fewer.save(tmp_path / "fewer.toml")
    again = wf.generate(wf.TileSet.load(tmp_path / "fewer.toml"), wf.SquareGrid(7, 6), seed=2)
    assert (again.patterns == solution.patterns).all()


def test_what_cannot_be_left_out_is_refused():
    tiles = learn(ISLAND, n=2, ground=True)
    with pytest.raises(wf.TileSetError, match="ground pattern cannot be left out"):
        tiles.without_patterns([tiles.ground_pattern])
    with pytest.raises(wf.TileSetError, match="no pattern 'p999'"):
        tiles.without_patterns(["p999"])
    with pytest.raises(wf.TileSetError, match="at least one"):
        learn(ISLAND).without_patterns(range(len(learn(ISLAND))))
