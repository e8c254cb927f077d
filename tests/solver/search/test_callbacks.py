"""Orders, tile choices and generators of the user's own, plain or compiled."""

import pytest

import wavefold as wf
from support import CASTLE, PIPES


def far_first(cell, remaining, entropy, undecided):
    return (remaining << 30) + 1000 - cell + undecided


def odd_first(cell, pattern, weight):
    return weight * 20 if (cell + pattern) % 2 else weight


def poor_random(number):
    return number * 2654435761 + 12345


def problem():
    return wf.Problem(PIPES, wf.SquareGrid(5, 5))


def run(**options):
    return wf.Solver(problem(), 3, **options).run().patterns.tolist()


@pytest.mark.build
@pytest.mark.parametrize(
    ("keyword", "function"), [("order", far_first), ("choice", odd_first), ("random", poor_random)]
)
def test_a_compiled_function_gives_the_same_map_as_a_plain_one(keyword, function):
    numba = pytest.importorskip("numba")
    assert run(**{keyword: numba.njit(function)}) == run(**{keyword: function})


@pytest.mark.parametrize(
    ("keyword", "function"), [("order", far_first), ("choice", odd_first), ("random", poor_random)]
)
def test_a_function_of_the_users_is_valid_and_makes_a_difference(keyword, function):
    order = {"order": "entropy"} | {keyword: function}
    solution = wf.Solver(problem(), 3, **order).run()
    assert wf.check(solution.problem, solution) == []
    assert solution.patterns.tolist() != run(order="entropy")


def test_the_lowest_key_comes_first():
    chosen = []
    solver = wf.Solver(problem(), 0, order=lambda cell, remaining, entropy, undecided: 100 - cell)
    solver.listen(lambda event: chosen.append(event.cell) if event.kind == "chosen" else None)
    solver.run()
    assert chosen == sorted(chosen, reverse=True)


def test_an_order_function_gets_correct_numbers_for_every_cell():
    seen = []

    def order(cell, remaining, entropy, undecided):
        seen.append((cell, remaining, entropy, undecided))
        return remaining

    solver = wf.Solver(problem(), 0, order=order)
    entropies = solver.entropy()
    neighbour = solver.problem.graph.neighbour
    assert sorted(each[0] for each in seen) == list(range(25))
    for cell, remaining, entropy, undecided in seen:
        assert remaining == len(solver.domain(cell))
        assert entropy / 2**20 == pytest.approx(entropies[cell])
        assert undecided == sum(
            other >= 0 and len(solver.domain(int(other))) > 1 for other in neighbour[cell]
        )


def test_a_choice_may_insist_on_one_tile():
    solution = wf.Solver(
        problem(), 0, "entropy", choice=lambda cell, pattern, weight: 10**9 if pattern == 11 else 1
    ).run()
    assert (solution.patterns == 11).mean() > 0.9


def test_a_generator_may_return_any_64_bits():
    for bits in (0, -1, 2**64 - 1, 2**63):
        solution = wf.Solver(problem(), 0, "entropy", random=lambda number, bits=bits: bits).run()
        assert wf.check(solution.problem, solution) == []


def test_heuristics_carry_functions_too():
    order = wf.Heuristics(order=far_first, choice=odd_first)
    assert run(order=order) == run(order=far_first, choice=odd_first)
    assert wf.Solver(problem(), 3, order).stats.order == "far_first"


class Mishap(Exception):
    """Raised on purpose."""


def failing_after(calls, answer=7):
    """A function that raises once, later."""
    left = [calls]

    def function(*numbers):
        left[0] -= 1
        if left[0] == 0:
            raise Mishap("on purpose")
        return answer

    return function


@pytest.mark.parametrize("keyword", ["order", "choice", "random"])
def test_an_error_in_a_function_reaches_the_caller_unchanged(keyword):
    calls = {"order": 60, "choice": 20, "random": 4}[keyword]
    solver = wf.Solver(problem(), **({"order": "entropy"} | {keyword: failing_after(calls)}))
    with pytest.raises(Mishap, match="on purpose"):
        solver.run()


@pytest.mark.parametrize("keyword", ["order", "choice", "random"])
def test_after_an_error_in_a_function_the_solver_goes_on(keyword):
    calls = {"order": 60, "choice": 20, "random": 4}[keyword]
    solver = wf.Solver(problem(), **({"order": "entropy"} | {keyword: failing_after(calls)}))
    with pytest.raises(Mishap):
        solver.run()
    assert wf.check(solver.problem, solver.run()) == []


def step_often(solver):
    for _ in range(200):
        solver.step()


@pytest.mark.parametrize("keyword", ["order", "choice", "random"])
def test_after_an_error_in_a_function_stepping_goes_on(keyword):
    calls = {"order": 60, "choice": 20, "random": 4}[keyword]
    solver = wf.Solver(problem(), **({"order": "entropy"} | {keyword: failing_after(calls)}))
    with pytest.raises(Mishap):
        step_often(solver)
    for _ in range(200):
        if solver.step() == "solved":
            break
    assert solver.status == "solved"


def test_an_error_while_a_solve_is_set_up_is_raised_there():
    solver = wf.Solver(problem(), order=failing_after(3))
    with pytest.raises(Mishap):
        solver.run()


def test_an_error_in_a_listener_or_a_progress_callback_leaves_the_solver_usable():
    def fail(*_):
        raise Mishap

    solver = wf.Solver(wf.Problem(CASTLE, wf.SquareGrid(5, 5)), 1, "entropy")
    stop = solver.listen(fail)
    with pytest.raises(Mishap):
        solver.run()
    stop()
    with pytest.raises(Mishap):
        solver.run(3, fail)
    assert wf.check(solver.problem, solver.run()) == []


@pytest.mark.parametrize("answer", ["many", None])
def test_an_answer_that_is_no_number_is_an_error(answer):
    with pytest.raises((TypeError, ValueError)):
        wf.Solver(problem(), order=lambda *numbers: answer).run()


def test_an_answer_beyond_64_bits_is_an_error():
    with pytest.raises(OverflowError, match="64 bits"):
        wf.Solver(problem(), order=lambda *numbers: 2**70).run()


def test_what_is_no_function_is_refused():
    with pytest.raises(wf.ConfigError, match="choice must be a function"):
        wf.Solver(problem(), choice=7)
