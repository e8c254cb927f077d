"""Stepping, undoing, pinning and banning by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import problems, seeds
from support import (
    CASTLE,
    CHESS,
    PIPES,
    WORLDS,
    colouring,
    domains_of,
    pigeons,
    propagate_slowly,
    stepped_until,
)


def pipes(side=5):
    return wf.Problem(PIPES, wf.SquareGrid(side, side))


# --- undo ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("undo", ["delta", "snapshot"])
def test_undo_undoes_exactly_one_decision(world, undo):
    solver = wf.Solver(WORLDS[world](), 1, "entropy", search="backtrack", undo=undo)
    moments = []
    while len(moments) < 8 and solver.status == "open":
        moments.append(domains_of(solver))
        if solver.step() == "contradiction" or solver.stats.backtracks:
            break
    else:
        while moments:
            solver.undo()
            assert domains_of(solver) == moments.pop()
        assert solver.status == "open"


@pytest.mark.parametrize("propagation", ["_tables", "_classes", "ac4", "naive"])
def test_after_undoing_everything_the_map_can_still_be_finished(propagation):
    solver = wf.Solver(wf.Problem(CASTLE, wf.SquareGrid(6, 6)), 1, "entropy", propagation)
    for _ in range(6):
        solver.step()
    for _ in range(6 - solver.stats.backtracks):
        solver.undo()
    assert wf.check(solver.problem, solver.run()) == []


def test_undo_in_a_contradiction_undoes_the_decision_that_led_to_it():
    solver = wf.Solver(pigeons(5), search="exact")
    moments = []
    while solver.status == "open":
        moments.append(domains_of(solver))
        solver.step()
    assert solver.status == "contradiction"
    solver.undo()
    assert solver.status == "open"
    assert domains_of(solver) == moments[-1]


def test_undo_without_a_decision_is_refused():
    solver = wf.Solver(pipes(), 0, "entropy")
    with pytest.raises(wf.WavefoldError, match="there is no decision to undo"):
        solver.undo()
    solver.step()
    solver.undo()
    with pytest.raises(wf.WavefoldError, match="there is no decision to undo"):
        solver.undo()


def test_undo_goes_back_no_further_than_a_repair_and_says_so():
    ladder = wf.Ladder(patience=0, repairs=10**6)
    problem = wf.Problem(CASTLE, wf.SquareGrid(10, 10))
    solver = stepped_until(lambda solver: solver.stats.repairs, problem, ladder)
    for _ in range(solver.partial().problem.cell_count):
        try:
            solver.undo()
        except wf.WavefoldError:
            break
    with pytest.raises(wf.WavefoldError, match="a local repair made the decided cells final"):
        solver.undo()


def test_a_solved_map_can_be_undone_and_solved_again():
    solver = wf.Solver(pipes(), 3, "entropy")
    solver.run()
    for _ in range(5):
        solver.undo()
    assert solver.status == "open"
    with pytest.raises(wf.WavefoldError, match="no solution yet"):
        solver.solution()
    assert wf.check(solver.problem, solver.run()) == []


# --- pin and ban ---------------------------------------------------------------------------------


@pytest.mark.parametrize("undo", ["delta", "snapshot"])
@pytest.mark.parametrize("propagation", ["_tables", "_classes", "ac4", "naive"])
@pytest.mark.parametrize("world", WORLDS)
def test_pins_and_bans_at_any_moment_are_kept_to_the_end(world, propagation, undo):
    problem = WORLDS[world]()
    solver = wf.Solver(problem, 2, "entropy", propagation, undo=undo)
    rng = np.random.default_rng(5)
    wishes = []
    for _ in range(4):
        solver.step()
        if solver.status == "contradiction":
            solver.step()
        cell = int(rng.integers(problem.cell_count))
        place = problem.topology.coordinate(cell)
        name = str(rng.choice(solver.domain(place)))
        named = {problem.rules.names[pattern] for pattern in problem.patterns_named(name)}
        try:
            if rng.random() < 0.5:
                solver.pin(place, name)
                wishes.append((cell, named, True))
                assert set(solver.domain(place)) <= named
            else:
                solver.ban(place, name)
                wishes.append((cell, named, False))
                assert not named & set(solver.domain(place))
        except wf.Contradiction:
            assert name in solver.domain(place)
    try:
        solution = solver.run(3000)
    except wf.Contradiction:
        assert world in ("petersen", "chess")
        return
    assert wf.check(problem, solution) == []
    names = [problem.rules.names[pattern] for pattern in solution.patterns]
    assert all((names[cell] in named) == is_pin for cell, named, is_pin in wishes)


def test_a_pin_draws_its_consequences_at_once():
    solver = wf.Solver(pipes(), 0, "entropy")
    before = domains_of(solver)
    solver.pin((2, 2), "┼")
    before[12] = {11}
    assert domains_of(solver) == propagate_slowly(solver.problem, before)


def test_decisions_stay_in_force_when_something_is_pinned():
    solver = wf.Solver(pipes(), 0, "entropy")
    for _ in range(3):
        solver.step()
    decided = {cell: solver.domain(cell) for cell in range(25) if solver.state(cell) == "collapsed"}
    assert len(decided) == 3
    far = next(cell for cell in reversed(range(25)) if solver.state(cell) == "open")
    solver.pin(far, solver.domain(far)[0])
    assert all(solver.domain(cell) == names for cell, names in decided.items())
    assert solver.stats.decisions == 3
    for _ in range(3):
        solver.undo()
    assert len(solver.domain(far)) == 1


def test_pins_are_respected_after_undo_and_restarts():
    ladder = wf.Ladder(patience=0, restarts=10**6)
    solver = wf.Solver(wf.Problem(CASTLE, wf.SquareGrid(8, 8)), 0, "entropy", search=ladder)
    solver.step()
    solver.pin((7, 7), "daac")
    solver.ban((0, 0), "abca")
    solver.undo()
    assert all(name.startswith("daac") for name in solver.domain((7, 7)))
    assert not any(name.startswith("abca") for name in solver.domain((0, 0)))
    for seed in range(4):
        solver = wf.Solver(wf.Problem(CASTLE, wf.SquareGrid(8, 8)), seed, "entropy", search=ladder)
        solver.pin((7, 7), "daac")
        solver.ban((0, 0), "abca")
        values = solver.run(30_000).values
        assert values[7, 7] == "daac"
        assert values[0, 0] != "abca"


@pytest.mark.parametrize("act", ["pin", "ban"])
def test_what_is_impossible_is_refused_and_changes_nothing(act):
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(4, 4), pins={(0, 0): "white"}))
    before = domains_of(solver)
    with pytest.raises(wf.Contradiction, match="column 1, row 0 leaves no pattern") as caught:
        solver.pin((1, 0), "white") if act == "pin" else solver.ban((1, 0), "black")
    assert caught.value.cell == 1
    assert domains_of(solver) == before
    assert solver.status in ("open", "solved")
    assert wf.check(solver.problem, solver.run()) == []


def test_a_refusal_names_the_decisions_in_force():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(4, 4)), 0)
    solver.step()
    other = {"white": "black", "black": "white"}[solver.domain((2, 2))[0]]
    with pytest.raises(wf.Contradiction, match="with the 1 decision in force; undo some first"):
        solver.pin((2, 2), other)
    solver.undo()
    solver.pin((2, 2), other)
    assert solver.run().values[2, 2] == other


def test_a_refusal_in_the_middle_of_a_contradiction_changes_nothing():
    solver = wf.Solver(pigeons(5), search="exact")
    while solver.step() != "contradiction":
        pass
    before = domains_of(solver)
    decided = next(cell for cell in range(5) if solver.state(cell) == "collapsed")
    with pytest.raises(wf.Contradiction):
        solver.ban(decided, solver.domain(decided)[0])
    assert solver.status == "contradiction"
    assert domains_of(solver) == before


def test_pinning_does_not_hide_that_the_problem_is_impossible():
    problem = wf.Problem(CHESS, wf.SquareGrid(4, 1), pins={(0, 0): "white", (1, 0): "white"})
    solver = wf.Solver(problem)
    with pytest.raises(wf.Contradiction):
        solver.pin((3, 0), "black")
    with pytest.raises(wf.Contradiction, match="these 2 cannot hold together"):
        solver.run()


def test_bans_that_leave_no_map_are_proved_and_not_denied():
    """Each ban alone is consistent; together they leave a triangle two colours."""
    solver = wf.Solver(wf.Problem(colouring(3), wf.Graph([(0, 1), (1, 2), (0, 2)])))
    for cell in range(3):
        solver.ban(cell, "c2")
    with pytest.raises(wf.Contradiction) as caught:
        solver.run()
    assert caught.value.explanation.contradictory
    assert "there is no contradiction" not in str(caught.value)


def test_a_tile_name_pins_any_of_its_patterns_and_a_pattern_name_exactly_one():
    solver = wf.Solver(wf.Problem(CASTLE, wf.SquareGrid(3, 3)), order="entropy")
    solver.pin((0, 0), "abca")
    assert {name.partition("@")[0] for name in solver.domain((0, 0))} == {"abca"}
    assert len(solver.domain((0, 0))) > 1
    solver.pin((2, 2), "daac@90")
    assert solver.domain((2, 2)) == ["daac@90"]
    solver.ban((1, 1), ["abca", "daac"])
    assert not {"abca", "daac"} & {name.partition("@")[0] for name in solver.domain((1, 1))}


def test_unknown_tiles_and_cells_are_refused_by_name():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3)))
    with pytest.raises(wf.TileSetError, match="did you mean 'white'"):
        solver.pin((0, 0), "wite")
    with pytest.raises(wf.ConfigError, match="column 3, row 0"):
        solver.ban((3, 0), "white")
    with pytest.raises(wf.ConfigError, match="there is no cell 9"):
        solver.domain(9)


@given(problems(), seeds, st.integers(0, 10**6))
def test_pins_refutations_and_undo_never_lose_a_solution(problem, seed, salt):
    """Whatever is steered, what run gives in the end is valid and keeps every pin that was accepted."""
    solver = wf.Solver(problem, seed, "entropy")
    if solver.status != "open":
        return
    rng = np.random.default_rng(salt)
    pinned = {}
    for _ in range(6):
        action = int(rng.integers(3))
        if action == 0 and solver.status in ("open", "contradiction"):
            solver.step()
        elif action == 1:
            try:
                solver.undo()
            except wf.Contradiction:
                raise
            except wf.WavefoldError:
                continue
        elif solver.status == "open":
            cell = int(rng.integers(problem.cell_count))
            place = problem.topology.coordinate(cell)
            name = str(rng.choice(solver.domain(place)))
            try:
                solver.pin(place, name)
                pinned[cell] = problem.patterns_named(name)
            except wf.Contradiction:
                continue
    try:
        solution = solver.run(500)
    except (wf.Contradiction, wf.OutOfBudget):
        return
    assert wf.check(problem, solution) == []
    assert all(solution.patterns[cell] in patterns for cell, patterns in pinned.items())


# --- looking -------------------------------------------------------------------------------------


def test_a_cell_is_open_then_collapsed_then_open_again():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 1)), 0, "scanline")
    assert [solver.state(cell) for cell in range(3)] == ["open"] * 3
    solver.step()
    assert [solver.state(cell) for cell in range(3)] == ["collapsed", "single", "single"]
    assert solver.status == "solved"
    solver.undo()
    assert [solver.state(cell) for cell in range(3)] == ["open"] * 3
    assert solver.domain((1, 0)) == ["white", "black"]


def test_a_pinned_cell_is_collapsed_whether_pinned_before_or_later():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 1), pins={(0, 0): "white"}))
    assert solver.state((0, 0)) == "collapsed"
    assert solver.state((1, 0)) == "single"
    solver.pin((2, 0), "white")
    assert solver.state((2, 0)) == "collapsed"


def test_a_cell_with_nothing_left_is_empty():
    solver = wf.Solver(pigeons(4), search="exact")
    while solver.step() != "contradiction":
        pass
    assert "empty" in [solver.state(cell) for cell in range(4)]


def test_a_pinned_cell_stays_collapsed_through_repairs_and_restarts():
    problem = wf.Problem(CASTLE, wf.SquareGrid(8, 8), pins={(0, 0): "abca@90"})
    for ladder in (wf.Ladder(patience=0, repairs=10**6, radius=30), wf.Ladder(patience=0, restarts=10**6)):
        solver = stepped_until(lambda solver: solver.stats.repairs + solver.stats.restarts, problem, ladder)
        assert solver.state((0, 0)) == "collapsed"


def test_a_cell_pinned_later_stays_collapsed_through_repairs_and_restarts():
    problem = wf.Problem(CASTLE, wf.SquareGrid(8, 8))

    for ladder in (wf.Ladder(patience=0, repairs=10**6, radius=30), wf.Ladder(patience=0, restarts=10**6)):
        for seed in range(40):
            solver = wf.Solver(problem, seed, "entropy", search=ladder)
            solver.pin((7, 7), "daac@90")
            while solver.step() != "solved" and not solver.stats.repairs + solver.stats.restarts:
                pass
            if solver.status != "solved":
                break
        assert solver.status != "solved"
        assert solver.state((7, 7)) == "collapsed"


def test_the_status_follows_the_search():
    solver = wf.Solver(pigeons(4), search="exact")
    seen = {solver.status}
    for _ in range(100):
        seen.add(solver.step())
    assert seen == {"open", "contradiction", "impossible"}


def test_a_step_after_the_end_changes_nothing():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3)))
    assert solver.step() == "solved"
    before = solver.stats.decisions
    assert solver.step() == "solved"
    assert solver.stats.decisions == before


def test_decided_cells_have_no_entropy():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3)))
    assert solver.entropy() == pytest.approx(np.log(2), abs=1e-5)
    solver.step()
    assert (solver.entropy() == 0).all()


def test_setup_time_and_search_time_are_separate():
    seconds = wf.Solver(pipes(), 0, "entropy").run().stats.seconds
    assert set(seconds) == {"setup", "search", "ladder"}
    assert all(value >= 0 for value in seconds.values())


def test_pins_and_bans_made_on_the_way_hold_for_the_finished_map_and_when_it_is_refined():
    problem = wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(10, 8))
    solver = wf.Solver(problem, seed=3)
    solver.step()
    names = problem.rules.tiles
    solver.pin((4, 4), names[1])
    solver.ban((7, 2), names[0])
    solution = solver.run()
    refined = solution.refine(4)
    for each in (solution, refined):
        assert wf.check(each.problem, each) == []
        assert problem.rules.tile_of[each.array[4, 4]] == 1
        assert problem.rules.tile_of[each.array[2, 7]] != 0
