"""Heat maps: how undecided cells are, in colours and numbers."""

import numpy as np
import pytest

from wavefold.errors import ConfigError
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.render import draw
from wavefold.render.canvas import MARK, draw_number
from wavefold.render.cell_looks import (
    IMPOSSIBLE,
    NOTHING,
    RAMP,
    compute_entropies,
    compute_looks,
    decode_tint,
    find_highest_entropy,
    shade_heat,
)
from wavefold.reports.checker import check
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.solver import Solver
from wavefold.solver.statistics import Statistics
from wavefold.tiles import Rules, Tile, TileSet
from wavefold.tiles.rules import Relation
from wavefold.topology import CubeGrid, Graph, HexGrid, SquareGrid

GREY = (100, 100, 100, 255)


def tiles(weights, topology="square", sides=4):
    picture = np.full((2, 2, 4), GREY, np.uint8)
    return TileSet(
        [Tile(f"t{i}", ("a",) * sides, weight, picture=picture) for i, weight in enumerate(weights)], topology
    )


def partial(weights, rows):
    """A row of cells that may be these patterns."""
    possible = np.array([[pattern in row for pattern in range(len(weights))] for row in rows])
    return Partial(Problem(tiles(weights), SquareGrid(len(rows), 1)), pack_bits(possible))


def light(colour):
    return 299 * int(colour[0]) + 587 * int(colour[1]) + 114 * int(colour[2])


def test_the_ramp_gets_lighter_step_by_step():
    shades = [light(colour) for colour in shade_heat(np.linspace(0, 1, 33))]
    assert shades == sorted(set(shades))
    assert (shade_heat(np.array([0.0, 1.0, 2.0]))[:, :3] == RAMP[[0, -1, -1]]).all()


def test_the_more_undecided_the_lighter_and_decided_cells_are_as_they_are():
    image = np.asarray(
        draw(partial([1, 1, 1, 1], [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], []]), show="entropy")
    )
    assert tuple(image[0, 0]) == GREY
    shades = [light(image[0, 2 * cell]) for cell in (1, 2, 3)]
    assert shades == sorted(set(shades))
    assert (image[0, 6, :3] == RAMP[-1]).all()
    assert tuple(image[0, 8]) == IMPOSSIBLE


def test_entropy_counts_weights_and_counts_do_not():
    wave = partial([1000, 1, 1000], [[0, 1], [0, 2]])
    by_entropy, by_count = (np.asarray(draw(wave, show=show)) for show in ("entropy", "counts"))
    assert light(by_entropy[0, 0]) < light(by_entropy[0, 2])
    assert (by_count[0, 0] == by_count[0, 2]).all()


def test_weights_of_a_cell_are_its_own():
    weights = np.array([[1.0, 1.0], [1000.0, 1.0]])
    problem = Problem(tiles([1, 1]), SquareGrid(2, 1), weights=weights)
    wave = Partial(problem, pack_bits(np.ones((2, 2), bool)))
    image = np.asarray(draw(wave, show="entropy"))
    assert light(image[0, 0]) > light(image[0, 2])


@pytest.mark.parametrize("weights", [[1, 2, 3, 4], [1, 1, 0, 5]])
def test_entropy_is_that_of_the_solver(weights):
    problem = Problem(
        tiles([1, 1, 1, 1]), SquareGrid(4, 3), weights=weights, pins={(1, 1): "t2", (2, 1): ["t0", "t3"]}
    )
    solver = Solver(problem)
    found = compute_entropies(problem, solver.partial().words, np.arange(12))
    assert found == pytest.approx(solver.entropy(), abs=1e-4)
    assert found.max() == pytest.approx(find_highest_entropy(problem))


def test_a_set_of_one_pattern_has_no_entropy_and_no_trouble():
    wave = partial([1], [[0], []])
    assert np.asarray(draw(wave, show="entropy")).shape == (2, 4, 4)


def ink(image):
    """How many pixels differ from the corner."""
    pixels = np.asarray(image)
    return int((pixels != pixels[0, 0]).any(axis=-1).sum())


def test_numbers_are_written_where_they_fit():
    wave = partial([1] * 12, [range(12)])
    assert ink(draw(wave, show="entropy", tile_size=8)) == 0
    twelve = ink(draw(wave, show="entropy", tile_size=24))
    assert twelve > 0
    assert ink(draw(wave, show="counts", tile_size=24)) == twelve
    assert ink(draw(wave, show="tiles", tile_size=24)) == 0
    ten = partial([1] * 12, [range(10)])
    assert ink(draw(ten, show="entropy", tile_size=24)) != twelve


def test_all_numbers_are_written_in_one_size():
    small, large = (draw_number(number, 100, 40, 20, (0, 0, 0)) for number in (1, 100))
    assert small.height == large.height == 15
    assert draw_number(1, 100, 4, 5, (0, 0, 0)) is not None  # though 100 would not fit
    assert draw_number(100, 100, 4, 5, (0, 0, 0)) is None


@pytest.mark.parametrize(
    ("topology", "kind", "sides"),
    [
        (HexGrid(radius=1), "hex", 6),
        (HexGrid(radius=1, layout="flat"), "hex", 6),
        (CubeGrid(2, 2, 2), "cube", 6),
    ],
)
def test_heat_is_drawn_on_every_topology(topology, kind, sides):
    problem = Problem(tiles([1, 1, 1], kind, sides), topology)
    wave = Partial(problem, pack_bits(np.ones((topology.cell_count, 3), bool)))
    image = np.asarray(draw(wave, show="entropy", tile_size=32))
    tinted = image[(image[..., 3] > 0)][:, :3].astype(int)
    assert (tinted[:, 0] > tinted[:, 2]).mean() > 0.9  # the light end of the ramp is yellow
    assert len({tuple(colour) for colour in tinted.tolist()}) > 1


def test_what_a_look_means_can_be_read_back():
    looks = compute_looks(partial([1, 1, 1], [[0, 1], [1], []]), "counts")
    assert decode_tint(int(looks[0])).left == 2
    assert looks[1] == 1
    assert decode_tint(int(looks[2])) == (IMPOSSIBLE, 0)
    assert decode_tint(NOTHING).colour == (0, 0, 0, 0)


def test_many_patterns_need_several_words():
    wave = partial([1] * 200, [[150], [0, 150], range(200), range(200)])
    looks = compute_looks(wave, "entropy")
    assert looks[0] == 150
    assert [decode_tint(int(look)).left for look in looks[1:]] == [2, 200, 200]
    assert looks[2] == looks[3]


def test_an_unknown_show_names_the_nearest():
    with pytest.raises(ConfigError, match="did you mean 'entropy'"):
        draw(partial([1], [[0]]), show="entropie")


# --- conflicts ----------------------------------------------------------------------------------


def whole(topology, kind="square", sides=4):
    problem = Problem(tiles([1], kind, sides), topology)
    return Solution(problem, np.zeros(topology.cell_count, np.int64), Statistics())


def red(image):
    return (np.asarray(image) == MARK).all(axis=-1)


@pytest.mark.parametrize(
    ("topology", "kind", "sides"),
    [
        (SquareGrid(3, 3), "square", 4),
        (HexGrid(radius=1), "hex", 6),
        (HexGrid(radius=1, layout="flat"), "hex", 6),
        (CubeGrid(3, 3, 3), "cube", 6),
    ],
)
def test_conflicts_are_marked_in_their_place_on_every_topology(topology, kind, sides):
    middle = topology.cell_count // 2
    image = draw(whole(topology, kind, sides), tile_size=30, conflicts=[middle])
    rows, columns = np.nonzero(red(image))
    assert rows.size > 30
    assert abs((rows.min() + rows.max() + 1) / 2 - image.height / 2) <= 1
    assert abs((columns.min() + columns.max() + 1) / 2 - image.width / 2) <= 1
    assert np.ptp(rows) <= 36
    assert np.ptp(columns) <= 36
    assert not red(image)[image.height // 2, image.width // 2]  # what stands there can still be seen


def test_a_cell_too_small_for_an_outline_is_red_all_over():
    assert (
        red(draw(whole(SquareGrid(3, 1)), conflicts=[(1, 0)])).tolist()
        == [[False] * 2 + [True] * 2 + [False] * 2] * 2
    )


def test_conflicts_are_marked_on_graphs_too():
    graph = Graph([("a", "b"), ("b", "c"), ("c", "a")])
    rules = Rules(["x", "y"], [Relation.from_allowed(np.ones((2, 2), bool))] * 2)
    solution = Solution(Problem(rules, graph), np.array([0, 1, 0]), Statistics())
    assert red(draw(solution, tile_size=16, conflicts=["b"])).any()
    wave = Partial(Problem(rules, graph), pack_bits(np.ones((3, 2), bool)))
    assert ink(draw(wave, tile_size=16, show="counts")) > 0


def test_what_check_found_can_be_marked():
    chess = TileSet([Tile("white", ("a", "a", "b", "b")), Tile("black", ("b", "b", "a", "a"))])
    problem = Problem(chess, SquareGrid(3, 1))
    solution = Solution(problem, np.array([0, 1, 1]), Statistics())
    found = check(problem, solution)
    image = red(draw(solution, tile_size=20, conflicts=found))
    assert not image[:, :20].any()
    assert image[:, 20:40].any()
    assert image[:, 40:].any()


@pytest.mark.parametrize("conflicts", ["all", 3, [(9, 9)], [None]])
def test_senseless_conflicts_are_refused(conflicts):
    with pytest.raises(ConfigError):
        draw(whole(SquareGrid(3, 3)), conflicts=conflicts)


def test_only_maps_can_be_drawn():
    with pytest.raises(ConfigError, match="Solution or a Partial"):
        draw(np.zeros((3, 3)))
