"""A session's solver is driven as one would drive it oneself, and its log leads to where it is."""

import json

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import wavefold as wf
from wavefold.common.checkpoint import TimeUp, checking
from wavefold.service.live import models
from wavefold.service.live.session import LiveSession
from wavefold.service.problems import Problem
from wavefold.service.settings import Limits

SIDE = 5
PIPES, CASTLE = wf.TileSet.load("pipes"), wf.TileSet.load("castle")
GRID = {"width": SIDE, "height": SIDE}


def open_session(tiles=PIPES, **options):
    return LiveSession(models.Open(tileset=tiles.name, topology=GRID, **options), tiles, Limits())


def finish(session, **options):
    command = models.Run(**options)
    run = session.start(command)
    while not run.ending:
        session.advance(run, 0.01, None, True)
    return run


class LiveLaws(RuleBasedStateMachine):
    """Random commands, done by a session and by a solver. Castles in a random order need steps back."""

    @initialize(seed=st.integers(0, 20), order=st.sampled_from(["auto", "random"]))
    def begin(self, seed, order):
        self.session = open_session(CASTLE, seed=seed, heuristics={"order": order})
        self.problem = wf.Problem(CASTLE, wf.SquareGrid(SIDE, SIDE))
        self.order = order
        self.solver = wf.Solver(self.problem, seed, order)

    @rule(count=st.integers(1, 9), shows=st.booleans())
    def step(self, count, shows):
        run = self.session.start(models.Step(count=count))
        while not run.ending:
            self.session.advance(run, 0.0 if shows else 1.0, None, shows)
        for _ in range(count):
            if self.solver.status in ("solved", "impossible"):
                break
            self.solver.step()

    @rule(show=st.sampled_from(["events", "boards", "end"]), further=st.integers(1, 9))
    def run_on(self, show, further):
        last = self.solver.stats.decisions + further
        finish(self.session, show=show, until=further)
        while self.solver.status == "contradiction" or (
            self.solver.stats.decisions < last and self.solver.status == "open"
        ):
            self.solver.step()

    @rule(count=st.integers(1, 4))
    def undo(self, count):
        done = 0
        try:
            for _ in range(count):
                self.solver.undo()
                done += 1
        except wf.WavefoldError:
            pass
        if done:
            assert self.session.execute(models.Undo(count=count))[1]["log"]["count"] == done
        else:
            with pytest.raises(wf.WavefoldError):
                self.session.execute(models.Undo(count=count))

    @rule(cell=st.integers(0, SIDE * SIDE - 1), tile=st.sampled_from(CASTLE.rules.tiles), bans=st.booleans())
    def restrict(self, cell, tile, bans):
        command = (models.BanTile if bans else models.PinCell)(cell=cell, tile=tile)
        try:
            (self.solver.ban if bans else self.solver.pin)(cell, tile)
        except wf.Contradiction:
            with pytest.raises(Problem) as refused:
                self.session.execute(command)
            assert refused.value.more["cell"] == cell
        else:
            self.session.execute(command)

    @rule()
    def ask(self):
        for name in ("board", "entropy", "colours", "explain", "names", "stats", "log", "pause"):
            self.session.execute(models.Question(command=name))

    @rule(seed=st.integers(0, 20))
    def begin_with_another_seed(self, seed):
        pins = [(pin.kind, pin.cell, pin.name) for pin in self.session.pins]
        self.session = LiveSession(self.session.with_seed(seed), CASTLE, Limits())
        self.solver = wf.Solver(self.problem, seed, self.order)
        for kind, cell, tile in pins:
            getattr(self.solver, kind)(cell, tile)

    @invariant()
    def the_session_is_where_the_solver_is(self):
        assert np.array_equal(self.session.words, self.solver.partial().words)
        assert self.session.solver.status == self.solver.status

    def teardown(self):
        _, answer = self.session.execute(models.Question(command="log"))
        again = LiveSession(models.Open.model_validate_json(json.dumps(answer["open"])), CASTLE, Limits())
        assert again.left_out == 0
        assert np.array_equal(again.words, self.session.words)
        assert again.show_board(0).encode() == self.session.show_board(0).encode()
        finish(again)
        finish(self.session, show="end")
        assert np.array_equal(again.words, self.session.words)


TestLiveLaws = LiveLaws.TestCase
TestLiveLaws.settings = settings(max_examples=25, stateful_step_count=12, deadline=None)


def test_a_run_without_events_stops_where_one_with_events_does():
    one, other = open_session(seed=3), open_session(seed=3)
    for further in (1, 4, 2, 9):
        finish(one, show="end", until=further)
        finish(other, show="events", until=further)
        assert np.array_equal(one.words, other.words)


def test_steps_in_succession_are_one_entry_of_the_log():
    session = open_session()
    for count in (1, 1, 3):
        run = session.start(models.Step(count=count))
        session.advance(run, 1.0, None, True)
    assert session.log == [models.Step(count=5)]


def test_commands_of_a_log_that_fail_are_left_out():
    impossible = [models.PinCell(cell=0, tile="cross"), models.PinCell(cell=1, tile="wall"), models.Undo()]
    session = open_session(commands=[*impossible, models.Step(count=2)])
    assert session.left_out == 2
    assert [each.command for each in session.log] == ["pin", "step"]


def test_a_command_that_was_ended_half_way_loses_the_session_but_not_its_log():
    session = open_session()
    finish(session, until=3)
    run = session.start(models.Step())

    def end():
        raise TimeUp

    with checking(end), pytest.raises(TimeUp):
        session.advance(run, 1.0, None, True)
    with pytest.raises(Problem) as lost:
        session.execute(models.Undo())
    assert lost.value.status == 410
    _, answer = session.execute(models.Question(command="log"))
    assert answer["open"]["commands"] == [{"command": "step", "count": 3, "version": 0}]


def test_a_refinement_that_was_ended_leaves_the_map_as_it_was():
    session = open_session()
    finish(session)
    before = session.words

    def end():
        raise TimeUp

    with checking(end), pytest.raises(TimeUp):
        session.refine(models.Refine(sweeps=5), lambda _: None)
    assert np.array_equal(session.words, before)


def test_only_a_finished_map_can_be_refined():
    with pytest.raises(wf.WavefoldError, match="no solution yet"):
        open_session().refine(models.Refine(sweeps=1), lambda _: None)


def test_locks_hold_from_the_beginning():
    session = open_session(locks=[(3, 0), (4, 0)])
    assert PIPES.rules.names[0] == "wall"
    finish(session)
    assert session.solver.solution().patterns[[3, 4]].tolist() == [0, 0]
