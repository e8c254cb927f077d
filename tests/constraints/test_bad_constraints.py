"""Constraints that are given wrongly are refused with advice; and how constraints compare."""

import numpy as np
import pytest

import wavefold as wf
from support import CHESS, PIPES, everything_touches
from wavefold.cli.constraint_options import read_flags
from wavefold.tiles import Relation

HUGE = 10**30
CASTLE = wf.TileSet.load("castle")


def refuse(constraint, culprit, tiles=PIPES, error=wf.ConfigError):
    with pytest.raises(error, match=culprit) as caught:
        wf.Problem(tiles, wf.SquareGrid(6, 6), constraints=[constraint])
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("kind", [wf.Connected, wf.Loop, wf.Acyclic])
@pytest.mark.parametrize(
    ("sides", "culprit"), [(5, "must be sockets such as"), ([5], "must be sockets such as"), ([], "empty")]
)
def test_sides_are_names(kind, sides, culprit):
    refuse(kind(sides=sides), culprit, CASTLE)


def test_sides_of_tiles_and_axes_are_names():
    refuse(wf.Connected(sides={"┼": 5}), "sides of '┼' must be a list")
    refuse(wf.MaxRun("┼", 3, axis=["x"]), "there is no axis")


@pytest.mark.parametrize("joins", [5, "a", (0, 5), [0, 5]])
def test_cells_to_join_are_coordinates_where_there_are_any(joins):
    refuse(wf.Connected("┼", joins=joins), r"as \[\(0, 5\)")


def test_starts_and_goals_in_lists_are_coordinates_where_there_are_any():
    refuse(wf.Reach([0, 5], (1, 1), tiles="┼"), r"as \[\(0, 5\)\]")
    wf.Problem(PIPES, wf.SquareGrid(6, 6), constraints=[wf.Reach(0, [(1, 1)], tiles="┼")])


def test_cells_of_graphs_have_numbers():
    graph = wf.Graph([(0, 1), (1, 2), (2, 3), (0, 3)])
    anything = Relation.from_allowed(np.ones((2, 2), bool))
    wf.Problem(wf.Rules(["t0", "t1"], [anything] * 2), graph, constraints=[wf.Connected("t0", joins=[0, 2])])


@pytest.mark.parametrize(
    "constraint",
    [
        wf.MaxRun("t0", HUGE),
        wf.Parallel("t0", HUGE),
        wf.Count("t0", 0, HUGE),
        wf.Room("t0", 1, HUGE),
        wf.Reach("t0", "t0", HUGE, tiles=["t0", "t1"]),
    ],
    ids=repr,
)
def test_numbers_beyond_any_map_limit_nothing(constraint):
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(4, 4), constraints=[constraint])
    free = wf.Solver(problem.replace(constraints=()), 3).run()
    assert (wf.Solver(problem, 3).run().array == free.array).all()
    if not isinstance(constraint, wf.Reach):  # which cannot be refined
        assert wf.check(problem, wf.Solver(problem, 3).run().refine(1)) == []


def test_more_than_any_map_has_is_a_contradiction():
    with pytest.raises(wf.Contradiction):
        wf.generate(everything_touches([1, 1]), wf.SquareGrid(4, 4), constraints=[wf.Count("t0", HUGE)])


def test_a_class_is_not_a_constraint():
    refuse(wf.Border, r"Border is a class.*Border\(")
    with pytest.raises(wf.TileSetError, match="is a class"):
        wf.TileSet(CHESS.tiles, constraints=[wf.Border])


NAN, INFINITE = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("area", "culprit"),
    [
        (np.ones((6, 6), int), r"\.astype\(bool\)"),
        (np.ones(36), r"\.astype\(bool\)"),
        (np.ones((99, 99), np.int64), r"an array \(99, 99\) of int64 is not an area"),
        ([[1] * 99] * 99, "not an area"),
        ([(0, 0), (NAN, 1), (3, 3)], "not NaN"),
        ([(0, 0), (INFINITE, 1), (3, 3)], "reaches outside of the map"),
        ([(0, 0), (10**400, 1), (3, 3)], "reaches outside of the map"),
        (
            [(0, 0), (8, 0), (3, 3)],
            r"of 3 corners reaches outside of the map; cells range from \(0, 0\) to \(5, 5\)",
        ),
        ([(20, 20), (28, 20), (20, 28)], "reaches outside of the map"),
        ((0, 0, HUGE, 1), "reaches outside of the map"),
    ],
)
def test_areas_that_are_none_are_refused(area, culprit):
    refuse(wf.Area("┼", area), culprit)


def test_corners_may_be_at_the_edge_of_the_outermost_cells():
    area = wf.Area("┼", [(0, 0), (6, 0), (6, 6), (-0.5, 6)])
    wf.Problem(PIPES, wf.SquareGrid(6, 6), constraints=[area])


def test_empty_lists_are_refused():
    with pytest.raises(wf.ConfigError, match="side must be a side"):
        wf.Border("┼", side=[])
    for constraint in (wf.Area([], (0, 0, 1, 1)), wf.Border(()), wf.Count([], 1), wf.Connected([])):
        refuse(constraint, "at least one tile")


def test_fields_of_slopes_are_advised_for_files_too():
    refuse(wf.Slope("height", "┼", 0.1), r"\[fields\] in the configuration")


def test_keys_are_not_repeated():
    with pytest.raises(wf.ConfigError, match=r"'tile' twice.*tile=a,b"):
        read_flags({"constraint": ["border tile=wall tile=lamp"]})


def test_constraints_are_equal_if_what_they_are_given_is():
    mask = np.eye(3, dtype=bool)
    pairs = [
        lambda: wf.Area("a", mask.copy()),
        lambda: wf.Area("a", ~mask),
        lambda: wf.Area("a", mask.tolist()),
        lambda: wf.Area("a", mask, ban=True),
        lambda: wf.Connected(tiles=["a"]),
        lambda: wf.Connected(sides={"bend": ["north", "east"]}),
        lambda: wf.Reach((0, 5), "b"),
        lambda: wf.Reach([0, 5], "b"),
        lambda: wf.Separation("a", 5),
        lambda: wf.MaxRun("a", 5),
        lambda: wf.Parallel("a", 5),
    ]
    for number, make in enumerate(pairs):
        assert hash(make()) == hash(make())
        assert [make() == other() for other in pairs] == [number == each for each in range(len(pairs))]
    assert wf.Separation("a", 5) != "a"
