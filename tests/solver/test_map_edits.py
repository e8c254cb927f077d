"""Changes of a finished map."""

import numpy as np

import wavefold as wf

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
