"""Changes of a finished map."""

import numpy as np

import wavefold as wf
from support import compiled_only
from wavefold.solver.edit.map_edits import find_obstacles

LAKES = """
gggggggggggggggg
gggttggggggggggg
ggttttgggggggggg
ggttttgggggwwwgg
gggttgggggwwwwwg
gggggggggwwwwwwg
ggssssssgwwwwwgg
ggsggggsggwwwggg
ggsggggsgggggggg
ggsggggsssssssgg
ggsssgggggggggsg
ggggsgggttgggggs
ggggsggttttggggs
wwggsggttttgggss
wwwgsgggttgggsgg
wwggssssssssssgg
"""


def solve_lakes():
    sample = np.array([["gwts".index(each) for each in row] for row in LAKES.split()])
    return wf.generate(wf.learn(sample, n=3), wf.SquareGrid(32, 24), seed=7, refine=False)


@compiled_only
def test_regrown_cells_become_something_else_each_time():
    solution = solve_lakes()
    cells = [solution.problem.cell((x, y)) for x in range(10, 20) for y in range(6, 16)]
    for seed in range(1, 5):
        found = wf.regrow(solution, cells, seed)
        assert (found.patterns != solution.patterns)[cells].sum() >= len(cells) / 4
        assert wf.repair(found.problem, found).changed == ()
        again = wf.regrow(solution, cells, seed)
        assert (again.patterns == found.patterns).all()
        solution = found


def test_cells_for_which_nothing_else_is_possible_stay():
    tiles = wf.TileSet([wf.Tile("only", sockets="aaaa")])
    solution = wf.generate(tiles, wf.SquareGrid(3, 3), seed=1)
    assert (wf.regrow(solution, [4], 2).patterns == solution.patterns).all()


def test_nothing_is_regrown_where_all_is_kept(monkeypatch):
    solution = wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(4, 4), seed=1)
    monkeypatch.setattr("wavefold.solver.edit.map_edits.repair", None)
    assert wf.regrow(solution, [4, 5], 2, keep=[4, 5]) is solution


@compiled_only
def test_room_is_found_soon_where_many_cells_are_kept():
    """With these kept, whether a river fits was not known within minutes once some were dropped."""
    solution = wf.generate(wf.TileSet.load("castle"), wf.SquareGrid(48, 32), seed=3, refine=False)
    near = sorted(range(48 * 32), key=lambda cell: max(abs(cell % 48 - 24), abs(cell // 48 - 16)))[:30]
    middle, kept = near[0], near[1:]
    found = find_obstacles(solution, [middle], "river", kept)
    assert 0 < len(found) < len(kept)
    assert found == find_obstacles(solution, [middle], "river", kept)
    painted = wf.paint(solution, [middle], "river", kept, found)
    stay = [cell for cell in kept if cell not in found]
    assert (painted.patterns[stay] == solution.patterns[stay]).all()
    assert not wf.check(painted.problem, painted)
