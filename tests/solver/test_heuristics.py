"""Which cell next: every order and every knob against a slow, obvious choice."""

from collections import Counter
from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import problems, seeds
from support import CASTLE, CHESS, PETERSEN, PIPES, WORLDS, colouring, everything_touches
from wavefold.solver.heuristics import combine_heuristics
from wavefold.testing import HeuristicContract

LOOSE = 1e-5  # nats: whole-number logarithms against real ones


def by_column(cell, remaining, entropy, undecided_neighbours):
    return cell % 8


class TestHeuristics(HeuristicContract):
    @pytest.fixture(
        params=[
            "entropy",
            "scanline:southeast",
            "random",
            wf.Heuristics(order="both", most_constraining=True, central=True),
            wf.Heuristics(pick="heaviest", match_neighbours=True, local_share=0.5),
            wf.Heuristics(order="domain", soft_constraining=0.7),
            wf.Heuristics(priors={"aaab": 40, "bbba": 3}),
            by_column,
        ],
        ids=lambda order: getattr(order, "__name__", str(order)[:40]),
    )
    def order(self, request):
        return request.param


class Moment:
    """The wave just before a cell was chosen, in plain numbers."""

    def __init__(self, solver):
        self.problem = solver.problem
        self.possible = solver.partial().possible
        self.remaining = self.possible.sum(axis=1)
        self.open = np.flatnonzero(self.remaining > 1).tolist()
        self.fixed_entropy = solver.entropy()  # exact, in steps of 2**-20: ties are ties
        self.cell = -1

    def entropy(self, cell):
        """Shannon entropy in nats, as a textbook has it."""
        weights = self.problem.rules.weights
        if self.problem.weights is not None:
            rows = self.problem.weights
            weights = rows[cell] if len(rows) > 1 else rows[0]
        left = [weights[pattern] for pattern in np.flatnonzero(self.possible[cell])]
        total = sum(left)
        return -sum(weight / total * log(weight / total) for weight in left)

    def around(self, cell):
        return [int(each) for each in self.problem.graph.neighbour[cell]]

    def undecided_around(self, cell):
        return sum(other >= 0 and self.remaining[other] > 1 for other in self.around(cell))

    def settled_around(self, cell):
        return len(self.around(cell)) - self.undecided_around(cell)

    def least(self, key, cells=None):
        """The cells whose key is lowest."""
        keys = {cell: key(cell) for cell in (self.open if cells is None else cells)}
        lowest = min(keys.values(), default=inf)
        return {cell for cell, each in keys.items() if each == lowest}


def moments(problem, order, seed=0, steps=400):
    """Every choice of a run: the wave before it, and the cell that was chosen."""
    solver = wf.Solver(problem, seed, order)
    events = []
    solver.listen(events.append)
    for _ in range(steps):
        moment = Moment(solver)
        events.clear()
        if solver.step() == "solved":
            steps = 0
        chosen = [event for event in events if event.kind == "chosen"]
        if chosen:
            moment.cell = chosen[-1].cell
            yield moment
        if not steps:
            return


WORLD_NAMES = ("pipes", "castle", "tinted", "kinds apart", "hex rivers", "towers", "petersen")


@pytest.mark.parametrize("world", WORLD_NAMES)
def test_only_open_cells_are_chosen(world):
    for order in ("entropy", "domain", "scanline", "random", wf.Heuristics(order="both")):
        assert all(moment.cell in moment.open for moment in moments(WORLDS[world](), order))


def test_a_cell_that_is_pinned_costs_no_decision():
    problem = wf.Problem(CHESS, wf.SquareGrid(4, 4), pins={(0, 0): "white"})
    for order in ("entropy", "domain", "scanline", wf.Heuristics(order="both")):
        assert wf.Solver(problem, order=order).run().stats.decisions == 0


@pytest.mark.parametrize("world", WORLD_NAMES)
def test_entropy_takes_a_cell_of_least_entropy(world):
    for moment in moments(WORLDS[world](), "entropy"):
        lowest = min(moment.entropy(cell) for cell in moment.open)
        assert moment.entropy(moment.cell) <= lowest + LOOSE


def test_entropy_counts_weights_that_differ_from_cell_to_cell():
    weights = np.random.default_rng(4).integers(1, 50, (25, len(PIPES)))
    for moment in moments(wf.Problem(PIPES, wf.SquareGrid(5, 5), weights=weights), "entropy"):
        lowest = min(moment.entropy(cell) for cell in moment.open)
        assert moment.entropy(moment.cell) <= lowest + LOOSE


@pytest.mark.parametrize("world", WORLD_NAMES)
def test_domain_takes_a_cell_with_fewest_patterns(world):
    for moment in moments(WORLDS[world](), "domain"):
        assert moment.cell in moment.least(lambda cell, moment=moment: moment.remaining[cell])


@pytest.mark.parametrize("world", WORLD_NAMES)
def test_both_takes_from_what_the_two_shortlists_share_or_else_from_either(world):
    shared = 0
    for moment in moments(WORLDS[world](), wf.Heuristics(order="both", shortlist=1024)):
        fewest = moment.least(lambda cell, moment=moment: moment.remaining[cell])
        calmest = moment.least(lambda cell, moment=moment: moment.fixed_entropy[cell])
        assert moment.cell in (fewest & calmest or fewest | calmest)
        shared += bool(fewest & calmest)
    assert shared


@pytest.mark.parametrize("factors", [(1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.25, 3.0)])
def test_score_takes_the_least_weighted_sum(factors):
    by_domain, by_entropy = factors
    order = wf.Heuristics(order="score", domain_factor=by_domain, entropy_factor=by_entropy)
    for moment in moments(WORLDS["castle"](), order):
        scores = {
            cell: by_domain * moment.remaining[cell] + by_entropy * moment.entropy(cell)
            for cell in moment.open
        }
        assert scores[moment.cell] <= min(scores.values()) + 4 * LOOSE


@pytest.mark.parametrize("degree", [0.5, 2.0])
@pytest.mark.parametrize("world", ["pipes", "castle", "hex rivers"])
def test_degree_is_added_for_every_neighbour_that_is_decided_or_missing(world, degree):
    for moment in moments(WORLDS[world](), wf.Heuristics(order="domain", degree=degree)):
        keys = {cell: moment.remaining[cell] + degree * moment.settled_around(cell) for cell in moment.open}
        assert keys[moment.cell] == min(keys.values())


def test_bias_multiplies_the_key_by_one_plus_bias_times_influence():
    influence = np.random.default_rng(1).random(36)
    order = wf.Heuristics(order="entropy", bias=2.0, influence=influence.reshape(6, 6))
    for moment in moments(WORLDS["pipes"](), order):
        keys = {cell: moment.entropy(cell) * (1 + 2 * influence[cell]) for cell in moment.open}
        assert keys[moment.cell] <= min(keys.values()) + 1e-4


@pytest.mark.parametrize(("perimeter", "edge_first"), [(5.0, False), (-0.9, True)])
def test_perimeter_puts_the_edge_first_or_last(perimeter, edge_first):
    problem = wf.Problem(everything_touches([1, 1, 1]), wf.SquareGrid(5, 5))
    order = wf.Heuristics(order="entropy", perimeter=perimeter)
    at_edge = [bool((problem.graph.neighbour[moment.cell] < 0).any()) for moment in moments(problem, order)]
    assert len(at_edge) == 25
    assert at_edge == sorted(at_edge, reverse=edge_first)


@pytest.mark.parametrize("world", ["pipes", "castle", "hex rivers", "towers"])
def test_most_constraining_prefers_many_undecided_neighbours_among_equals(world):
    order = wf.Heuristics(order="both", most_constraining=True, shortlist=1024)
    for moment in moments(WORLDS[world](), order):
        fewest = moment.least(lambda cell, moment=moment: moment.remaining[cell])
        calmest = moment.least(lambda cell, moment=moment: moment.fixed_entropy[cell])
        candidates = fewest & calmest or fewest | calmest
        assert moment.cell in moment.least(
            lambda cell, moment=moment: -moment.undecided_around(cell), candidates
        )


def test_most_constraining_counts_with_a_single_criterion_only_on_request():
    def obeyed(**options):
        order = wf.Heuristics(order="domain", most_constraining=True, shortlist=1024, **options)
        return [
            moment.cell
            in moment.least(
                lambda cell, moment=moment: -moment.undecided_around(cell),
                moment.least(lambda cell, moment=moment: moment.remaining[cell]),
            )
            for moment in moments(WORLDS["castle"](), order)
        ]

    assert all(obeyed(most_constraining_alone=True))
    assert not all(obeyed())


@pytest.mark.parametrize("world", ["pipes", "castle", "hex rivers"])
@pytest.mark.parametrize("name", ["entropy", "domain"])
def test_central_prefers_the_cell_nearest_to_the_centre_among_equals(world, name):
    problem = WORLDS[world]()
    places = np.array([problem.topology.centre(cell) for cell in range(problem.cell_count)])
    distance = ((places - (places.min(axis=0) + places.max(axis=0)) / 2) ** 2).sum(axis=1).round(6)
    for moment in moments(problem, wf.Heuristics(order=name, central=True, shortlist=1024)):
        key = moment.fixed_entropy if name == "entropy" else moment.remaining
        equals = moment.least(lambda cell, key=key: key[cell])
        assert moment.cell in moment.least(lambda cell: distance[cell], equals)


@pytest.mark.parametrize("ties", ["scanline", "spiral"])
@pytest.mark.parametrize("name", ["entropy", "domain", "both"])
def test_ties_go_to_the_cell_that_comes_first(ties, name):
    problem = WORLDS["castle"]()
    sequence = problem.topology.scan() if ties == "scanline" else problem.topology.spiral()
    rank = np.argsort(sequence)
    for moment in moments(problem, wf.Heuristics(order=name, ties=ties, shortlist=1024)):
        fewest = moment.least(lambda cell, moment=moment: moment.remaining[cell])
        calmest = moment.least(lambda cell, moment=moment: moment.fixed_entropy[cell])
        candidates = {"entropy": calmest, "domain": fewest, "both": fewest & calmest or fewest | calmest}[
            name
        ]
        assert moment.cell == min(candidates, key=lambda cell: rank[cell])


def test_a_shortlist_of_one_compares_nothing():
    order = wf.Heuristics(order="domain", ties="scanline", central=True, shortlist=1)
    cells = [
        moment.cell for moment in moments(wf.Problem(everything_touches([1, 1]), wf.SquareGrid(4, 4)), order)
    ]
    assert cells == list(range(16))


@pytest.mark.parametrize(
    ("order", "first_cells"),
    [
        ("scanline", [(0, 0), (1, 0), (2, 0), (0, 1)]),
        ("scanline:northwest", [(0, 0), (1, 0), (2, 0), (0, 1)]),
        ("scanline:northeast", [(2, 0), (1, 0), (0, 0), (2, 1)]),
        ("scanline:southwest", [(0, 2), (1, 2), (2, 2), (0, 1)]),
        ("scanline:southeast", [(2, 2), (1, 2), (0, 2), (2, 1)]),
        (wf.Heuristics(order="scanline", corner="southeast"), [(2, 2), (1, 2), (0, 2), (2, 1)]),
        ("spiral", [(1, 1)]),
    ],
)
def test_fixed_orders_go_as_they_say(order, first_cells):
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(3, 3))
    cells = [problem.topology.coordinate(moment.cell) for moment in moments(problem, order)]
    assert cells[: len(first_cells)] == first_cells
    assert len(set(cells)) == 9


def test_a_spiral_never_comes_closer_again():
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(5, 5))
    rings = [
        max(abs(x - 2), abs(y - 2)) ** 2 + min(abs(x - 2), abs(y - 2)) ** 2
        for x, y in (problem.topology.coordinate(moment.cell) for moment in moments(problem, "spiral"))
    ]
    assert rings == sorted(rings)
    assert len(rings) == 25


def test_random_is_another_permutation_for_every_seed():
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(4, 4))
    orders = {tuple(moment.cell for moment in moments(problem, "random", seed)) for seed in range(5)}
    assert len(orders) == 5
    assert all(sorted(each) == list(range(16)) for each in orders)


def test_scanline_skips_what_is_decided_and_comes_back_after_a_conflict():
    for moment in moments(wf.Problem(CASTLE, wf.SquareGrid(6, 6)), "scanline", seed=2):
        assert moment.cell == moment.open[0]


def test_auto_is_one_of_the_named_orders_and_a_pure_function_of_the_rules():
    problem = WORLDS["chess"]()
    first = wf.Solver(problem, 0, "auto").stats.order
    assert first in ("entropy", "scanline")
    assert wf.Solver(wf.Problem(CHESS, wf.SquareGrid(9, 2)), 99).stats.order == first
    named = wf.Solver(problem, 5, first).run()
    assert wf.Solver(problem, 5, "auto").run().patterns.tolist() == named.patterns.tolist()


def test_auto_takes_entropy_on_graphs():
    assert wf.Solver(wf.Problem(colouring(3), PETERSEN)).stats.order == "entropy"


@pytest.mark.parametrize("world", WORLD_NAMES)
def test_entropy_is_what_a_textbook_says(world):
    solver = wf.Solver(WORLDS[world](), 1, "entropy")
    for _ in range(6):
        moment = Moment(solver)
        expected = [
            moment.entropy(cell) if moment.remaining[cell] else 0 for cell in range(len(moment.remaining))
        ]
        assert solver.entropy() == pytest.approx(expected, abs=LOOSE)
        solver.step()


@given(problems(), seeds, st.sampled_from(["entropy", "domain", "both"]))
def test_no_open_cell_is_ever_forgotten(problem, seed, name):
    solver = wf.Solver(problem, seed, wf.Heuristics(order=name, central=True))
    try:
        solution = solver.run(300)
    except (wf.Contradiction, wf.OutOfBudget):
        return
    assert (solution.patterns >= 0).all()


def test_statistics_count_the_cells_of_shortlists():
    order = wf.Heuristics(order="both", most_constraining=True, central=True)
    shortlists = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(5, 5)), 0, order).run().stats.shortlists
    assert set(shortlists) == {"first", "second", "combined", "final"}
    assert shortlists["first"] >= 1
    assert 1 <= shortlists["final"] <= shortlists["combined"]


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"order": "entropie"}, "did you mean 'entropy'"),
        ({"order": "both", "ties": "rnd"}, "unknown ties 'rnd'"),
        ({"pick": "heavy"}, "did you mean 'heaviest'"),
        ({"shortlist": 0}, "shortlist must be a whole number from 1"),
        ({"degree": -1}, "degree must be a number from 0"),
        ({"perimeter": float("nan")}, "perimeter must be a number"),
        ({"uniform_pick_fraction": 1.5}, "uniform_pick_fraction must be a number from 0 to 1"),
        ({"local_share": "half"}, "local_share must be a number"),
        ({"match_boost": True}, "match_boost must be a number"),
    ],
)
def test_knobs_out_of_range_are_refused_by_name(options, culprit):
    with pytest.raises(wf.ConfigError, match=culprit):
        wf.Heuristics(**options)


@pytest.mark.parametrize(
    ("order", "culprit"),
    [
        (wf.Heuristics(bias=1.0), "bias needs influence"),
        (wf.Heuristics(bias=1.0, influence=[1, 2]), "influence must be 30 finite numbers"),
        (wf.Heuristics(bias=1.0, influence=[np.nan] * 30), "influence must be 30 finite numbers"),
        (wf.Heuristics(caps={"whit": 3}), "did you mean 'white'"),
        (wf.Heuristics(caps={"white": -3}), "the cap of 'white'"),
        ("scanline:north", "unknown corner 'north'"),
    ],
)
def test_knobs_that_do_not_fit_the_problem_are_refused_by_name(order, culprit):
    with pytest.raises(wf.ConfigError, match=culprit):
        wf.Solver(WORLDS["chess"](), order=order)


def test_the_contract_finds_an_order_that_depends_on_earlier_calls():
    numbers = np.random.default_rng(0)

    def moody(cell, remaining, entropy, undecided_neighbours):
        return int(numbers.integers(1000))

    with pytest.raises(AssertionError):
        HeuristicContract().test_the_same_seed_gives_the_same_map(moody)


# --- equal cells drawn by their undecided neighbours -----------------------------------------------------


def test_without_a_chance_nothing_is_drawn_among_equals():
    problem = wf.Problem(PIPES, wf.SquareGrid(9, 7))
    plain, drawn = (
        wf.Solver(problem, 3, wf.Heuristics(order="domain", soft_constraining=chance)).run()
        for chance in (0.0, 1.0)
    )
    assert plain.patterns.tolist() == wf.Solver(problem, 3, "domain").run().patterns.tolist()
    assert plain.patterns.tolist() != drawn.patterns.tolist()


def test_equal_cells_are_drawn_as_often_as_they_have_undecided_neighbours():
    problem = wf.Problem(
        colouring(3), wf.Graph([(0, 1), (1, 2)])
    )  # the middle cell has two neighbours, the others one
    order = wf.Heuristics(order="domain", soft_constraining=1.0)
    first = [next(iter(moments(problem, order, seed))).cell for seed in range(600)]
    assert first.count(1) / 600 == pytest.approx(1 / 2, abs=0.06)
    assert first.count(0) / 600 == pytest.approx(1 / 4, abs=0.06)


def test_a_chance_between_draws_some_of_the_time():
    problem = wf.Problem(colouring(3), wf.Graph([(0, 1), (1, 2)]))
    order = wf.Heuristics(order="domain", ties="scanline", soft_constraining=0.5)
    first = [next(iter(moments(problem, order, seed))).cell for seed in range(600)]
    assert first.count(0) / 600 == pytest.approx(1 / 2 + 1 / 8, abs=0.06)


# --- priors: a series of maps ----------------------------------------------------------------------------


def distance_from_shares(problem, used):
    """How far counts are from the shares of the weights: 0 for equal, 2 for nothing in common."""
    rules = problem.rules
    shares = np.bincount(rules.tile_of, rules.weights, len(rules.tiles))
    counts = np.array([used[tile] for tile in rules.tiles])
    return float(abs(counts / counts.sum() - shares / shares.sum()).sum())


def make_series(problem, maps, carried):
    used = Counter()
    for seed in range(maps):
        order = wf.Heuristics(order="entropy", priors=used if carried else {})
        used.update(wf.Solver(problem, seed, order).run().usage())
    return used


def test_a_series_of_maps_with_priors_has_each_tile_in_proportion():
    problem = wf.Problem(CASTLE, wf.SquareGrid(6, 6))
    alone, carried = (make_series(problem, 30, carried) for carried in (False, True))
    assert sum(alone.values()) == sum(carried.values()) == 30 * 36
    assert distance_from_shares(problem, carried) < 0.6 * distance_from_shares(problem, alone)


def test_a_rare_tile_comes_regularly_with_priors():
    tiles = everything_touches([400.0, 1.0])
    problem = wf.Problem(tiles, wf.SquareGrid(8, 5))  # one in ten maps
    rare = tiles.rules.tiles[1]
    used, seen = Counter(), []
    for seed in range(60):
        used.update(wf.Solver(problem, seed, wf.Heuristics(priors=used)).run().usage())
        seen.append(used[rare])
    assert all(abs(count - map_count / 10.025) <= 2 for map_count, count in enumerate(seen, 1))


def test_priors_without_any_count_change_nothing():
    problem = wf.Problem(PIPES, wf.SquareGrid(6, 6))
    maps = [
        wf.Solver(problem, 5, wf.Heuristics(priors=priors)).run().patterns.tolist()
        for priors in ({}, dict.fromkeys(problem.rules.tiles, 0))
    ]
    assert maps[0] == maps[1] == wf.Solver(problem, 5, "entropy").run().patterns.tolist()


def test_priors_are_those_of_when_they_were_given():
    used = Counter({PIPES.rules.tiles[0]: 5})
    order = wf.Heuristics(priors=used)
    used.update({PIPES.rules.tiles[0]: 5})
    assert order.priors == {PIPES.rules.tiles[0]: 5}


@pytest.mark.parametrize(
    ("priors", "complaint"),
    [
        ({"no such tile": 1}, "priors: unknown tile 'no such tile'"),
        ({"white": -1}, "the prior of 'white' must be a whole number"),
        ({"white": 0.5}, "the prior of 'white' must be a whole number"),
        ({"white": 10**16}, "the prior of 'white' must be a whole number"),
    ],
)
def test_bad_priors_are_refused(priors, complaint):
    with pytest.raises(wf.ConfigError, match=complaint):
        wf.Solver(wf.Problem(CHESS, wf.SquareGrid(2, 2)), 0, wf.Heuristics(priors=priors))


def test_the_largest_counts_do_not_overflow():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5))
    for tile in problem.rules.tiles[:2]:
        solution = wf.Solver(problem, 1, wf.Heuristics(priors={tile: 10**15})).run()
        assert wf.check(problem, solution) == []
        assert solution.usage()[tile] < 25


# --- choices by name ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("weighted", {}),
        ("heaviest", {"pick": "heaviest"}),
        ("even", {"uniform_pick_fraction": 1.0}),
        ("matching", {"match_neighbours": True}),
    ],
)
def test_a_choice_by_name_is_what_its_settings_do(name, settings):
    problem = wf.Problem(PIPES, wf.SquareGrid(8, 8))
    for asked, order in (("scanline", "scanline"), ("auto", "entropy")):
        named = wf.Solver(problem, 1, asked, choice=name).run()
        same = wf.Solver(problem, 1, wf.Heuristics(order, **settings)).run()
        assert named.patterns.tolist() == same.patterns.tolist()


def test_a_choice_leaves_counts_and_the_order_as_they_are():
    order = wf.Heuristics("spiral", priors={"pipe": 3}, pick="heaviest", perimeter=0.5)
    both = combine_heuristics(order, wf.Heuristics("random", match_neighbours=True))
    assert (both.order, both.perimeter, both.priors) == ("spiral", 0.5, {"pipe": 3})
    assert (both.pick, both.match_neighbours) == ("weighted", True)
    assert combine_heuristics(order, both) is combine_heuristics(order, both)


def test_an_unknown_choice_is_refused_with_the_nearest():
    with pytest.raises(wf.ConfigError, match="unknown choice 'heavyest'; did you mean 'heaviest'"):
        wf.generate(PIPES, wf.SquareGrid(2, 2), choice="heavyest")
