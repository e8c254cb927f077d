"""Bad input is answered with the culprit's name, before anything is computed."""

import tracemalloc
from time import process_time

import numpy as np
import pytest

import wavefold as wf
from support import CHESS, HEX_RIVERS, PETERSEN, PIPES, colouring, compiled_only
from wavefold.tiles import Relation

ANYTHING = Relation.from_allowed(np.ones((2, 2), bool))


def refused(error, culprit):
    return pytest.raises(error, match=culprit)


# --- topologies ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(0, 3), (3, 0), (-1, 3), (2.5, 3)])
def test_a_grid_without_cells_is_refused(size):
    with refused(wf.ConfigError, "must be a whole number"):
        wf.SquareGrid(*size)


def test_a_single_cell_is_a_fine_map():
    for grid in (wf.SquareGrid(1, 1), wf.SquareGrid(1, 1, mask=[[True]])):
        assert wf.generate(CHESS, grid).patterns.size == 1


def test_a_single_cell_that_touches_itself_must_fit_itself():
    plain = wf.TileSet([wf.Tile("plain", ("s",) * 4)])
    assert wf.generate(plain, wf.SquareGrid(1, 1, wraps=True)).patterns.tolist() == [0]
    with refused(wf.Contradiction, "the rules alone"):
        wf.generate(CHESS, wf.SquareGrid(1, 1, wraps=True))


def test_tiles_for_hexagons_do_not_fit_a_square_grid():
    with refused(wf.TileSetError, "drawn for hex cells, but .* square"):
        wf.Problem(HEX_RIVERS, wf.SquareGrid(3, 3))


@pytest.mark.parametrize("topology", [wf.SquareGrid(3, 3), wf.CubeGrid(2, 2, 2), PETERSEN], ids=repr)
def test_bare_rules_for_hexagons_do_not_fit_elsewhere(topology):
    with refused(wf.TileSetError, "hex"):
        wf.Problem(HEX_RIVERS.rules, topology)


def test_rules_with_too_few_relations_for_the_topology_are_refused():
    with refused(wf.TileSetError, "relation"):
        wf.Problem(wf.Rules("ab", [ANYTHING]), wf.SquareGrid(2, 2))
    labelled = wf.Graph([(0, 1, "x"), (1, 2, "y")])
    with refused(wf.TileSetError, "relation"):
        wf.Problem(colouring(2), labelled)


# --- tiles ---------------------------------------------------------------------------------------


def test_no_tiles_are_refused_and_one_is_enough():
    for none in (lambda: wf.TileSet([]), lambda: wf.TileSet.from_allowed([], np.ones((4, 0, 0)))):
        with refused(wf.TileSetError, "needs at least one tile"):
            none()
    with refused(wf.TileSetError, "needs at least one tile"):
        wf.Rules([], [])
    assert (
        wf.generate(wf.TileSet([wf.Tile("only", ("s",) * 4)]), wf.SquareGrid(3, 2)).patterns.tolist()
        == [0] * 6
    )


@pytest.mark.parametrize("weight", [-1, 0, float("nan"), float("inf"), "heavy", None])
def test_a_weight_that_is_not_a_positive_number_is_refused_with_the_tile(weight):
    with refused(wf.TileSetError, "weight"):
        _ = wf.TileSet([wf.Tile("fine", ("s",) * 4), wf.Tile("odd", ("s",) * 4, weight)]).rules


@pytest.mark.parametrize("weight", [-1.0, 0.0, float("nan"), float("inf")])
def test_the_tile_with_the_wrong_weight_is_named(weight):
    with refused(wf.TileSetError, "tile 'odd' has weight"):
        _ = wf.TileSet([wf.Tile("fine", ("s",) * 4), wf.Tile("odd", ("s",) * 4, weight)]).rules


@pytest.mark.parametrize("weights", [[1], [1, 2, 3], ["a", "b"], 3.0, [[1, 2]], [None, 1]])
def test_weights_of_a_table_must_be_one_number_per_tile(weights):
    with refused(wf.TileSetError, "weight"):
        _ = wf.TileSet.from_allowed("ab", np.ones((4, 2, 2), bool), weights).rules


def test_weights_of_rules_must_be_one_number_per_pattern():
    with refused(wf.TileSetError, r"2 patterns, but weights have shape \(3,\)"):
        wf.Rules("ab", [ANYTHING], [1, 2, 3])


@pytest.mark.parametrize(
    "options",
    [
        {"kinds": [0]},
        {"tile_of": [0]},
        {"tile_of": [0, 7]},
        {"values": ["x"]},
        {"relations": [Relation.from_allowed(np.ones((3, 3), bool))]},
        {"relations": [ANYTHING, Relation.from_allowed(np.ones((70, 70), bool))]},
    ],
    ids="-".join,
)
def test_rules_whose_parts_differ_in_length_are_refused(options):
    arguments = {"names": "ab", "relations": [ANYTHING, ANYTHING]} | options
    with refused(wf.TileSetError, "pattern"):
        wf.Rules(**arguments)


def test_two_tiles_of_one_name_are_refused():
    with refused(wf.TileSetError, "two tiles are called 'a'"):
        wf.TileSet([wf.Tile("a", ("s",) * 4), wf.Tile("a", ("t",) * 4)])
    with refused(wf.TileSetError, "two tiles are called 'a'"):
        wf.TileSet.from_allowed("aa", np.ones((4, 2, 2), bool))


@pytest.mark.parametrize("name", ["", "a@90", 7, None])
def test_a_name_that_cannot_be_used_is_refused(name):
    with refused(wf.TileSetError, "the name of a tile must be text without '@'"):
        wf.TileSet([wf.Tile(name, ("s",) * 4)])


def test_the_wrong_number_of_sockets_is_refused_with_the_sides():
    with refused(wf.TileSetError, r"tile 'a' has 3 sockets but square cells have 4 sides \(north, east"):
        wf.TileSet([wf.Tile("a", ("s",) * 3)])
    with refused(wf.TileSetError, "tile 'a' has 4 sockets but cube cells have 6 sides"):
        wf.TileSet([wf.Tile("a", ("s",) * 4)], "cube")


@pytest.mark.parametrize("sockets", [["s", "s", "t", "t"], "sstt"])
def test_sockets_may_be_a_list_or_letters(sockets):
    tiles = wf.TileSet([wf.Tile("a", sockets), wf.Tile("b", (*"sstt",))])
    assert tiles.patterns[0].sockets == tiles.patterns[1].sockets


@pytest.mark.parametrize("sockets", [4, ([], [], [], [])])
def test_sockets_that_are_not_a_row_are_refused_with_the_tile(sockets):
    with refused(wf.TileSetError, "tile 'a'"):
        _ = wf.TileSet([wf.Tile("a", sockets)]).rules


@pytest.mark.parametrize(
    "symmetry", [(), (0, 0), (4,), (-90,), (360,), ("90°",), ("m", None), "Q", 90, None, [[]]]
)
def test_unknown_symmetries_are_refused(symmetry):
    with refused(
        wf.TileSetError,
        "tile 'a'(:|) (list at least one|unknown orientation|unknown symmetry|cannot have symmetry)",
    ):
        wf.TileSet([wf.Tile("a", ("s",) * 4, symmetry=symmetry)])


def test_tiles_for_an_unknown_topology_are_refused():
    with refused(wf.TileSetError, "square, hex or cube, not 'octagon'"):
        wf.TileSet([wf.Tile("a", ("s",) * 4)], "octagon")


def test_a_table_of_the_wrong_shape_is_refused():
    with refused(wf.TileSetError, r"need \(4, 2, 2\)"):
        wf.TileSet.from_allowed("ab", np.ones((4, 2, 3), bool))


def test_a_table_that_contradicts_itself_is_refused_with_the_pair():
    table = np.ones((4, 2, 2), bool)
    table[1, 0, 1] = False
    with refused(wf.TileSetError, "'b' to the east of 'a' is False, but 'a' to the west of 'b' is True"):
        wf.TileSet.from_allowed("ab", table)


def test_a_tile_no_neighbour_supports_is_only_a_problem_where_it_has_neighbours():
    tiles = wf.TileSet([wf.Tile("lonely", (*"abcd",)), wf.Tile("plain", (*"ssss",))])
    solution = wf.generate(tiles, wf.SquareGrid(3, 3))
    assert set(solution.values.reshape(-1)) == {"plain"}
    with refused(wf.Contradiction, "'lonely' at column 1, row 1 alone contradicts the rules"):
        wf.generate(tiles, wf.SquareGrid(3, 3), pins={(1, 1): "lonely"})


# --- pins, masks, weights ------------------------------------------------------------------------


def test_an_unknown_tile_in_a_pin_is_refused_with_the_nearest():
    with refused(wf.TileSetError, "there is no tile 'wihte'; did you mean 'white'"):
        wf.Problem(CHESS, wf.SquareGrid(2, 2), pins={(0, 0): "wihte"})


@pytest.mark.parametrize(
    ("place", "culprit"),
    [
        ((2, 0), "column 2, row 0"),
        ((0, -1), "row -1"),
        (4, "no cell 4"),
        ("a1", "must be"),
        ((0,), "must be"),
    ],
)
def test_a_pin_outside_the_grid_is_refused_with_its_place(place, culprit):
    with refused(wf.ConfigError, culprit):
        wf.Problem(CHESS, wf.SquareGrid(2, 2), pins={place: "white"})


def test_pins_that_conflict_are_both_named():
    pins = {(0, 0): "white", (1, 0): "white"}
    with refused(wf.Contradiction, "(?s)'white' at column 0, row 0.*'white' at column 1, row 0") as caught:
        wf.generate(CHESS, wf.SquareGrid(2, 2), pins=pins)
    assert {wish.cell for wish in caught.value.explanation.requirements} == {0, 1}


def test_a_mask_that_removes_everything_is_named_with_its_cell():
    masks = np.ones((4, 2), bool)
    masks[3] = False
    with refused(wf.Contradiction, "the mask at column 1, row 1"):
        wf.generate(CHESS, wf.SquareGrid(2, 2), masks=masks)


@pytest.mark.parametrize("name", ["masks", "weights"])
@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 4), (2, 2, 2), ()])
def test_arrays_of_the_wrong_shape_are_refused_by_name(name, shape):
    with refused(wf.ConfigError, rf"{name} has shape .*\[cell, pattern\] = \(4, 2\)"):
        wf.Problem(CHESS, wf.SquareGrid(2, 2), **{name: np.ones(shape)})


@pytest.mark.parametrize("name", ["masks", "weights"])
@pytest.mark.parametrize("values", [[[1, 1], [1]], {"white": 1}])
def test_values_that_are_not_arrays_are_refused_by_name(name, values):
    with refused(wf.ConfigError, name):
        wf.Problem(CHESS, wf.SquareGrid(2, 2), **{name: values})


@pytest.mark.parametrize("weight", [-0.5, float("nan"), float("inf")])
def test_the_cell_and_tile_of_a_wrong_weight_are_named(weight):
    weights = np.ones((4, 2))
    weights[2, 1] = weight
    with refused(wf.ConfigError, "the weight of 'black' at column 0, row 1 is"):
        wf.Problem(CHESS, wf.SquareGrid(2, 2), weights=weights)


def test_weights_that_are_all_zero_are_refused():
    with refused(wf.ConfigError, "all weights are 0"):
        wf.Problem(CHESS, wf.SquareGrid(2, 2), weights=[0, 0])


def test_weights_that_are_words_are_refused():
    with refused(wf.ConfigError, "weights must be an array"):
        wf.Problem(CHESS, wf.SquareGrid(2, 2), weights=["many", "few"])


def test_an_object_that_is_not_a_constraint_is_refused():
    with refused(wf.ConfigError, r"'four towers' is not a constraint: it has no method prune"):
        wf.Problem(CHESS, wf.SquareGrid(2, 2), constraints=["four towers"])


# --- solver --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"order": "entropi"}, "unknown order 'entropi'; did you mean 'entropy'"),
        ({"search": "backtracking"}, "unknown search 'backtracking'; did you mean 'backtrack'"),
        ({"propagation": "ac5"}, "unknown propagation 'ac5'; did you mean 'ac"),
        ({"undo": "deltas"}, "unknown undo 'deltas'; did you mean 'delta'"),
        ({"order": "x"}, "known: auto, both, domain, entropy, random, scanline, score, spiral"),
        ({"order": 3}, "order must be a function or one of entropy, .*, not 3"),
        ({"search": None}, "unknown search None"),
        ({"order": wf.Heuristics}, "order"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(options, culprit):
    with refused(wf.ConfigError, culprit):
        wf.Solver(wf.Problem(CHESS, wf.SquareGrid(2, 2)), **options)


@pytest.mark.parametrize("seed", ["7", 1.5, None, True, [1]])
def test_a_seed_that_is_not_a_whole_number_is_refused(seed):
    with refused(wf.ConfigError, "a seed is a whole number"):
        wf.Solver(wf.Problem(CHESS, wf.SquareGrid(2, 2)), seed)


def test_every_whole_number_is_a_seed():
    problem = wf.Problem(PIPES, wf.SquareGrid(4, 4))
    seeds = [0, -1, 2**63, 2**64 - 1, -(2**63), 10**40, -(10**40), np.int64(-3), np.uint64(2**64 - 5)]
    maps = {tuple(wf.Solver(problem, seed, "entropy").run().patterns.tolist()) for seed in seeds}
    assert len(maps) == len(seeds) - 2  # two pairs of them have the same 64 bits
    assert wf.Solver(problem, np.int64(5)).seed == 5


@compiled_only
def test_ten_thousand_patterns_with_few_sockets_are_no_trouble(monkeypatch):
    def never(self):
        raise AssertionError("the table of all pairs is 400 MB")

    monkeypatch.setattr(wf.Rules, "allowed", property(never))
    rng = np.random.default_rng(0)
    sides = rng.integers(0, 8, (10_000, 4))
    wf.generate(CHESS, wf.SquareGrid(2, 2))
    tracemalloc.start()
    tiles = wf.TileSet([wf.Tile(f"t{i}", tuple(map(str, row))) for i, row in enumerate(sides.tolist())])
    solution = wf.generate(tiles, wf.SquareGrid(12, 12), order="entropy")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert wf.check(solution.problem, solution) == []
    assert peak < 200e6


@pytest.mark.slow
@compiled_only
def test_auto_order_is_found_in_reasonable_time_for_ten_thousand_patterns():
    sides = np.random.default_rng(1).integers(0, 8, (10_000, 4))
    tiles = wf.TileSet([wf.Tile(f"t{i}", tuple(map(str, row))) for i, row in enumerate(sides.tolist())])
    started = process_time()
    wf.Solver(wf.Problem(tiles, wf.SquareGrid(2, 2)))
    assert process_time() - started < 15


@compiled_only
def test_counting_ten_thousand_patterns_stays_small_too():
    sides = np.random.default_rng(2).integers(0, 3, (10_000, 4))
    tiles = wf.TileSet([wf.Tile(f"t{i}", tuple(map(str, row))) for i, row in enumerate(sides.tolist())])
    problem = wf.Problem(tiles, wf.SquareGrid(3, 3))
    maps = {tuple(wf.Solver(problem, 1, "entropy", each).run().patterns.tolist()) for each in ("ac3", "ac4")}
    assert len(maps) == 1


def test_classes_that_do_not_fit_into_memory_are_refused_before_they_are_listed():
    """As those of 65,536 patterns, more than the propagation for wide sets can number."""
    tiles = wf.learn(np.arange(900).reshape(30, 30), n=2, symmetry=1)
    solver = wf.Solver(wf.Problem(tiles, wf.SquareGrid(4, 4)), propagation="_classes")
    with (
        wf.limit_memory(2_000_000),
        refused(wf.ConfigError, "900 patterns in 900 classes .*use fewer colours, such as 16"),
    ):
        solver.run()


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        (wf.Budget(ms=0), r"the budget was 0 ms\), while setting up; raise the budget"),
        (wf.Budget(decisions=0), "stopped after 0 decisions, with 0 of 64 cells decided; raise the budget"),
    ],
)
def test_a_budget_of_nothing_says_where_it_ended_and_what_to_do(budget, text):
    with refused(wf.OutOfBudget, text):
        wf.generate(PIPES, wf.SquareGrid(8, 8), budget=budget)


def test_a_sample_of_one_colour_is_a_map_of_one_colour_with_a_warning():
    with pytest.warns(wf.TileSetWarning, match="a single colour, and so will every map"):
        tiles = wf.learn(np.full((8, 8, 3), 200, np.uint8))
    assert len(set(map(tuple, wf.generate(tiles, wf.SquareGrid(4, 4)).values.ravel()))) == 1


def test_a_world_too_large_for_one_solve_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr("wavefold.solver.problem.MOST_WORDS", 8)
    with refused(wf.ConfigError, "9 cells .* 2 patterns are too large"):
        wf.Problem(CHESS, wf.SquareGrid(3, 3))
