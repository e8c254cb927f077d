"""Why nothing fits: minimal, and in the author's words."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import problems, seeds, tiny_worlds
from support import (
    CHESS,
    HEX_RIVERS,
    LOOPS,
    PIPES,
    brute_force,
    colouring,
    compiled_only,
    everything_touches,
    pigeons,
)
from wavefold.solver.explanation import explain as explain_within


def explain(problem):
    return wf.Solver(problem, order="scanline").explain()


def with_requirements(problem, requirements):
    """The problem with only these of its requirements."""
    topology = problem.topology
    masks = None
    masked = {each.cell for each in requirements if each.kind == "mask"}
    if masked:
        masks = np.ones((problem.cell_count, len(problem.rules)), bool)
        every = np.broadcast_to(problem.masks, masks.shape)
        for cell in masked:
            masks[cell] = every[cell]
    return wf.Problem(
        problem.tiles,
        topology,
        pins={topology.coordinate(each.cell): each.item.name for each in requirements if each.kind == "pin"},
        constraints=[each.item for each in requirements if each.kind == "constraint"],
        masks=masks,
    )


def assert_minimal(problem, explanation):
    """Together they are impossible; without any one of them a map exists."""
    requirements = explanation.requirements
    assert not brute_force(with_requirements(problem, requirements), most=1)
    for each in requirements:
        rest = [other for other in requirements if other is not each]
        assert brute_force(with_requirements(problem, rest), most=1), f"{each.text} is not needed"


def test_two_pins_far_apart_that_conflict_are_named_with_their_places():
    pins = {(0, 0): "white", (3, 0): "black", (8, 0): "black"}
    explanation = explain(wf.Problem(CHESS, wf.SquareGrid(9, 2), pins=pins))
    assert explanation.contradictory
    assert explanation.proved
    assert len(explanation.requirements) == 2
    text = str(explanation)
    assert "the pin 'black' at column 8, row 0" in text
    assert "these 2 cannot hold together" in text
    assert explanation.cells[-1] == 8


def test_leaving_one_pin_out_is_a_remedy_only_if_the_rest_can_hold():
    pins = {(0, 0): "white", (1, 0): "white", (2, 0): "white", (3, 0): "black"}
    explanation = explain(wf.Problem(CHESS, wf.SquareGrid(4, 1), pins=pins))
    assert len(explanation.requirements) == 2
    assert len(explanation.remedies) == 2
    assert "without it there is another contradiction" in explanation.remedies or (
        "without it a map exists" in explanation.remedies
    )


def test_a_remedy_that_works_says_that_a_map_exists():
    explanation = explain(wf.Problem(CHESS, wf.SquareGrid(3, 1), pins={(0, 0): "white", (2, 0): "black"}))
    assert explanation.remedies == ("without it a map exists",) * 2


def test_as_data_cells_are_numbers_or_what_they_are_located_as():
    problem = wf.Problem(CHESS, wf.SquareGrid(3, 1), pins={(0, 0): "white", (2, 0): "black"})
    data = explain(problem).to_dict()
    assert [(each["kind"], each["cell"]) for each in data["requirements"]] == [("pin", 0), ("pin", 2)]
    assert {each["remedy"] for each in data["requirements"]} == {"without it a map exists"}
    assert explain(problem).to_dict(problem.topology.coordinate)["requirements"][1]["cell"] == (2, 0)


def test_a_mask_that_removes_everything_is_named_with_its_cell():
    masks = np.ones((4, 2), bool)
    masks[2] = False
    explanation = explain(wf.Problem(CHESS, wf.SquareGrid(4, 1), masks=masks))
    (each,) = explanation.requirements
    assert each.kind == "mask"
    assert each.cell == 2
    assert "the mask at column 2, row 0 (allows nothing) alone contradicts the rules" in str(explanation)


def test_a_mask_for_all_cells_that_removes_everything_is_explained():
    explanation = explain(wf.Problem(CHESS, wf.SquareGrid(2, 2), masks=[False, False]))
    assert len(explanation.requirements) == 1
    assert "allows nothing" in str(explanation)


def test_rules_that_allow_no_map_are_blamed_alone():
    explanation = explain(wf.Problem(CHESS, wf.SquareGrid(3, 4, wraps=True), pins={(0, 0): "white"}))
    assert explanation.requirements == ()
    assert explanation.contradictory
    assert "the rules alone allow no map" in str(explanation)
    assert "change the size or the wrapping" in str(explanation)


def test_a_tile_without_neighbours_is_named_with_the_side():
    tiles = wf.TileSet([wf.Tile("post", (*"abcd",))])
    text = str(explain(wf.Problem(tiles, wf.SquareGrid(2, 1))))
    assert "nothing fits 'post' to the east" in text


def test_a_count_that_cannot_be_met_is_named():
    count = wf.Count("white", at_least=4)
    explanation = explain(wf.Problem(CHESS, wf.SquareGrid(3, 2), constraints=[count]))
    (each,) = explanation.requirements
    assert each.kind == "constraint"
    assert each.text == """the constraint "'white' must appear at least 4 times\""""
    assert each.text in str(explanation)


def test_a_count_and_a_pin_that_conflict_are_named_together():
    problem = wf.Problem(
        CHESS, wf.SquareGrid(3, 1), pins={(0, 0): "white"}, constraints=[wf.Count("white", at_most=1)]
    )
    explanation = explain(problem)
    assert {each.kind for each in explanation.requirements} == {"pin", "constraint"}
    assert_minimal(problem, explanation)


def test_where_nothing_contradicts_the_explanation_says_so():
    explanation = explain(wf.Problem(CHESS, wf.SquareGrid(3, 3), pins={(0, 0): "white"}))
    assert not explanation.contradictory
    assert explanation.proved
    assert "a map exists" in str(explanation)


@given(problems(tiny_worlds), seeds, st.booleans())
def test_explanations_are_minimal_by_brute_force(problem, seed, counted):
    if counted:
        names = problem.rules.names
        problem = wf.Problem(
            problem.tiles,
            problem.topology,
            pins={problem.topology.coordinate(pin.cell): pin.name for pin in problem.pins},
            constraints=[wf.Count(names[seed % len(names)], at_most=1)],
            masks=problem.masks,
        )
    solvable = bool(brute_force(problem, most=1))
    explanation = explain(problem)
    assert explanation.contradictory == (not solvable)
    assert explanation.proved
    if not solvable and brute_force(with_requirements(problem, ()), most=1):
        assert_minimal(problem, explanation)


def test_the_error_of_a_run_carries_the_explanation_and_a_cell():
    problem = wf.Problem(LOOPS, wf.SquareGrid(3, 1, wraps=True), pins={(0, 0): "─", (2, 0): "│"})
    with pytest.raises(wf.Contradiction, match="the pin '─' at column 0, row 0") as caught:
        wf.Solver(problem).run()
    assert caught.value.explanation.contradictory
    assert caught.value.cell in (0, 2)


@compiled_only
def test_a_proved_contradiction_is_never_denied_by_its_message():
    """The search that explains has a limit; the one that proved has not."""
    with pytest.raises(wf.Contradiction) as caught:
        wf.Solver(pigeons(8), search="exact").run()
    assert "no contradiction was found" not in str(caught.value)
    assert "there is no contradiction" not in str(caught.value)


def test_pins_on_a_graph_are_named_by_its_own_cells():
    graph = wf.Graph([("Oslo", "Bergen")])
    pins = {"Oslo": "c0", "Bergen": "c0"}
    text = str(explain(wf.Problem(colouring(2), graph, pins=pins)))
    assert "'Oslo'" in text
    assert "'Bergen'" in text


def test_a_pin_to_several_tiles_is_shown_as_such():
    pins = {(0, 0): ["white", "black"], (1, 0): "white", (2, 0): ["white"]}
    text = str(explain(wf.Problem(CHESS, wf.SquareGrid(3, 1), pins=pins)))
    assert "the pin 'white' at column 1, row 0" in text
    assert "column 0" not in text
    either = {(0, 0): ["┌", "┐"], (1, 0): ["└", "│"]}
    text = str(explain(wf.Problem(LOOPS, wf.SquareGrid(2, 1, wraps=True), pins=either)))
    assert "'┌' or '┐'" in text


def test_a_pin_to_no_tile_at_all_contradicts_alone():
    explanation = explain(wf.Problem(CHESS, wf.SquareGrid(2, 1), pins={(0, 0): []}))
    assert [each.cell for each in explanation.requirements] == [0]


def test_an_explanation_ends_when_its_time_is_up(monkeypatch):
    ticks = itertools.count()
    monkeypatch.setattr("wavefold.solver.budget.perf_counter", lambda: next(ticks) / 1000)
    monkeypatch.setattr("wavefold.kernels.constants.WORK_SLICE", 40)
    problem = wf.Problem(CHESS, wf.SquareGrid(7, 7), pins={(0, 0): "white", (6, 5): "white", (3, 3): "black"})
    assert explain(problem).contradictory
    hasty = explain_within(problem, proved=True, ms=3)
    assert hasty.contradictory
    assert not hasty.proved
    assert str(hasty).startswith("nothing fits; the search for the reason stopped after 3 ms")


def test_a_ground_that_does_not_fit_is_called_the_ground():
    sample = np.array([[0, 0, 0], [0, 0, 0], [1, 2, 3]])  # 3 is never beside 3
    problem = wf.Problem(wf.learn(sample, n=2, symmetry=1, ground=True), wf.SquareGrid(4, 3))
    explanation = explain(problem)
    assert "the ground at column" in str(explanation)
    assert "the mask" not in str(explanation)


# --- constraints that contradict each other, pins or masks: named, and no more than it takes ------


TWO = everything_touches([1, 1])


@pytest.mark.parametrize(
    ("constraints", "pins", "culprits"),
    [
        ([wf.Border("t1"), wf.MaxRun("t1", 2), wf.Room("t0", 2)], {}, [0, 1]),
        ([wf.Mirror(), wf.Count("t1", 2, 3), wf.Area("t1", (0, 0, 2, 2))], {}, [1, 2]),
        ([wf.Separation("t1", 3), wf.Room("t1", 2), wf.Count("t1", 1)], {}, [0, 1, 2]),
        ([wf.Parallel("t1", 0), wf.Count("t0", 0, 3), wf.Mirror()], {}, [0, 1]),
        ([wf.Room("t1", 3), wf.Separation("t0", 2)], {(0, 0): "t1", (1, 0): "t0", (0, 1): "t0"}, [0]),
        ([wf.Rotational(2), wf.Count("t1", 9)], {(0, 0): "t1", (3, 3): "t0"}, [0]),
        ([wf.Slope(np.arange(16), "t1", 1), wf.Count("t0", 2)], {(0, 0): "t1", (0, 1): "t1"}, [0]),
        ([wf.PairSeparation("t0", "t1", 2), wf.Count("t1", 2)], {(2, 2): "t1", (3, 3): "t0"}, [0]),
    ],
)
def test_a_smallest_set_that_cannot_hold_is_named(constraints, pins, culprits):
    problem = wf.Problem(TWO, wf.SquareGrid(4, 4), pins=pins, constraints=constraints)
    with pytest.raises(wf.Contradiction) as caught:
        wf.Solver(problem, search="exact").run()
    explanation = caught.value.explanation
    named = [each.item for each in explanation.requirements if each.kind == "constraint"]
    assert [constraints.index(each) for each in named] == culprits
    for each in named:
        assert each.message() in str(caught.value)
    for left_out in explanation.requirements:  # the rest can hold
        rest = [each for each in explanation.requirements if each is not left_out]
        kept = {problem.topology.coordinate(each.cell): each.item.name for each in rest if each.kind == "pin"}
        others = [each.item for each in rest if each.kind == "constraint"]
        fewer = wf.Problem(TWO, problem.topology, pins=kept, constraints=others)
        assert wf.check(fewer, wf.Solver(fewer, search="exact").run()) == []


def test_a_constraint_alone_may_contradict_the_rules():
    problem = wf.Problem(LOOPS, wf.SquareGrid(3, 3), constraints=[wf.Border("┌", "west")])
    with pytest.raises(wf.Contradiction, match=r"the constraint \".*at the west edge of the map\" alone"):
        wf.Solver(problem).run()


def test_a_checked_map_says_which_constraint_fails_and_where():
    problem = wf.Problem(PIPES, wf.SquareGrid(4, 3), constraints=[wf.Border(" ", "north"), wf.MaxRun("─", 1)])
    free = wf.Solver(problem.replace(constraints=()), 5).run()
    texts = [each.text for each in wf.check(problem, free) if each.kind == "constraint"]
    assert any("' ' must be everywhere at the north edge of the map; wrong: column" in text for text in texts)


@pytest.mark.parametrize(
    "constraints",
    [
        [wf.Border(" ")],
        [wf.Separation("┼", 3), wf.Count("┼", 1, 4)],
        [wf.Room(" ", 2), wf.MaxRun("│", 2)],
    ],
    ids=repr,
)
def test_repaired_maps_satisfy_constraints(constraints):
    problem = wf.Problem(PIPES, wf.SquareGrid(7, 6), constraints=constraints)
    for seed in range(3):
        broken = wf.Solver(problem, seed).run().patterns.copy()
        broken[np.random.default_rng(seed).integers(0, 42, 5)] = PIPES.rules.names.index("┼")
        repaired = wf.repair(problem, broken, seed=seed)
        assert wf.check(problem, repaired.solution) == []


def test_every_search_respects_constraints():
    constraints = [wf.Separation("spring", 3), wf.Border("land", "east"), wf.Room("land", 2)]
    problem = wf.Problem(HEX_RIVERS, wf.HexGrid(3), constraints=constraints)
    for search in ("auto", "backtrack", "backjump", "repair", "restart", "exact"):
        assert wf.check(problem, wf.Solver(problem, 2, search=search).run(20_000)) == []
