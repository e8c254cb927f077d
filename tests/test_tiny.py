"""`docs/design/tiny.py` is the idea in plain Python: it must make the very maps the engine makes."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

import wavefold as wf

FILE = Path(__file__).parents[1] / "docs/design/tiny.py"


def load_tiny():
    spec = spec_from_file_location("tiny", FILE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tiny = load_tiny()


def solve_by_engine(tiles, grid, seed):
    return wf.Solver(wf.Problem(tiles, grid), seed, order="scanline", search="backtrack").run()


def random_tiles(seed, count=5):
    """A table of what may touch, so sparse that some maps need backtracking and some do not exist."""
    random = np.random.default_rng(seed)
    east, south = random.random((2, count, count)) < 0.42
    weights = random.integers(1, 5, count) / 2
    return wf.TileSet.from_allowed("abcde", np.stack([south.T, east, south, east.T]), weights)


@pytest.mark.parametrize(
    ("name", "grid", "seed"),
    [("pipes", wf.SquareGrid(8, 6), 7), ("pipes", wf.SquareGrid(5, 5, wraps=True), 1)],
    ids=["open", "wrapped"],
)
def test_both_make_the_same_map_of_a_bundled_set(name, grid, seed):
    tiles = wf.TileSet.load(name)
    assert tiny.solve(tiles, grid, seed) == solve_by_engine(tiles, grid, seed).patterns.tolist()


def test_both_backtrack_in_the_same_way_and_find_the_same_maps_impossible():
    grid = wf.SquareGrid(6, 5)
    backtracks = impossible = 0
    for seed in range(60):
        tiles = random_tiles(seed)
        try:
            solution = solve_by_engine(tiles, grid, seed)
        except wf.Contradiction:
            impossible += 1
            assert tiny.solve(tiles, grid, seed) is None
        else:
            backtracks += solution.stats.backtracks
            assert tiny.solve(tiles, grid, seed) == solution.patterns.tolist()
    assert backtracks >= 10
    assert impossible >= 5


def test_it_fits_on_two_pages_and_needs_nothing_but_the_public_interface():
    text = FILE.read_text()
    assert len(text.splitlines()) < 100
    assert "from wavefold" not in text
