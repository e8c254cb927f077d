"""A contradiction is a proof: brute force over tiny worlds must agree, in both directions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import problems, seeds, tiny_worlds
from support import CHESS, brute_force, colouring, drawn, pigeons

COMPLETE = ("auto", "backtrack", "exact")
tiny_problems = problems(tiny_worlds)


def is_solvable(problem, **options):
    """Whether the solver finds a map; it must do one or the other, without a budget."""
    options.setdefault("order", "entropy")
    try:
        solution = wf.Solver(problem, **options).run()
    except wf.Contradiction:
        return False
    assert wf.check(problem, solution) == []
    return True


@given(tiny_problems, seeds, st.sampled_from(COMPLETE))
def test_a_contradiction_is_raised_exactly_when_brute_force_finds_nothing(problem, seed, search):
    assert is_solvable(problem, seed=seed, search=search) == bool(brute_force(problem, most=1))


@given(st.data(), tiny_problems, seeds, st.sampled_from(COMPLETE))
def test_the_same_holds_when_tiles_are_counted(data, problem, seed, search):
    names = problem.rules.names
    low = data.draw(st.integers(0, problem.cell_count))
    high = data.draw(st.one_of(st.none(), st.integers(low, problem.cell_count)))
    count = wf.Count(data.draw(st.sampled_from(names)), low, high)
    counted = wf.Problem(
        problem.tiles,
        problem.topology,
        pins={problem.topology.coordinate(pin.cell): pin.name for pin in problem.pins},
        constraints=[count],
        masks=problem.masks,
    )
    assert is_solvable(counted, seed=seed, search=search) == bool(brute_force(counted, most=1))


@given(tiny_problems, seeds)
def test_a_ladder_with_small_budgets_never_claims_a_false_contradiction(problem, seed):
    """Every rung after a single conflict, so that jumps, repairs and restarts all happen."""
    ladder = wf.Ladder(patience=0, jumps=2, repairs=3, radius=0, restarts=2, exact=True)
    assert is_solvable(problem, seed=seed, search=ladder) == bool(brute_force(problem, most=1))


@given(tiny_problems, seeds, st.sampled_from(["backjump", "repair", "restart"]))
def test_incomplete_rungs_raise_no_false_contradiction(problem, seed, search):
    solver = wf.Solver(problem, seed, "entropy", search=search)
    try:
        solution = solver.run(wf.Budget(decisions=300, backtracks=300))
    except wf.Contradiction:
        assert not brute_force(problem, most=1)
    except wf.OutOfBudget:
        pass
    else:
        assert wf.check(problem, solution) == []


def test_every_solution_is_reached_by_some_seed():
    problem = wf.Problem(drawn(" ┌┐└┘─│"), wf.SquareGrid(2, 2, wraps=True))
    expected = set(brute_force(problem))
    found = {tuple(wf.Solver(problem, seed, "entropy").run().patterns.tolist()) for seed in range(400)}
    assert len(expected) > 10
    assert found == expected


@pytest.mark.parametrize("search", COMPLETE)
@pytest.mark.parametrize("size", [(3, 3), (5, 4), (4, 3)])
def test_an_odd_ring_cannot_be_a_chessboard(search, size):
    problem = wf.Problem(CHESS, wf.SquareGrid(*size, wraps=True))
    with pytest.raises(wf.Contradiction, match="the rules alone allow no map"):
        wf.Solver(problem, search=search).run()


@pytest.mark.parametrize("search", COMPLETE)
def test_five_pigeons_do_not_fit_four_holes(search):
    with pytest.raises(wf.Contradiction):
        wf.Solver(pigeons(5), search=search).run()


@pytest.mark.parametrize("search", ["auto", "exact"])
def test_a_disconnected_world_is_proved_impossible_though_one_part_is_easy(search):
    edges = [(a, b) for a in range(4) for b in range(a)] + [(10 + i, 11 + i) for i in range(6)]
    with pytest.raises(wf.Contradiction):
        wf.Solver(wf.Problem(colouring(3), wf.Graph(edges)), search=search).run(20_000)


def test_a_mask_that_leaves_one_way_finds_it():
    masks = np.zeros((9, 2), bool)
    masks[np.arange(9), np.arange(9) % 2] = True
    problem = wf.Problem(CHESS, wf.SquareGrid(3, 3), masks=masks)
    assert wf.Solver(problem).run().patterns.tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0]
