"""Maps of the same tiles on the same grid share one problem."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import wavefold as wf
from support import compiled_only
from wavefold.solver import shared_problems


def count_problems_made(monkeypatch):
    """A list that gets the topology of every problem that is made from now on."""
    made = []

    def make(tiles, topology):
        made.append(topology)
        return wf.Problem(tiles, topology)

    shared_problems._small_problems.forget()
    monkeypatch.setattr(shared_problems, "Problem", make)
    return made


def test_problems_of_the_last_small_maps_stay(monkeypatch):
    made, tiles = count_problems_made(monkeypatch), wf.TileSet.load("pipes")
    for seed in range(3):
        for width in range(1, 1 + shared_problems.MOST_KEPT_PROBLEMS):
            wf.generate(tiles, wf.SquareGrid(width, 3), seed=seed, refine=False)
    assert len(made) == shared_problems.MOST_KEPT_PROBLEMS
    wf.generate(tiles, wf.SquareGrid(9, 3), refine=False)
    wf.generate(tiles, wf.SquareGrid(1, 3), refine=False)
    assert made[-2:] == [wf.SquareGrid(9, 3), wf.SquareGrid(1, 3)]


def test_small_problems_are_limited_by_bytes_too(monkeypatch):
    made, tiles = count_problems_made(monkeypatch), wf.TileSet.load("circuit")
    monkeypatch.setattr(shared_problems._small_problems, "room", 3 << 20)
    for _ in range(2):
        for width in (40, 41):
            shared_problems.bare_problem(tiles, wf.SquareGrid(width, 60))
    assert len(made) == 4
    assert shared_problems._small_problems.taken <= 3 << 20


def test_the_problem_of_a_large_map_stays_as_long_as_the_map():
    tiles = wf.TileSet.load("pipes")
    first = wf.generate(tiles, wf.SquareGrid(65, 64), refine=False)
    assert wf.generate(tiles, wf.SquareGrid(65, 64), seed=2, refine=False).problem is first.problem
    problem = weakref.ref(first.problem)
    del first
    gc.collect()
    assert problem() is None


@compiled_only
def test_threads_share_small_problems(monkeypatch):
    made, tiles = count_problems_made(monkeypatch), wf.TileSet.load("castle")
    alone = [wf.generate(tiles, wf.SquareGrid(9, 9), seed=seed).patterns.tolist() for seed in range(16)]
    shared_problems._small_problems.forget()
    with ThreadPoolExecutor(4) as pool:
        maps = pool.map(lambda seed: wf.generate(tiles, wf.SquareGrid(9, 9), seed=seed), range(16))
        assert [each.patterns.tolist() for each in maps] == alone
    assert len(made) == 2
