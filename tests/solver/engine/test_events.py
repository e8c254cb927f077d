"""Events: they alone are enough to reconstruct every domain at every moment, one by one or in batches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import problems, seeds
from support import CASTLE, CHESS, PIPES, WORLDS, colouring, domains_of, pigeons
from wavefold.kernels.units import COMPILED


class Model:
    """Domains reconstructed from events: sets, and a copy of them before every decision."""

    def __init__(self, solver):
        self.solver = solver
        self.domains = domains_of(solver)
        self.before = []  # (cell, pattern, domains)
        self.kinds = []
        self.decisions = 0
        solver.listen(self.listen)

    def listen(self, event):
        self.kinds.append(event.kind)
        getattr(self, event.kind)(event)

    def chosen(self, event):
        (pattern,) = event.patterns
        self.decisions += 1
        assert event.decision == self.decisions
        assert pattern in self.domains[event.cell]
        self.before.append((event.cell, pattern, [set(each) for each in self.domains]))

    def removed(self, event):
        assert set(event.patterns) <= self.domains[event.cell], "removed what was gone already"
        self.domains[event.cell] -= set(event.patterns)

    def contradiction(self, event):
        assert not self.domains[event.cell]

    def undone(self, event):
        cell, pattern, self.domains = self.before.pop()
        assert (cell, (pattern,)) == (event.cell, event.patterns)

    def repaired(self, event):
        self.before.clear()
        self.domains = domains_of(self.solver)

    restarted = repaired

    def check(self):
        assert self.domains == domains_of(self.solver)


def follow(solver, steps=400):
    """Step to the end and compare after every step."""
    model = Model(solver)
    for _ in range(steps):
        status = solver.step()
        model.check()
        if status in ("solved", "impossible"):
            break
    assert model.kinds.count("chosen") == solver.stats.decisions
    assert model.kinds.count("contradiction") == solver.stats.contradictions
    assert model.kinds.count("repaired") == solver.stats.repairs
    return model


@pytest.mark.parametrize("world", WORLDS)
def test_replaying_the_events_gives_the_domains_at_every_moment(world):
    follow(wf.Solver(WORLDS[world](), 5, "entropy"))


@given(problems(), seeds, st.sampled_from(["auto", "backjump"]), st.sampled_from(["ac3", "ac4", "naive"]))
def test_replaying_the_events_gives_the_domains_on_any_world(problem, seed, search, propagation):
    solver = wf.Solver(problem, seed, "entropy", search=search, propagation=propagation)
    if solver.status == "open":
        follow(solver, 100 if COMPILED else 20)


@pytest.mark.parametrize("propagation", ["ac3", "ac4", "naive"])
@pytest.mark.parametrize("undo", ["delta", "snapshot"])
def test_conflicts_jumps_repairs_and_restarts_have_events(propagation, undo):
    ladder = wf.Ladder(patience=2, jumps=1, repairs=2, restarts=2, exact=True)
    solver = wf.Solver(pigeons(5), 1, "entropy", propagation, ladder, undo)
    model = follow(solver)
    assert solver.status == "impossible"
    assert set(model.kinds) == {"chosen", "removed", "contradiction", "undone", "repaired", "restarted"}


def test_a_jump_undoes_every_decision_it_passes():
    solver = wf.Solver(pigeons(7), 1, search=wf.Ladder(patience=3, jumps=50))
    model = follow(solver, 150)
    assert solver.stats.jumps > 1
    assert model.kinds.count("undone") > solver.stats.backtracks


@pytest.mark.parametrize("count", [wf.Count("┼", 4, 4), wf.Count(" ", 20), wf.Count("│", at_most=1)])
def test_removals_by_constraints_have_events(count):
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5), constraints=[count])
    for seed in range(3):
        follow(wf.Solver(problem, seed, "entropy"))


def test_decisions_that_a_constraint_overturns_are_undone():
    """Colours left and right of a border: the constraint, not the rules, finds the conflict."""
    path = wf.Graph([(i, i + 1) for i in range(7)])
    problem = wf.Problem(colouring(3), path, constraints=[wf.Count("c0", 4, 4), wf.Count("c1", 3, 3)])
    undone = 0
    for seed in range(8):
        undone += follow(wf.Solver(problem, seed, "entropy", search="backtrack")).kinds.count("undone")
    assert undone


def test_running_gives_the_same_events_as_stepping():
    problem = wf.Problem(CASTLE, wf.SquareGrid(7, 7))
    runs = []
    for finish in (lambda solver: solver.run(), lambda solver: [solver.step() for _ in range(100)]):
        events = []
        solver = wf.Solver(problem, 2, "entropy")
        solver.listen(events.append)
        finish(solver)
        runs.append(events)
    assert runs[0] == runs[1]
    assert len(runs[0]) > 50


def test_a_decision_undone_by_the_user_has_an_event():
    events = []
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3)), 4)
    solver.step()
    solver.listen(events.append)
    cell = int(next(cell for cell in range(9) if solver.state(cell) == "collapsed"))
    pattern = CHESS.rules.names.index(solver.domain(cell)[0])
    solver.undo()
    assert events == [wf.Event("undone", cell, (pattern,), 1)]


def test_a_stopped_listener_gets_no_more_events():
    events = []
    solver = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(4, 4)), 0, "entropy")
    stop = solver.listen(events.append)
    solver.step()
    stop()
    before = len(events)
    solver.run()
    assert before
    assert len(events) == before


def test_several_listeners_get_the_same_events():
    first, second = [], []
    solver = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(4, 4)), 0, "entropy")
    solver.listen(first.append)
    solver.listen(second.append)
    solver.run()
    assert first == second != []


def expand(events):
    """Events as the rows of batches."""
    return [
        [wf.EVENT_KINDS.index(event.kind), event.cell, pattern, event.decision]
        for event in events
        for pattern in event.patterns or (-1,)
    ]


@pytest.mark.parametrize(
    "search", ["auto", "backjump", wf.Ladder(patience=2, jumps=1, repairs=2, restarts=2)]
)
@pytest.mark.parametrize("world", ["castle", "pipes", "petersen"])
def test_batches_and_events_say_the_same(world, search):
    solver = wf.Solver(WORLDS[world](), 5, "entropy", search=search)
    events, batches = [], []
    solver.listen(events.append)
    solver.listen(batches.append, batches=True)
    for _ in range(200):
        if solver.step() in ("solved", "impossible"):
            break
    assert np.concatenate(batches).tolist() == expand(events)
    assert all(len(batch) for batch in batches)


def test_a_batch_is_one_read_only_array_for_a_decision_with_its_consequences():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3)), 4)
    batches = []
    solver.listen(batches.append, batches=True)
    solver.run()
    (batch,) = batches
    assert batch.dtype == np.int32
    assert not batch.flags.writeable
    assert batch.shape == (1 + 9, 4)  # one choice; every cell loses one of two patterns
    assert batch[0, 0] == wf.EVENT_KINDS.index("chosen")
    assert set(batch[1:, 0].tolist()) == {wf.EVENT_KINDS.index("removed")}
    assert sorted(batch[1:, 1].tolist()) == list(range(9))


def test_a_removal_of_several_patterns_is_one_event_and_several_rows():
    solver = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(4, 4)), 0, "entropy")
    events, batches = [], []
    solver.listen(events.append)
    stop = solver.listen(batches.append, batches=True)
    solver.step()
    stop()
    solver.step()
    first = [event for event in events if event.decision == 1]
    assert max(len(event.patterns) for event in first) > 1
    assert np.concatenate(batches).tolist() == expand(first)


def test_a_step_is_one_decision_where_constraints_look_on():
    """Constraints of the tile set are applied when the next decision is due: it must not be made, too."""
    problem = wf.Problem(wf.TileSet.load("medieval"), wf.HexGrid.rectangle(5, 5))
    solver, made = wf.Solver(problem, 3), []
    while solver.step() == "open":
        made.append(solver.stats.decisions)
    assert made == list(range(1, len(made) + 1))
    assert len(made) > 5
    assert solver.solution().patterns.tolist() == wf.Solver(problem, 3).run().patterns.tolist()
